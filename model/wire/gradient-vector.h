/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRADIENT_VECTOR_H
#define GRADIENT_VECTOR_H

#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace ns3
{
namespace aifabric
{

class GradientPool;
struct GradientMemory;

/// The base class of a class that needs none.
struct NoBase
{
};

/// Frees the memory of values to which no GradientVector refers any longer.
struct GradientMemoryDeleter
{
    /**
     * Return the memory to its pool, if it has one.
     */
    static void Delete(GradientMemory* memory);
};

/// The memory of a GradientVector.
struct GradientMemory : public SimpleRefCount<GradientMemory, NoBase, GradientMemoryDeleter>
{
    std::vector<int32_t> room;   //!< the values, and others up to a multiple of LANES
    uint32_t size{0};            //!< how many values
    GradientPool* pool{nullptr}; //!< where it comes from; nullptr: it is freed after use
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
        return m_memory ? m_memory->room.size() : 0;
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
        if (m_memory && m_memory->GetReferenceCount() > 1)
        {
            CopyMemory();
        }
        return m_memory ? m_memory->room.data() : nullptr;
    }

  private:
    friend class GradientPool;

    /// @param memory the memory of the vector
    explicit GradientVector(Ptr<GradientMemory> memory)
        : m_memory(std::move(memory))
    {
    }

    /// Copy what is shared.
    void CopyMemory();

    Ptr<GradientMemory> m_memory; //!< the values; null: there are none
};

/// @return whether two vectors have equal values
bool operator==(const GradientVector& a, const GradientVector& b);

/// @return whether two vectors have different values
inline bool
operator!=(const GradientVector& a, const GradientVector& b)
{
    return !(a == b);
}

} // namespace aifabric
} // namespace ns3

#endif /* GRADIENT_VECTOR_H */
