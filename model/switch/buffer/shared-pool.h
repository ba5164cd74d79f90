/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARED_POOL_H
#define SHARED_POOL_H

#include <cmath>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * The memory of a switch buffer that all its ports and classes share, and its dynamic thresholds:
 * multiples of what is free (Choudhury and Hahne, "Dynamic queue length thresholds for
 * shared-memory packet switches", 1998).
 */
class SharedPool
{
  public:
    /// @return a multiple of what is free, as thresholds have it: in units of 2^-16
    static int64_t ToFactor(double alpha)
    {
        return std::llround(alpha * (1 << SHIFT));
    }

    /// @return the least memory whose threshold reaches an amount while all of it is free, in bytes
    /// @param bytes the amount  @param alpha the multiple of what is free
    static uint64_t GetLeast(uint64_t bytes, double alpha)
    {
        const uint64_t factor = ToFactor(alpha);
        return ((bytes << SHIFT) + factor - 1) / factor;
    }

    /// Nothing is taken yet.  @param bytes the memory
    void SetBytes(uint64_t bytes)
    {
        m_bytes = bytes;
        m_free = bytes;
    }

    /// @return the memory, in bytes
    int64_t GetBytes() const
    {
        return m_bytes;
    }

    /// @return what is free of it, in bytes
    int64_t GetFree() const
    {
        return m_free;
    }

    /// Take memory.  @param bytes how much; negative: give it back
    void Take(int64_t bytes)
    {
        m_free -= bytes;
    }

    /// @return whether an amount is at most its threshold  @param factor of the threshold
    /// @param given memory that is to be given back before
    bool Fits(int64_t bytes, int64_t factor, int64_t given = 0) const
    {
        return bytes << SHIFT <= factor * (m_free + given);
    }

    /// @return whether an amount is below its threshold  @param factor of the threshold
    /// @param taken memory that is to be taken before
    bool IsBelow(int64_t bytes, int64_t factor, int64_t taken = 0) const
    {
        return bytes << SHIFT < factor * (m_free - taken);
    }

  private:
    static constexpr uint8_t SHIFT = 16; //!< factors are in units of 2^-16

    int64_t m_bytes{0}; //!< the memory
    int64_t m_free{0};  //!< what is free of it
};

} // namespace aifabric
} // namespace ns3

#endif /* SHARED_POOL_H */
