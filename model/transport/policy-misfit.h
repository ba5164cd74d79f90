/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POLICY_MISFIT_H
#define POLICY_MISFIT_H

#include "ns3/dscp-table.h"
#include "ns3/ptr.h"

#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

class FabricGraph;
class QueuePair;

/**
 * @ingroup ai-fabric
 *
 * A policy of a queue pair that needs what the transport, or another policy, does not give.
 */
struct PolicyMisfit
{
    std::string attribute; //!< of the queue pair, such as Balancer: it holds the policy
    std::string why;       //!< what the policy needs

    /// @return all of them  @param queuePair has a recovery and a control
    static std::vector<PolicyMisfit> Find(const QueuePair& queuePair);

    /// What the queue pair needs of the fabric.
    struct Fabric
    {
        Ptr<const DscpTable> classes;      //!< of its ports
        bool trims{false};                 //!< switches trim packets
        bool hasAcks{true};                //!< acknowledgements cross it
        bool telemetry{false};             //!< switches write telemetry into packets
        const FabricGraph* graph{nullptr}; //!< its shape; null: not known
    };

    /// @return all that the fabric does not give  @param queuePair has a recovery and a balancer
    static std::vector<PolicyMisfit> Find(const QueuePair& queuePair, const Fabric& fabric);
};

} // namespace aifabric
} // namespace ns3

#endif /* POLICY_MISFIT_H */
