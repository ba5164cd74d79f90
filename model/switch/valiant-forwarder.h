/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef VALIANT_FORWARDER_H
#define VALIANT_FORWARDER_H

#include "switch-forwarder.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Valiant's routes in a dragonfly (Valiant and Brebner, "Universal Schemes for Parallel
 * Communication", STOC 1981; Kim et al., ISCA 2008): a frame to another group goes by a router of a
 * third one, which is drawn by the hash of its flow. It takes one link between groups on either
 * part of its way. So all links of a group share what it sends to one group: about half of their
 * rate is left for traffic of any pattern, and shortest paths leave 1 / (a h) of it if all hosts of
 * a group send to one other group (a routers of h global links).
 *
 * Hosts that change the entropy of packets (HostBalancer) spread them one by one; otherwise a flow
 * keeps its router. The choice needs no field in the frame. The first two switches, in the group of
 * the source, send it to the third group; the switch by which it enters that group sends it to the
 * drawn router, and all others to the group of the destination. Each sends it to the end of its own
 * group's link. If links are cut, that may be a longer way; frames that have passed more switches
 * than usual take a shortest path, so none circles.
 */
class ValiantForwarder : public SwitchForwarder
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool HasDetours() const override;
    std::string FindObstacle(const FabricGraph& graph) const override;
    void InstallDetours(const FabricGraph& graph, uint32_t id) override;
    uint32_t FindTarget(const FabricFrame& frame) const override;

  private:
    /// Note where the links of a router of this group to other groups end.
    void NoteEntries(const FabricGraph& graph, uint32_t router);

    /// @return a host by whose router a frame goes, in neither of two groups
    uint32_t DrawHost(const FabricFrame& frame, uint32_t from, uint32_t to) const;

    uint32_t m_group{0};             //!< of the switch
    uint32_t m_groupHosts{1};        //!< hosts of each group; they are numbered consecutively
    std::vector<uint32_t> m_entries; //!< by group: a host where a link of m_group ends
    std::vector<bool> m_isGlobal;    //!< by port: whether it leads to another group
    std::vector<bool> m_isHere;      //!< by host of m_group: whether the switch has it
};

} // namespace aifabric
} // namespace ns3

#endif /* VALIANT_FORWARDER_H */
