/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHA256_H
#define SHA256_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ns3
{
namespace aifabric
{

/// The Secure Hash Algorithm SHA-256 (FIPS 180-4), whose digests `sha256sum` prints.
class Sha256
{
  public:
    /// @param bytes the next ones of the message
    void Add(std::string_view bytes);

    /// @return the digest of all bytes, as 64 hexadecimal digits. To be called once.
    std::string Finish();

    /// @return the digest of what a file holds  @throws std::ios_base::failure if it cannot be read
    static std::string OfFile(const std::string& path);

  private:
    static constexpr std::size_t BLOCK = 64; //!< bytes that are mixed in at a time

    /// Mix in the block, which is full.
    void Mix();

    std::array<uint8_t, BLOCK> m_block{}; //!< the bytes that are not mixed in yet
    uint64_t m_bytes{0};                  //!< of the message so far
    std::array<uint32_t, 8> m_state{0x6a09e667,
                                    0xbb67ae85,
                                    0x3c6ef372,
                                    0xa54ff53a,
                                    0x510e527f,
                                    0x9b05688c,
                                    0x1f83d9ab,
                                    0x5be0cd19}; //!< H(0), section 5.3.3
};

} // namespace aifabric
} // namespace ns3

#endif /* SHA256_H */
