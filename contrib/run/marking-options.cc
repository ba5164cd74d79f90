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
#include "ns3/congestion-control.h"
#include "ns3/csv-writer.h"
#include "ns3/double.h"
#include "ns3/host-balancer.h"
#include "ns3/nstime.h"
#include "ns3/red-marker.h"
#include "ns3/step-marker.h"
#include "ns3/time-units.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Reads who marks congestion, and from which lengths of queues on.
class MarkingOptions : public PolicySection
{
  public:
    using PolicySection::PolicySection;

    /// Read who marks congestion, and refuse a control that gets no signal.
    void ReadMarking()
    {
        ReadMarker();
        const std::optional<MarkingLaw> law = FindMarkingLaw();
        RefuseIf(!m_scenario.marker && law && law->isOnlySignal,
                 "marker",
                 "auto, red or step with --rateControl=" + NameControl() +
                     ", which slows down only by marks");
    }

  private:
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
        if (marker != StepMarker::GetTypeId() && marker != RedMarker::GetTypeId())
        {
            return; // one of a library
        }
        if (FindDefault<TimeValue>(marker, Most() + "Time")->IsStrictlyPositive())
        {
            NoteTimes();
            source += RatesDiffer() ? DescribeSlowest() + ", " : "";
        }
        else
        {
            RefuseBounds();
            NoteBytes();
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
            Apply(share);
        }
        else if (law)
        {
            Apply(*law);
        }
    }

    /// Have switches mark as the balancer needs it.  @param share of the buffer of a port
    void Apply(double share)
    {
        m_scenario.marker = StepMarker::GetTypeId();
        const std::string reason =
            "for --balancer=" + Registry("balancer").NameOf(m_scenario.balancer);
        if (HasThreshold("") || HasThreshold("Time"))
        {
            DescribeMarker("as given, ", reason);
            return;
        }
        m_scenario.markingThreshold = std::lround(share * m_scenario.bufferBytes);
        m_scenario.options["markingThreshold"] = *m_scenario.markingThreshold;
        m_scenario.options["markingSource"] =
            FormatNumber(share) + " of the buffer of a port, " + reason;
    }

    /// Have switches mark as the congestion control needs it.  @param law how
    void Apply(const MarkingLaw& law)
    {
        const bool isStep = law.least == law.most;
        const TypeId marker = isStep ? StepMarker::GetTypeId() : RedMarker::GetTypeId();
        m_scenario.marker = marker;
        const std::string time = Most() + "Time";
        const bool isOff = IsAttributeGiven(marker.GetName() + "::" + time) &&
                           FindDefault<TimeValue>(marker, time)->IsZero();
        const bool hasTime = HasThreshold("Time") && !isOff;
        if (hasTime)
        {
            RefuseAttributes(marker.GetName(), {Least(), Most()}, "not beside a threshold in time");
        }
        if (!isStep)
        {
            SetDefault(marker.GetName() + "::PMax", DoubleValue(law.share));
        }
        if (!law.atLastHop)
        {
            SetDefault("ns3::aifabric::EcnMarker::AtLastHop", BooleanValue(false));
        }
        std::string source = hasTime || HasThreshold("") ? "as given" : law.source;
        if (hasTime || (RatesDiffer() && !HasThreshold("") && !isOff))
        {
            SetTimes(law, !hasTime);
            source += RatesDiffer() ? ": " + DescribeSlowest() : "";
        }
        else
        {
            RefuseBounds();
            SetBytes(law);
        }
        source += law.most > GetMostMarked() && !HasThreshold("") && !hasTime
                      ? ", at most 0.8 of the buffer"
                      : "";
        m_scenario.options["markingSource"] = source + ", for --rateControl=" + NameControl();
    }

    /// Refuse bounds where no threshold is a time.
    void RefuseBounds() const
    {
        RefuseAttributes("ns3::aifabric::EcnMarker",
                         {"LeastBytes", "MostBytes"},
                         "only with thresholds in time");
    }

    /// @return the attribute of the marker for the longest queue without marks
    std::string Least() const
    {
        return *m_scenario.marker == RedMarker::GetTypeId() ? "KMin" : "Threshold";
    }

    /// @return that for the longest queue of whose packets some have no mark
    std::string Most() const
    {
        return *m_scenario.marker == RedMarker::GetTypeId() ? "KMax" : "Threshold";
    }

    /// @return whether the user gives a threshold  @param unit end of its name: Time, or nothing
    /// for bytes
    bool HasThreshold(const std::string& unit) const
    {
        const std::string marker = m_scenario.marker->GetName() + "::";
        return IsAttributeGiven(marker + Least() + unit) ||
               IsAttributeGiven(marker + Most() + unit);
    }

    /// @return whether ports have different rates
    bool RatesDiffer() const
    {
        return m_scenario.slowestRate != std::max(m_scenario.rate, m_scenario.fabricRate);
    }

    /// @return the name of the congestion control
    std::string NameControl() const
    {
        return Registry("rateControl").NameOf(m_scenario.rateControl);
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

    /// Have all ports mark at the same lengths.  @param law how
    void SetBytes(MarkingLaw law)
    {
        law.LimitTo(GetMostMarked());
        const std::string marker = m_scenario.marker->GetName() + "::";
        SetDefault(marker + Least(), UintegerValue(std::llround(law.least)));
        SetDefault(marker + Most(), UintegerValue(std::llround(law.most)));
        NoteBytes();
    }

    /// Have each port mark by its own rate.  @param law how  @param isLaws no time is given by the
    /// user, so that the bounds of the law hold
    void SetTimes(MarkingLaw law, bool isLaws)
    {
        const auto set = [&](const std::string& attribute, double bytes) {
            const double time = bytes * BIT_PS_PER_BYTE / static_cast<double>(m_scenario.rate);
            SetDefault(m_scenario.marker->GetName() + "::" + attribute + "Time",
                       TimeValue(PicoSeconds(std::llround(time))));
        };
        if (!isLaws)
        {
            law.LimitTo(GetMostMarked()); // what is not given
        }
        set(Least(), law.least);
        set(Most(), law.most);
        if (isLaws)
        {
            const auto bound = [&](const std::string& attribute, double bytes) {
                SetDefault("ns3::aifabric::EcnMarker::" + attribute,
                           UintegerValue(std::llround(bytes)));
            };
            bound("MostBytes", GetMostMarked());
            bound("LeastBytes", std::min(law.floor, GetMostMarked()));
        }
        NoteTimes();
    }

    /// Note the lengths at which all ports mark.
    void NoteBytes()
    {
        const TypeId marker = *m_scenario.marker;
        m_scenario.options["markingThreshold"] =
            FindDefault<UintegerValue>(marker, Least()).value();
        m_scenario.options["markingCeiling"] = FindDefault<UintegerValue>(marker, Most()).value();
    }

    /// Note the lengths at which the fastest ports mark.
    void NoteTimes()
    {
        const auto [some, all] = FindTimed(std::max(m_scenario.rate, m_scenario.fabricRate));
        m_scenario.options["markingThreshold"] = some;
        m_scenario.options["markingCeiling"] = all;
    }

    /// @return from which lengths on a port marks some and all packets, in bytes
    /// @param rate of the port, in bit/s
    std::pair<uint64_t, uint64_t> FindTimed(uint64_t rate) const
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
        const double longest = bytesOf(Most());
        const double fit = std::min(std::max(longest, boundOf("LeastBytes")), boundOf("MostBytes"));
        const double factor = longest > 0 ? fit / longest : 1;
        return {std::llround(bytesOf(Least()) * factor), std::llround(fit)};
    }

    /// @return at which lengths the slowest ports mark
    std::string DescribeSlowest() const
    {
        const uint64_t rate = m_scenario.slowestRate;
        const auto [some, all] = FindTimed(rate);
        return std::to_string(some) + (some < all ? " to " + std::to_string(all) : "") +
               " at a port of " + FormatNumber(static_cast<double>(rate) / 1e9) + "Gb/s";
    }
};

} // namespace

void
ReadMarking(const OptionTable& table, FabricScenario& scenario)
{
    MarkingOptions(table, scenario).ReadMarking();
}

} // namespace aifabric
} // namespace ns3
