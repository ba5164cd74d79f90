/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "paced-window-control.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"

#include <cmath>
#include <sstream>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PacedWindowControl);

namespace
{

constexpr double PICOSECONDS_PER_NS = 1000;
constexpr double BIT_NS = 8e9; //!< bits of a byte times nanoseconds of a second

} // namespace

TypeId
PacedWindowControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::PacedWindowControl")
            .SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .AddAttribute("BaseRtt",
                          "Round-trip time without queues (0: that of a full packet on the "
                          "longest path).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PacedWindowControl::m_baseRtt),
                          MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute(
                "MovesWaiting",
                "Whether a new rate holds for the packet that waits for its time, too, as "
                "in the simulators of HPCC's and PowerTCP's authors; else from the next "
                "one on.",
                BooleanValue(true),
                MakeBooleanAccessor(&PacedWindowControl::m_moves),
                MakeBooleanChecker());
    return tid;
}

void
PacedWindowControl::Begin(const FabricFacts& facts)
{
    m_roundTrip = FindRoundTrip(facts);
    m_mtu = facts.mtu;
}

double
PacedWindowControl::FindRoundTrip(const FabricFacts& facts) const
{
    const Time roundTrip = m_baseRtt.IsZero() ? facts.baseRtt : m_baseRtt;
    NS_ABORT_MSG_IF(roundTrip.IsZero(),
                    "PacedWindowControl::BaseRtt has to be set where the fabric does not know it");
    return static_cast<double>(roundTrip.GetPicoSeconds()) / PICOSECONDS_PER_NS;
}

double
PacedWindowControl::GetProduct(DataRate rate) const
{
    return BytesIn(rate, m_roundTrip);
}

double
PacedWindowControl::BytesIn(DataRate rate, double nanoseconds)
{
    return static_cast<double>(rate.GetBitRate()) * nanoseconds / BIT_NS;
}

std::string
PacedWindowControl::DescribeWindow(double roundTrip, double window, double increase)
{
    std::ostringstream text;
    text << "base round trip " << roundTrip / PICOSECONDS_PER_NS << " us, first window "
         << std::llround(window) << " bytes, which grows by " << increase << " a round trip";
    return text.str();
}

uint64_t
PacedWindowControl::GetWindow() const
{
    return static_cast<uint64_t>(std::ceil(GetBytes() / m_mtu)) * m_mtu;
}

bool
PacedWindowControl::MovesWaiting() const
{
    return m_moves;
}

DataRate
PacedWindowControl::GetRate() const
{
    return DataRate(static_cast<uint64_t>(std::llround(GetBytes() * BIT_NS / m_roundTrip)));
}

} // namespace aifabric
} // namespace ns3
