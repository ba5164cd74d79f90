/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWLET_TABLE_H
#define FLOWLET_TABLE_H

#include "ns3/egress-group.h"

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
 * The flows that a switch knows: a table of fixed size, in sets of a few entries. A flow belongs to
 * one set. There it takes an entry that is free: never used, or not used for some time. If there is
 * none, it shares an entry with another flow, as in a table without tags.
 */
class FlowletTable
{
  public:
    /// Entries of a set.
    static constexpr uint32_t WAYS = 4;

    /// What is known of a flow.
    struct Entry
    {
        FabricTransmitter* port{nullptr}; //!< where it goes; nullptr: not known yet
        int64_t lastSeen{0};              //!< when its last packet came
        uint32_t hash{0};                 //!< the hash of the flow that owns the entry
        uint32_t place{0};                //!< where its port stood in the group of next hops

        /// @return whether its port is in a group; its place is up to date then
        bool Locate(const EgressGroup& group);
    };

    /// Forget everything.  @param entries size of the table, rounded up to whole sets
    void Resize(uint32_t entries);

    /**
     * @param hash the hash of a flow, well mixed
     * @param ageing how long an entry is kept for a flow without packets
     * @return the entry of the flow; if it has just been taken, its port is not known
     */
    Entry& Find(uint32_t hash, int64_t now, int64_t ageing);

  private:
    std::vector<std::array<Entry, WAYS>> m_sets; //!< the table
};

} // namespace aifabric
} // namespace ns3

#endif /* FLOWLET_TABLE_H */
