/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "red-marker.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/fabric-port.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RedMarker);

TypeId
RedMarker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RedMarker")
            .SetParent<EcnMarker>()
            .SetGroupName("AiFabric")
            .AddConstructor<RedMarker>()
            .AddAttribute("KMin",
                          "Longest queue without marks (bytes).",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&RedMarker::m_min),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("KMax",
                          "Length above which each packet is marked (bytes); at least KMin.",
                          UintegerValue(400000),
                          MakeUintegerAccessor(&RedMarker::m_max),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("KMinTime",
                          "KMin as the time in which the port sends that queue at its own rate, "
                          "with KMaxTime.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RedMarker::SetMinTime, &RedMarker::GetMinTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("KMaxTime",
                          "KMax as the time in which the port sends that queue at its own rate; at "
                          "least KMinTime. 0: KMin and KMax hold at each port.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RedMarker::SetMaxTime, &RedMarker::GetMaxTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PMax",
                          "Probability of a mark at KMax.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&RedMarker::m_maxProbability),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

RedMarker::RedMarker()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
RedMarker::DoInitialize()
{
    NS_ABORT_MSG_IF(m_max < m_min,
                    "RedMarker::KMax is " << m_max << ": it must be at least KMin, " << m_min);
    NS_ABORT_MSG_IF(m_timedMax.GetTime() < m_timedMin.GetTime(),
                    "RedMarker::KMaxTime is " << m_timedMax.GetTime().As(Time::US)
                                              << ": it must be at least KMinTime, "
                                              << m_timedMin.GetTime().As(Time::US));
    m_salt = static_cast<uint64_t>(m_random->GetInteger(0, UINT32_MAX - 1)) << 32;
    EcnMarker::DoInitialize();
}

double
RedMarker::Draw(uint16_t port)
{
    if (port >= m_drawn.size())
    {
        m_drawn.resize(port + 1);
    }
    // SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014)
    uint64_t state = (m_salt | static_cast<uint64_t>(port)) * 0xD6E8FEB86659FD93;
    state += ++m_drawn[port] * 0x9E3779B97F4A7C15;
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9;
    state = (state ^ state >> 27) * 0x94D049BB133111EB;
    return static_cast<double>((state ^ state >> 31) >> 11) / (uint64_t{1} << 53);
}

bool
RedMarker::Marks(uint32_t bytes, const FabricTransmitter& egress)
{
    if (bytes <= m_min.GetLeast())
    {
        return false;
    }
    const auto [min, max] = GetLimits(egress);
    if (bytes <= min)
    {
        return false;
    }
    if (bytes > max)
    {
        return true;
    }
    const double random = Draw(egress.GetPort()->GetIndex());
    return random * (max - min) < m_maxProbability * (bytes - min);
}

void
RedMarker::SetLeastFactor(double least)
{
    m_min.SetLeastFactor(m_timedMax.IsTimed() ? 0 : least);
}

RedMarker::Limits
RedMarker::GetLimits(const FabricTransmitter& egress) const
{
    const auto scale = [&egress](auto bytes) {
        return static_cast<uint32_t>(egress.ScaleLimit(static_cast<uint64_t>(bytes)));
    };
    if (!m_timedMax.IsTimed())
    {
        return {scale(m_min), scale(m_max)};
    }
    const double max = m_timedMax.GetBytes(egress);
    const double factor = FitTimed(max);
    return {scale(m_timedMin.GetBytes(egress) * factor), scale(max * factor)};
}

void
RedMarker::SetMinTime(Time time)
{
    m_timedMin.SetTime(time);
}

Time
RedMarker::GetMinTime() const
{
    return m_timedMin.GetTime();
}

void
RedMarker::SetMaxTime(Time time)
{
    m_timedMax.SetTime(time);
    m_min.SetLeastFactor(0); // until SetLeastFactor()
}

Time
RedMarker::GetMaxTime() const
{
    return m_timedMax.GetTime();
}

int64_t
RedMarker::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace aifabric
} // namespace ns3
