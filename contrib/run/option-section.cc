/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-section.h"

#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/csv-writer.h"
#include "ns3/fabric-switch.h"
#include "ns3/frame-codec.h"
#include "ns3/roce-net-device.h"
#include "ns3/shortest-paths.h"
#include "ns3/workload-text.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{
namespace aifabric
{

OptionSection::OptionSection(const OptionTable& table, FabricScenario& scenario)
    : m_table(table),
      m_scenario(scenario)
{
}

uint64_t
OptionSection::PsPerByte(uint64_t rate)
{
    constexpr uint64_t PS_BIT_PER_BYTE = 8'000'000'000'000;
    return PS_BIT_PER_BYTE / rate;
}

uint64_t
OptionSection::FullPacketPs(uint64_t rate) const
{
    constexpr uint32_t GAP_BYTES = 20; // between two frames
    return (FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, m_scenario.mtu, m_scenario.ipv6) +
            m_scenario.outerBytes + GAP_BYTES) *
           PsPerByte(rate);
}

uint64_t
OptionSection::GetLatencyPs() const
{
    const uint64_t inSwitch = CreateObject<FabricSwitch>()->GetLatency().GetPicoSeconds();
    const uint64_t inNic = CreateObject<RoceNetDevice>()->GetLatency().GetPicoSeconds();
    return (m_scenario.graph->LongestPathLinks() - 1) * inSwitch + inNic;
}

double
OptionSection::GetBytePs() const
{
    return static_cast<double>(PsPerByte(m_scenario.slowestRate));
}

double
OptionSection::GetPathBytePs() const
{
    const FabricGraph& graph = *m_scenario.graph;
    return graph.IsClos() ? graph.LongestPathLinks() * GetBytePs()
                          : static_cast<double>(graph.GetPaths().GetLongest().psPerByte);
}

double
OptionSection::GetPathDelayPs() const
{
    const FabricGraph& graph = *m_scenario.graph;
    return graph.IsClos() ? static_cast<double>(graph.LongestPathLinks()) *
                                static_cast<double>(m_scenario.delayPs)
                          : static_cast<double>(graph.GetPaths().GetLongest().delayPs);
}

double
OptionSection::GetPacketsPs() const
{
    constexpr uint32_t FRAME_BYTES = 126; // headers of a data packet and an ACK
    return (m_scenario.mtu + FRAME_BYTES + 2 * m_scenario.outerBytes) * GetPathBytePs();
}

double
OptionSection::GetRoundTripPs(uint64_t latencyPs) const
{
    return 2 * GetPathDelayPs() + GetPacketsPs() + 2 * static_cast<double>(latencyPs);
}

int64_t
OptionSection::ReadProbeInterval(const std::string& name)
{
    const int64_t usual = CreateObject<FabricSwitch>()->GetLatency().GetPicoSeconds();
    int64_t slowest = usual; // latency of a switch
    for (const auto& [id, latency] : m_scenario.switchLatencies)
    {
        slowest = std::max(slowest, latency);
    }
    const uint64_t switches = m_scenario.graph->LongestPathLinks() - 1;
    const double roundTrip = GetRoundTripPs(GetLatencyPs() + switches * (slowest - usual));
    const int64_t interval = Read(name);
    OptionError::ThrowIf(static_cast<double>(interval) < 2 * roundTrip,
                         name,
                         FormatNs(interval) + "ns",
                         "at least two round-trip times, which are " +
                             FormatNs(std::llround(2 * roundTrip)) + "ns");
    return interval;
}

std::vector<std::string>
OptionSection::ReadList(const std::string& name) const
{
    std::vector<std::string> items;
    std::istringstream text(m_table.Get(name) + ",");
    for (std::string item; std::getline(text, item, ',');)
    {
        RefuseIf(item.empty(), name, "there is nothing before or after a comma");
        items.push_back(item);
    }
    return items;
}

bool
OptionSection::IsMeant(const std::string& name) const
{
    const OptionWhen& when = m_table.At(name).row.when;
    return !when.holds || when.holds(m_scenario);
}

void
OptionSection::RefuseUnmeant(const std::vector<std::string>& names)
{
    for (const std::string& name : names)
    {
        if (!IsMeant(name))
        {
            RefuseGiven({name});
        }
    }
}

void
OptionSection::ReadAll(const std::vector<std::string>& names)
{
    RefuseUnmeant(names);
    for (const std::string& name : names)
    {
        if (IsMeant(name))
        {
            Read(name);
        }
    }
}

nlohmann::ordered_json
OptionSection::Read(const std::string& name, const nlohmann::ordered_json& automatic)
{
    OptionType type = m_table.At(name).row.type;
    if (!automatic.is_null())
    {
        type.automatic = automatic;
    }
    return IsNone(name) ? type.automatic : Read(name, type);
}

nlohmann::ordered_json
OptionSection::Read(const std::string& name, const OptionType& type)
{
    const OptionRow& row = m_table.At(name).row;
    const nlohmann::ordered_json value = Parse(name, type);
    if (!m_scenario.options.contains(name))
    {
        // It is not one of the scenario, but of how it is run.
    }
    else if (row.type.unit != "time")
    {
        m_scenario.options[name] = value;
    }
    else if (row.usual == AUTO)
    {
        m_scenario.options[name] = FormatNs(value.get<int64_t>()) + "ns";
    }
    if (row.set)
    {
        row.set(m_scenario, value);
    }
    return value;
}

nlohmann::ordered_json
OptionSection::Parse(const std::string& name, const OptionType& type) const
{
    const OptionTable::Option& option = m_table.At(name);
    const bool hasAuto = option.row.usual == AUTO;
    if (hasAuto && option.value == AUTO && !type.automatic.is_null())
    {
        return type.automatic;
    }
    nlohmann::ordered_json value = option.value;
    if (type.parse)
    {
        value = type.parse(option.value);
    }
    if (value.is_null() && !type.choices.empty())
    {
        RefuseUnknown(option.row, type.choices);
    }
    const std::string orAuto = hasAuto && type.unit != "boolean" ? ", or auto" : "";
    RefuseIf(value.is_null(), name, type.allowed + orAuto);
    return value;
}

void
OptionSection::RefuseUnknown(const OptionRow& row, const std::vector<std::string>& known) const
{
    const bool isSpecial = row.usual == AUTO || row.usual == NONE;
    Refuse(row.name, OptionError::OneOf(m_table.Get(row.name), known, isSpecial ? row.usual : ""));
}

TypeId
OptionSection::ReadPolicy(const std::string& option) const
{
    const PolicyRegistry registry = Registry(option);
    const std::string& name = m_table.Get(option);
    if (!registry.Has(name))
    {
        RefuseUnknown(m_table.At(option).row, ListChoices(option));
    }
    return registry.Find(name);
}

void
OptionSection::NoteUnused(const std::string& name)
{
    const bool hasNone = m_table.At(name).row.usual == NONE;
    m_scenario.options[name] = hasNone ? nlohmann::ordered_json(NONE) : nlohmann::ordered_json();
}

void
OptionSection::RefuseGiven(const std::vector<std::string>& names, const std::string& why)
{
    for (const std::string& name : names)
    {
        RefuseIf(IsGiven(name), name, why.empty() ? m_table.At(name).row.when.words : why);
        NoteUnused(name);
    }
}

bool
OptionSection::IsGiven(const std::string& name) const
{
    return m_table.At(name).isGiven && IsSet(name);
}

bool
OptionSection::IsSet(const std::string& name) const
{
    return m_table.At(name).IsSet() && m_table.Get(name) != AUTO && !IsNone(name);
}

bool
OptionSection::IsNone(const std::string& name) const
{
    const OptionTable::Option& option = m_table.At(name);
    return option.row.usual == NONE && option.value == NONE;
}

void
OptionSection::RefuseIf(bool isWrong, const std::string& name, const std::string& allowed) const
{
    OptionError::ThrowIf(isWrong, name, m_table.Get(name), allowed);
}

void
OptionSection::Refuse(const std::string& name, const std::string& allowed) const
{
    throw OptionError(name, m_table.Get(name), allowed);
}

bool
OptionSection::IsAttributeGiven(const std::string& name) const
{
    return m_scenario.attributes.count(name) > 0;
}

void
OptionSection::RefuseAttributes(const std::string& type, const std::string& why) const
{
    for (const auto& [attribute, value] : m_scenario.attributes)
    {
        OptionError::ThrowIf(attribute.compare(0, type.size() + 2, type + "::") == 0,
                             attribute,
                             value,
                             why);
    }
}

void
OptionSection::RefuseAttributes(const std::string& type,
                                const std::vector<std::string>& names,
                                const std::string& why) const
{
    for (const std::string& name : names)
    {
        const auto given = m_scenario.attributes.find(type + "::" + name);
        if (given != m_scenario.attributes.end())
        {
            throw OptionError(given->first, given->second, why);
        }
    }
}

} // namespace aifabric
} // namespace ns3
