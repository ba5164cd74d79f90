/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"
#include "policy-kinds.h"
#include "policy-section.h"

#include "ns3/boolean.h"
#include "ns3/buffer-admission.h"
#include "ns3/congestion-control.h"
#include "ns3/csv-writer.h"
#include "ns3/double.h"
#include "ns3/dscp-table.h"
#include "ns3/dwrr-egress-scheduler.h"
#include "ns3/fabric-port.h"
#include "ns3/frame-codec.h"
#include "ns3/host-balancer.h"
#include "ns3/nstime.h"
#include "ns3/policy-misfit.h"
#include "ns3/queue-pair.h"
#include "ns3/red-marker.h"
#include "ns3/shared-buffer.h"
#include "ns3/step-marker.h"
#include "ns3/time-units.h"
#include "ns3/trimming-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Reads what switches do with full queues: whom they drop, trim, pause and mark.
class BufferOptions : public PolicySection
{
  public:
    using PolicySection::PolicySection;

    /// Read the buffers of switches.
    void ReadBuffers()
    {
        m_scenario.admission = ReadUsual("admission", FindUsualAdmission(m_scenario.transport));
        DeriveTrimming();
        CheckBuffer();
        CheckRecovery();
        CheckTrimming();
        CheckTrimmedClasses();
        CheckLastHop();
        CheckEgressScheduler();
    }

    /// Read who marks congestion, and refuse a control that gets no signal.
    void ReadMarking()
    {
        ReadMarker();
        const std::optional<MarkingLaw> law = FindMarkingLaw();
        RefuseIf(!m_scenario.marker && law && law->isOnlySignal,
                 "marker",
                 "auto, red or step with --rateControl=" +
                     Registry("rateControl").NameOf(m_scenario.rateControl) +
                     ", which slows down only by marks");
    }

  private:
    /// Have switches trim at the queues of the transport, if it expects trimming and the buffer is
    /// not given.
    void DeriveTrimming()
    {
        constexpr double LAST_HOP = 1.5; // bandwidth-delay products, as Ultra Ethernet has it
        for (const char* derived : {"trimmingThreshold", "trimmingLastHop", "trimmingSource"})
        {
            m_scenario.options[derived] = nullptr;
        }
        if (m_table.At("buffer").IsSet() || m_scenario.admission != TrimmingBuffer::GetTypeId() ||
            m_scenario.admission != FindUsualAdmission(m_scenario.transport))
        {
            return;
        }
        const uint64_t product = GetFacts().GetPortBdp();
        const uint64_t lastHop = std::llround(LAST_HOP * static_cast<double>(product));
        SetDefault("ns3::aifabric::TrimmingBuffer::LastHopBytes", UintegerValue(lastHop));
        SetDefault("ns3::aifabric::TrimmingBuffer::OtherBytes", UintegerValue(product));
        m_scenario.bufferBytes = product;
        m_scenario.options["buffer"] = product;
        if (!IsSet("spineBuffer"))
        {
            m_scenario.spineBufferBytes = product;
            m_scenario.options["spineBuffer"] = product;
        }
        m_scenario.options["trimmingThreshold"] = product;
        m_scenario.options["trimmingLastHop"] =
            FindDefault<UintegerValue>(m_scenario.admission, "LastHopBytes").value();
        m_scenario.options["trimmingSource"] =
            "1 and " + FormatNumber(LAST_HOP) +
            " bandwidth-delay products of a port, for --transport=" +
            Registry("transport").NameOf(m_scenario.transport);
    }

    /// Refuse buffers that are too large to be counted.
    void CheckBuffer() const
    {
        TypeId::AttributeInformation shared;
        if (!m_scenario.admission.LookupAttributeByName("BufferBytes", &shared))
        {
            return;
        }
        for (const FabricSwitchSpec& spec : m_scenario.graph->Switches())
        {
            const bool isOther = spec.tier > 0 && IsSet("spineBuffer");
            const uint64_t bytes =
                spec.tier > 0 ? m_scenario.spineBufferBytes : m_scenario.bufferBytes;
            RefuseIf(bytes * spec.portCount > std::numeric_limits<uint32_t>::max(),
                     isOther ? "spineBuffer" : "buffer",
                     "for all " + std::to_string(spec.portCount) +
                         " ports of a switch together less than 4 GiB");
        }
    }

    /// Refuse a recovery that needs what the fabric does not give.
    void CheckRecovery() const
    {
        const PolicyMisfit::Fabric fabric{
            CreateObject<DscpTable>(),
            MakePolicy<BufferAdmission>(m_scenario.admission)->Trims(),
            m_scenario.acksInFabric,
            m_scenario.telemetry};
        for (const PolicyMisfit& misfit :
             PolicyMisfit::Find(*MakeQueuePair(m_scenario.transport), fabric))
        {
            Refuse("recovery", misfit.why);
        }
    }

    /// Refuse senders that never wait where switches trim, and attributes of trimming where
    /// switches do not trim.
    void CheckTrimming() const
    {
        const bool trims = MakePolicy<BufferAdmission>(m_scenario.admission)->Trims();
        if (!trims && m_scenario.admission == SharedBuffer::GetTypeId())
        {
            RefuseAttributes(m_scenario.admission.GetName(),
                             {"TrimmingBytes", "TrimmedBytes", "TrimmedDscp", "LastHopDscp"},
                             "only with a trimming class "
                             "(--ns3::aifabric::SharedBuffer::TrimmingClasses=8)");
        }
        const std::string retransmissions = "ns3::aifabric::TrimmingBuffer::RetransmissionBytes";
        if (IsAttributeGiven(retransmissions))
        {
            const uint64_t least =
                FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, m_scenario.mtu, m_scenario.ipv6) +
                m_scenario.outerBytes;
            const uint64_t bytes =
                FindDefault<UintegerValue>(TrimmingBuffer::GetTypeId(), "RetransmissionBytes")
                    .value();
            OptionError::ThrowIf(bytes > 0 && bytes < least,
                                 retransmissions,
                                 m_scenario.attributes.at(retransmissions),
                                 "0, or room for a packet, which has " + std::to_string(least) +
                                     " bytes: a smaller queue trims all retransmissions");
        }
    }

    /// Refuse a queue pair that reads trimmed packets if switches do not trim the class of its
    /// data.
    void CheckTrimmedClasses() const
    {
        const auto queuePair = MakePolicy<QueuePair>(m_scenario.transport);
        const auto buffer = MakePolicy<BufferAdmission>(m_scenario.admission);
        const bool isShared = m_scenario.admission == SharedBuffer::GetTypeId();
        const std::string name = isShared ? "TrimmingClasses" : "Classes";
        UintegerValue lastHop; // a transport that has it reads trimmed packets
        UintegerValue classes;
        if (!buffer->Trims() || !queuePair->GetAttributeFailSafe("LastHopDscp", lastHop) ||
            !buffer->GetAttributeFailSafe(name, classes))
        {
            return;
        }
        UintegerValue dscp;
        queuePair->GetAttribute("Dscp", dscp);
        const uint8_t data = CreateObject<DscpTable>()->GetClass(dscp.Get());
        const std::string attribute = FindAttribute(m_scenario.admission, name);
        const uint64_t trimmed = FindUsual(*queuePair, attribute, classes.Get());
        const bool isHere = IsAttributeGiven(attribute);
        const std::string other = FindAttribute(m_scenario.transport, "Dscp");
        const std::string bit =
            std::to_string(1U << data) + " (class " + std::to_string(data) + ")";
        OptionError::ThrowIf(!(trimmed >> data & 1),
                             isHere ? attribute : other,
                             std::to_string(isHere ? trimmed : dscp.Get()),
                             isHere ? "a sum that contains " + bit + ", for " + other
                                    : "no data is trimmed unless " + attribute + ", which is " +
                                          std::to_string(trimmed) + ", contains " + bit);
    }

    /// @return the value of an attribute for a transport  @param queuePair of that transport
    /// @param attribute its name  @param given the value unless the transport has a usual one
    uint64_t FindUsual(const QueuePair& queuePair,
                       const std::string& attribute,
                       uint64_t given) const
    {
        for (const auto& [name, value] : queuePair.GetTraits().attributes)
        {
            if (name == attribute && !IsAttributeGiven(attribute))
            {
                return std::stoul(value);
            }
        }
        return given;
    }

    /// Refuse a queue pair that expects another DSCP of packets that the last switch has trimmed.
    void CheckLastHop() const
    {
        const std::string name = "LastHopDscp";
        const auto queuePair = MakePolicy<QueuePair>(m_scenario.transport);
        const auto buffer = MakePolicy<BufferAdmission>(m_scenario.admission);
        UintegerValue expected;
        UintegerValue marked;
        if (!buffer->Trims() || !queuePair->GetAttributeFailSafe(name, expected) ||
            !buffer->GetAttributeFailSafe(name, marked))
        {
            return;
        }
        const std::string there = FindAttribute(m_scenario.admission, name);
        const uint64_t dscp = FindUsual(*queuePair, there, marked.Get());
        const std::string here = FindAttribute(m_scenario.transport, name);
        const bool isHere = IsAttributeGiven(here);
        OptionError::ThrowIf(expected.Get() != dscp,
                             isHere ? here : there,
                             std::to_string(isHere ? expected.Get() : dscp),
                             "equal to " +
                                 (isHere ? there + ", which is " + std::to_string(dscp)
                                         : here + ", which is " + std::to_string(expected.Get())));
    }

    /// Refuse attributes of an egress scheduler that ports do not have.
    void CheckEgressScheduler() const
    {
        const std::string option = "EgressSchedulerType";
        const TypeId port = FabricPort::GetTypeId();
        const TypeId dwrr = DwrrEgressScheduler::GetTypeId();
        const TypeId scheduler = FindDefault<TypeIdValue>(port, option).value();
        if (scheduler != dwrr && !scheduler.IsChildOf(dwrr))
        {
            RefuseAttributes(dwrr.GetName(),
                             "only with --" + port.GetName() + "::" + option + "=" +
                                 dwrr.GetName());
        }
    }

    /// Read who marks congestion.
    void ReadMarker()
    {
        const std::string& marker = m_table.Get("marker");
        m_scenario.options["marker"] = marker;
        for (const char* derived : {"markingThreshold", "markingCeiling", "markingSource"})
        {
            m_scenario.options[derived] = nullptr;
        }
        if (marker == AUTO)
        {
            DeriveMarker();
            const auto type = m_scenario.marker;
            m_scenario.options["marker"] = type ? Registry("marker").NameOf(*type) : NONE;
        }
        else if (marker != NONE)
        {
            m_scenario.marker = ReadPolicy("marker");
            DescribeMarker("", "of --marker=" + Registry("marker").NameOf(*m_scenario.marker));
        }
    }

    /// Note at which lengths the ports of a given marker mark.  @param source, reason where the
    /// lengths are from, and why there are any
    void DescribeMarker(std::string source, const std::string& reason)
    {
        const TypeId marker = *m_scenario.marker;
        const bool isStep = marker == StepMarker::GetTypeId();
        if (!isStep && marker != RedMarker::GetTypeId())
        {
            return; // one of a library
        }
        const std::string least = isStep ? "Threshold" : "KMin";
        const std::string most = isStep ? "Threshold" : "KMax";
        if (FindDefault<TimeValue>(marker, most + "Time")->IsStrictlyPositive())
        {
            NoteTimes(least, most);
            const bool differ =
                m_scenario.slowestRate != std::max(m_scenario.rate, m_scenario.fabricRate);
            source += differ ? DescribeTimed(m_scenario.slowestRate, least, most) + ", " : "";
        }
        else
        {
            NoteBytes(least, most);
        }
        m_scenario.options["markingSource"] = source + reason;
    }

    /// Have switches mark as the balancer or the congestion control needs it, if one does.
    void DeriveMarker()
    {
        const TypeId balancer = m_scenario.balancer;
        const double share = balancer.IsChildOf(HostBalancer::GetTypeId())
                                 ? MakePolicy<HostBalancer>(balancer)->GetMarkingShare()
                                 : 0;
        const std::optional<MarkingLaw> law = FindMarkingLaw();
        // Where switches trim as the transport has it, they mark as its congestion control has it.
        const bool isLaws = m_scenario.options["trimmingSource"].is_string() && law &&
                            !IsAttributeGiven(FindAttribute(balancer, "MarkingShare"));
        if (share > 0 && !isLaws)
        {
            m_scenario.marker = StepMarker::GetTypeId();
            const std::string threshold = m_scenario.marker->GetName() + "::Threshold";
            const std::string reason = "for --balancer=" + Registry("balancer").NameOf(balancer);
            if (IsAttributeGiven(threshold) || IsAttributeGiven(threshold + "Time"))
            {
                DescribeMarker("as given, ", reason);
            }
            else
            {
                m_scenario.markingThreshold = std::lround(share * m_scenario.bufferBytes);
                m_scenario.options["markingThreshold"] = *m_scenario.markingThreshold;
                m_scenario.options["markingSource"] =
                    FormatNumber(share) + " of the buffer of a port, " + reason;
            }
        }
        else if (law)
        {
            Apply(*law);
        }
    }

    /// @return how switches have to mark for the congestion control; none: it needs no marks
    std::optional<MarkingLaw> FindMarkingLaw() const
    {
        return MakePolicy<CongestionControl>(m_scenario.rateControl)->GetMarkingLaw(GetFacts());
    }

    /// @return the longest queue that a control has marked in part, in bytes
    double GetMostMarked() const
    {
        constexpr double LONGEST = 0.8; // share of a buffer
        return LONGEST *
               static_cast<double>(std::min(m_scenario.bufferBytes, m_scenario.spineBufferBytes));
    }

    /// Have switches mark as the congestion control needs it.  @param law how
    void Apply(const MarkingLaw& law)
    {
        const bool isStep = law.least == law.most;
        const TypeId marker = isStep ? StepMarker::GetTypeId() : RedMarker::GetTypeId();
        m_scenario.marker = marker;
        const std::string least = isStep ? "Threshold" : "KMin";
        const std::string most = isStep ? "Threshold" : "KMax";
        const auto isGiven = [&](const std::string& unit) {
            return IsAttributeGiven(marker.GetName() + "::" + least + unit) ||
                   IsAttributeGiven(marker.GetName() + "::" + most + unit);
        };
        const bool differ =
            m_scenario.slowestRate != std::max(m_scenario.rate, m_scenario.fabricRate);
        const bool isOff = IsAttributeGiven(marker.GetName() + "::" + most + "Time") &&
                           FindDefault<TimeValue>(marker, most + "Time")->IsZero();
        const bool hasTime = isGiven("Time") && !isOff;
        if (hasTime)
        {
            RefuseAttributes(marker.GetName(), {least, most}, "not beside a threshold in time");
        }
        const bool isTimed = hasTime || (differ && !isGiven("") && !isOff);
        if (!isStep)
        {
            SetDefault(marker.GetName() + "::PMax", DoubleValue(law.share));
        }
        if (!law.atLastHop)
        {
            SetDefault("ns3::aifabric::EcnMarker::AtLastHop", BooleanValue(false));
        }
        std::string source = hasTime || isGiven("") ? "as given" : law.source;
        if (isTimed)
        {
            SetTimes(law, least, most, !hasTime);
            source += differ ? ": " + DescribeTimed(m_scenario.slowestRate, least, most) : "";
        }
        else
        {
            RefuseAttributes("ns3::aifabric::EcnMarker",
                             {"LeastBytes", "MostBytes"},
                             "only with thresholds in time");
            SetBytes(law, least, most);
        }
        source += law.most > GetMostMarked() && !isGiven("") && !hasTime
                      ? ", at most 0.8 of the buffer"
                      : "";
        m_scenario.options["markingSource"] =
            source +
            ", for --rateControl=" + Registry("rateControl").NameOf(m_scenario.rateControl);
    }

    /// Have all ports mark at the same lengths.  @param law how  @param least the attribute of the
    /// marker for the longest queue without marks  @param most for that with some
    void SetBytes(MarkingLaw law, const std::string& least, const std::string& most)
    {
        law.LimitTo(GetMostMarked());
        const TypeId marker = *m_scenario.marker;
        SetDefault(marker.GetName() + "::" + least, UintegerValue(std::llround(law.least)));
        SetDefault(marker.GetName() + "::" + most, UintegerValue(std::llround(law.most)));
        NoteBytes(least, most);
    }

    /// Note the lengths at which all ports mark.  @param least, most as in SetBytes()
    void NoteBytes(const std::string& least, const std::string& most)
    {
        const TypeId marker = *m_scenario.marker;
        m_scenario.options["markingThreshold"] = FindDefault<UintegerValue>(marker, least).value();
        m_scenario.options["markingCeiling"] = FindDefault<UintegerValue>(marker, most).value();
    }

    /// Note the lengths at which a port of the rate of a host marks.  @param least, most as in
    /// SetBytes()
    void NoteTimes(const std::string& least, const std::string& most)
    {
        const auto [some, all] = FindTimed(m_scenario.rate, least, most);
        m_scenario.options["markingThreshold"] = some;
        m_scenario.options["markingCeiling"] = all;
    }

    /// Have each port mark by its own rate.  @param law how  @param least, most as in SetBytes()
    /// @param isLaws no time is given by the user, so that the bounds of the law hold
    void SetTimes(MarkingLaw law, const std::string& least, const std::string& most, bool isLaws)
    {
        const TypeId marker = *m_scenario.marker;
        const auto set = [&](const std::string& attribute, double bytes) {
            const double time = bytes * BIT_PS_PER_BYTE / static_cast<double>(m_scenario.rate);
            SetDefault(marker.GetName() + "::" + attribute + "Time",
                       TimeValue(PicoSeconds(std::llround(time))));
        };
        if (!isLaws)
        {
            law.LimitTo(GetMostMarked()); // what is not given
        }
        set(least, law.least);
        set(most, law.most);
        if (isLaws)
        {
            const auto bound = [&](const std::string& attribute, double bytes) {
                SetDefault("ns3::aifabric::EcnMarker::" + attribute,
                           UintegerValue(std::llround(bytes)));
            };
            bound("MostBytes", GetMostMarked());
            bound("LeastBytes", std::min(law.floor, GetMostMarked()));
        }
        NoteTimes(least, most);
    }

    /// @return from which lengths on a port marks some and all packets, in bytes
    /// @param rate of the port, in bit/s  @param least, most as in SetBytes()
    std::pair<uint64_t, uint64_t> FindTimed(uint64_t rate,
                                            const std::string& least,
                                            const std::string& most) const
    {
        const TypeId marker = *m_scenario.marker;
        const auto bytesOf = [&](const std::string& attribute) {
            const Time time = *FindDefault<TimeValue>(marker, attribute + "Time");
            return static_cast<double>(time.GetPicoSeconds()) * static_cast<double>(rate) /
                   BIT_PS_PER_BYTE;
        };
        const auto boundOf = [&](const std::string& attribute) {
            return static_cast<double>(FindDefault<UintegerValue>(marker, attribute).value());
        };
        const double longest = bytesOf(most);
        const double fit = std::min(std::max(longest, boundOf("LeastBytes")), boundOf("MostBytes"));
        const double factor = longest > 0 ? fit / longest : 1;
        return {static_cast<uint64_t>(bytesOf(least) * factor), static_cast<uint64_t>(fit)};
    }

    /// @return at which lengths a port marks  @param rate of the port, in bit/s
    /// @param least, most as in SetBytes()
    std::string DescribeTimed(uint64_t rate,
                              const std::string& least,
                              const std::string& most) const
    {
        const auto [some, all] = FindTimed(rate, least, most);
        return std::to_string(some) + (some < all ? " to " + std::to_string(all) : "") +
               " at a port of " + FormatNumber(static_cast<double>(rate) / 1e9) + "Gb/s";
    }
};

} // namespace

void
ReadBuffers(const OptionTable& table, FabricScenario& scenario)
{
    BufferOptions(table, scenario).ReadBuffers();
}

void
ReadMarking(const OptionTable& table, FabricScenario& scenario)
{
    BufferOptions(table, scenario).ReadMarking();
}

} // namespace aifabric
} // namespace ns3
