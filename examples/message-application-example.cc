/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * Three hosts send messages of random length to host-3, on and off, as an ns-3 Application.
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
 * Each host is active for 20 us and pauses for 20 us, for 200 us in all. While it is active, it
 * posts a message when the one before it is acknowledged. The lengths are exponential with a mean
 * of 64 KiB. What to expect: about 80 messages, which take a little more than 4 us on average: 2 us
 * of propagation there and back from host-2 and 4 us from the others, 0.7 us of transmission, and
 * the wait for messages of the other hosts.
 */

#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/function-callback.h"
#include "ns3/message-application-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>

using namespace ns3;
using namespace ns3::aifabric;

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Parse(argc, argv);
    ClosHelper::PrepareSimulator();

    LeafSpineConfig config;
    config.leaves = 2;
    config.spines = 2;
    config.hostsPerLeaf = 2;
    Ptr<Fabric> fabric = ClosHelper().Install(MakeLeafSpine(config));
    fabric->AssignStreams(1000);
    fabric->AddNames();

    MessageApplicationHelper helper(fabric->GetHosts().Get(3));
    helper.SetAttribute("MessageBytes",
                        StringValue("ns3::ExponentialRandomVariable[Mean=65536|Bound=1048576]"));
    helper.SetAttribute("OnTime", StringValue("ns3::ConstantRandomVariable[Constant=20e-6]"));
    helper.SetAttribute("OffTime", StringValue("ns3::ConstantRandomVariable[Constant=20e-6]"));
    ApplicationContainer applications = helper.Install(fabric->GetHosts());
    MessageApplicationHelper::AssignStreams(applications, 1);
    applications.Start(Seconds(0));
    applications.Stop(MicroSeconds(200));

    uint64_t messages = 0;
    uint64_t bytes = 0;
    Time total;
    const auto note = [&](uint64_t length, Time duration) {
        ++messages;
        bytes += length;
        total += duration;
    };
    Config::ConnectWithoutContext(
        "/NodeList/*/ApplicationList/*/$ns3::aifabric::MessageApplication/Completed",
        FunctionCallback<void, uint64_t, Time>(note));
    Time longest;
    const auto noteRtt = [&longest](Time, Time now) { longest = Max(longest, now); };
    Config::ConnectWithoutContext(
        "/Names/host-0/DeviceList/0/$ns3::aifabric::RoceNetDevice/QueuePairList/*/RTT",
        FunctionCallback<void, Time, Time>(noteRtt));

    Simulator::Run();
    std::cout << messages << " messages of " << bytes << " bytes took "
              << (messages ? total.GetMicroSeconds() / static_cast<double>(messages) : 0)
              << " us on average" << std::endl
              << "The longest round trip of host-0 took " << longest.As(Time::US) << std::endl;
    fabric->Dispose();
    Simulator::Destroy();
    return messages > 0 ? 0 : 1;
}
