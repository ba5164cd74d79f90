/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRADIENT_VECTOR_H
#define GRADIENT_VECTOR_H

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

class GradientPool;

/// The memory of a GradientVector.
struct GradientMemory
{
    uint32_t users{0};             //!< vectors that share it
    uint32_t size{0};              //!< how many values
    std::vector<int32_t> room;     //!< the values, and others up to a multiple of LANES
    GradientPool* pool{nullptr};   //!< where it comes from; nullptr: it is freed after use
    GradientMemory* next{nullptr}; //!< the next one that is free, in its pool

    /// Change how many values there are.  @param values how many
    void Resize(uint32_t values);
};

/**
 * @ingroup ai-fabric
 *
 * The values of a packet of gradients: integers in fixed point, or the bits of floats. A copy
 * shares them until one of both is changed (Edit()). So the frames of a multicast share a sum, and
 * a switch adds to the values of the first packet where they are.
 *
 * Loops may process Edit() up to GetRoom() values, a multiple of LANES: then the compiler needs no
 * code for what is left over.
 */
class GradientVector
{
  public:
    static constexpr uint32_t LANES = 8; //!< values that an AVX2 instruction processes

    /// Create a vector without values.
    GradientVector() = default;

    /// Create a vector of some values.
    GradientVector(const std::vector<int32_t>& values);

    /// Create a vector of some values.
    GradientVector(std::initializer_list<int32_t> values)
        : GradientVector(std::vector<int32_t>(values))
    {
    }

    /// Share the values of another vector.
    GradientVector(const GradientVector& other)
        : GradientVector(other.m_memory)
    {
    }

    /// Take the values of another vector, which has none then.
    GradientVector(GradientVector&& other) noexcept
        : m_memory(std::exchange(other.m_memory, nullptr))
    {
    }

    ~GradientVector()
    {
        if (m_memory && --m_memory->users == 0)
        {
            Free();
        }
    }

    /// Share or take the values of another vector.  @return this vector
    GradientVector& operator=(GradientVector other) noexcept
    {
        std::swap(m_memory, other.m_memory);
        return *this;
    }

    /// @return whether there are no values
    bool IsEmpty() const
    {
        return GetSize() == 0;
    }

    /// @return how many values there are
    uint32_t GetSize() const
    {
        return m_memory ? m_memory->size : 0;
    }

    /// @return GetSize(), rounded up to a multiple of LANES
    uint32_t GetRoom() const
    {
        return (GetSize() + LANES - 1) / LANES * LANES;
    }

    /// @return the first value
    const int32_t* begin() const
    {
        return m_memory ? m_memory->room.data() : nullptr;
    }

    /// @return behind the last value
    const int32_t* end() const
    {
        return m_memory ? m_memory->room.data() + m_memory->size : nullptr;
    }

    /// @return a value  @param place below GetSize()
    int32_t operator[](uint32_t place) const
    {
        return m_memory->room[place];
    }

    /// @return the values, to be changed: from now on, no other vector shares them
    int32_t* Edit()
    {
        if (m_memory && m_memory->users > 1)
        {
            CopyMemory();
        }
        return m_memory ? m_memory->room.data() : nullptr;
    }

  private:
    friend class GradientPool;

    /// @param memory the memory of the vector; nullptr: there are no values
    explicit GradientVector(GradientMemory* memory)
        : m_memory(memory)
    {
        if (memory)
        {
            ++memory->users;
        }
    }

    /// Copy what is shared.
    void CopyMemory();

    /// Return the memory, which has no user any longer, to its pool, if it has one.
    void Free();

    GradientMemory* m_memory{nullptr}; //!< the values; nullptr: there are none
};

/// @return whether two vectors have equal values
inline bool
operator==(const GradientVector& a, const GradientVector& b)
{
    return a.GetSize() == b.GetSize() &&
           (a.IsEmpty() || std::memcmp(a.begin(), b.begin(), a.GetSize() * sizeof(int32_t)) == 0);
}

/// @return whether two vectors have different values
inline bool
operator!=(const GradientVector& a, const GradientVector& b)
{
    return !(a == b);
}

} // namespace aifabric
} // namespace ns3

#endif /* GRADIENT_VECTOR_H */
