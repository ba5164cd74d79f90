/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GROWING_RING_H
#define GROWING_RING_H

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * First in, first out, in one contiguous power-of-two block that doubles when full and never
 * shrinks: after warming up, nothing is allocated.
 *
 * @tparam T what is stored: with a default value, to which elements are set that are removed if
 * they are not trivially copyable
 */
template <typename T>
class GrowingRing
{
  public:
    GrowingRing() = default;

    /// @param other what is moved, and empty thereafter
    GrowingRing(GrowingRing&& other) noexcept
    {
        Swap(other);
    }

    /// @return this  @param other what is moved, and empty thereafter
    GrowingRing& operator=(GrowingRing&& other) noexcept
    {
        GrowingRing(std::move(other)).Swap(*this);
        return *this;
    }

    /// @param other what is copied
    GrowingRing(const GrowingRing& other)
    {
        for (uint32_t i = 0; i < other.m_size; ++i)
        {
            push_back(other[i]);
        }
    }

    /// @return whether nothing is stored
    bool empty() const
    {
        return m_size == 0;
    }

    /// @return the number of elements
    uint32_t size() const
    {
        return m_size;
    }

    /// @return the element at a distance from the front  @param index the distance
    T& operator[](uint32_t index)
    {
        return m_data[(m_head + index) & m_mask];
    }

    /// @return the element at a distance from the front  @param index the distance
    const T& operator[](uint32_t index) const
    {
        return m_data[(m_head + index) & m_mask];
    }

    /// @return the oldest element, of a ring that is not empty
    const T& front() const
    {
        return m_data[m_head];
    }

    /// @return the newest element, of a ring that is not empty
    const T& back() const
    {
        return m_data[(m_head + m_size - 1) & m_mask];
    }

    /// @return where the oldest element is, or would be
    const T* Place() const
    {
        return m_data.get() + m_head;
    }

    /// @return where the next element will be, unless the ring has to grow
    const T* NextPlace() const
    {
        return m_data.get() + ((m_head + m_size) & m_mask);
    }

    /// Append an element.  @param value the element
    void push_back(T value)
    {
        if (m_size == m_capacity)
        {
            Grow();
        }
        m_data[(m_head + m_size++) & m_mask] = std::move(value);
    }

    /// @return the oldest element, removed
    T pop_front()
    {
        T value = std::move(m_data[m_head]);
        if constexpr (!std::is_trivially_copyable_v<T>)
        {
            m_data[m_head] = T();
        }
        // an empty ring begins anew, in the cache line that it used last
        m_head = --m_size ? (m_head + 1) & m_mask : 0;
        return value;
    }

  private:
    /// @return elements of the first block: what a cache line holds, as a power of two
    static constexpr uint32_t FirstCapacity()
    {
        uint32_t capacity = 1;
        while (2 * capacity * sizeof(T) <= 64)
        {
            capacity *= 2;
        }
        return capacity;
    }

    /// @param other what to change places with
    void Swap(GrowingRing& other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_head, other.m_head);
        std::swap(m_size, other.m_size);
        std::swap(m_mask, other.m_mask);
        std::swap(m_capacity, other.m_capacity);
    }

    /// Double the capacity.
    void Grow()
    {
        const uint32_t capacity = m_capacity ? 2 * m_capacity : FirstCapacity();
        auto data = std::make_unique<T[]>(capacity);
        for (uint32_t i = 0; i < m_size; ++i)
        {
            data[i] = std::move((*this)[i]);
        }
        m_data = std::move(data);
        m_capacity = capacity;
        m_mask = capacity - 1;
        m_head = 0;
    }

    std::unique_ptr<T[]> m_data; //!< the block
    uint32_t m_head{0};          //!< index of the oldest element
    uint32_t m_size{0};          //!< elements stored
    uint32_t m_mask{0};          //!< capacity - 1
    uint32_t m_capacity{0};      //!< elements in the block, a power of two
};

} // namespace aifabric
} // namespace ns3

#endif /* GROWING_RING_H */
