/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * A complete scenario, explained line by line in doc/write-a-scenario.rst.
 *
 *     spine-0   spine-1   spine-2   spine-3      each leaf has a link to each spine
 *                                                400 Gb/s and 500 ns a link
 *     leaf-0    leaf-1    leaf-2    leaf-3       30 kB of buffer a switch port
 *
 *     host-0    host-4    host-8    host-12
 *      to 3      to 7      to 11     to 15
 *
 * Each of 16 hosts sends 256 KiB to another one, and no host receives two messages. Switches spray
 * packets over the spines (rsq). The program prints the completion time, the packets dropped, and
 * of one port of leaf-0 what it has sent and how many packets waited there.
 *
 * What to expect: the link of a host needs 5.3 us for its message, and the first packet 4 us to
 * cross the fabric and be acknowledged. Spraying at random makes queues that overflow here and
 * there; the recovery is ideal, and a packet that was dropped costs a round trip.
 */

#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/failure-helper.h"
#include "ns3/flow-driver.h"
#include "ns3/flow-list.h"
#include "ns3/function-callback.h"
#include "ns3/oracle-recovery.h"
#include "ns3/results-helper.h"
#include "ns3/rsq-balancer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

int
main(int argc, char* argv[])
{
    uint64_t bytes = 256 * 1024;
    std::string out;
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "Length of each message (bytes)", bytes);
    cmd.AddValue("out", "Folder for the results; empty: no files", out);
    cmd.Parse(argc, argv);
    // The page: simulator
    ClosHelper::PrepareSimulator();
    // The page: fabric
    LeafSpineConfig config;
    config.leaves = config.spines = config.hostsPerLeaf = 4;
    ClosHelper clos;
    clos.SetPortAttribute("DataRate", StringValue("400Gb/s"));
    clos.SetBalancerType(RsqBalancer::GetTypeId());
    clos.SetNicAttribute("RecoveryType", TypeIdValue(OracleRecovery::GetTypeId()));
    clos.SetAdmission(
        ObjectFactory("ns3::aifabric::PortBuffer", "PortBytes", UintegerValue(30000)));
    Ptr<Fabric> fabric = clos.Install(MakeLeafSpine(config));
    fabric->AssignStreams(1000);
    fabric->AddNames();
    // The page: traffic
    std::vector<Ptr<RoceNetDevice>> nics;
    for (uint32_t host = 0; host < fabric->GetGraph().HostCount(); ++host)
    {
        nics.push_back(fabric->GetNic(host));
    }
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    const auto uniform = [random](uint32_t n) { return random->GetInteger(0, n - 1); };
    Ptr<FlowDriver> driver = CreateObject<FlowDriver>();
    driver->Install(nics, RandomPermutation(nics.size(), bytes, uniform));
    // The page: traces
    uint32_t drops = 0;
    const auto count = [&drops](Ptr<const FabricFrame>, FabricSwitch::DropReason) { ++drops; };
    Config::ConnectWithoutContext(
        "/NodeList/*/$ns3::aifabric::FabricSwitch/Drop",
        FunctionCallback<void, Ptr<const FabricFrame>, FabricSwitch::DropReason>(count));
    // The page: results
    std::unique_ptr<ResultsHelper> results;
    if (!out.empty())
    {
        results = std::make_unique<ResultsHelper>(out, fabric, driver->GetService());
        results->Describe("balancer", "rsq");
        results->Describe("workload", "permutation");
    }
    // The page: run
    Simulator::Run();
    if (results)
    {
        results->Write();
    }
    fabric->CatchUp();
    Time last;
    for (const FlowRecord& record : driver->GetService()->GetRecords())
    {
        last = std::max(last, record.completedAt);
    }
    std::cout << "All messages are completed after " << last.As(Time::US) << "; " << drops
              << " packets were dropped" << std::endl;
    const FabricGraph& graph = fabric->GetGraph();
    const uint32_t link = FailureHelper::FindLinks(graph, "leaf-0--spine-1").front();
    const FabricTransmitter& uplink = fabric->GetPort(graph.Links()[link].a)->GetTransmitter();
    std::cout << graph.LinkName(link) << ": " << uplink.GetCounters().sentBytes << " bytes sent, "
              << "at most " << uplink.GetMaxFrames() << " packets at the port" << std::endl;
    // The page: end
    driver->Dispose();
    fabric->Dispose();
    Simulator::Destroy();
    return last.IsStrictlyPositive() ? 0 : 1;
}
