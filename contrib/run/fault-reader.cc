/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"

#include "ns3/failure-helper.h"
#include "ns3/link-finder.h"
#include "ns3/message-text.h"
#include "ns3/random-variable-stream.h"
#include "ns3/way-counter.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

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

const std::string FAULT_FORM =
    "a fault is "
    "WHERE[/up|/down][*F|~F|%P[:burst=B]]@START[-STOP][:period=TIME[:duty=F][:count=N]], "
    "--fail=help explains it";

/// Refuse a fault.  @param isWrong whether to  @param item the fault
/// @param part the part of it that is wrong  @param allowed what is allowed there
void
RefuseIf(bool isWrong, const std::string& item, const std::string& part, const std::string& allowed)
{
    OptionError::ThrowIf(isWrong, "fail", item, Quoted(part) + ": " + allowed + "; " + FAULT_FORM);
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

/// What may fail together: the links of a cable, a switch or an optic.
using Groups = std::vector<std::vector<uint32_t>>;

/// Reads what `--fail` says: WHERE[/up|/down][*F|~F|%P]@START[-STOP], one item a call. WHERE is a
/// place as LinkFinder takes it, or what is drawn: cables:4, switches:2 or optics:2. Behind %P
/// stand the kind of frames that are lost and the length of bursts; behind the times stands how the
/// fault flaps.
class FaultReader
{
  public:
    /// @param scenario the fabric and its rates; must outlive this
    explicit FaultReader(const FabricScenario& scenario)
        : m_scenario(scenario),
          m_random(CreateObject<UniformRandomVariable>())
    {
        constexpr int64_t DRAW_STREAM = 5; // apart from those of a run
        m_random->SetStream(DRAW_STREAM);
    }

    /// Add the faults that an item describes, one for each of its links.
    /// @param [out] faults where they are added; those that are there count as happening too
    /// @throws OptionError if it cannot be accepted
    void Read(const std::string& item, std::vector<FaultSpec>& faults)
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

    /// Read how long a fault lasts.  @param times its start and stop
    /// @return whether they make sense
    static bool ReadTimes(FaultSpec& fault, const std::string& times)
    {
        const std::optional<TimeRange> range = ParseTimeRange(times);
        if (range)
        {
            fault.startPs = range->startPs;
            fault.stopPs = range->stopPs;
        }
        return range.has_value();
    }

    /// Read a part of how a fault flaps.  @param name of the part  @param value of the part
    /// @return whether it makes sense
    static bool ReadFlap(FaultSpec& fault, const std::string& name, const std::string& value)
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

    /// @return whether a fault begins and ends in each of its periods
    static bool Flaps(const FaultSpec& fault)
    {
        const double lasting = std::round(static_cast<double>(fault.periodPs) * fault.duty);
        return lasting >= 1 && lasting < static_cast<double>(fault.periodPs);
    }

    /// Read what happens.  @param what what stands behind the place: *F, ~F, %P or nothing
    void ReadChange(FaultSpec& fault, const std::string& item, const std::string& what) const
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
        const uint64_t rate = m_scenario.slowestRate;
        RefuseIf(fault.rateFactor * static_cast<double>(rate) < LEAST_RATE,
                 item,
                 what,
                 "must leave at least 10 kb/s of the rate");
    }

    /// Read which frames are lost.  @param name of a part  @param value of the part
    /// @return whether it makes sense
    static bool ReadLoss(FaultSpec& fault, const std::string& name, const std::string& value)
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

    /// Read which direction suffers, and cut that off the place.  @param [in,out] where the place
    static void ReadDirection(FaultSpec& fault, const std::string& item, std::string& where)
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

    /// @return the links of a place  @param where the place  @param fault what happens there
    /// @param faults what happens beside it
    std::vector<uint32_t> FindLinks(const std::string& item,
                                    const std::string& where,
                                    const FaultSpec& fault,
                                    const std::vector<FaultSpec>& faults)
    {
        if (const auto drawn = Draw(item, where, fault, faults))
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

    /// Draw links. If they are dead from the start for good, all hosts stay connected.
    /// @param item the item of `--fail`
    /// @param where its place: what is drawn, and how many
    /// @param fault what happens to them
    /// @param faults what happens beside it
    /// @return the links, ascending; nothing, if the place says nothing that can be drawn
    /// @throws OptionError if so many cannot be drawn
    std::optional<std::vector<uint32_t>> Draw(const std::string& item,
                                              const std::string& where,
                                              const FaultSpec& fault,
                                              const std::vector<FaultSpec>& faults)
    {
        constexpr uint32_t DRAWS = 1000;
        const std::size_t colon = where.find(':');
        const std::optional<Groups> groups =
            colon == std::string::npos ? std::nullopt : GetGroups(where.substr(0, colon));
        if (!groups)
        {
            return std::nullopt;
        }
        const uint32_t count = ReadNumber(item, where.substr(colon + 1), groups->size());
        std::vector<bool> before(m_scenario.graph->Links().size(), true);
        for (const FaultSpec& other : faults)
        {
            before[other.link] = before[other.link] && !other.IsDead();
        }
        std::vector<uint32_t> order(groups->size());
        std::iota(order.begin(), order.end(), 0);
        for (uint32_t draw = 0; draw < DRAWS; ++draw)
        {
            std::vector<uint32_t> links = DrawOnce(*groups, order, count);
            std::vector<bool> alive = before;
            for (const uint32_t link : links)
            {
                alive[link] = false;
            }
            if (!fault.IsDead() || IsConnected(*m_scenario.graph, alive))
            {
                return links;
            }
        }
        throw OptionError("fail",
                          item,
                          "must leave all hosts connected; none of " + std::to_string(DRAWS) +
                              " draws did");
    }

    /// @return so many groups' links, ascending
    /// @param [in,out] order the numbers of the groups; the first ones are those that were drawn
    std::vector<uint32_t> DrawOnce(const Groups& groups,
                                   std::vector<uint32_t>& order,
                                   uint32_t count) const
    {
        std::vector<uint32_t> links;
        for (uint32_t i = 0; i < count; ++i)
        {
            std::swap(order[i], order[m_random->GetInteger(i, order.size() - 1)]);
            links.insert(links.end(), groups[order[i]].begin(), groups[order[i]].end());
        }
        std::sort(links.begin(), links.end());
        links.erase(std::unique(links.begin(), links.end()), links.end());
        return links;
    }

    /// @return what a place may draw from; nothing, if it draws nothing  @param kind what it draws
    std::optional<Groups> GetGroups(const std::string& kind) const
    {
        return kind == "cables"     ? std::optional<Groups>(GetCables())
               : kind == "switches" ? std::optional<Groups>(GetSwitches())
               : kind == "optics"   ? std::optional<Groups>(GetOptics())
                                    : std::nullopt;
    }

    /// @return the links between switches, each of them for itself
    Groups GetCables() const
    {
        Groups groups;
        for (uint32_t link = 0; link < m_scenario.graph->Links().size(); ++link)
        {
            if (m_scenario.graph->IsBetweenSwitches(link))
            {
                groups.push_back({link});
            }
        }
        return groups;
    }

    /// @return the links of each switch above the leaves
    Groups GetSwitches() const
    {
        const FabricGraph& graph = *m_scenario.graph;
        Groups groups;
        for (uint32_t id = 0; id < graph.Switches().size(); ++id)
        {
            if (graph.Switches()[id].tier > graph.LeafTier())
            {
                groups.emplace_back();
                for (uint16_t port = 0; port < graph.Switches()[id].portCount; ++port)
                {
                    groups.back().push_back(graph.LinkAt({false, id, port}));
                }
            }
        }
        return groups;
    }

    /// @return the links of each optic of a switch
    Groups GetOptics() const
    {
        const FabricGraph& graph = *m_scenario.graph;
        const LinkFinder finder(graph, m_scenario.opticPorts);
        Groups groups;
        for (const FabricEnd& optic : finder.GetOptics())
        {
            if (graph.Switches()[optic.id].tier >= graph.LeafTier())
            {
                groups.push_back(finder.FindOptic(optic));
            }
        }
        return groups;
    }

    /// @return how many are to be drawn  @param number the number or share
    static uint32_t ReadNumber(const std::string& item,
                               const std::string& number,
                               uint32_t candidates)
    {
        const bool isShare = number.find('.') != std::string::npos;
        const double share = isShare ? ParseNumber(number).value_or(0) : 0; // 0: refused, too
        const int64_t count = isShare ? 0 : ParseInteger(number).value_or(0);
        const bool isRight = candidates > 0 &&
                             (isShare ? share > 0 && share <= 1 : count > 0 && count <= candidates);
        OptionError::ThrowIf(
            !isRight,
            "fail",
            item,
            candidates == 0 ? "this fabric has none of these"
                            : "after the colon, a number of them" +
                                  (candidates == 1 ? std::string(", which is 1")
                                                   : " from 1 to " + std::to_string(candidates)) +
                                  ", or a share with a decimal point, up to 1.0");
        return isShare ? std::max<uint32_t>(1, std::lround(share * candidates))
                       : static_cast<uint32_t>(count);
    }

  private:
    const FabricScenario& m_scenario;    //!< the fabric and its rates
    Ptr<UniformRandomVariable> m_random; //!< draws
};

} // namespace

std::vector<FaultSpec>
ReadFaults(const FabricScenario& scenario, const std::vector<std::string>& items)
{
    FaultReader reader(scenario);
    std::vector<FaultSpec> faults;
    for (const std::string& item : items)
    {
        reader.Read(item, faults);
    }
    return faults;
}

} // namespace aifabric
} // namespace ns3
