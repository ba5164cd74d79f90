/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STEV_FORWARDER_H
#define STEV_FORWARDER_H

#include "switch-forwarder.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Structured entropy values (STEV): each switch on the way up takes the uplink that its part of the
 * UDP source port names (PathLabelBalancer, whatever the host balancer counts on). There are no
 * outer headers. A switch that knows the named link to be dead hashes instead.
 */
class StevForwarder : public SwitchForwarder
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool ObeysHosts() const override;
    std::string FindObstacle(const FabricGraph& graph) const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* STEV_FORWARDER_H */
