/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * A first scenario: two hosts write a message each into the memory of a third one.
 *
 *         spine-0     spine-1
 *            |  \     /  |
 *            |    \ /    |            2 leaves, 2 spines, 2 hosts a leaf
 *            |    / \    |            800 Gb/s and 500 ns a link
 *            |  /     \  |
 *         leaf-0      leaf-1
 *         /    \      /    \
 *     host-0 host-1 host-2 host-3
 *
 * host-0 and host-2 send 512 KiB each to host-3, so they share the link from leaf-1 to it. What to
 * expect: the 256 packets of 4096 + 62 bytes, with a gap of 20 bytes each, take 10.7 us of that
 * link. The message of host-2 begins to arrive a microsecond before that of host-0, which comes by
 * way of a spine, and completes first, after 11.7 us; that of host-0 completes after 13.7 us. As
 * long as both arrive, every other packet has to wait: at most 103 at a time.
 */

#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/function-callback.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <iostream>

using namespace ns3;
using namespace ns3::aifabric;

int
main(int argc, char* argv[])
{
    uint64_t bytes = 512 * 1024;
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "Length of each message (bytes)", bytes);
    cmd.Parse(argc, argv);
    ClosHelper::PrepareSimulator(); // picoseconds (a byte takes 10 ps), and a fast scheduler

    LeafSpineConfig config;
    config.leaves = 2;
    config.spines = 2;
    config.hostsPerLeaf = 2;
    ClosHelper clos;
    clos.SetPortAttribute("DataRate", StringValue("800Gb/s"));
    clos.SetChannelAttribute("Delay", StringValue("500ns"));
    Ptr<Fabric> fabric = clos.Install(MakeLeafSpine(config));
    fabric->AssignStreams(1);

    RoceHelper roce;
    uint32_t completed = 0;
    for (const uint32_t host : {0, 2})
    {
        const auto done = [&completed, host](Ptr<QueuePair>, uint64_t length) {
            std::cout << length << " bytes of host-" << host << " are acknowledged at "
                      << Simulator::Now().As(Time::US) << std::endl;
            ++completed;
        };
        const RoceHelper::Ends ends = roce.Connect(fabric->GetNic(host), fabric->GetNic(3));
        ends.first->PostWrite(bytes, FunctionCallback<void, Ptr<QueuePair>, uint64_t>(done));
    }

    uint32_t longest = 0;
    const auto note = [&longest](uint32_t, uint32_t now) { longest = std::max(longest, now); };
    Ptr<FabricPort> port = fabric->GetSwitch(1)->GetPort(1); // of leaf-1, to host-3
    port->GetTransmitter().GetQueue(3)->TraceConnectWithoutContext(
        "PacketsInQueue",
        FunctionCallback<void, uint32_t, uint32_t>(note));

    Simulator::Run();
    std::cout << "At most " << longest << " packets waited for host-3" << std::endl;
    fabric->Dispose();
    Simulator::Destroy();
    return completed == 2 ? 0 : 1;
}
