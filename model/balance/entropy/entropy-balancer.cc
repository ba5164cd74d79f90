/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "entropy-balancer.h"

#include "ns3/abort.h"
#include "ns3/enum-accessor.h"
#include "ns3/enum.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EntropyBalancer);

TypeId
EntropyBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::EntropyBalancer")
            .SetParent<HostBalancer>()
            .SetGroupName("AiFabric")
            .AddAttribute(
                "Forwarding",
                "How switches use labels: FullHash (a hash of the 5-tuple), Direct (a part is the "
                "uplink) or PartHash (a hash of the part). With the last two each path has one "
                "label, and attributes that say how many labels there are have no effect.",
                EnumValue(LabelForwarding::FULL_HASH),
                MakeEnumMemberAccessor<LabelForwarding::Mode>(&EntropyBalancer::m_forwarding),
                LabelForwarding::MakeChecker());
    return tid;
}

std::string
EntropyBalancer::GetClosNeed() const
{
    return m_forwarding == LabelForwarding::FULL_HASH ? "" : "a part of the label is an uplink";
}

void
EntropyBalancer::Start(const FabricFacts& facts, int64_t stream)
{
    HostBalancer::Start(facts, stream);
    m_planes = facts.planes;
    if (m_forwarding != LabelForwarding::FULL_HASH)
    {
        SetUplinks(LabelForwarding::GetUplinks(facts));
    }
}

void
EntropyBalancer::Connect(uint32_t source,
                         uint32_t destination,
                         std::shared_ptr<const PathView> paths)
{
    if (m_forwarding != LabelForwarding::FULL_HASH && paths)
    {
        SetUplinks(LabelForwarding::GetUplinks(source, destination, *paths));
    }
}

void
EntropyBalancer::SetUplinks(const std::vector<uint16_t>& uplinks)
{
    uint64_t paths = 1;
    for (const uint16_t count : uplinks)
    {
        paths *= count;
    }
    NS_ABORT_MSG_IF(paths * m_planes > ENTROPIES,
                    GetInstanceTypeId().GetName()
                        << ": " << paths * m_planes << " paths; there are " << ENTROPIES
                        << " UDP source ports");
    m_paths = static_cast<uint32_t>(paths);
}

uint32_t
EntropyBalancer::CountLabelsOfPower(uint32_t usual) const
{
    const uint32_t labels = CountLabels(usual);
    return (labels & (labels - 1)) == 0 ? labels : usual;
}

std::optional<PathChoice>
EntropyBalancer::Choose(const PathRequest& request)
{
    const uint32_t label = NextLabel(request.now);
    NS_ABORT_MSG_IF(label >= ENTROPIES,
                    GetInstanceTypeId().GetName()
                        << "::NextLabel() gave " << label << ", of 0 to " << ENTROPIES - 1);
    const uint32_t entropy = PathChoice::FIRST_PORT + label;
    uint32_t plane = 0;
    if (request.planes > 1)
    {
        plane =
            HasPathLabels() ? label / m_paths % request.planes : PlaneOf(entropy, request.planes);
    }
    return PathChoice{entropy, static_cast<uint16_t>(plane)};
}

int64_t
EntropyBalancer::GetRtts(const std::string& attribute, double rtts, const FabricFacts& facts) const
{
    constexpr double MOST = 1e18; // so that adding it to a time does not overflow
    NS_ABORT_MSG_IF(rtts > 0 && facts.baseRtt.IsZero(),
                    GetInstanceTypeId().GetName()
                        << ": " << attribute << "=" << rtts
                        << " needs the base round-trip time, which this NIC does not know");
    return std::ceil(std::min(rtts * facts.baseRtt.GetPicoSeconds(), MOST));
}

TypeId
EntropyBalancer::GetSwitchBalancer() const
{
    return LabelForwarding::GetSwitchBalancer(m_forwarding);
}

} // namespace aifabric
} // namespace ns3
