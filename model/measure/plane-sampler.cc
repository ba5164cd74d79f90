/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plane-sampler.h"

#include "ns3/fabric-clock.h"
#include "ns3/function-callback.h"
#include "ns3/simulator.h"

#include <cstddef>
#include <utility>

namespace ns3
{
namespace aifabric
{

PlaneSampler::PlaneSampler(std::vector<Ptr<RoceNetDevice>> nics,
                           std::vector<uint32_t> hosts,
                           Time interval)
    : m_nics(std::move(nics)),
      m_interval(interval)
{
    m_series.planes = m_nics.empty() ? 0 : m_nics[0]->GetPortCount();
    m_series.hosts = std::move(hosts);
}

void
PlaneSampler::WatchEvs()
{
    m_series.hasEvs = true;
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        nic->TraceConnectWithoutContext(
            "QueuePairConnected",
            FunctionCallback<void, Ptr<const QueuePair>>(
                [this, device = PeekPointer(nic)](Ptr<const QueuePair> queuePair) {
                    Watch(*device, *queuePair);
                }));
    }
}

void
PlaneSampler::Watch(const RoceNetDevice& nic, const QueuePair& queuePair)
{
    const Ptr<MrcBalancer> balancer = DynamicCast<MrcBalancer>(queuePair.GetBalancer());
    if (!balancer || !m_balancers.insert(balancer).second)
    {
        return;
    }
    PlaneSeries::EvChange change{};
    change.host = nic.GetHost();
    change.queuePair = queuePair.GetNumber();
    balancer->TraceConnectWithoutContext(
        "EvState",
        FunctionCallback<void, uint32_t, uint8_t>(
            [this, change, &queuePair, watched = PeekPointer(balancer)](uint32_t entropy,
                                                                        uint8_t state) {
                if (state != static_cast<uint8_t>(EntropySet::State::SKIP))
                {
                    PlaneSeries::EvChange each = change;
                    each.peer = queuePair.GetPeerHost();
                    each.state = state;
                    Record(each, *watched, entropy);
                }
            }));
}

void
PlaneSampler::Record(PlaneSeries::EvChange change, const MrcBalancer& balancer, uint32_t entropy)
{
    change.timePs = Simulator::Now().GetPicoSeconds();
    change.plane = balancer.FindPlane(entropy).value_or(0);
    change.path = balancer.GetPath(entropy);
    m_series.changes.push_back(change);
}

Time
PlaneSampler::Sample()
{
    if (m_series.times.size() == MAX_TIMES)
    {
        m_series.Thin();
        m_interval = m_interval + m_interval;
    }
    const int64_t now = FabricClock::Now();
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        for (uint32_t plane = 0; plane < m_series.planes; ++plane)
        {
            nic->GetPort(plane)->GetTransmitter().Advance(now);
        }
    }
    Add(Simulator::Now().GetPicoSeconds());
    return m_interval;
}

void
PlaneSampler::Close()
{
    const int64_t now = Simulator::Now().GetPicoSeconds();
    if (m_series.times.empty() || m_series.times.back() < now)
    {
        Add(now);
    }
    m_series.SortChanges();
}

void
PlaneSampler::Add(int64_t now)
{
    const uint32_t planes = m_series.planes;
    const std::size_t first = m_series.bytes.size();
    m_series.times.push_back(now);
    m_series.bytes.resize(first + planes);
    if (first == 0) // the first frames may have begun already: they belong to the first interval
    {
        m_series.hostBytes.resize(m_series.hosts.size() * planes);
        m_series.evs.resize(m_series.hasEvs ? planes : 0);
        return;
    }
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            m_series.bytes[first + plane] +=
                nic->GetPort(plane)->GetTransmitter().GetCounters().sentBytes;
        }
    }
    for (const uint32_t host : m_series.hosts)
    {
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            m_series.hostBytes.push_back(
                m_nics[host]->GetPort(plane)->GetTransmitter().GetCounters().sentBytes);
        }
    }
    if (!m_series.hasEvs)
    {
        return;
    }
    m_series.evs.resize(first + planes);
    for (const Ptr<MrcBalancer>& balancer : m_balancers)
    {
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            const EntropySet::Counts counts = balancer->CountEvs(plane);
            PlaneSeries::EvCounts& sums = m_series.evs[first + plane];
            sums.good += counts.states[static_cast<std::size_t>(EntropySet::State::GOOD)];
            sums.skip += counts.states[static_cast<std::size_t>(EntropySet::State::SKIP)];
            sums.assumedBad +=
                counts.states[static_cast<std::size_t>(EntropySet::State::ASSUMED_BAD)];
            sums.denied += counts.states[static_cast<std::size_t>(EntropySet::State::DENIED)];
            sums.active += counts.active;
        }
    }
}

} // namespace aifabric
} // namespace ns3
