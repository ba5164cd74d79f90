/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timely-control.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(TimelyControl);

TypeId
TimelyControl::GetTypeId()
{
    static TypeId tid = AddLaw(
        TypeId("ns3::aifabric::TimelyControl")
            .SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<TimelyControl>()
            .AddAttribute("LowThreshold",
                          "Round-trip time below which the rate always grows: T_low.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&TimelyControl::m_low),
                          MakeTimeChecker(Time(0), Seconds(1000)))
            .AddAttribute("HighThreshold",
                          "Round-trip time above which the rate always falls: T_high.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&TimelyControl::m_high),
                          MakeTimeChecker(NanoSeconds(1), Seconds(1000)))
            .AddAttribute("MinRtt",
                          "Shortest round-trip time, by which gradients are divided (0: that "
                          "of a full packet on the longest path).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&TimelyControl::m_least),
                          MakeTimeChecker(Time(0), Seconds(1000)))
            .AddAttribute("Segment",
                          "Payload bytes that are acknowledged between two measurements of "
                          "the round-trip time (0: those of a round trip).",
                          UintegerValue(16384),
                          MakeUintegerAccessor(&TimelyControl::m_segment),
                          MakeUintegerChecker<uint64_t>()));
    return tid;
}

TypeId
TimelyControl::AddLaw(TypeId type)
{
    return type
        .AddAttribute("Gain",
                      "Weight of the last difference of round-trip times: alpha.",
                      DoubleValue(0.875),
                      MakeDoubleAccessor(&TimelyControl::m_gain),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("Decrease",
                      "What a gradient of 1 takes of the rate: beta.",
                      DoubleValue(0.8),
                      MakeDoubleAccessor(&TimelyControl::m_decrease),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute(
            "AdditiveIncrease",
            "What is added to the rate: delta (bit/s; 0: a thousandth of the line rate, as "
            "the paper's 10 Mb/s of 10 Gb/s).",
            DataRateValue(DataRate(0)),
            MakeDataRateAccessor(&TimelyControl::m_increase),
            MakeDataRateChecker())
        .AddAttribute("HyperFactor",
                      "How many times AdditiveIncrease is added after HyperSteps.",
                      DoubleValue(5),
                      MakeDoubleAccessor(&TimelyControl::m_hyper),
                      MakeDoubleChecker<double>(1))
        .AddAttribute("HyperSteps",
                      "How often in a row round trips must not get longer until then.",
                      UintegerValue(5),
                      MakeUintegerAccessor(&TimelyControl::m_hyperSteps),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("CountsIncreases",
                      "Whether HyperSteps counts increases, those below LowThreshold included, "
                      "and each later one in a row is larger, as in the simulator of HPCC's "
                      "authors; else only increases above LowThreshold are larger.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&TimelyControl::m_countsIncreases),
                      MakeBooleanChecker())
        .AddAttribute("MinRate",
                      "The least rate (bit/s; 0: a thousandth of the line rate).",
                      DataRateValue(DataRate(0)),
                      MakeDataRateAccessor(&TimelyControl::m_leastRate),
                      MakeDataRateChecker());
}

Time
TimelyControl::FindLeast(const FabricFacts& facts) const
{
    const Time least = m_least.IsZero() ? facts.baseRtt : m_least;
    NS_ABORT_MSG_IF(least.IsZero(),
                    "TimelyControl::MinRtt has to be set where the fabric does not know it");
    return least;
}

void
TimelyControl::Start(const FabricFacts& facts)
{
    NS_ABORT_MSG_IF(m_low > m_high,
                    "TimelyControl: LowThreshold=" << m_low.GetMicroSeconds()
                                                   << "us is above HighThreshold="
                                                   << m_high.GetMicroSeconds() << "us");
    TimelyRate::Parameters parameters;
    parameters.low = static_cast<double>(m_low.GetPicoSeconds());
    parameters.high = static_cast<double>(m_high.GetPicoSeconds());
    parameters.least = static_cast<double>(FindLeast(facts).GetPicoSeconds());
    parameters.gain = m_gain;
    parameters.decrease = m_decrease;
    const auto lineRate = static_cast<double>(facts.portRate.GetBitRate());
    const auto setRate = [lineRate](DataRate given) {
        constexpr double SHARE = 1e-3;
        const auto rate = static_cast<double>(given.GetBitRate());
        return rate > 0 ? rate : std::max(1.0, SHARE * lineRate);
    };
    parameters.increase = setRate(m_increase);
    parameters.hyper = m_hyper;
    parameters.hyperSteps = m_hyperSteps;
    parameters.countsIncreases = m_countsIncreases;
    parameters.leastRate = setRate(m_leastRate);
    m_acked = 0;
    m_measuredAt = 0;
    m_rate.emplace(parameters, lineRate);
}

void
TimelyControl::LineRateChanged(DataRate lineRate)
{
    m_rate->SetLineRate(static_cast<double>(lineRate.GetBitRate()));
}

uint64_t
TimelyControl::GetWindow() const
{
    return std::numeric_limits<uint64_t>::max();
}

DataRate
TimelyControl::GetRate() const
{
    return DataRate(static_cast<uint64_t>(m_rate->GetRate()));
}

bool
TimelyControl::Acknowledged(uint32_t bytes, const AckReport& report, int64_t now)
{
    m_acked += bytes;
    const bool isDue = m_segment > 0 ? m_acked >= m_segment : report.sentAt >= m_measuredAt;
    if (!isDue || bytes == 0)
    {
        return false;
    }
    m_acked = 0;
    m_measuredAt = now;
    m_rate->Measured(static_cast<double>(now - report.sentAt));
    return true;
}

std::string
TimelyControl::Describe(const FabricFacts& facts) const
{
    constexpr double PS_PER_US = 1e6;
    std::ostringstream text;
    text << "round trips of " << m_low.GetMicroSeconds() << " to " << m_high.GetMicroSeconds()
         << " us, of which " << static_cast<double>(FindLeast(facts).GetPicoSeconds()) / PS_PER_US
         << " us is the shortest";
    return text.str();
}

Ptr<CongestionControl>
TimelyControl::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
