/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-reader.h"

#include "attribute-options.h"
#include "failure-options.h"
#include "output-options.h"
#include "policy-kinds.h"
#include "rank-options.h"
#include "scenario-extent.h"
#include "topology-options.h"
#include "traffic-options.h"
#include "transport-options.h"

#include <iostream>
#include <utility>

namespace ns3
{
namespace aifabric
{

ScenarioReader::ScenarioReader()
    : m_table("ai-fabric-run",
              "Runs one scenario on a RoCE fabric and leaves run.json, flows.csv, links.csv,\n"
              "layers.csv, queues.csv and events.csv in a folder. Sizes take B, kB, MB, GB, TB,\n"
              "KiB, MiB, GiB, TiB; times ps, ns, us, ms, s; rates Mb/s, Gb/s, Tb/s.")
{
    TopologyOptions::Declare(m_table);
    TrafficOptions::Declare(m_table);
    TransportOptions::Declare(m_table);
    FailureOptions::Declare(m_table);
    RankOptions::Declare(m_table);
    OutputOptions::Declare(m_table);
}

std::optional<FabricScenario>
ScenarioReader::Read(int argc, char* argv[])
{
    m_table.Parse(argc, argv);
    if (PrintsPolicies())
    {
        return std::nullopt;
    }
    TopologyOptions topology(m_table, m_scenario);
    topology.ReadShape();
    FailureOptions failures(m_table, m_scenario);
    if (failures.PrintsLinks())
    {
        return std::nullopt;
    }
    AttributeOptions attributes(m_table, m_scenario);
    attributes.Read();
    topology.ReadLinks();
    TrafficOptions(m_table, m_scenario).Read();
    TransportOptions transport(m_table, m_scenario);
    transport.Read();
    AttributeOptions::CheckGlobals();
    failures.Read();
    OutputOptions output(m_table, m_scenario);
    output.ReadCaptures();
    transport.ReadTimeout();
    output.ReadObservation();
    RankOptions(m_table, m_scenario).Read();
    const ScenarioExtent extent(m_table, m_scenario);
    extent.CheckMemory();
    attributes.CheckAttributes();
    m_scenario.description = extent.Describe();
    return std::move(m_scenario);
}

bool
ScenarioReader::PrintsPolicies() const
{
    bool printed = false;
    for (const auto& entry : PolicyKinds())
    {
        if (m_table.Get(entry.first) == "help")
        {
            Registry(entry.first).Print(std::cout);
            printed = true;
        }
    }
    return printed;
}

} // namespace aifabric
} // namespace ns3
