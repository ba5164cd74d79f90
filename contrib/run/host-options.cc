/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-options.h"

#include "option-value.h"

#include "ns3/node-fabric.h"

#include <stdexcept>

namespace ns3
{
namespace aifabric
{

void
HostOptions::Declare(OptionTable& table)
{
    table.Add("gpusPerNode",
              "1",
              "hosts that are the GPUs of one node, each with its own NIC: messages between them "
              "go by the private fabric of the node (ns3::aifabric::NodeFabric), not by the "
              "network");
    table.AddAuto("nodeMapping",
                  "where the GPUs of a node hang: rack (all at one leaf) or rail (GPU g at leaf g "
                  "of a group of leaves, of which there are as many as a node has GPUs) (auto: "
                  "rack)");
}

void
HostOptions::Read()
{
    const auto gpus = static_cast<uint32_t>(
        ReadInteger("gpusPerNode", 1, static_cast<int64_t>(m_scenario.graph->HostCount())));
    m_scenario.options["gpusPerNode"] = gpus;
    if (gpus == 1)
    {
        RefuseGiven({"nodeMapping"}, "only with --gpusPerNode above 1");
        RefuseAttributes("ns3::aifabric::NodeFabric", "only with --gpusPerNode above 1");
        return;
    }
    const std::string given = ReadChoice("nodeMapping", {"rack", "rail"});
    const std::string mapping = given == AUTO ? "rack" : given;
    m_scenario.options["nodeMapping"] = mapping;
    try
    {
        m_scenario.nodes =
            GpuNodes(*m_scenario.graph,
                     gpus,
                     mapping == "rail" ? GpuNodes::Mapping::RAIL : GpuNodes::Mapping::RACK);
    }
    catch (const std::invalid_argument& error)
    {
        Refuse("gpusPerNode", error.what() + (" with --nodeMapping=" + mapping));
    }
    m_scenario.collectives.nodes = m_scenario.nodes;
    const std::string rate = "ns3::aifabric::NodeFabric::Rate";
    if (IsAttributeGiven(rate))
    {
        OptionError::ThrowIf(CreateObject<NodeFabric>()->GetRate() < NodeFabric::LEAST_RATE,
                             rate,
                             m_scenario.attributes.at(rate),
                             "at least 1Mb/s");
    }
}

void
HostOptions::Check() const
{
    CheckPcie();
    const GpuNodes& nodes = m_scenario.nodes;
    RefuseIf(m_scenario.aggregation && nodes.GetGpus() > 1,
             "gpusPerNode",
             "1 with in-network aggregation");
    for (uint32_t host = 0; m_scenario.plan && host < m_scenario.graph->HostCount(); ++host)
    {
        const uint32_t first = nodes.HostOf(nodes.NodeOf(host), 0);
        RefuseIf(m_scenario.plan->RankOfHost(host) != m_scenario.plan->RankOfHost(first),
                 "gpusPerNode",
                 "such that the hosts of each node are on one of the --ranks; host " +
                     std::to_string(host) + " is not where host " + std::to_string(first) + " is");
    }
}

void
HostOptions::CheckPcie() const
{
    const std::string reader = "ns3::aifabric::PcieReader";
    if (m_scenario.graph->Planes() > 1)
    {
        RefuseAttributes(reader, "only with one plane");
    }
    for (const std::string& attribute : {reader + "::ReadCredits", reader + "::ReadBytes"})
    {
        if (IsAttributeGiven(attribute) && !IsAttributeGiven(reader + "::Latency"))
        {
            throw OptionError(attribute,
                              m_scenario.attributes.at(attribute),
                              "only with --" + reader + "::Latency");
        }
    }
}

} // namespace aifabric
} // namespace ns3
