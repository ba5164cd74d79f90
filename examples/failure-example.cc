/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * A link fails while messages are on their way, and comes back.
 *
 *         spine-0     spine-1         400 Gb/s and 500 ns a link
 *            X  \     /  |
 *            |    \ /    |            X: cut from 20 us to 200 us
 *            |    / \    |
 *         leaf-0      leaf-1
 *         /    \      /    \
 *        0      1    2      3         host-0 and host-1 send 4 MiB each to host-2 and host-3
 *
 * Switches spray packets (rsq), SACK retransmits what is lost, and MSwift adapts the rate. leaf-0
 * detects the failure of its own link after 5 us. leaf-1 has no such link: it goes on sending
 * acknowledgements to spine-0, which cannot forward them, until routing has converged. The program
 * prints what becomes of the link and of the messages, and the counters of both senders.
 *
 * What to expect: after convergence all packets share spine-1, at half the rate. The messages,
 * which take 86 us at least without the failure, are completed before the link is back. With
 * --convergence=50us every other acknowledgement is lost for so long that the senders wait for
 * their timers (500 us).
 */

#include "ns3/boolean.h"
#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/failure-helper.h"
#include "ns3/function-callback.h"
#include "ns3/m-swift-control.h"
#include "ns3/roce-helper.h"
#include "ns3/rsq-balancer.h"
#include "ns3/sack-recovery.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

const std::string LINK = "leaf-0:2--spine-0:0"; //!< lower end, upper end: FabricGraph::LinkName

/// @return the start of a line: the time
std::ostream&
Print()
{
    return std::cout << Simulator::Now().As(Time::US) << " ";
}

/// Cut the link for a time, and print what becomes of it.  @param fabric the fabric
/// @param convergence time until all switches know
void
Cut(const Fabric& fabric, Time convergence)
{
    FailureHelper failure;
    failure.SetAttribute("Down", BooleanValue(true));
    failure.SetAttribute("Start", TimeValue(MicroSeconds(20)));
    failure.SetAttribute("Stop", TimeValue(MicroSeconds(200)));
    failure.Install(fabric, LINK);
    const uint32_t link = FailureHelper::FindLinks(fabric.GetGraph(), LINK).front();
    fabric.GetChannel(link)->TraceConnectWithoutContext("LinkState",
                                                        FunctionCallback<void, bool>([](bool up) {
                                                            Print() << LINK
                                                                    << (up ? " up\n" : " down\n");
                                                        }));
    FailureHelper::InstallConvergence(fabric, convergence)
        ->TraceConnectWithoutContext(
            "Converged",
            FunctionCallback<void, uint32_t, uint32_t>([](uint32_t, uint32_t switches) {
                Print() << switches << " switches have new weights\n";
            }));
}

} // namespace

int
main(int argc, char* argv[])
{
    uint64_t bytes = 4 * 1024 * 1024;
    Time convergence = MicroSeconds(5);
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "Length of each message (bytes)", bytes);
    cmd.AddValue("convergence", "Time from a cut or repair until all switches know", convergence);
    cmd.Parse(argc, argv);
    ClosHelper::PrepareSimulator();

    LeafSpineConfig config;
    config.leaves = config.spines = config.hostsPerLeaf = 2;
    ClosHelper clos;
    clos.SetPortAttribute("DataRate", StringValue("400Gb/s"));
    clos.SetSwitchAttribute("DetectionDelay", TimeValue(MicroSeconds(5)));
    clos.SetNicAttribute("RecoveryType", TypeIdValue(SackRecovery::GetTypeId()));
    clos.SetNicAttribute("ControlType", TypeIdValue(MSwiftControl::GetTypeId()));
    clos.SetBalancerType(RsqBalancer::GetTypeId());
    Ptr<Fabric> fabric = clos.Install(MakeLeafSpine(config));
    fabric->AssignStreams(1);
    Cut(*fabric, convergence);

    RoceHelper roce;
    std::vector<Ptr<QueuePair>> senders;
    uint32_t completed = 0;
    for (const uint32_t host : {0, 1})
    {
        senders.push_back(roce.Connect(fabric->GetNic(host), fabric->GetNic(host + 2)).first);
        senders.back()->PostWrite(bytes,
                                  FunctionCallback<void, Ptr<QueuePair>, uint64_t>(
                                      [&completed, host](Ptr<QueuePair>, uint64_t) {
                                          Print()
                                              << "host-" << host
                                              << " has an acknowledgement of all of its message\n";
                                          ++completed;
                                      }));
    }
    Simulator::Run();
    for (const Ptr<QueuePair>& sender : senders)
    {
        std::cout << sender->GetCounters().dataPackets << " packets sent, "
                  << sender->GetCounters().retransmissions << " of them again, "
                  << sender->GetCounters().timeouts << " timeouts\n";
    }
    senders.clear();
    fabric->Dispose();
    Simulator::Destroy();
    return completed == 2 ? 0 : 1;
}
