/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * A balancer of one's own, beside one of the module: the code of doc/add-a-balancer.rst.
 *
 *                 core (k*k/4 switches)
 *            /        |        |       \
 *        pod 0      pod 1    pod 2    pod k-1       each with k/2 aggregation and k/2 edge switches
 *       / / \ \     ....      ....     / / \ \
 *     hosts                                         k/2 below each edge switch
 *
 * On a fat-tree with k = 8, 128 hosts send a random permutation of 1 MiB messages. The program runs
 * it once for each balancer and prints a line for each: completion time, increase over the lower
 * bound of the study (McClure et al., arXiv 2507.21372, appendix B), longest queue in packets at
 * any port of a switch that leads up, and at any that leads down, and packets dropped.
 *
 * What to expect (--RngRun=1 to 5): two-choices draws two next hops at random and takes the one
 * with the shorter queue. With rsq, which draws one and takes it, 79 to 108 packets wait at the
 * worst uplink; with two-choices less than 20. But on the way down there is no choice, and there
 * the longest queue grows, from 60 to 88 packets to 83 to 98: equal loads of a switch's own uplinks
 * do not spread the packets of one destination over the cores. So the completion time, 12 to 13 %
 * above the bound with rsq, falls by about one point.
 *
 * `--balancer=help` lists all balancers: this program knows one more than ai-fabric-run.
 */

#include "ns3/clos-builder.h"
#include "ns3/clos-helper.h"
#include "ns3/command-line.h"
#include "ns3/fabric-transmitter.h"
#include "ns3/flow-driver.h"
#include "ns3/flow-list.h"
#include "ns3/host-balancer.h"
#include "ns3/lower-bound.h"
#include "ns3/object-factory.h"
#include "ns3/oracle-recovery.h"
#include "ns3/policy-registry.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/switch-balancer.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

// The balancer: class
namespace ns3
{
namespace aifabric
{

/**
 * The power of two random choices: of two next hops drawn at random, the one at which less waits.
 */
class TwoChoicesBalancer : public SwitchBalancer
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< draws them
};

// The balancer: registration
NS_OBJECT_ENSURE_REGISTERED(TwoChoicesBalancer);

TypeId
TwoChoicesBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::TwoChoicesBalancer")
                            .SetParent<SwitchBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<TwoChoicesBalancer>();
    return tid;
}

// The balancer: choice
uint32_t
TwoChoicesBalancer::Choose(const FabricFrame&, const EgressGroup& group, int64_t now)
{
    const uint32_t last = group.members.size() - 1;
    const uint32_t first = m_random->GetInteger(0, last);
    const uint32_t second = (first + m_random->GetInteger(1, last)) % (last + 1);
    FabricTransmitter& one = *group.members[first];
    FabricTransmitter& other = *group.members[second];
    one.Advance(now);
    other.Advance(now);
    return other.GetWaitingBytes() < one.GetWaitingBytes() ? second : first;
}

// The balancer: randomness
int64_t
TwoChoicesBalancer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace aifabric
} // namespace ns3

// The balancer: end

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

/// What is run.
struct Setup
{
    uint32_t k{8};               //!< ports of a switch
    uint64_t bytes{1024 * 1024}; //!< of each message
};

/// What came of a run.
struct Outcome
{
    std::size_t messages{0};  //!< that there were
    std::size_t completed{0}; //!< of these
    double cctPs{0};          //!< time of the last completion
    double increase{0};       //!< over the published lower bound, in percent
    uint32_t maxQueueUp{0};   //!< most packets at a port that leads up
    uint32_t maxQueueDown{0}; //!< most packets at a port that leads down
    uint64_t drops{0};        //!< packets dropped by switches
    bool isPossible{true};    //!< the completion time is not below what no fabric can beat
};

/// @return a fabric of switches with a balancer  @param setup its size  @param balancer the type
Ptr<Fabric>
MakeFabric(const Setup& setup, TypeId balancer)
{
    FatTreeConfig config;
    config.k = setup.k;
    ClosHelper helper;
    // Packets of a message overtake each other: recovery must not take that for loss.
    helper.SetNicAttribute("RecoveryType", TypeIdValue(OracleRecovery::GetTypeId()));
    helper.SetBalancerType(balancer);
    Ptr<Fabric> fabric = helper.Install(MakeFatTree(config));
    fabric->AssignStreams(1000);
    return fabric;
}

/// @return a random permutation, the same for all balancers  @param setup its size
/// @param hosts how many hosts there are
std::vector<Flow>
MakePermutation(const Setup& setup, uint32_t hosts)
{
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    return RandomPermutation(hosts, setup.bytes, [random](uint32_t n) {
        return random->GetInteger(0, n - 1);
    });
}

/// Read the queues of a fabric.  @param fabric the fabric  @param [out] outcome where to
void
ReadSwitches(const Fabric& fabric, Outcome& outcome)
{
    for (uint32_t id = 0; id < fabric.GetSwitchCount(); ++id)
    {
        const Ptr<FabricSwitch>& fabricSwitch = fabric.GetSwitch(id);
        const PortGroup& up = fabric.GetGraph().Switches()[id].forwarding.up;
        outcome.drops += fabricSwitch->GetDropped(FabricSwitch::NO_BUFFER);
        for (uint32_t port = 0; port < fabricSwitch->GetPortCount(); ++port)
        {
            const bool isUp = port - up.first < up.count;
            uint32_t& longest = isUp ? outcome.maxQueueUp : outcome.maxQueueDown;
            longest =
                std::max(longest, fabricSwitch->GetPort(port)->GetTransmitter().GetMaxFrames());
        }
    }
}

/// @return what came of a run  @param setup what is run  @param balancer the type of the balancer
Outcome
Run(const Setup& setup, TypeId balancer)
{
    ClosHelper::PrepareSimulator();
    Ptr<Fabric> fabric = MakeFabric(setup, balancer);
    const FabricGraph& graph = fabric->GetGraph();
    const std::vector<Flow> flows = MakePermutation(setup, graph.HostCount());
    std::vector<Ptr<RoceNetDevice>> nics;
    for (uint32_t host = 0; host < graph.HostCount(); ++host)
    {
        nics.push_back(fabric->GetNic(host));
    }
    Ptr<FlowDriver> driver = CreateObject<FlowDriver>();
    driver->Install(nics, flows);
    Simulator::Run();

    Outcome outcome;
    uint32_t links = 0;
    for (const FlowRecord& record : driver->GetService()->GetRecords())
    {
        const double completedAt = record.completedAt.GetPicoSeconds();
        outcome.completed += record.completed;
        outcome.cctPs = std::max(outcome.cctPs, completedAt);
        links = std::max(links, graph.PathLinks(record.flow.source, record.flow.destination));
    }
    outcome.messages = flows.size();
    const BoundParameters parameters;
    const double bound = PublishedBoundPs(setup.bytes, 1, links, parameters);
    outcome.increase = (outcome.cctPs / bound - 1) * 100;
    outcome.isPossible = outcome.cctPs >= CompletionBoundPs(graph, flows, parameters);
    ReadSwitches(*fabric, outcome);
    driver->Dispose();
    fabric->Dispose();
    Simulator::Destroy();
    return outcome;
}

} // namespace

int
main(int argc, char* argv[])
{
    Setup setup;
    std::string balancer;
    CommandLine cmd(__FILE__);
    cmd.AddValue("k", "Ports of a switch, even, 4 to 32: k^3/4 hosts", setup.k);
    cmd.AddValue("size", "Length of each message (bytes)", setup.bytes);
    cmd.AddValue("balancer", "The only balancer to run, or help (default: two)", balancer);
    cmd.Parse(argc, argv);
    if (setup.k < 4 || setup.k > 32 || setup.k % 2 != 0 || setup.bytes == 0)
    {
        std::cerr << "--k is even, from 4 to 32; --size is above 0" << std::endl;
        return 1;
    }
    const PolicyRegistry registry("Balancer",
                                  {SwitchBalancer::GetTypeId(), HostBalancer::GetTypeId()});
    if (balancer == "help")
    {
        registry.Print(std::cout);
        return 0;
    }
    if (!balancer.empty() && !registry.Has(balancer))
    {
        std::cerr << "--balancer=" << balancer << ": one of " << registry.List() << std::endl;
        return 1;
    }
    std::vector<std::string> names{"rsq", "two-choices"};
    if (!balancer.empty())
    {
        names = {balancer};
    }
    std::cout << "balancer      completion_us  increase_percent  queue_up  queue_down  drops\n"
              << std::fixed << std::setprecision(2);
    bool isGood = true;
    for (const std::string& name : names)
    {
        const Outcome outcome = Run(setup, registry.Find(name));
        isGood = isGood && outcome.completed == outcome.messages && outcome.isPossible;
        std::cout << std::left << std::setw(14) << name << std::right << std::setw(13)
                  << outcome.cctPs / 1e6 << std::setw(18) << outcome.increase << std::setw(10)
                  << outcome.maxQueueUp << std::setw(12) << outcome.maxQueueDown << std::setw(7)
                  << outcome.drops << std::endl;
    }
    return isGood ? 0 : 1;
}
