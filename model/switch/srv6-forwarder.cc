/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "srv6-forwarder.h"

#include "path-digit.h"
#include "usid-plan.h"

#include "ns3/boolean.h"
#include "ns3/outer-codec.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(Srv6Forwarder);

TypeId
Srv6Forwarder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::Srv6Forwarder")
            .SetParent<SwitchForwarder>()
            .SetGroupName("AiFabric")
            .AddConstructor<Srv6Forwarder>()
            .AddAttribute("Block",
                          "The first 32 bits of the addresses of uSIDs; what follows is ignored.",
                          Ipv6AddressValue(Ipv6Address("5f00::")),
                          MakeIpv6AddressAccessor(&Srv6Forwarder::m_block),
                          MakeIpv6AddressChecker())
            .AddAttribute(
                "IndexBits",
                "Bits of the number of a switch within plane and tier in a uSID. The "
                "plane has 12 less these: 9 are 8 planes of 512 switches a tier.",
                UintegerValue(9),
                MakeUintegerAccessor(&Srv6Forwarder::m_indexBits),
                MakeUintegerChecker<uint8_t>(UsidScheme::LEAST_INDEX_BITS, UsidScheme::NUMBER_BITS))
            .AddAttribute("OmitFirstT0",
                          "Whether the leaf of the sender is not in the list: it forwards by its "
                          "table for the uSID that follows.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Srv6Forwarder::m_omitsFirst),
                          MakeBooleanChecker())
            .AddAttribute("CopyRoute",
                          "Whether packets carry a copy of the list in a segment routing header, "
                          "which is 24 bytes long.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Srv6Forwarder::m_copies),
                          MakeBooleanChecker());
    return tid;
}

Srv6Forwarder::Srv6Forwarder()
{
}

bool
Srv6Forwarder::UsesClosRule() const
{
    return false;
}

bool
Srv6Forwarder::ObeysHosts() const
{
    return true;
}

bool
Srv6Forwarder::IsStatic() const
{
    return true;
}

uint32_t
Srv6Forwarder::GetOuterBytes() const
{
    return OuterCodec::GetBytes(m_copies);
}

UsidScheme
Srv6Forwarder::MakeScheme() const
{
    constexpr uint32_t BYTE = 8;
    std::array<uint8_t, 16> bytes;
    m_block.GetBytes(bytes.data());
    uint32_t block = 0;
    for (std::size_t i = 0; i < sizeof(block); ++i)
    {
        block = block << BYTE | bytes[i];
    }
    return UsidScheme(block, m_indexBits);
}

std::string
Srv6Forwarder::FindObstacle(const FabricGraph& graph) const
{
    return graph.IsClos() ? UsidPlan::FindObstacle(graph, MakeScheme())
                          : "switches that have no tiers";
}

Ptr<const SourceRoutePlan>
Srv6Forwarder::MakePlan(const FabricGraph& graph) const
{
    UsidPlan::Options options;
    options.omitsFirst = m_omitsFirst;
    options.hasCopy = m_copies;
    return Create<UsidPlan>(graph, MakeScheme(), options);
}

void
Srv6Forwarder::Install(const ForwardingRule& rule,
                       const SwitchSite& site,
                       const std::vector<FabricTransmitter*>& ports)
{
    m_firstHost = rule.firstHost;
    m_hostCount = rule.hostCount;
    m_chunk = rule.chunk;
    m_leafUplinks = site.leafUplinks;
    m_tier = site.tier;
    m_all = ports;
    m_down.clear();
    for (const PortGroup& group : rule.down)
    {
        m_down.push_back(ports[group.first]);
    }
    const auto up = ports.begin() + rule.up.first;
    m_up.assign(up, up + rule.up.count);
}

void
Srv6Forwarder::RemoveRoutes(uint16_t port)
{
    FabricTransmitter* const none = nullptr;
    std::replace(m_down.begin(), m_down.end(), m_all.at(port), none);
    std::replace(m_up.begin(), m_up.end(), m_all.at(port), none);
}

inline FabricTransmitter*
Srv6Forwarder::LookUp(const FabricFrame& frame) const
{
    if (frame.kind != FrameKind::ROCE)
    {
        return nullptr; // it has no outer header
    }
    const uint32_t below = frame.destination - m_firstHost;
    if (below < m_hostCount)
    {
        return m_down[below / m_chunk];
    }
    if (m_up.empty())
    {
        return nullptr;
    }
    return m_up[GetPathDigit(frame.GetSourcePort(), m_tier, m_leafUplinks, m_up.size())];
}

FabricTransmitter*
Srv6Forwarder::Find(const FabricFrame& frame)
{
    FabricTransmitter* const egress = LookUp(frame);
    m_misses += egress == nullptr;
    return egress;
}

uint64_t
Srv6Forwarder::GetFibMisses() const
{
    return m_misses;
}

void
Srv6Forwarder::Count(PolicyCounters& counters) const
{
    counters["fib_misses"] += m_misses;
}

} // namespace aifabric
} // namespace ns3
