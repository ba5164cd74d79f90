/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * Priority-based flow control: an incast with and without a lossless class.
 *
 *         spine-0     spine-1         400 Gb/s and 500 ns a link
 *            |  \     /  |
 *            |    \ /    |            switches with a shared buffer of 1 MB
 *            |    / \    |
 *         leaf-0      leaf-1
 *        /  | .. \   /  | .. \
 *       0   1     7  8  9    15       hosts 1 to 15 send 256 KiB each to host 0
 *
 * RoCE data is in class 3 (DSCP 26). The program runs the incast twice, and prints for each run the
 * completion time, packets dropped and retransmitted, and how often a switch paused a peer.
 *
 * What to expect: 15 hosts send at once what only one link can carry. Without PFC the buffer
 * overflows, and go-back-N sends again all that followed a lost packet. With class 3 lossless, the
 * leaves pause the hosts, nothing is dropped or sent again, and the completion time is near what
 * the link of host-0 needs for all messages.
 */

#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/function-callback.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// What has happened in a run.
struct Counts
{
    uint32_t completed{0};       //!< messages
    Time last;                   //!< the last completion
    uint64_t drops{0};           //!< packets that switches dropped
    uint64_t retransmissions{0}; //!< packets sent again
    uint64_t pauses{0};          //!< decisions of switches to pause a peer
};

/// @return a fabric  @param classes which are lossless, bit c: class c
Ptr<Fabric>
MakeFabric(uint8_t classes)
{
    ClosHelper::PrepareSimulator(); // for each simulation
    LeafSpineConfig config;
    config.leaves = 2;
    config.spines = 2;
    config.hostsPerLeaf = 8;
    ClosHelper clos;
    clos.SetPortAttribute("DataRate", StringValue("400Gb/s"));
    clos.SetAdmission(ObjectFactory("ns3::aifabric::SharedBuffer",
                                    "BufferBytes",
                                    UintegerValue(1000000),
                                    "LosslessClasses",
                                    UintegerValue(classes)));
    Ptr<Fabric> fabric = clos.Install(MakeLeafSpine(config));
    fabric->AssignStreams(1);
    return fabric;
}

/// Count what switches do.  @param [out] counts where to
void
Watch(Counts& counts)
{
    Config::ConnectWithoutContext(
        "/NodeList/*/$ns3::aifabric::FabricSwitch/Drop",
        FunctionCallback<void, Ptr<const FabricFrame>, FabricSwitch::DropReason>(
            [&counts](Ptr<const FabricFrame>, FabricSwitch::DropReason) { ++counts.drops; }));
    Config::ConnectWithoutContext(
        "/NodeList/*/$ns3::aifabric::FabricSwitch/Admission/$ns3::aifabric::SharedBuffer/Pause",
        FunctionCallback<void, uint16_t, uint8_t, bool>(
            [&counts](uint16_t, uint8_t, bool paused) { counts.pauses += paused; }));
}

/// @return what has happened in an incast  @param classes which are lossless
/// @param bytes length of each message
Counts
Run(uint8_t classes, uint64_t bytes)
{
    Ptr<Fabric> fabric = MakeFabric(classes);
    Counts counts;
    Watch(counts);
    RoceHelper roce;
    std::vector<Ptr<QueuePair>> senders;
    for (uint32_t host = 1; host < fabric->GetGraph().HostCount(); ++host)
    {
        senders.push_back(roce.Connect(fabric->GetNic(host), fabric->GetNic(0)).first);
        senders.back()->PostWrite(
            bytes,
            FunctionCallback<void, Ptr<QueuePair>, uint64_t>([&counts](Ptr<QueuePair>, uint64_t) {
                ++counts.completed;
                counts.last = Simulator::Now();
            }));
    }
    Simulator::Run();
    for (const Ptr<QueuePair>& sender : senders)
    {
        counts.retransmissions += sender->GetCounters().retransmissions;
    }
    senders.clear();
    fabric->Dispose();
    Simulator::Destroy();
    return counts;
}

} // namespace

int
main(int argc, char* argv[])
{
    constexpr uint8_t ROCE = 1 << 3;
    uint64_t bytes = 256 * 1024;
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "Length of each message (bytes)", bytes);
    cmd.Parse(argc, argv);
    std::cout << "class_3   completed  completion_us   drops  retransmissions  pauses\n"
              << std::fixed << std::setprecision(2);
    bool isGood = true;
    for (const uint8_t classes : {uint8_t{0}, ROCE})
    {
        const Counts counts = Run(classes, bytes);
        std::cout << (classes ? "lossless" : "lossy   ") << std::setw(11) << counts.completed
                  << std::setw(15) << counts.last.GetPicoSeconds() / 1e6 << std::setw(8)
                  << counts.drops << std::setw(17) << counts.retransmissions << std::setw(8)
                  << counts.pauses << std::endl;
        isGood = isGood && counts.completed == 15 && (classes == 0 || counts.drops == 0);
    }
    return isGood ? 0 : 1;
}
