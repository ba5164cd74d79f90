/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONWEAVE_SOURCE_H
#define CONWEAVE_SOURCE_H

#include "flow-slots.h"

#include "ns3/conweave-tag.h"
#include "ns3/egress-group.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The first leaf of flows of ConWeave (Song et al., SIGCOMM 2023, section 3.2): when a flow changes
 * its path, and to which.
 *
 * The packets of a flow belong to epochs. The first one of an epoch requests a reply. If the reply
 * comes in time, the next packet begins a new epoch on the same path. Otherwise the next packet is
 * the TAIL, the last one on that path; those behind it take another one, and the epoch ends when
 * the CLEAR comes, which says that the TAIL has arrived. So packets of a flow are on two paths at
 * most. A flow without packets for some time begins a new epoch, and draws a path.
 *
 * A path is drawn twice, and taken unless packets on it were marked lately (NOTIFY). If both were,
 * the flow keeps its own.
 */
class ConweaveSource
{
  public:
    /// What it goes by. Times in picoseconds.
    struct Parameters
    {
        int64_t reply;    //!< until a reply is late: theta_reply
        int64_t inactive; //!< after which a flow begins anew: theta_inactive
        int64_t busy;     //!< for which a mark keeps flows from a path: theta_path_busy
        uint32_t leaves;  //!< of the fabric
        uint32_t uplinks; //!< of this one
        uint32_t slots;   //!< of the table of flows
    };

    /// What it has counted.
    struct Counters
    {
        uint64_t requests{0};  //!< epochs
        uint64_t replies{0};   //!< that came in time
        uint64_t reroutes{0};  //!< TAILs
        uint64_t clears{0};    //!< that ended an epoch
        uint64_t moves{0};     //!< to another uplink
        uint64_t untracked{0}; //!< packets of flows that the table has no room for
    };

    /// Forget everything.
    void Resize(const Parameters& parameters);

    /**
     * A packet of a host below comes.
     *
     * @param now the current time, in picoseconds
     * @return what the leaf writes into it, but for the uplink; NONE: there is no room for its flow
     */
    ConweaveTag PacketArrives(const LeafFlow& flow, int64_t now);

    /**
     * Choose the uplink of a packet that PacketArrives() has tagged.
     *
     * @param isTail whether it is a TAIL, which keeps to its path
     * @param leaf number of the leaf that it goes to
     * @param group the candidates
     * @param firstUp the port of uplink 0
     * @param now the current time, in picoseconds
     * @param random draws paths
     * @return its place in the group; none: the flow is not known
     */
    std::optional<uint32_t> Choose(const LeafFlow& flow,
                                   bool isTail,
                                   uint32_t leaf,
                                   const EgressGroup& group,
                                   uint32_t firstUp,
                                   int64_t now,
                                   UniformRandomVariable& random);

    /**
     * A control packet comes.
     *
     * @param flow what it is about
     * @param leaf number of the leaf that sent it
     * @param tag what it says
     * @param now the current time, in picoseconds
     */
    void ControlArrives(const LeafFlow& flow, uint32_t leaf, const ConweaveTag& tag, int64_t now);

    /// @return what it has counted
    const Counters& GetCounters() const
    {
        return m_counters;
    }

  private:
    /// What is known of a flow.
    struct State
    {
        FabricTransmitter* port{nullptr}; //!< of its path; nullptr: it has none yet
        int64_t deadline{0};              //!< of the reply, in picoseconds
        uint32_t place{0};                //!< where its port stood in the group
        uint32_t tailNs{0};               //!< when the TAIL of this epoch came
        uint8_t epoch{0};                 //!< number of the epoch
        bool isRerouted{false};           //!< the TAIL of this epoch has come
        bool isOver{false};               //!< the next packet begins an epoch
        bool isToMove{false};             //!< the next packet takes a new path

        /// @return whether the slot must be kept
        bool IsPinned() const
        {
            return false;
        }

        /// @return whether its port is in a group; its place is up to date then
        bool Locate(const EgressGroup& group);
    };

    /// @return the place of a path that is not busy, of two that are drawn; none: both are
    std::optional<uint32_t> Draw(uint32_t leaf,
                                 const EgressGroup& group,
                                 uint32_t firstUp,
                                 int64_t now,
                                 UniformRandomVariable& random) const;

    Parameters m_parameters{};        //!< what it goes by
    FlowSlots<State> m_flows;         //!< the flows
    std::vector<int64_t> m_busyUntil; //!< by leaf times uplinks plus uplink, in picoseconds
    Counters m_counters;              //!< what it has counted
};

} // namespace aifabric
} // namespace ns3

#endif /* CONWEAVE_SOURCE_H */
