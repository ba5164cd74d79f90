/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * A transport of one's own, beside reliable connections: doc/add-a-transport.rst.
 *
 *        spine-0   spine-1          400 Gb/s and 500 ns a link
 *         |     \ /     |
 *         |     / \     |
 *       leaf-0     leaf-1
 *      /  |  |  \       \
 *     0   1  2   3      host-4      hosts 0 to 3 send datagrams to host-4
 *
 * Four hosts send 2000 datagrams of 4096 bytes each, at --rate; the link of host-4 carries
 * 400 Gb/s. The program prints a line for each: datagrams sent, received, missing, and those that
 * came after a later one; and then what the switches dropped.
 *
 * What to expect: with 90 Gb/s each, all datagrams come. With 200 Gb/s each, what comes in at twice
 * the rate of the last link fills the buffer of its port, and then half of all is dropped.
 */

#include "datagram-endpoint.h"

#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/data-rate.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iomanip>
#include <iostream>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

int
main(int argc, char* argv[])
{
    constexpr uint32_t SENDERS = 4;
    constexpr uint64_t DATAGRAMS = 2000;
    DataRate rate("200Gb/s");
    CommandLine cmd(__FILE__);
    cmd.AddValue("rate", "Rate of each sender, at least 1bps.", rate);
    cmd.Parse(argc, argv);
    if (rate.GetBitRate() == 0)
    {
        std::cerr << "datagram-endpoint-example: --rate=" << rate << ": at least 1bps" << std::endl;
        return 1;
    }

    ClosHelper::PrepareSimulator();
    LeafSpineConfig config;
    config.leaves = 2;
    config.spines = 2;
    config.hostsPerLeaf = SENDERS;
    ClosHelper clos;
    clos.SetPortAttribute("DataRate", StringValue("400Gb/s"));
    Ptr<Fabric> fabric = clos.Install(MakeLeafSpine(config));
    fabric->AssignStreams(1);

    std::vector<Ptr<DatagramEndpoint>> senders;
    std::vector<Ptr<DatagramEndpoint>> receivers;
    for (uint32_t host = 0; host < SENDERS; ++host)
    {
        senders.push_back(
            CreateObjectWithAttributes<DatagramEndpoint>("Rate", DataRateValue(rate)));
        receivers.push_back(CreateObject<DatagramEndpoint>());
        fabric->GetNic(host)->AddEndpoint(senders[host]);
        const uint32_t number = fabric->GetNic(SENDERS)->AddEndpoint(receivers[host]);
        senders[host]->Connect(SENDERS, number);
        senders[host]->Send(DATAGRAMS);
    }
    Simulator::Run();

    uint64_t gone = 0;
    std::cout << "host     sent received  missing reordered" << std::endl;
    for (uint32_t host = 0; host < SENDERS; ++host)
    {
        const uint64_t sent = senders[host]->sent;
        const DatagramEndpoint& there = *receivers[host];
        std::cout << std::setw(4) << host << std::setw(9) << sent << std::setw(9) << there.received
                  << std::setw(9) << there.missing << std::setw(10) << there.reordered << std::endl;
        gone += sent - there.received;
    }
    uint64_t dropped = 0;
    for (uint32_t i = 0; i < fabric->GetSwitchCount(); ++i)
    {
        dropped += fabric->GetSwitch(i)->GetDropped(FabricSwitch::NO_BUFFER);
    }
    std::cout << "dropped by switches: " << dropped << std::endl;
    Simulator::Destroy();
    return gone == dropped ? 0 : 1;
}
