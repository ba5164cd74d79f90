/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * A congestion control of one's own, beside a fixed rate: doc/add-a-congestion-control.rst.
 *
 *            spine-0                400 Gb/s and 500 ns a link
 *           /       \
 *       leaf-0     leaf-1           switches mark packets that find more than 300 kB in their queue
 *      /  |  |  \       \
 *     0   1  2   3      host-4      hosts 0 to 3 send 4 MiB each to host-4
 *
 * Four hosts share the uplink of leaf-0. The program runs each control once and prints a line for
 * each: completion time, its increase over the lower bound, the longest queue in packets and the
 * packets dropped at leaf-0, decreases of the window, and the time of the first completion over
 * that of the last (1: the hosts had equal shares).
 *
 * What to expect: with a fixed rate the queue grows until the buffer is full, and go-back-N sends
 * most packets several times. With AIMD the windows follow a sawtooth, no packet is dropped, the
 * uplink is never idle, and all hosts have an equal share.
 */

#include "aimd-control.h"

#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/fabric-transmitter.h"
#include "ns3/flow-driver.h"
#include "ns3/lower-bound.h"
#include "ns3/policy-registry.h"
#include "ns3/simulator.h"
#include "ns3/step-marker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

constexpr uint32_t SENDERS = 4; //!< hosts of the first leaf

/// @return a fabric  @param control the type of its congestion control
Ptr<Fabric>
MakeFabric(TypeId control)
{
    ClosHelper::PrepareSimulator(); // for each simulation
    LeafSpineConfig config;
    config.leaves = 2;
    config.spines = 1;
    config.hostsPerLeaf = SENDERS;
    ClosHelper clos;
    clos.SetPortAttribute("DataRate", StringValue("400Gb/s"));
    clos.SetNicAttribute("ControlType", TypeIdValue(control));
    clos.SetMarker(ObjectFactory("ns3::aifabric::StepMarker", "Threshold", UintegerValue(300000)));
    Ptr<Fabric> fabric = clos.Install(MakeLeafSpine(config));
    fabric->AssignStreams(1);
    return fabric;
}

/// Print what a control has come to.  @param name its name  @param fabric the fabric
/// @param driver the messages  @return whether all of them are completed, and not too soon
bool
Report(const std::string& name, const Fabric& fabric, const FlowDriver& driver)
{
    std::vector<double> times;
    std::vector<Flow> flows;
    bool isGood = true;
    for (const FlowRecord& record : driver.GetService()->GetRecords())
    {
        isGood = isGood && record.completed;
        times.push_back(static_cast<double>(record.completedAt.GetPicoSeconds()));
        flows.push_back(record.flow);
    }
    PolicyCounters counters;
    for (uint32_t host = 0; host < SENDERS; ++host)
    {
        for (uint32_t number = 0; number < fabric.GetNic(host)->GetEndpointCount(); ++number)
        {
            fabric.GetNic(host)->GetQueuePair(number)->CountPolicies(counters);
        }
    }
    const auto [first, last] = std::minmax_element(times.begin(), times.end());
    BoundParameters parameters;
    parameters.linkRate = 400000000000;
    const double bound = CompletionBoundPs(fabric.GetGraph(), flows, parameters);
    const Ptr<FabricSwitch>& leaf = fabric.GetSwitch(0);
    std::cout << std::left << std::setw(8) << name << std::right << std::setw(13) << *last / 1e6
              << std::setw(18) << (*last / bound - 1) * 100 << std::setw(14)
              << leaf->GetPort(SENDERS)->GetTransmitter().GetMaxFrames() << std::setw(7)
              << leaf->GetDropped(FabricSwitch::NO_BUFFER) << std::setw(10)
              << counters["aimd_decreases"] << std::setw(10) << *first / *last << std::endl;
    return isGood && *last >= bound;
}

/// @return whether a run is as it has to be  @param name of the control  @param control its type
/// @param bytes length of each message
bool
Run(const std::string& name, TypeId control, uint64_t bytes)
{
    Ptr<Fabric> fabric = MakeFabric(control);
    std::vector<Ptr<RoceNetDevice>> nics;
    for (uint32_t host = 0; host < fabric->GetGraph().HostCount(); ++host)
    {
        nics.push_back(fabric->GetNic(host));
    }
    std::vector<Flow> flows(SENDERS);
    for (uint32_t host = 0; host < SENDERS; ++host)
    {
        flows[host].source = host;
        flows[host].destination = SENDERS;
        flows[host].bytes = bytes;
    }
    Ptr<FlowDriver> driver = CreateObject<FlowDriver>();
    driver->Install(nics, flows);
    Simulator::Run();
    fabric->CatchUp();
    const bool isGood = Report(name, *fabric, *driver);
    driver->Dispose();
    fabric->Dispose();
    Simulator::Destroy();
    return isGood;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint64_t bytes = 4 * 1024 * 1024;
    std::string only;
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "Length of each message (bytes)", bytes);
    cmd.AddValue("control", "The only control to run, or help (default: two)", only);
    cmd.Parse(argc, argv);
    const PolicyRegistry registry("Control", {CongestionControl::GetTypeId()});
    if (only == "help")
    {
        registry.Print(std::cout);
        return 0;
    }
    if (bytes == 0 || (!only.empty() && !registry.Has(only)))
    {
        std::cerr << "--size is above 0; --control is one of " << registry.List() << std::endl;
        return 1;
    }
    std::vector<std::string> names{"fixed", "aimd"};
    if (!only.empty())
    {
        names = {only};
    }
    std::cout
        << "control completion_us  increase_percent  longest_queue  drops  decreases  fairness\n"
        << std::fixed << std::setprecision(2);
    bool isGood = true;
    for (const std::string& name : names)
    {
        isGood = Run(name, registry.Find(name), bytes) && isGood;
    }
    return isGood ? 0 : 1;
}
