/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-steerings.h"

#include "flow.h"

#include "ns3/make-object.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

HostSteerings::HostSteerings(TypeId type, PieceCarrier& carrier)
    : m_type(type),
      m_carrier(carrier)
{
}

HostSteerings::~HostSteerings()
{
    Clear();
}

void
HostSteerings::Make(uint32_t hosts)
{
    for (uint32_t host = 0; host < hosts; ++host)
    {
        m_steerings.push_back(MakeObject<MessageSteering>(m_type, "MessageService::SteeringType"));
        m_steerings.back()->Install(&m_carrier, host);
        m_knowLanes = m_steerings.back()->CountLanes(Flow()) > 0;
    }
}

void
HostSteerings::Restart()
{
    PolicyCounters counted;
    Count(counted);
    m_retired = std::move(counted);
    const auto hosts = static_cast<uint32_t>(m_steerings.size());
    Clear();
    Make(hosts);
    if (m_stream >= 0)
    {
        AssignStreams(m_stream);
    }
}

void
HostSteerings::Clear()
{
    for (const Ptr<MessageSteering>& steering : m_steerings)
    {
        steering->Dispose();
    }
    m_steerings.clear();
}

int64_t
HostSteerings::AssignStreams(int64_t stream)
{
    m_stream = stream;
    int64_t used = 0;
    for (const Ptr<MessageSteering>& steering : m_steerings)
    {
        used += steering->AssignStreams(stream + used);
    }
    return used;
}

void
HostSteerings::Count(PolicyCounters& counters) const
{
    for (const auto& [name, count] : m_retired)
    {
        counters[name] += count;
    }
    for (const Ptr<MessageSteering>& steering : m_steerings)
    {
        steering->Count(counters);
    }
}

} // namespace aifabric
} // namespace ns3
