/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nscc-control.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(NsccControl);

namespace
{

constexpr double BITS_PER_BYTE = 8;
constexpr double PS_PER_SECOND = 1e12;

/// @return a rate in bytes per picosecond
double
ToBytesPerPs(DataRate rate)
{
    return static_cast<double>(rate.GetBitRate()) / (BITS_PER_BYTE * PS_PER_SECOND);
}

} // namespace

TypeId
NsccControl::GetTypeId()
{
    static TypeId tid =
        AddQuickAdaptAttributes(AddDecreaseAttributes(AddIncreaseAttributes(AddNetworkAttributes(
            TypeId("ns3::aifabric::NsccControl")
                .SetParent<CongestionControl>()
                .SetGroupName("AiFabric")
                .AddConstructor<NsccControl>()
                .AddAttribute("Profile",
                              "Whose rules apply where sources differ: Ue, public notes on Ultra "
                              "Ethernet 1.0, or Uet, the simulator uet-htsim.",
                              EnumValue(NsccWindow::UE),
                              MakeEnumMemberAccessor<NsccWindow::Profile>(&NsccControl::m_profile),
                              MakeEnumChecker(NsccWindow::UE, "Ue", NsccWindow::UET, "Uet"))))));
    return tid;
}

TypeId
NsccControl::AddNetworkAttributes(TypeId type)
{
    return type
        .AddAttribute("NetworkRtt",
                      "Round-trip time of a full packet in the empty network (0: that of the "
                      "fabric). A smaller RTT that is measured replaces it as base RTT.",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&NsccControl::m_networkRtt),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("TargetDelay",
                      "Queueing delay that the window aims at (0: 0.75 NetworkRtt if switches "
                      "trim packets, else NetworkRtt).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&NsccControl::m_targetDelay),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("HeaderBytes",
                      "Headers of a packet, which the window of Ultra Ethernet counts too (bytes).",
                      UintegerValue(64),
                      MakeUintegerAccessor(&NsccControl::m_header),
                      MakeUintegerChecker<uint32_t>(0, 65535))
        .AddAttribute("MaxWindowFactor",
                      "The largest window, which is the first (bandwidth-delay products of all "
                      "planes and the base RTT).",
                      DoubleValue(1.5),
                      MakeDoubleAccessor(&NsccControl::m_maxWindowFactor),
                      MakeDoubleChecker<double>(1e-6, 1e6))
        .AddAttribute(
            "NackRtt",
            "Whether the RTT of a packet that was trimmed may lower the base RTT, too, as "
            "in uet-htsim. Profile Ue does without.",
            BooleanValue(true),
            MakeBooleanAccessor(&NsccControl::m_samplesNacks),
            MakeBooleanChecker())
        .AddAttribute("ProbeRtt",
                      "Whether the RTT of a probe gives a delay, too, as in uet-htsim; it does not "
                      "lower the base RTT, because a probe is shorter than a packet.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&NsccControl::m_samplesProbes),
                      MakeBooleanChecker())
        .AddAttribute("ReceiverCredits",
                      "Whether the receiver controls the load of the last hop, so that a packet "
                      "that is trimmed there does not reduce the window. RcccControl has credits "
                      "and does so always.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&NsccControl::m_receiverCredits),
                      MakeBooleanChecker())
        .AddAttribute("ReferenceRate",
                      "Rate of the network for which the increases are given (bit/s); above 0.",
                      DataRateValue(DataRate("100Gb/s")),
                      MakeDataRateAccessor(&NsccControl::m_referenceRate),
                      MakeDataRateChecker())
        .AddAttribute("ReferenceRtt",
                      "Round-trip time of the network for which the increases are given.",
                      TimeValue(MicroSeconds(12)),
                      MakeTimeAccessor(&NsccControl::m_referenceRtt),
                      MakeTimeChecker(NanoSeconds(1), Seconds(1000)));
}

TypeId
NsccControl::AddIncreaseAttributes(TypeId type)
{
    return type
        .AddAttribute("ProportionalIncrease",
                      "What a reference RTT without delay adds to the window (packets, times the "
                      "bandwidth-delay product over that of the reference).",
                      DoubleValue(4),
                      MakeDoubleAccessor(&NsccControl::m_proportionalIncrease),
                      MakeDoubleChecker<double>(0, 1e6))
        .AddAttribute("FairIncrease",
                      "What a window of unmarked bytes at or above the target delay adds "
                      "(packets, times the same ratio).",
                      DoubleValue(5),
                      MakeDoubleAccessor(&NsccControl::m_fairIncrease),
                      MakeDoubleChecker<double>(0, 1e6))
        .AddAttribute("PeriodicIncrease",
                      "What each adjust period adds (packets, times the same ratio): eta.",
                      DoubleValue(0.15),
                      MakeDoubleAccessor(&NsccControl::m_periodicIncrease),
                      MakeDoubleChecker<double>(0, 1e6))
        .AddAttribute("FastIncrease",
                      "What fast increase adds (share of the acknowledged bytes, times the same "
                      "ratio).",
                      DoubleValue(0.25),
                      MakeDoubleAccessor(&NsccControl::m_fastIncrease),
                      MakeDoubleChecker<double>(0, 1e6))
        .AddAttribute("FastIncreaseDelay",
                      "Increase is fast after a window of acknowledged bytes with a delay below "
                      "this.",
                      TimeValue(MicroSeconds(1)),
                      MakeTimeAccessor(&NsccControl::m_fastDelay),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("AdjustPeriod",
                      "Increases are added to the window once in this time (0: NetworkRtt), or "
                      "after AdjustPackets.",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&NsccControl::m_adjustPeriod),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("AdjustPackets",
                      "Increases are added after more than so many packets of acknowledged bytes.",
                      UintegerValue(8),
                      MakeUintegerAccessor(&NsccControl::m_adjustPackets),
                      MakeUintegerChecker<uint32_t>(0, 1000000));
}

TypeId
NsccControl::AddDecreaseAttributes(TypeId type)
{
    return type
        .AddAttribute("Gamma",
                      "Multiplicative decrease, times the part of the average delay that is above "
                      "the target: gamma.",
                      DoubleValue(0.8),
                      MakeDoubleAccessor(&NsccControl::m_gamma),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("MaxDecrease",
                      "The most that one multiplicative decrease takes (share of the window).",
                      DoubleValue(0.5),
                      MakeDoubleAccessor(&NsccControl::m_maxDecrease),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("DelayWeight",
                      "Weight of a sample in the moving average of the delay.",
                      DoubleValue(0.0125),
                      MakeDoubleAccessor(&NsccControl::m_delayWeight),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("LateShare",
                      "As what an unmarked delay above the target counts in that average (share "
                      "of the base RTT).",
                      DoubleValue(0.25),
                      MakeDoubleAccessor(&NsccControl::m_lateShare),
                      MakeDoubleChecker<double>(0, 1000))
        .AddAttribute("GapDecrease",
                      "Whether a loss that is inferred from a gap reduces the window by the bytes "
                      "that are lost, as a timeout does; so in MRC.",
                      BooleanValue(false),
                      MakeBooleanAccessor(&NsccControl::m_gapDecreases),
                      MakeBooleanChecker());
}

TypeId
NsccControl::AddQuickAdaptAttributes(TypeId type)
{
    return type
        .AddAttribute("QuickAdaptGate",
                      "Quick adapt reduces the window if less was delivered in a period (share of "
                      "the largest window).",
                      DoubleValue(0.125),
                      MakeDoubleAccessor(&NsccControl::m_quickAdaptGate),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("QuickAdaptThreshold",
                      "Delay above which quick adapt reacts without a trimmed packet (0: by "
                      "profile. Uet: 4 TargetDelay. Ue: never if switches trim, else "
                      "DropThreshold - 1 base RTTs).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&NsccControl::m_quickAdaptThreshold),
                      MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute("DropThreshold",
                      "Queue at which switches that do not trim drop packets (bandwidth-delay "
                      "products of one plane).",
                      DoubleValue(5),
                      MakeDoubleAccessor(&NsccControl::m_dropThreshold),
                      MakeDoubleChecker<double>(1, 1e6));
}

NsccWindow::Parameters
NsccControl::GetParameters(const FabricFacts& facts) const
{
    NsccWindow::Parameters parameters;
    parameters.profile = m_profile;
    const Time rtt = m_networkRtt.IsZero() ? facts.baseRtt : m_networkRtt;
    parameters.networkRtt = rtt.GetPicoSeconds();
    parameters.rate = facts.planes * ToBytesPerPs(facts.portRate);
    parameters.packet = facts.mtu + m_header;
    parameters.header = m_header;
    parameters.trims = facts.trims;
    parameters.targetDelay = m_targetDelay.GetPicoSeconds();
    parameters.referenceRate = ToBytesPerPs(m_referenceRate);
    parameters.referenceRtt = m_referenceRtt.GetPicoSeconds();
    parameters.proportionalIncrease = m_proportionalIncrease;
    parameters.fairIncrease = m_fairIncrease;
    parameters.periodicIncrease = m_periodicIncrease;
    parameters.fastIncrease = m_fastIncrease;
    parameters.fastDelay = m_fastDelay.GetPicoSeconds();
    parameters.gamma = m_gamma;
    parameters.maxDecrease = m_maxDecrease;
    parameters.delayWeight = m_delayWeight;
    parameters.lateShare = m_lateShare;
    parameters.adjustPeriod = m_adjustPeriod.GetPicoSeconds();
    parameters.adjustPackets = m_adjustPackets;
    parameters.quickAdaptGate = m_quickAdaptGate;
    parameters.quickAdaptThreshold = m_quickAdaptThreshold.GetPicoSeconds();
    parameters.dropThreshold = m_dropThreshold;
    parameters.maxWindowFactor = m_maxWindowFactor;
    parameters.receiverCredits = m_receiverCredits;
    return parameters;
}

void
NsccControl::CheckAttributes(const FabricFacts& facts) const
{
    NS_ABORT_MSG_IF(m_networkRtt.IsZero() && facts.baseRtt.IsZero(),
                    "NsccControl: NetworkRtt=0 stands for the round-trip time of the fabric, "
                    "which this NIC does not know; set NetworkRtt");
    NS_ABORT_MSG_IF(m_referenceRate.GetBitRate() == 0,
                    "NsccControl: ReferenceRate=0bps; it is above 0");
}

void
NsccControl::Start(const FabricFacts& facts)
{
    CheckAttributes(facts);
    if (m_window)
    {
        const NsccWindow::Counters& counters = m_window->GetCounters();
        m_past.decreases += counters.decreases;
        m_past.quickAdapts += counters.quickAdapts;
        m_past.penalties += counters.penalties;
    }
    m_lineRate = facts.portRate;
    m_window.emplace(NsccWindow::Constants(GetParameters(facts)).InPayload());
}

void
NsccControl::LineRateChanged(DataRate lineRate)
{
    m_lineRate = lineRate; // the window stays: it follows the delays
}

uint64_t
NsccControl::GetWindow() const
{
    return static_cast<uint64_t>(m_window->GetWindow());
}

DataRate
NsccControl::GetRate() const
{
    return m_lineRate;
}

bool
NsccControl::WantsSent() const
{
    return true;
}

bool
NsccControl::PacketSent(uint32_t bytes, int64_t)
{
    m_window->Sent(bytes);
    return false;
}

bool
NsccControl::Acknowledged(uint32_t bytes, const AckReport& report, int64_t now)
{
    NsccWindow::Ack ack;
    ack.bytes = bytes;
    ack.marked = report.marked;
    ack.penalty = report.penalty;
    ack.restores = report.restores;
    // A sample is valid if its packet was outstanding; then the report acknowledges something.
    const bool isProbe = report.probe != 0;
    if ((isProbe ? m_samplesProbes : bytes > 0) && now > report.sentAt)
    {
        ack.rtt = std::max(now - report.sentAt, isProbe ? m_window->GetBaseRtt() : 0);
    }
    m_window->Acknowledged(ack, now);
    return true;
}

void
NsccControl::Lost(const LossSample& loss, int64_t now)
{
    const auto bytes = static_cast<int64_t>(loss.bytes);
    switch (loss.reason)
    {
    case LossReason::TRIMMED:
    case LossReason::TRIMMED_LAST_HOP: {
        // uet-htsim does not check this sample as it does those of ACKs
        const bool isSampled =
            m_samplesNacks && m_profile == NsccWindow::UET && loss.sentAt > 0 && now > loss.sentAt;
        m_window->Trimmed(bytes,
                          loss.reason == LossReason::TRIMMED_LAST_HOP,
                          now,
                          isSampled ? std::optional(now - loss.sentAt) : std::nullopt);
        break;
    }
    case LossReason::PACKET_TIMEOUT:
    case LossReason::TIMEOUT:
        m_window->TimedOut(bytes);
        break;
    case LossReason::GAP:
        m_gapDecreases ? m_window->TimedOut(bytes) : m_window->InferredLoss(bytes);
        break;
    case LossReason::NO_RESOURCES:
        m_window->InferredLoss(bytes);
        break;
    }
}

std::optional<MarkingLaw>
NsccControl::GetMarkingLaw(const FabricFacts& facts) const
{
    MarkingLaw law; // Ultra Ethernet
    law.least = 0.2 * facts.GetPortBdp();
    law.most = 0.8 * facts.GetPortBdp();
    law.source = "0.2 to 0.8 bandwidth-delay products of a port";
    return law;
}

void
NsccControl::Count(PolicyCounters& counters) const
{
    const NsccWindow::Counters now = m_window ? m_window->GetCounters() : NsccWindow::Counters{};
    counters["nscc_decreases"] += m_past.decreases + now.decreases;
    counters["nscc_quick_adapts"] += m_past.quickAdapts + now.quickAdapts;
    counters["nscc_penalties"] += m_past.penalties + now.penalties;
}

double
NsccControl::GetBdp() const
{
    return m_window->GetMaxWindow() / m_maxWindowFactor;
}

void
NsccControl::AssumeReceiverCredits()
{
    m_receiverCredits = true;
}

Ptr<CongestionControl>
NsccControl::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
