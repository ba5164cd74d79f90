/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * A stage of one's own in the switches: doc/add-a-switch-stage.rst.
 *
 *        spine-0   spine-1          800 Gb/s and 500 ns a link
 *         |     \ /     |
 *         |     / \     |
 *       leaf-0         leaf-1
 *      /  |  |  \     /  |  |  \
 *     0   1  2   3   4   5  6   7
 *
 * Hosts 0, 1 and 2 write messages of 4000, 8000 and 16000 packets to hosts 4, 5 and 6, at half the
 * rate of their links. The leaves copy one in --period data packets of their hosts to host 3, which
 * estimates who sends how much. The program prints a line for each sender: packets sent, copies,
 * the estimate and its error; and then what the stages have counted.
 *
 * What to expect: the shares of copies follow those of the packets. With c copies, the estimate is
 * off by some 1 / sqrt(c); with --period=1 it is exact.
 */

#include "mirror-stage.h"

#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/double.h"
#include "ns3/function-callback.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <iomanip>
#include <iostream>
#include <map>

using namespace ns3;
using namespace ns3::aifabric;

int
main(int argc, char* argv[])
{
    constexpr uint32_t SENDERS = 3;
    constexpr uint32_t COLLECTOR = 3;
    constexpr uint64_t PACKET = 4096; // payload, in bytes
    uint32_t period = 50;
    CommandLine cmd(__FILE__);
    cmd.AddValue("period", "Data packets of which one is copied, 1 to 1000000.", period);
    cmd.Parse(argc, argv);
    if (period == 0 || period > 1000000)
    {
        std::cerr << "mirror-stage-example: --period=" << period << ": 1 to 1000000" << std::endl;
        return 1;
    }

    ClosHelper::PrepareSimulator();
    LeafSpineConfig config;
    config.leaves = 2;
    config.spines = 2;
    config.hostsPerLeaf = 4;
    ClosHelper clos;
    clos.SetNicAttribute("DataRateFraction", DoubleValue(0.5)); // two may share an uplink
    Ptr<Fabric> fabric = clos.Install(MakeLeafSpine(config));
    for (uint32_t leaf = 0; leaf < config.leaves; ++leaf)
    {
        fabric->GetSwitch(leaf)->SetStage(
            CreateObjectWithAttributes<MirrorStage>("Period",
                                                    UintegerValue(period),
                                                    "Collector",
                                                    UintegerValue(COLLECTOR)));
    }
    fabric->AssignStreams(1);
    std::map<uint32_t, uint64_t> copies;
    fabric->GetNic(COLLECTOR)->GetPort(0)->TraceConnectWithoutContext(
        "Receive",
        FunctionCallback<void, Ptr<const FabricFrame>>(
            [&copies](Ptr<const FabricFrame> frame) { ++copies[frame->source]; }));
    for (uint32_t host = 0; host < SENDERS; ++host)
    {
        const auto ends = RoceHelper().Connect(fabric->GetNic(host), fabric->GetNic(host + 4));
        ends.first->PostWrite((PACKET * 4000) << host);
    }
    Simulator::Run();

    std::cout << "host packets copies estimate error" << std::endl;
    for (uint32_t host = 0; host < SENDERS; ++host)
    {
        const int64_t packets = 4000 << host;
        const int64_t estimate = copies[host] * period;
        std::cout << std::setw(4) << host << std::setw(8) << packets << std::setw(7) << copies[host]
                  << std::setw(9) << estimate << std::setw(5)
                  << 100 * (estimate - packets) / packets << "%" << std::endl;
    }
    PolicyCounters counters;
    for (uint32_t leaf = 0; leaf < config.leaves; ++leaf)
    {
        fabric->GetSwitch(leaf)->GetStage()->Count(counters);
    }
    for (const auto& [name, value] : counters)
    {
        std::cout << name << ": " << value << std::endl;
    }
    const uint64_t received = copies[0] + copies[1] + copies[2];
    Simulator::Destroy();
    return received == counters["mirror_copies"] ? 0 : 1;
}
