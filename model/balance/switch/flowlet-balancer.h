/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWLET_BALANCER_H
#define FLOWLET_BALANCER_H

#include "flowlet-table.h"
#include "switch-balancer.h"

#include "ns3/nstime.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Flowlet switching: the packets of a flow (5-tuple) take the same next hop as long as there is no
 * gap between them. After a gap another balancer chooses: at random by default (E. Vanini et al.,
 * "Let It Flow", NSDI 2017), or the least loaded with JsqBalancer.
 */
class FlowletBalancer : public SwitchBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void SetSite(const SwitchSite& site) override;
    bool KeepsPaths() const override;
    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    void GroupChanged(const EgressGroup& group) override;
    int64_t AssignStreams(int64_t stream) override;
    void Count(PolicyCounters& counters) const override;

    /// @return flowlets that have begun
    uint64_t GetFlowlets() const;

  protected:
    void NotifyConstructionCompleted() override;
    void DoInitialize() override;
    void DoDispose() override;

  private:
    Time m_gap;                   //!< the longest gap within a flowlet
    Time m_ageing;                //!< how long an entry is kept
    uint32_t m_entries{0};        //!< size of the table
    TypeId m_choiceType;          //!< who chooses for a new flowlet
    Ptr<SwitchBalancer> m_choice; //!< it
    uint32_t m_salt{0};           //!< of this switch, for its table
    uint64_t m_flowlets{0};       //!< flowlets that have begun
    FlowletTable m_table;         //!< the flows
};

} // namespace aifabric
} // namespace ns3

#endif /* FLOWLET_BALANCER_H */
