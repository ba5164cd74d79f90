/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * NICs with several ports, each in a plane of its own: a Clos network of switches that no cable
 * connects to those of another plane.
 *
 *       plane 0                      plane 1
 *       spine-0 .. spine-3           spine-0 .. spine-3       800 Gb/s a host in all, divided
 *          |    ..    |                 |    ..    |          over the planes; 500 ns a link
 *       leaf-0  .. leaf-3            leaf-0  .. leaf-3
 *            \                        /
 *             `----- host-0 ---------'                        4 hosts below each leaf
 *
 * Each of 16 hosts sends 1 MiB to the host four further on, over 1, 2 and 4 planes, with switches
 * that spray (rsq) and with hosts that go round all paths of all planes (host-dr). The program
 * prints the completion time, its lower bound, and the bytes that the busiest and the idlest port
 * of a host have sent.
 *
 * What to expect: links of 1/2 and 1/4 of the rate need twice and four times as long for a packet,
 * while the rate of a host stays: the bound hardly changes. host-dr sends the same number of
 * packets over each plane; with rsq, a packet takes any plane, and the numbers are nearly the same.
 */

#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/flow-driver.h"
#include "ns3/host-dr-balancer.h"
#include "ns3/lower-bound.h"
#include "ns3/rsq-balancer.h"
#include "ns3/sack-recovery.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

constexpr uint64_t HOST_RATE = 800000000000; //!< bit/s of all ports of a host
constexpr uint32_t LEAVES = 4;               //!< and spines, and hosts below each leaf

/// @return a fabric  @param planes how many planes  @param balancer its type
Ptr<Fabric>
MakeFabric(uint32_t planes, TypeId balancer)
{
    ClosHelper::PrepareSimulator(); // for each simulation
    LeafSpineConfig config;
    config.leaves = config.spines = config.hostsPerLeaf = LEAVES;
    config.planes = planes;
    ClosHelper clos;
    clos.SetPortAttribute("DataRate", DataRateValue(DataRate(HOST_RATE / planes)));
    clos.SetNicAttribute("RecoveryType", TypeIdValue(SackRecovery::GetTypeId()));
    clos.SetBalancerType(balancer); // of switches and, for several planes, of NICs
    Ptr<Fabric> fabric = clos.Install(MakeLeafSpine(config));
    fabric->AssignStreams(1);
    return fabric;
}

/// @return each host sends to the host four further on  @param hosts how many
/// @param bytes length of each message
std::vector<Flow>
MakeShift(uint32_t hosts, uint64_t bytes)
{
    std::vector<Flow> flows(hosts);
    for (uint32_t host = 0; host < hosts; ++host)
    {
        flows[host].source = host;
        flows[host].destination = (host + LEAVES) % hosts;
        flows[host].bytes = bytes;
    }
    return flows;
}

/// Run a balancer, and print a line.  @param planes how many planes  @param balancer its type
/// @param bytes length of each message  @return whether all messages are completed
bool
Run(uint32_t planes, TypeId balancer, uint64_t bytes)
{
    Ptr<Fabric> fabric = MakeFabric(planes, balancer);
    const std::vector<Flow> flows = MakeShift(fabric->GetGraph().HostCount(), bytes);
    std::vector<Ptr<RoceNetDevice>> nics;
    for (const Flow& flow : flows)
    {
        nics.push_back(fabric->GetNic(flow.source));
    }
    Ptr<FlowDriver> driver = CreateObject<FlowDriver>();
    driver->Install(nics, flows);
    Simulator::Run();
    fabric->CatchUp();

    double last = 0;
    bool isGood = true;
    for (const FlowRecord& record : driver->GetService()->GetRecords())
    {
        last = std::max(last, static_cast<double>(record.completedAt.GetPicoSeconds()));
        isGood = isGood && record.completed;
    }
    std::vector<uint64_t> sent;
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        sent.push_back(fabric->GetNic(0)->GetPort(plane)->GetTransmitter().GetCounters().sentBytes);
    }
    const auto [least, most] = std::minmax_element(sent.begin(), sent.end());
    BoundParameters parameters;
    parameters.linkRate = HOST_RATE / planes;
    const double bound = CompletionBoundPs(fabric->GetGraph(), flows, parameters);
    std::cout << std::setw(6) << planes << "  " << std::left << std::setw(8)
              << (balancer == RsqBalancer::GetTypeId() ? "rsq" : "host-dr") << std::right
              << std::setw(15) << last / 1e6 << std::setw(10) << bound / 1e6 << std::setw(12)
              << *most << std::setw(12) << *least << std::endl;
    driver->Dispose();
    fabric->Dispose();
    Simulator::Destroy();
    return isGood && last >= bound;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint64_t bytes = 1024 * 1024;
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "Length of each message (bytes)", bytes);
    cmd.Parse(argc, argv);
    std::cout << "planes  balancer  completion_us  bound_us  most_bytes  least_bytes\n"
              << std::fixed << std::setprecision(2);
    bool isGood = true;
    for (const uint32_t planes : {1, 2, 4})
    {
        for (const TypeId& balancer : {RsqBalancer::GetTypeId(), HostDrBalancer::GetTypeId()})
        {
            isGood = Run(planes, balancer, bytes) && isGood;
        }
    }
    return isGood ? 0 : 1;
}
