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
    return (2 * m_scenario.graph->Tiers() - 1) * inSwitch + inNic;
}

double
OptionSection::GetBytePs() const
{
    return static_cast<double>(PsPerByte(std::min(m_scenario.rate, m_scenario.fabricRate)));
}

double
OptionSection::GetPacketsPs() const
{
    constexpr uint32_t FRAME_BYTES = 126; // headers of a data packet and an ACK
    const double links = 2.0 * m_scenario.graph->Tiers();
    return links * (m_scenario.mtu + FRAME_BYTES + 2 * m_scenario.outerBytes) * GetBytePs();
}

double
OptionSection::GetRoundTripPs(uint64_t latencyPs) const
{
    const double links = 2.0 * m_scenario.graph->Tiers();
    return links * 2 * static_cast<double>(m_scenario.delayPs) + GetPacketsPs() +
           2 * static_cast<double>(latencyPs);
}

int64_t
OptionSection::ReadProbeInterval(const std::string& name) const
{
    const int64_t usual = CreateObject<FabricSwitch>()->GetLatency().GetPicoSeconds();
    int64_t slowest = usual; // latency of a switch
    for (const auto& [id, latency] : m_scenario.switchLatencies)
    {
        slowest = std::max(slowest, latency);
    }
    const uint64_t switches = 2 * m_scenario.graph->Tiers() - 1;
    const double roundTrip = GetRoundTripPs(GetLatencyPs() + switches * (slowest - usual));
    const int64_t interval = ReadTime(name, 1);
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

int64_t
OptionSection::ReadInteger(const std::string& name,
                           int64_t low,
                           int64_t high,
                           std::optional<int64_t> automatic) const
{
    const std::string& text = m_table.Get(name);
    if (automatic && text == AUTO)
    {
        return *automatic;
    }
    const std::optional<int64_t> value = ParseWhole(text);
    if (value && *value >= low && *value <= high)
    {
        return *value;
    }
    Refuse(name,
           "a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
               OrAuto(name));
}

uint64_t
OptionSection::ReadSize(const std::string& name,
                        uint64_t low,
                        std::optional<uint64_t> automatic) const
{
    const std::string& text = m_table.Get(name);
    if (automatic && text == AUTO)
    {
        return *automatic;
    }
    const std::optional<uint64_t> value = ParseBytes(text);
    RefuseIf(!value || *value < low,
             name,
             "a number of bytes, such as 4096, 800kB or 1MiB, of at least " + std::to_string(low) +
                 OrAuto(name));
    return *value;
}

int64_t
OptionSection::ReadTime(const std::string& name, int64_t low) const
{
    const std::optional<int64_t> value = ParseTime(m_table.Get(name));
    RefuseIf(!value || *value < low,
             name,
             std::string("a time with its unit (ps, ns, us, ms, s), such as 500ns, ") +
                 (low > 0 ? "above zero and of" : "of") + " at most 1000s" + OrAuto(name));
    return *value;
}

bool
OptionSection::ReadFlag(const std::string& name) const
{
    const std::string& text = m_table.Get(name);
    if (text == "true" || text == "True")
    {
        return true;
    }
    RefuseIf(text != "false" && text != "False", name, "true or false");
    return false;
}

TypeId
OptionSection::ReadPolicy(const std::string& option) const
{
    const PolicyRegistry registry = Registry(option);
    const std::string& name = m_table.Get(option);
    return registry.Find(registry.Has(name) ? name : ReadChoice(option, ListChoices(option)));
}

const std::string&
OptionSection::ReadChoice(const std::string& name, std::vector<std::string> known) const
{
    const std::string& value = m_table.Get(name);
    const std::string& usual = m_table.GetDefault(name);
    const bool isSpecial = usual == AUTO || usual == NONE;
    if (std::find(known.begin(), known.end(), value) == known.end() &&
        !(isSpecial && value == usual))
    {
        Refuse(name, OptionError::OneOf(value, known, isSpecial ? usual : ""));
    }
    return value;
}

void
OptionSection::NoteUnused(const std::string& name)
{
    if (m_table.GetDefault(name) == NONE)
    {
        m_scenario.options[name] = NONE;
    }
    else
    {
        m_scenario.options[name] = nullptr;
    }
}

void
OptionSection::RefuseGiven(const std::vector<std::string>& names, const std::string& why)
{
    for (const std::string& name : names)
    {
        RefuseIf(IsGiven(name), name, why);
        NoteUnused(name);
    }
}

bool
OptionSection::IsGiven(const std::string& name) const
{
    return m_table.IsGiven(name) && IsSet(name);
}

bool
OptionSection::IsSet(const std::string& name) const
{
    return m_table.IsSet(name) && m_table.Get(name) != AUTO && !IsNone(name);
}

bool
OptionSection::IsNone(const std::string& name) const
{
    const std::string& value = m_table.Get(name);
    return m_table.GetDefault(name) == NONE && value == NONE;
}

std::string
OptionSection::OrAuto(const std::string& name) const
{
    return m_table.GetDefault(name) == AUTO ? ", or auto" : "";
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
