/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_LABEL_BALANCER_H
#define PATH_LABEL_BALANCER_H

#include "ecmp-balancer.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Source routing: the switch takes the path that the sender has named by the label in the UDP
 * source port, label = port - HostBalancer::FIRST_PORT. PathView says what labels mean. On the way
 * up the label names an uplink; of parallel links on the way down, the one whose number is that of
 * the uplink on the other side of the turn.
 *
 * What has no label, or one whose uplink is not there or not known to be alive, is forwarded by
 * EcmpBalancer.
 *
 * It makes sense with senders who set labels only, so it is not listed among the balancers to
 * choose from. HostBalancer::GetSwitchBalancer names it.
 */
class PathLabelBalancer : public EcmpBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void SetSite(const SwitchSite& site) override;
    int Predict(const FabricFrame& frame, const EgressGroup& group) const override;
    bool ObeysHosts() const override;

  private:
    SwitchSite m_site; //!< where the switch stands
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_LABEL_BALANCER_H */
