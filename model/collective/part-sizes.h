/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PART_SIZES_H
#define PART_SIZES_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The parts of an all-to-all whose sizes differ (all-to-all-v): how many bytes a rank has for each
 * rank, itself included. A part of 0 bytes needs no message.
 */
class PartSizes
{
  public:
    /// @param ranks number of ranks
    /// @param bytes of each part: of all senders, or of some, one after the other; of a sender, by
    /// receiver
    PartSizes(uint32_t ranks, std::vector<uint64_t> bytes);

    /// @return the parts if each rank has as much for a rank  @param bytes by receiver
    static PartSizes ByReceiver(const std::vector<uint64_t>& bytes);

    /// @return the parts of the way back: that of rank i for rank j has the size of that of rank j
    /// for rank i. Requires the parts of all senders
    PartSizes Transposed() const;

    /// @return the parts, each of them to another one as some bytes are to others, rounded
    PartSizes Scaled(uint64_t to, uint64_t from) const;

    /// @return number of ranks
    uint32_t GetRanks() const;

    /// @return the bytes of each part, sender after sender
    const std::vector<uint64_t>& GetBytes() const;

    /// @return bytes that a rank has, at most
    uint64_t GetMost() const;

    /// @return the size of the collective: bytes that a rank has, on average, rounded up; 0 if no
    /// rank has any for another
    uint64_t GetSize() const;

    /// @return whether all parts are alike
    bool operator==(const PartSizes& other) const;

  private:
    uint32_t m_ranks;              //!< number of ranks
    std::vector<uint64_t> m_bytes; //!< sender after sender
};

} // namespace aifabric
} // namespace ns3

#endif /* PART_SIZES_H */
