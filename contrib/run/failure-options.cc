/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/failure-draw.h"
#include "ns3/random-variable-stream.h"
#include "ns3/switch-forwarder.h"
#include "ns3/way-counter.h"

#include <algorithm>
#include <iostream>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

const OptionType RHO = Number("a decimal number from 0.001 to 1, or max",
                              [](double rho) { return rho >= 0.001 && rho <= 1; });
const OptionType SHARE =
    Number("a decimal number from 0 to 1", [](double share) { return share >= 0 && share <= 1; });

} // namespace

/// The options of failures, and of what follows them.
// clang-format off
const OptionGroup FAILURE_ROWS = {"Failures and faults", {
    {"fail", NONE, Plain("list"),
     "link faults, separated by commas: WHERE@10us cuts a link, WHERE@10us-50us cuts it for that "
     "time, WHERE@10us:period=10us:duty=0.3 for 30 % of each 10 us, WHERE*0.5@0s halves its rate, "
     "WHERE~0.5@0s halves its rate, queues and marking thresholds, WHERE%0.01@0s drops 1 % of its "
     "frames. WHERE is a link, a port, a switch, a host, plane-1, or optic-leaf-0:4 with all of "
     "its links; cables:4, switches:2 and optics:2 choose some at random; /up or /down after "
     "WHERE selects one direction; help lists the places and explains faults",
     {}, {},
     {"ns3::aifabric::LinkFault::Start", "ns3::aifabric::LinkFault::Stop",
      "ns3::aifabric::LinkFault::Period", "ns3::aifabric::LinkFault::Duty",
      "ns3::aifabric::LinkFault::Count", "ns3::aifabric::LinkFault::Down",
      "ns3::aifabric::LinkFault::RateFactor", "ns3::aifabric::LinkFault::QueueFactor",
      "ns3::aifabric::LinkFault::LossProbability", "ns3::aifabric::LinkFault::LossBurst",
      "ns3::aifabric::LinkFault::LossFrames", "ns3::aifabric::LinkFault::LossDscp",
      "ns3::aifabric::LinkFault::Direction"}},
    {"switchLatency", NONE, Plain("list"),
     "switches with another latency than ns3::aifabric::FabricSwitch::Latency, such as "
     "leaf-3=1.5us or plane1-leaf-0=2us, separated by commas"},
    {"opticPorts", AUTO, Whole(1, UINT16_MAX),
     "consecutive ports of a node that one optic serves, where a fault names optics (auto: as "
     "many as a host has planes)", To(&FabricScenario::opticPorts)},
    {"failRate", "0", SHARE,
     "probability with which each link between switches is cut at time 0 for good (0 to 1); all "
     "hosts stay connected"},
    {"convergence", "100us", Plain("time or never"),
     "time from a cut or repair until all switches use the weights that fit the links, or never",
     {}, {}, {"ns3::aifabric::RouteConvergence::Delay"}},
    {"detection", AUTO, Plain("time or never"),
     "time from a cut or repair until the switches at the link detect it, or never (auto: as "
     "--convergence)", {}, {}, {"ns3::aifabric::FabricSwitch::DetectionDelay"}},
    {"rho", "1", RHO,
     "data rate of a host as a fraction of its line rate, or max: the largest fraction that the "
     "links can carry, without those that are cut at time 0 for good",
     To(&FabricScenario::rho), {}, {"ns3::aifabric::RoceNetDevice::DataRateFraction"}},
}};

// clang-format on

namespace
{

/// Reads what fails, and what follows.
class FailureOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// @return whether a list of links was asked for; it has been printed then
    bool PrintsLinks()
    {
        if (m_table.Get("fail") != "help")
        {
            return false;
        }
        ReadOptics();
        PrintFaultHelp(m_scenario, std::cout);
        return true;
    }

    /// Read how many ports an optic serves.
    void ReadOptics()
    {
        const std::string& fail = m_table.Get("fail");
        RefuseIf(IsGiven("opticPorts") && fail != "help" && fail.find("optic") == std::string::npos,
                 "opticPorts",
                 "auto, unless --fail names an optic");
        Read("opticPorts", m_scenario.graph->Planes());
    }

    /// Read what fails, when switches know of it, and how fast hosts send then.
    void ReadFailures()
    {
        ReadOptics();
        ReadLinkFaults();
        ReadLatencies();
        m_scenario.convergencePs = ReadTimeOrNever("convergence");
        m_scenario.detectionPs = m_scenario.convergencePs;
        if (m_table.Get("detection") == AUTO)
        {
            m_scenario.options["detection"] = m_scenario.options["convergence"];
        }
        else
        {
            m_scenario.detectionPs = ReadTimeOrNever("detection");
        }
        if (MakePolicy<SwitchForwarder>(m_scenario.forwarding)->IsStatic())
        {
            m_scenario.convergencePs.reset();
            m_scenario.detectionPs.reset();
            m_scenario.options["convergence"] = "never";
            m_scenario.options["detection"] = "never";
        }
        const std::string& rho = m_table.Get("rho");
        if (rho == "max")
        {
            RefuseIf(m_scenario.training.has_value(),
                     "rho",
                     "a decimal number from 0.001 to 1 with --workload=" + m_scenario.workload);
            return;
        }
        Read("rho");
    }

    /// Read what happens to links.
    void ReadLinkFaults()
    {
        if (!IsNone("fail"))
        {
            m_scenario.faults = ReadFaults(m_scenario, ReadList("fail"));
        }
        DrawFaults();
        m_scenario.alive.assign(m_scenario.graph->Links().size(), true);
        for (const FaultSpec& fault : m_scenario.faults)
        {
            if (fault.IsDead())
            {
                m_scenario.alive[fault.link] = false;
            }
        }
        CheckFaults();
    }

    /// Read which switches have a latency of their own.
    void ReadLatencies()
    {
        if (IsNone("switchLatency"))
        {
            return;
        }
        constexpr int64_t MOST_LATENCY_PS = 1'000'000'000'000;
        RefuseIf(!m_scenario.acksInFabric, "switchLatency", "only with --acks=fabric");
        for (const std::string& item : ReadList("switchLatency"))
        {
            const std::size_t equals = item.find('=');
            const std::optional<uint32_t> id = FindSwitch(item.substr(0, equals));
            const std::optional<int64_t> latency =
                ParseTime(equals == std::string::npos ? "" : item.substr(equals + 1));
            OptionError::ThrowIf(!id || !latency || *latency < 0 || *latency > MOST_LATENCY_PS,
                                 "switchLatency",
                                 item,
                                 "a switch, such as " + m_scenario.graph->SwitchName(0) +
                                     ", = and a time of 0 to 1s with its unit, such as 1us; "
                                     "--fail=help lists the switches");
            OptionError::ThrowIf(!m_scenario.switchLatencies.emplace(*id, *latency).second,
                                 "switchLatency",
                                 item,
                                 "one latency a switch");
        }
    }

    /// @return the number of a switch, if there is one of this name
    std::optional<uint32_t> FindSwitch(const std::string& name) const
    {
        const FabricGraph& graph = *m_scenario.graph;
        for (uint32_t id = 0; id < graph.Switches().size(); ++id)
        {
            if (graph.SwitchName(id) == name)
            {
                return id;
            }
        }
        return std::nullopt;
    }

    /// Draw links that fail before the start.
    void DrawFaults()
    {
        constexpr uint32_t DRAWS = 1000;
        constexpr int64_t FAILURE_STREAM = 3; // apart from those of a run
        const double rate = Read("failRate");
        if (rate == 0)
        {
            return;
        }
        const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(FAILURE_STREAM);
        const auto failed = DrawFailures(
            *m_scenario.graph,
            rate,
            [random]() { return random->GetValue(0, 1); },
            DRAWS);
        if (!failed)
        {
            Refuse("failRate",
                   "a rate that leaves all hosts connected; none of " + std::to_string(DRAWS) +
                       " sets of dead links did");
        }
        for (const uint32_t link : *failed)
        {
            FaultSpec fault;
            fault.link = link;
            m_scenario.faults.push_back(fault);
        }
    }

    /// Refuse links that are dead from the start and leave hosts without a way.
    void CheckFaults() const
    {
        if (std::count(m_scenario.alive.begin(), m_scenario.alive.end(), false) == 0)
        {
            return; // all pairs of hosts would be looked at
        }
        std::vector<HostPair> pairs;
        for (const Flow& flow : m_scenario.fileFlows)
        {
            pairs.emplace_back(flow.source, flow.destination);
        }
        const BackgroundSpec& background = m_scenario.background;
        for (const Flow& flow : background.flows)
        {
            pairs.emplace_back(flow.source, flow.destination);
        }
        const bool isListed = background.kind == BackgroundSpec::Kind::NONE ||
                              background.kind == BackgroundSpec::Kind::LIST;
        if (m_scenario.fileFlows.empty() || !isListed)
        {
            pairs.clear(); // all are looked at
        }
        const std::optional<HostPair> cut =
            FindSeparated(*m_scenario.graph, m_scenario.alive, pairs);
        if (cut)
        {
            Refuse("fail",
                   "cuts from the start for good must leave each host a way to those it sends to; "
                   "host-" +
                       std::to_string(cut->first) + " has none to host-" +
                       std::to_string(cut->second));
        }
    }

    /// @return a time in picoseconds, or nothing for never  @param name its option
    std::optional<int64_t> ReadTimeOrNever(const std::string& name) const
    {
        if (m_table.Get(name) == "never")
        {
            return std::nullopt;
        }
        const std::optional<int64_t> value = ParseTime(m_table.Get(name));
        RefuseIf(!value || *value < 0,
                 name,
                 "a time with its unit (ps, ns, us, ms, s) of at most 1000s, or never" +
                     std::string(m_table.At(name).row.usual == AUTO ? ", or auto" : ""));
        return value;
    }
};

} // namespace

bool
PrintsLinks(const OptionTable& table, FabricScenario& scenario)
{
    return FailureOptions(table, scenario).PrintsLinks();
}

void
ReadFailures(const OptionTable& table, FabricScenario& scenario)
{
    FailureOptions(table, scenario).ReadFailures();
}

} // namespace aifabric
} // namespace ns3
