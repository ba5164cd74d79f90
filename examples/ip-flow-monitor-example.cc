/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * TCP of the hosts' IP stacks beside RoCE in one fabric, and ns-3's FlowMonitor.
 *
 *         spine-0     spine-1         400 Gb/s and 500 ns a link
 *            |  \     /  |
 *            |    \ /    |            TCP:  4 MB from host-0 to host-2, class 0
 *            |    / \    |            RoCE: 4 MiB from host-1 to host-2, class 3
 *         leaf-0      leaf-1
 *         /    \      /    \
 *        0      1    2      3
 *
 * The program prints what FlowMonitor knows of each TCP flow and, since no IP stack handles RoCE,
 * what the queue pair knows of the write.
 *
 * What to expect: class 3 has strict priority over class 0. As long as the write lasts (86 us), TCP
 * gets what is left of the link of host-2, which is nothing; then it has the link for itself.
 */

#include "ns3/bulk-send-helper.h"
#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/fabric-ip-helper.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/function-callback.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// Send a file by TCP.  @param fabric the fabric  @param source a host  @param destination another
/// @param bytes how much
void
SendByTcp(const Fabric& fabric, uint32_t source, uint32_t destination, uint64_t bytes)
{
    constexpr uint16_t PORT = 5000;
    const InetSocketAddress address(FabricIpHelper::GetIpv4(destination), PORT);
    PacketSinkHelper sink("ns3::TcpSocketFactory", address);
    sink.Install(fabric.GetHosts().Get(destination));
    BulkSendHelper bulk("ns3::TcpSocketFactory", address);
    bulk.SetAttribute("MaxBytes", UintegerValue(bytes));
    bulk.Install(fabric.GetHosts().Get(source));
}

/// Print what was seen.  @param helper of the monitor  @return packets received
uint64_t
Print(FlowMonitorHelper& helper)
{
    Ptr<FlowMonitor> monitor = helper.GetMonitor();
    monitor->CheckForLostPackets();
    Ptr<Ipv4FlowClassifier> classifier = DynamicCast<Ipv4FlowClassifier>(helper.GetClassifier());
    uint64_t received = 0;
    for (const auto& [id, flow] : monitor->GetFlowStats())
    {
        const Ipv4FlowClassifier::FiveTuple tuple = classifier->FindFlow(id);
        std::cout << "TCP " << tuple.sourceAddress << " to " << tuple.destinationAddress << ": "
                  << flow.rxPackets << " of " << flow.txPackets << " packets received, "
                  << (flow.timeLastRxPacket - flow.timeFirstTxPacket).As(Time::US)
                  << ", mean delay " << (flow.delaySum / flow.rxPackets).As(Time::US) << std::endl;
        received += flow.rxPackets;
    }
    return received;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint64_t bytes = 4 * 1000 * 1000;
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "What TCP sends (bytes)", bytes);
    cmd.Parse(argc, argv);
    ClosHelper::PrepareSimulator();
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(4096));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1 << 20));

    LeafSpineConfig config;
    config.leaves = config.spines = config.hostsPerLeaf = 2;
    ClosHelper clos;
    clos.SetPortAttribute("DataRate", StringValue("400Gb/s"));
    Ptr<Fabric> fabric = clos.Install(MakeLeafSpine(config));
    fabric->AssignStreams(1);
    InternetStackHelper().Install(fabric->GetHosts());
    FabricIpHelper::AssignIpv4(*fabric); // the addresses by which switches forward
    SendByTcp(*fabric, 0, 2, bytes);
    FlowMonitorHelper helper;
    helper.Install(fabric->GetHosts());

    RoceHelper roce;
    Ptr<QueuePair> sender = roce.Connect(fabric->GetNic(1), fabric->GetNic(2)).first;
    sender->PostWrite(
        4 << 20,
        FunctionCallback<void, Ptr<QueuePair>, uint64_t>([](Ptr<QueuePair>, uint64_t length) {
            std::cout << "RoCE host-1 to host-2: " << length << " bytes, "
                      << Simulator::Now().As(Time::US) << std::endl;
        }));
    Simulator::Stop(MilliSeconds(100)); // FlowMonitor schedules events for ever
    Simulator::Run();
    const uint64_t received = Print(helper);
    sender = nullptr;
    fabric->Dispose();
    Simulator::Destroy();
    return received > 0 ? 0 : 1;
}
