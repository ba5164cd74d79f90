/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcqcn-control.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(DcqcnControl);

TypeId
DcqcnControl::GetTypeId()
{
    static TypeId tid = AddIncreaseAttributes(AddDecreaseAttributes(
        TypeId("ns3::aifabric::DcqcnControl")
            .SetParent<CongestionControl>()
            .SetGroupName("AiFabric")
            .AddConstructor<DcqcnControl>()
            .AddAttribute(
                "Preset",
                "Whose constants: other attributes that are 0 have the value of the preset.",
                EnumValue(DcqcnPresets::NVIDIA_LIKE),
                MakeEnumMemberAccessor<DcqcnPresets::Name>(&DcqcnControl::m_preset),
                MakeEnumChecker(DcqcnPresets::PAPER,
                                "dcqcn-paper",
                                DcqcnPresets::HPCC_REPO,
                                "hpcc-repo",
                                DcqcnPresets::HPCC_PAPER,
                                "hpcc-repo-paper",
                                DcqcnPresets::HPCC_DEFAULT,
                                "hpcc-default",
                                DcqcnPresets::CONWEAVE,
                                "conweave",
                                DcqcnPresets::NVIDIA_DOC,
                                "nvidia-doc",
                                DcqcnPresets::CONNECTX_3,
                                "connectx-3",
                                DcqcnPresets::NVIDIA_LIKE,
                                "nvidia-like"))
            .AddAttribute("Form",
                          "Which rules cut the rate: each CNP (paper), or a periodic check "
                          "whether one has come (nic).",
                          EnumValue(BY_PRESET),
                          MakeEnumMemberAccessor<Form>(&DcqcnControl::m_form),
                          MakeEnumChecker(BY_PRESET, "preset", PAPER, "paper", NIC, "nic"))
            .AddAttribute("Window",
                          "Most payload bytes that may be unacknowledged (0: unlimited).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcqcnControl::m_window),
                          MakeUintegerChecker<uint64_t>())));
    return tid;
}

TypeId
DcqcnControl::AddDecreaseAttributes(TypeId type)
{
    return type
        .AddAttribute("Gain",
                      "Weight of a CNP in alpha: g (0: by preset).",
                      DoubleValue(0),
                      MakeDoubleAccessor(&DcqcnControl::m_gain),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("InitialAlpha",
                      "Alpha at the first CNP (0: by preset).",
                      DoubleValue(0),
                      MakeDoubleAccessor(&DcqcnControl::m_firstAlpha),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("AlphaTimer",
                      "Time after which alpha is reduced: Ta (0: by preset).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&DcqcnControl::m_alphaPeriod),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("DecreaseInterval",
                      "Time between two checks whether a CNP has come, with the form of NICs "
                      "(0: by preset).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&DcqcnControl::m_decreasePeriod),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("MaxDecrease",
                      "The most that one cut takes (share of the rate).",
                      DoubleValue(0.5),
                      MakeDoubleAccessor(&DcqcnControl::m_maxDecrease),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("FirstCnpRate",
                      "What the first CNP leaves with the form of NICs (share of the rate).",
                      DoubleValue(1),
                      MakeDoubleAccessor(&DcqcnControl::m_firstRate),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("ClampTargetRate",
                      "Whether each cut sets the target rate to the rate before it, with the form "
                      "of NICs; else only a cut after an increase. The paper's form always does.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&DcqcnControl::m_clampsTarget),
                      MakeBooleanChecker())
        .AddAttribute("MinRate",
                      "The rate is not cut below this: Rmin (bit/s; 0: by preset).",
                      DataRateValue(DataRate(0)),
                      MakeDataRateAccessor(&DcqcnControl::m_leastRate),
                      MakeDataRateChecker());
}

TypeId
DcqcnControl::AddIncreaseAttributes(TypeId type)
{
    return type
        .AddAttribute("RateTimer",
                      "Time after which the rate increases: Tr (0: by preset).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&DcqcnControl::m_ratePeriod),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("ByteCounter",
                      "Payload bytes sent after which the rate increases: Bc (0: by preset; the "
                      "largest value: none).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&DcqcnControl::m_byteCounter),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("FastRecoverySteps",
                      "Expirations of the timer or the byte counter since the last cut at which "
                      "the target rate begins to increase: F (0: by preset).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&DcqcnControl::m_fastSteps),
                      MakeUintegerChecker<uint32_t>(0, 1000000))
        .AddAttribute("AdditiveIncrease",
                      "What an additive increase adds to the target rate: RAI (bit/s; 0: by "
                      "preset).",
                      DataRateValue(DataRate(0)),
                      MakeDataRateAccessor(&DcqcnControl::m_additive),
                      MakeDataRateChecker())
        .AddAttribute("HyperIncrease",
                      "What a hyper increase adds to the target rate: RHAI; with the form of the "
                      "paper times the steps beyond FastRecoverySteps (bit/s; 0: by preset, which "
                      "may have none).",
                      DataRateValue(DataRate(0)),
                      MakeDataRateAccessor(&DcqcnControl::m_hyper),
                      MakeDataRateChecker());
}

DcqcnRate::Parameters
DcqcnControl::GetParameters(double lineRate) const
{
    constexpr uint64_t NO_COUNTER = std::numeric_limits<uint64_t>::max();
    DcqcnRate::Parameters parameters = DcqcnPresets::Get(m_preset, lineRate);
    const auto setTime = [](int64_t& value, Time time) {
        value = time.IsZero() ? value : std::max<int64_t>(1, time.GetPicoSeconds());
    };
    const auto setRate = [](double& value, DataRate rate) {
        value = rate.GetBitRate() == 0 ? value : static_cast<double>(rate.GetBitRate());
    };
    parameters.isPaper = m_form == BY_PRESET ? parameters.isPaper : m_form == PAPER;
    parameters.clampsTarget = m_clampsTarget;
    parameters.firstRate = m_firstRate;
    parameters.maxDecrease = m_maxDecrease;
    parameters.gain = m_gain > 0 ? m_gain : parameters.gain;
    parameters.firstAlpha = m_firstAlpha > 0 ? m_firstAlpha : parameters.firstAlpha;
    parameters.fastSteps = m_fastSteps > 0 ? m_fastSteps : parameters.fastSteps;
    parameters.byteCounter = m_byteCounter > 0 ? m_byteCounter : parameters.byteCounter;
    parameters.byteCounter = m_byteCounter == NO_COUNTER ? 0 : parameters.byteCounter;
    setTime(parameters.alphaPeriod, m_alphaPeriod);
    setTime(parameters.decreasePeriod, m_decreasePeriod);
    setTime(parameters.ratePeriod, m_ratePeriod);
    setRate(parameters.additive, m_additive);
    setRate(parameters.hyper, m_hyper);
    setRate(parameters.leastRate, m_leastRate);
    return parameters;
}

void
DcqcnControl::Start(const FabricFacts& facts)
{
    const auto lineRate = static_cast<double>(facts.portRate.GetBitRate());
    m_pastCuts += m_rate ? m_rate->GetCuts() : 0;
    m_packetBits = 8.0 * facts.mtu;
    m_rate.emplace(GetParameters(lineRate), lineRate);
}

void
DcqcnControl::LineRateChanged(DataRate lineRate)
{
    m_rate->SetLineRate(static_cast<double>(lineRate.GetBitRate()));
}

uint64_t
DcqcnControl::GetWindow() const
{
    return m_window ? m_window : std::numeric_limits<uint64_t>::max();
}

DataRate
DcqcnControl::GetRate() const
{
    return DataRate(static_cast<uint64_t>(m_rate->GetMeanRate(m_packetBits)));
}

bool
DcqcnControl::WantsSent() const
{
    return true;
}

bool
DcqcnControl::PacketSent(uint32_t bytes, int64_t start)
{
    m_rate->Sent(bytes, start);
    return true;
}

bool
DcqcnControl::Acknowledged(uint32_t, const AckReport&, int64_t)
{
    return false;
}

Time
DcqcnControl::GetCnpGap() const
{
    return PicoSeconds(DcqcnPresets::GetCnpGap(m_preset));
}

void
DcqcnControl::CnpReceived(int64_t now)
{
    m_rate->Notified(now);
}

std::optional<MarkingLaw>
DcqcnControl::GetMarkingLaw(const FabricFacts& facts) const
{
    constexpr double LEAST = 100e3 / 25e9; // HPCC's runs of DCQCN: 100 to 400 kB at 25 Gb/s
    const double rate = facts.portRate.GetBitRate();
    MarkingLaw law;
    law.least = LEAST * rate;
    law.most = 4 * LEAST * rate;
    law.share = 0.2;
    law.isOnlySignal = true;
    law.source = "4 to 16 kB per Gb/s of a port";
    return law;
}

void
DcqcnControl::Count(PolicyCounters& counters) const
{
    counters["dcqcn_cuts"] += m_pastCuts + m_rate->GetCuts();
}

Ptr<CongestionControl>
DcqcnControl::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
