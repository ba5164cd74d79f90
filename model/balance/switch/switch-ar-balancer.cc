/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-ar-balancer.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/fabric-port.h"
#include "ns3/fabric-transmitter.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SwitchArBalancer);

TypeId
SwitchArBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::SwitchArBalancer")
            .SetParent<SwitchBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<SwitchArBalancer>()
            .AddAttribute("Low",
                          "Share of the port's buffer at which level 1 begins.",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&SwitchArBalancer::m_low),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Middle",
                          "Share of the port's buffer at which level 2 begins.",
                          DoubleValue(0.10),
                          MakeDoubleAccessor(&SwitchArBalancer::m_middle),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("High",
                          "Share of the port's buffer at which level 3 begins.",
                          DoubleValue(0.20),
                          MakeDoubleAccessor(&SwitchArBalancer::m_high),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Refresh",
                          "Least time between two readings of a port's level; the level is taken "
                          "for constant in between (0: each packet reads it).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&SwitchArBalancer::m_refresh),
                          MakeTimeChecker(Time(0)));
    return tid;
}

SwitchArBalancer::SwitchArBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
SwitchArBalancer::SetSite(const SwitchSite& site)
{
    m_bufferBytes = site.bufferBytes;
    m_readings.resize(site.ports);
}

void
SwitchArBalancer::DoInitialize()
{
    NS_ABORT_MSG_IF(m_low > m_middle || m_middle > m_high,
                    "SwitchArBalancer: Low, Middle and High are "
                        << m_low << ", " << m_middle << " and " << m_high
                        << "; none may be less than the one before");
    const std::array<double, 3> shares = {m_low, m_middle, m_high};
    std::transform(shares.begin(), shares.end(), m_thresholds.begin(), [this](double share) {
        return std::ceil(share * m_bufferBytes - 1e-6); // 5 % of 20 frames are one frame
    });
    SwitchBalancer::DoInitialize();
}

uint32_t
SwitchArBalancer::Choose(const FabricFrame&, const EgressGroup& group, int64_t now)
{
    const bool remembers = m_refresh.IsStrictlyPositive();
    m_lowest.Clear();
    for (uint32_t i = 0; i < group.members.size(); ++i)
    {
        FabricTransmitter& port = *group.members[i];
        m_lowest.Offer(remembers ? RecallLevel(port, now) : ReadLevel(port, now), i);
    }
    return m_lowest.Take(*m_random);
}

uint32_t
SwitchArBalancer::ReadLevel(FabricTransmitter& port, int64_t now) const
{
    port.Advance(now);
    return GetLevel(port.GetQueuedBytes(now));
}

uint32_t
SwitchArBalancer::RecallLevel(FabricTransmitter& port, int64_t now)
{
    Reading& reading = m_readings.at(port.GetPort()->GetIndex());
    if (now >= reading.validUntil)
    {
        reading.level = ReadLevel(port, now);
        reading.validUntil = now + m_refresh.GetPicoSeconds();
    }
    return reading.level;
}

int64_t
SwitchArBalancer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace aifabric
} // namespace ns3
