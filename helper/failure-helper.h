/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAILURE_HELPER_H
#define FAILURE_HELPER_H

#include "fabric.h"

#include "ns3/link-fault.h"
#include "ns3/object-factory.h"
#include "ns3/route-convergence.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Makes links of a fabric fail. LinkFinder says how a place is named at which a fault is to happen.
 */
class FailureHelper
{
  public:
    FailureHelper();

    /**
     * Set an attribute of the faults to come (LinkFault), such as Start, Stop, Period, Down,
     * LossProbability, Direction.
     *
     * @param name the attribute's name
     */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Find links.
     *
     * @param graph the fabric's description
     * @param where which links, as LinkFinder takes it
     * @param opticPorts ports of a transceiver; 0: as many as a NIC has
     * @return their numbers, ascending, at least one
     * @throws std::invalid_argument with one line, if there are none
     */
    static std::vector<uint32_t> FindLinks(const FabricGraph& graph,
                                           const std::string& where,
                                           uint32_t opticPorts = 0);

    /**
     * Schedule a fault of each of some links.
     *
     * @param where which links
     * @return the faults, which need not be kept
     * @throws std::invalid_argument with one line, if there are no such links
     */
    std::vector<Ptr<LinkFault>> Install(const Fabric& fabric, const std::string& where) const;

    /**
     * Schedule a fault of a link.
     *
     * @param link the link's number
     * @return the fault, which need not be kept
     */
    Ptr<LinkFault> Install(const Fabric& fabric, uint32_t link) const;

    /**
     * Have all switches of a fabric learn of cuts and repairs. To be called once.
     *
     * @param delay from a cut or repair until they have learnt; Time::Max(): never
     * @return what does it, which need not be kept
     */
    static Ptr<RouteConvergence> InstallConvergence(const Fabric& fabric, Time delay);

    /**
     * Assign fixed random streams to the links of faults, one for each different link.
     *
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    static int64_t AssignStreams(const std::vector<Ptr<LinkFault>>& faults, int64_t stream);

  private:
    ObjectFactory m_fault; //!< makes faults
};

} // namespace aifabric
} // namespace ns3

#endif /* FAILURE_HELPER_H */
