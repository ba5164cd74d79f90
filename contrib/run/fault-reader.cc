/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fault-reader.h"

#include "option-value.h"

#include "ns3/failure-helper.h"
#include "ns3/message-text.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

const std::string FLAP_HELP =
    "after the times :period=TIME, and :duty=FRACTION and :count=NUMBER, such as "
    "@10us-60us:period=10us:duty=0.3:count=5; each period must have a part with the fault and one "
    "without it"; //!< what is allowed

const std::string GRAMMAR =
    "a fault is "
    "WHERE[/up|/down][*F|~F|%P[:burst=B]]@START[-STOP][:period=TIME[:duty=F][:count=N]], "
    "--fail=help explains it";

/// Refuse a fault.  @param isWrong whether to  @param item the fault
/// @param part the part of it that is wrong  @param allowed what is allowed there
void
RefuseIf(bool isWrong, const std::string& item, const std::string& part, const std::string& allowed)
{
    OptionError::ThrowIf(isWrong, "fail", item, Quoted(part) + ": " + allowed + "; " + GRAMMAR);
}

/// A word and what it is set to, such as burst=20, or a word alone.
struct Part
{
    std::string name;  //!< the word
    std::string value; //!< what it is set to
};

/// Cut the parts that begin with a colon off a text.
/// @return the parts  @param [in,out] text such as 10us:period=3us; what is before the first colon
/// is left
std::vector<Part>
TakeParts(std::string& text)
{
    std::vector<Part> parts;
    std::size_t colon = text.find(':');
    const std::size_t first = colon;
    while (colon != std::string::npos)
    {
        const std::size_t next = text.find(':', colon + 1);
        const std::string part = text.substr(colon + 1, next - colon - 1);
        const std::size_t equals = part.find('=');
        parts.push_back(
            {part.substr(0, equals), equals == std::string::npos ? "" : part.substr(equals + 1)});
        colon = next;
    }
    text = text.substr(0, first);
    return parts;
}

} // namespace

FaultReader::FaultReader(const FabricScenario& scenario)
    : m_scenario(scenario),
      m_draw(scenario)
{
}

bool
FaultReader::IsDead(const FaultSpec& fault)
{
    return fault.down && fault.startPs == 0 && !fault.stopPs && fault.periodPs == 0;
}

void
FaultReader::Read(const std::string& item, std::vector<FaultSpec>& faults)
{
    const std::size_t at = item.rfind('@');
    const std::string what = item.substr(0, at);
    const std::size_t change = what.find_first_of("*~%");
    std::string where = what.substr(0, change);
    FaultSpec fault;
    std::string times = at == std::string::npos ? "" : item.substr(at + 1);
    const std::string given = times;
    const std::vector<Part> flaps = TakeParts(times);
    RefuseIf(at == std::string::npos, item, item, "@START or @START-STOP is missing");
    RefuseIf(!ReadTimes(fault, times),
             item,
             times,
             "after @ START or START-STOP, such as 10us-50us");
    for (const auto& [name, value] : flaps)
    {
        RefuseIf(!ReadFlap(fault, name, value), item, ':' + name + '=' + value, FLAP_HELP);
    }
    RefuseIf(!flaps.empty() && !Flaps(fault), item, given, FLAP_HELP);
    if (change != std::string::npos)
    {
        ReadChange(fault, item, what.substr(change));
    }
    ReadDirection(fault, item, where);
    for (const uint32_t link : FindLinks(item, where, fault, faults))
    {
        fault.link = link;
        faults.push_back(fault);
    }
}

bool
FaultReader::ReadTimes(FaultSpec& fault, const std::string& times)
{
    const std::optional<TimeRange> range = ParseTimeRange(times);
    if (range)
    {
        fault.startPs = range->startPs;
        fault.stopPs = range->stopPs;
    }
    return range.has_value();
}

bool
FaultReader::ReadFlap(FaultSpec& fault, const std::string& name, const std::string& value)
{
    constexpr int64_t MOST_FLAPS = 1000000000;
    if (name == "period")
    {
        fault.periodPs = ParseTime(value).value_or(0);
        return fault.periodPs > 0;
    }
    if (name == "duty")
    {
        fault.duty = ParseNumber(value).value_or(0);
        return true; // Flaps() judges it
    }
    fault.count = ParseWhole(value).value_or(0);
    return name == "count" && fault.count > 0 && fault.count <= MOST_FLAPS;
}

bool
FaultReader::Flaps(const FaultSpec& fault)
{
    const double lasting = std::round(static_cast<double>(fault.periodPs) * fault.duty);
    return lasting >= 1 && lasting < static_cast<double>(fault.periodPs);
}

void
FaultReader::ReadChange(FaultSpec& fault, const std::string& item, const std::string& what) const
{
    constexpr double LEAST_FRACTION = 1e-6;
    constexpr double LEAST_RATE = 1e4; // bit/s
    std::string change = what.substr(1);
    const std::vector<Part> losses = what[0] == '%' ? TakeParts(change) : std::vector<Part>{};
    const std::optional<double> number = ParseNumber(change);
    RefuseIf(!number || !(*number >= LEAST_FRACTION && *number <= 1),
             item,
             change,
             "after *, ~ or % a decimal number from 0.000001 to 1");
    fault.down = false;
    (what[0] == '%' ? fault.lossProbability : fault.rateFactor) = *number;
    fault.queueFactor = what[0] == '~' ? *number : 1;
    for (const auto& [name, value] : losses)
    {
        RefuseIf(!ReadLoss(fault, name, value),
                 item,
                 ':' + name + (value.empty() ? "" : "=" + value),
                 "after % and a number :data, :control, :dscp=0 to 63, or :burst=B with "
                 "B at least 1 and P/(1-P)");
    }
    const uint64_t rate = std::min(m_scenario.rate, m_scenario.fabricRate);
    RefuseIf(fault.rateFactor * static_cast<double>(rate) < LEAST_RATE,
             item,
             what,
             "must leave at least 10 kb/s of the rate");
}

bool
FaultReader::ReadLoss(FaultSpec& fault, const std::string& name, const std::string& value)
{
    constexpr int64_t MOST_DSCP = 63;
    if (value.empty() && (name == "data" || name == "control"))
    {
        fault.lossFrames = name == "data" ? FrameLoss::DATA : FrameLoss::CONTROL;
        return true;
    }
    if (name == "dscp")
    {
        fault.lossDscp = static_cast<int>(
            std::min(ParseInteger(value).value_or(FrameLoss::ANY_DSCP), MOST_DSCP + 1));
        return fault.lossDscp >= 0 && fault.lossDscp <= MOST_DSCP;
    }
    fault.lossBurst = ParseNumber(value).value_or(0);
    return name == "burst" && fault.lossBurst >= 1 &&
           fault.lossProbability <= FrameLoss::GetMostProbability(fault.lossBurst);
}

void
FaultReader::ReadDirection(FaultSpec& fault, const std::string& item, std::string& where)
{
    const std::size_t slash = where.find('/');
    if (slash == std::string::npos)
    {
        return;
    }
    const std::string direction = where.substr(slash + 1);
    RefuseIf(direction != "up" && direction != "down", item, direction, "after / up or down");
    fault.direction = direction == "up" ? LinkFault::UP : LinkFault::DOWN;
    where = where.substr(0, slash);
}

std::vector<uint32_t>
FaultReader::FindLinks(const std::string& item,
                       const std::string& where,
                       const FaultSpec& fault,
                       const std::vector<FaultSpec>& faults)
{
    if (const auto drawn = m_draw.Draw(item, where, fault, faults))
    {
        return *drawn;
    }
    const FabricGraph& graph = *m_scenario.graph;
    try
    {
        return FailureHelper::FindLinks(graph, where, m_scenario.opticPorts);
    }
    catch (const std::invalid_argument&)
    {
        RefuseIf(true,
                 item,
                 where,
                 "there is no such link, port or node; links are like " +
                     graph.LinkName(graph.Links().size() - 1));
    }
    return {};
}

} // namespace aifabric
} // namespace ns3
