/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-fabric.h"

#include "ns3/abort.h"

namespace ns3
{
namespace aifabric
{

FluidFabric::FluidFabric(const FabricGraph& graph,
                         const BoundParameters& bound,
                         const std::vector<double>& speeds)
    : m_graph(graph),
      m_bound(bound),
      m_times(bound),
      m_split(graph, speeds),
      m_ways(MakeCallback(&FluidFabric::Receive, this)),
      m_acks(MakeCallback(&FluidFabric::Complete, this))
{
}

FluidFabric::~FluidFabric() = default;

void
FluidFabric::Install(MessageService& service,
                     FluidPairs& pairs,
                     FluidSenders& senders,
                     const Callback<void, uint32_t>& completed)
{
    m_completed = completed;
    m_service = &service;
    m_pairs = &pairs;
    m_senders = &senders;
}

ConnectionTable*
FluidFabric::GetConnections()
{
    return nullptr;
}

void
FluidFabric::SetSpeed(uint32_t link, double)
{
    NS_ABORT_MSG("FluidFabric: no fault of " << m_graph.LinkName(link / 2) << " was expected");
}

void
FluidFabric::Review()
{
    // nothing has changed
}

void
FluidFabric::CountTraffic(const FluidPair& pair,
                          const FluidTraffic::Amount& data,
                          const FluidTraffic::Amount& acks,
                          FluidTraffic& traffic) const
{
    traffic.AddSplit(pair.source, pair.destination, data);
    traffic.AddSplit(pair.destination, pair.source, acks);
}

void
FluidFabric::AddCounted(FluidTraffic&) const
{
    // CountTraffic() has all
}

void
FluidFabric::Clear()
{
    m_ways.Clear();
    m_acks.Clear();
}

} // namespace aifabric
} // namespace ns3
