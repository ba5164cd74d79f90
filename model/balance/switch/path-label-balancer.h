/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_LABEL_BALANCER_H
#define PATH_LABEL_BALANCER_H

#include "ecmp-balancer.h"

#include "ns3/fabric-frame.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Source routing: the switch takes the path that the sender has named by the label in the UDP
 * source port, label = port - PathChoice::FIRST_PORT. PathView says what labels mean. On the way
 * up the label names an uplink; of parallel links on the way down, the one whose number is that of
 * the uplink on the other side of the turn.
 *
 * A label has two parts: the uplink of the leaf, label mod U with U = SwitchSite::leafUplinks, and
 * the uplink of the switch above it, label div U modulo the number of its uplinks. What is above
 * the label of a path is ignored, so a sender may use it otherwise (PartLayout).
 *
 * EcmpBalancer forwards frames without a label, and frames whose uplink is not known to be alive.
 * So if a link fails, only the labels that name it change their meaning.
 *
 * It is useful only with senders that set labels, so it is not listed among the balancers to
 * choose from. HostBalancer::GetSwitchBalancer names it.
 */
class PathLabelBalancer : public EcmpBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetClosNeed() const override;
    void SetSite(const SwitchSite& site) override;
    int Predict(const FabricFrame& frame, const EgressGroup& group) const override;
    bool ObeysHosts() const override;

  protected:
    /// @return where the switch stands
    const SwitchSite& GetSite() const
    {
        return m_site;
    }

    /// @return whether a frame carries a label
    static bool HasLabel(const FabricFrame& frame);

    /// @return the number of the uplink that a label names on the way up, from 0 on
    /// @param frame a frame with a label
    uint32_t GetUplink(const FabricFrame& frame) const;

  private:
    SwitchSite m_site; //!< where the switch stands
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_LABEL_BALANCER_H */
