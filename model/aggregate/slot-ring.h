/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOT_RING_H
#define SLOT_RING_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Which slots the fragments of a job use: those of a window in turn. All workers of a job compute
 * the same slots, by a hash of the job and the place in the window, as ATP's public code does
 * (CRC-32 of both and a salt, 16 bits each, the least significant byte first). The salt grows until
 * no other place of the window has the slot, as long as there are slots that none has.
 *
 * After a collision the parameter server names another slot for a place (re-hashing).
 */
class SlotRing
{
  public:
    /**
     * @param job number of the job
     * @param window places, at least 1
     * @param slots slots of the switch, from 1 to 65536
     * @param isDistinct whether places have different slots, if there are enough
     */
    SlotRing(uint16_t job, uint32_t window, uint32_t slots, bool isDistinct = true);

    /// @return the slot of a fragment  @param sequence its number, from 0 on
    uint16_t Get(uint32_t sequence) const
    {
        return m_slots[sequence % GetWindow()];
    }

    /// Move the place of a fragment to another slot, unless another place has it.
    /// @param sequence the fragment's number
    void Move(uint32_t sequence, uint16_t slot);

    /// @return whether a place has a slot
    bool Has(uint16_t slot) const;

    /// @return places
    uint32_t GetWindow() const
    {
        return m_slots.size();
    }

    /// @return the hash of a place  @param place its number
    static uint32_t Hash(uint16_t job, uint16_t place, uint16_t salt);

  private:
    std::vector<uint16_t> m_slots; //!< by place
    std::vector<uint16_t> m_users; //!< places that have a slot, by slot
};

} // namespace aifabric
} // namespace ns3

#endif /* SLOT_RING_H */
