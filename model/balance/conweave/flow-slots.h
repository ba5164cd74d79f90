/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_SLOTS_H
#define FLOW_SLOTS_H

#include "leaf-flow.h"

#include "ns3/ecmp-balancer.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What a leaf knows of flows: a table of fixed size, in sets of a few slots. A flow belongs to one
 * set, where it takes a slot that is free: never used, or not used for some time and not pinned. If
 * there is none, the leaf does not know the flow.
 *
 * @tparam State what is known of a flow; has bool IsPinned() const
 */
template <class State>
class FlowSlots
{
  public:
    /// A place in the table.
    struct Slot
    {
        LeafFlow flow;              //!< whose it is
        int64_t lastSeen{LONG_AGO}; //!< when its last packet came, in picoseconds
        State state;                //!< what is known of it
    };

    /// Forget everything.  @param slots size of the table, rounded up to whole sets
    void Resize(uint32_t slots)
    {
        m_sets.assign((uint64_t{slots} + WAYS - 1) / WAYS, {});
    }

    /// @return the slot of a flow, or nullptr
    Slot* Find(const LeafFlow& flow)
    {
        for (Slot& slot : SetOf(flow))
        {
            if (slot.flow == flow && slot.lastSeen != LONG_AGO)
            {
                return &slot;
            }
        }
        return nullptr;
    }

    /**
     * @param now the current time, in picoseconds
     * @param ageing how long a slot is kept for a flow without packets, in picoseconds
     * @return the slot of a flow; if it is new, its last packet came long ago; nullptr: there is no
     * room
     */
    Slot* FindOrAdd(const LeafFlow& flow, int64_t now, int64_t ageing)
    {
        if (Slot* known = Find(flow))
        {
            return known;
        }
        for (Slot& slot : SetOf(flow))
        {
            if (now - slot.lastSeen > ageing && !slot.state.IsPinned())
            {
                slot = Slot();
                slot.flow = flow;
                return &slot;
            }
        }
        return nullptr;
    }

  private:
    static constexpr uint32_t WAYS = 8;                //!< slots of a set
    static constexpr int64_t LONG_AGO = INT64_MIN / 2; //!< what is too long ago for any ageing

    using Set = std::array<Slot, WAYS>; //!< slots that the same flows may take

    /// @return the set that a flow belongs to
    Set& SetOf(const LeafFlow& flow)
    {
        const uint32_t hosts = EcmpBalancer::Mix(flow.source, flow.destination);
        return m_sets[EcmpBalancer::Mix(flow.entropy, hosts) * uint64_t{m_sets.size()} >> 32];
    }

    std::vector<Set> m_sets; //!< the table
};

} // namespace aifabric
} // namespace ns3

#endif /* FLOW_SLOTS_H */
