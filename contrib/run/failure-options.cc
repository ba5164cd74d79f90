/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "failure-options.h"

#include "fault-help.h"
#include "fault-reader.h"
#include "option-value.h"

#include "ns3/failure-draw.h"
#include "ns3/random-variable-stream.h"
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

const char* const LATENCIES = "switchLatency"; //!< option: switches with a latency of their own

} // namespace

void
FailureOptions::Declare(OptionTable& table)
{
    table.AddNone("fail",
                  "link faults, separated by commas: WHERE@10us cuts a link, WHERE@10us-50us cuts "
                  "it for that time, WHERE@10us:period=10us:duty=0.3 for 30 % of each 10 us, "
                  "WHERE*0.5@0s halves its rate, WHERE~0.5@0s halves its rate, queues and marking "
                  "thresholds, WHERE%0.01@0s drops 1 % of its frames. WHERE is a link, a port, a "
                  "switch, a host, plane-1, or optic-leaf-0:4 with all of its links; cables:4, "
                  "switches:2 and optics:2 choose some at random; /up or /down after WHERE "
                  "selects one direction; help lists the places and explains faults");
    table.AddNone(LATENCIES,
                  "switches with another latency than ns3::aifabric::FabricSwitch::Latency, such "
                  "as leaf-3=1.5us or plane1-leaf-0=2us, separated by commas");
    table.AddAuto("opticPorts",
                  "consecutive ports of a node that one optic serves, where a fault names optics "
                  "(auto: as many as "
                  "a host has planes)");
    table.Add("failRate",
              "0",
              "probability with which each link between switches is cut at time 0 for good (0 "
              "to 1); all hosts stay connected");
    table.Add("convergence",
              "100us",
              "time from a cut or repair until all switches use the weights that fit the "
              "links, or never");
    table.AddAuto("detection",
                  "time from a cut or repair until the switches at the link detect it, or never "
                  "(auto: as --convergence)");
    table.Add("rho",
              "1",
              "data rate of a host as a fraction of its line rate, or max: the largest "
              "fraction that the links can carry, without those that are cut at time 0 for good");
    table.Reserve("ns3::aifabric::FabricSwitch::DetectionDelay", "detection");
    table.Reserve("ns3::aifabric::RouteConvergence::Delay", "convergence");
    table.Reserve("ns3::aifabric::RoceNetDevice::DataRateFraction", "rho");
    for (const std::string attribute : {"Start",
                                        "Stop",
                                        "Period",
                                        "Duty",
                                        "Count",
                                        "Down",
                                        "RateFactor",
                                        "QueueFactor",
                                        "LossProbability",
                                        "LossBurst",
                                        "LossFrames",
                                        "LossDscp",
                                        "Direction"})
    {
        table.Reserve("ns3::aifabric::LinkFault::" + attribute, "fail");
    }
}

bool
FailureOptions::PrintsLinks()
{
    if (m_table.Get("fail") != HELP)
    {
        return false;
    }
    ReadOptics();
    FaultHelp(m_scenario).Print(std::cout);
    return true;
}

void
FailureOptions::ReadOptics()
{
    constexpr int64_t MOST_PORTS = UINT16_MAX;
    const std::string& fail = m_table.Get("fail");
    RefuseIf(IsGiven("opticPorts") && fail != HELP && fail.find("optic") == std::string::npos,
             "opticPorts",
             "auto, unless --fail names an optic");
    m_scenario.opticPorts =
        static_cast<uint32_t>(ReadInteger("opticPorts", 1, MOST_PORTS, m_scenario.graph->Planes()));
    m_scenario.options["opticPorts"] = m_scenario.opticPorts;
}

void
FailureOptions::Read()
{
    ReadOptics();
    ReadFaults();
    ReadLatencies();
    ReadReaction();
    ReadRho();
}

void
FailureOptions::ReadFaults()
{
    if (!IsNone("fail"))
    {
        FaultReader reader(m_scenario);
        for (const std::string& item : ReadList("fail"))
        {
            reader.Read(item, m_scenario.faults);
        }
    }
    DrawFaults();
    m_scenario.alive.assign(m_scenario.graph->Links().size(), true);
    for (const FaultSpec& fault : m_scenario.faults)
    {
        if (FaultReader::IsDead(fault))
        {
            m_scenario.alive[fault.link] = false;
        }
    }
    CheckFaults();
}

void
FailureOptions::ReadLatencies()
{
    if (IsNone(LATENCIES))
    {
        return;
    }
    constexpr int64_t MOST_LATENCY_PS = 1'000'000'000'000;
    RefuseIf(!m_scenario.acksInFabric, LATENCIES, "only with --acks=fabric");
    for (const std::string& item : ReadList(LATENCIES))
    {
        const std::size_t equals = item.find('=');
        const std::optional<uint32_t> id = FindSwitch(item.substr(0, equals));
        const std::optional<int64_t> latency =
            ParseTime(equals == std::string::npos ? "" : item.substr(equals + 1));
        OptionError::ThrowIf(!id || !latency || *latency < 0 || *latency > MOST_LATENCY_PS,
                             LATENCIES,
                             item,
                             "a switch, such as " + m_scenario.graph->SwitchName(0) +
                                 ", = and a time of 0 to 1s with its unit, such as 1us; "
                                 "--fail=help lists the switches");
        OptionError::ThrowIf(!m_scenario.switchLatencies.emplace(*id, *latency).second,
                             LATENCIES,
                             item,
                             "one latency a switch");
    }
}

std::optional<uint32_t>
FailureOptions::FindSwitch(const std::string& name) const
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

void
FailureOptions::DrawFaults()
{
    constexpr uint32_t DRAWS = 1000;
    constexpr int64_t FAILURE_STREAM = 3; // apart from those of a run
    const std::optional<double> rate = ParseNumber(m_table.Get("failRate"));
    RefuseIf(!rate || !(*rate >= 0 && *rate <= 1), "failRate", "a decimal number from 0 to 1");
    m_scenario.options["failRate"] = *rate;
    if (*rate == 0)
    {
        return;
    }
    const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(FAILURE_STREAM);
    const auto failed = DrawFailures(
        *m_scenario.graph,
        *rate,
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

bool
FailureOptions::IsWhole() const
{
    return std::find(m_scenario.alive.begin(), m_scenario.alive.end(), false) ==
           m_scenario.alive.end();
}

void
FailureOptions::CheckFaults() const
{
    if (IsWhole())
    {
        return; // all pairs of hosts would be looked at
    }
    std::vector<HostPair> pairs;
    for (const Flow& flow : m_scenario.fileFlows)
    {
        pairs.emplace_back(flow.source, flow.destination);
    }
    const std::optional<HostPair> cut = FindSeparated(*m_scenario.graph, m_scenario.alive, pairs);
    if (cut)
    {
        Refuse("fail",
               "cuts from the start for good must leave each host a way to those it sends to; "
               "host-" +
                   std::to_string(cut->first) + " has none to host-" + std::to_string(cut->second));
    }
}

void
FailureOptions::ReadReaction()
{
    m_scenario.convergencePs = ReadTimeOrNever("convergence");
    m_scenario.detectionPs =
        m_table.Get("detection") == AUTO ? m_scenario.convergencePs : ReadTimeOrNever("detection");
}

void
FailureOptions::ReadRho()
{
    constexpr double LEAST = 0.001;
    const std::string& rho = m_table.Get("rho");
    if (rho == "max")
    {
        RefuseIf(m_scenario.training.has_value(),
                 "rho",
                 "a decimal number from 0.001 to 1 with --workload=" + m_scenario.workload);
        return;
    }
    m_scenario.rho = ParseNumber(rho);
    RefuseIf(!m_scenario.rho || !(*m_scenario.rho >= LEAST && *m_scenario.rho <= 1),
             "rho",
             "a decimal number from 0.001 to 1, or max");
    m_scenario.options["rho"] = *m_scenario.rho;
}

std::optional<int64_t>
FailureOptions::ReadTimeOrNever(const std::string& name) const
{
    if (m_table.Get(name) == "never")
    {
        return std::nullopt;
    }
    const std::optional<int64_t> value = ParseTime(m_table.Get(name));
    RefuseIf(!value || *value < 0,
             name,
             "a time with its unit (ps, ns, us, ms, s) of at most 1000s, or never" + OrAuto(name));
    return value;
}

} // namespace aifabric
} // namespace ns3
