/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/host-flowlet-balancer.h"
#include "ns3/mprdma-balancer.h"
#include "ns3/policy-registry.h"

static Suite g_ackClockedBalancer("ai-fabric-ack-clocked");

namespace
{

/// Report what became of a packet.  @param now the time, in picoseconds
void
Report(HostBalancer& balancer, uint32_t label, PathEvent event, int64_t now = 1000)
{
    balancer.Feedback(PathChoice::FIRST_PORT + label, event, 0, now);
}

/// @return the label of the next packet  @param now the time, in picoseconds
uint32_t
TakeLabel(HostBalancer& balancer, int64_t now = 0)
{
    PathRequest request;
    request.bytes = 4096;
    request.now = now;
    return balancer.Choose(request)->entropy - PathChoice::FIRST_PORT;
}

} // namespace

/// mprdma uses the label of the packet that was acknowledged last.
FABRIC_TEST(g_ackClockedBalancer, "mprdma: the label of the packet that was acknowledged last")
{
    Ptr<MprdmaBalancer> balancer = CreateWith<MprdmaBalancer>({{"Entropies", 20}});
    balancer->Start({}, 1);
    std::set<uint32_t> drawn;
    for (uint32_t i = 0; i < 400; ++i)
    {
        drawn.insert(TakeLabel(*balancer));
    }
    NS_TEST_EXPECT_MSG_EQ(drawn.size(), 20, "at random before the first acknowledgement");
    Report(*balancer, 700, PathEvent::GOOD);
    NS_TEST_EXPECT_MSG_EQ(TakeLabel(*balancer), 700, "the last one");
    NS_TEST_EXPECT_MSG_EQ(TakeLabel(*balancer), 700, "also for more packets");
    Report(*balancer, 701, PathEvent::GOOD);
    Report(*balancer, 702, PathEvent::MARKED);
    NS_TEST_EXPECT_MSG_EQ(TakeLabel(*balancer), 702, "marked or not");
    for (const PathEvent event : {PathEvent::TRIMMED,
                                  PathEvent::TRIMMED_LAST_HOP,
                                  PathEvent::LOST,
                                  PathEvent::OVERDUE,
                                  PathEvent::TIMED_OUT})
    {
        Report(*balancer, 703, event);
        NS_TEST_EXPECT_MSG_EQ(TakeLabel(*balancer), 702, "losses are no acknowledgement");
    }
    Report(*balancer, 702, PathEvent::LOST);
    NS_TEST_EXPECT_MSG_EQ(TakeLabel(*balancer), 702, "its path still works");
    Report(*balancer, 702, PathEvent::TIMED_OUT);
    NS_TEST_EXPECT_MSG_LT(TakeLabel(*balancer), 20, "its path may be dead");
    Report(*balancer, 704, PathEvent::GOOD);
    NS_TEST_EXPECT_MSG_EQ(TakeLabel(*balancer), 704, "until the next acknowledgement");
    Ptr<HostBalancer> fork = balancer->Fork();
    fork->Start({}, 2);
    NS_TEST_EXPECT_MSG_LT(TakeLabel(*fork), 20, "a fork has its attributes");
    balancer->Start({}, 1);
    NS_TEST_EXPECT_MSG_LT(TakeLabel(*balancer), 20, "a start forgets");
    NS_TEST_EXPECT_MSG_EQ(balancer->GetMarkingShare(), 0.1, "it needs marks");
}

/// host-flowlet changes its label after a time without acknowledgements.
struct HostFlowletBalancerTestCase : FabricTestCase
{
    /// @return a balancer on a fabric with a base RTT of 1 us
    Ptr<HostFlowletBalancer> Make(const Time& hold)
    {
        Ptr<HostFlowletBalancer> balancer = CreateWith<HostFlowletBalancer>({{"Hold", hold}});
        FabricFacts facts;
        facts.baseRtt = MicroSeconds(1);
        balancer->Start(facts, 1);
        return balancer;
    }
};

FABRIC_TEST(g_ackClockedBalancer,
            "host-flowlet: another label after a gap between acknowledgements")
{
    const PolicyRegistry registry("Balancer", {HostBalancer::GetTypeId()});
    for (const std::string name : {"host-flowlet", "mprdma"})
    {
        NS_TEST_EXPECT_MSG_EQ(registry.Has(name), true, name);
    }
}

/// The gap is half of a base RTT since the first packet or the last acknowledgement.
FABRIC_TEST_F(HostFlowletBalancerTestCase, g_ackClockedBalancer, "Host flowlet balancer: gap")
{
    const Ptr<HostFlowletBalancer> balancer = Make(Time(0));
    const int64_t gap = 500000;
    const int64_t start = 7000000;
    const uint32_t first = TakeLabel(*balancer, start);
    NS_TEST_EXPECT_MSG_EQ(TakeLabel(*balancer, start + gap), first, "no gap yet");
    const uint32_t second = TakeLabel(*balancer, start + gap + 1);
    NS_TEST_EXPECT_MSG_NE(second, first, "a gap since the first packet");
    const uint32_t third = TakeLabel(*balancer, start + gap + 2);
    NS_TEST_EXPECT_MSG_NE(third, second, "without Hold each packet until the next report");
    Report(*balancer, second, PathEvent::MARKED, start + 2 * gap);
    NS_TEST_EXPECT_MSG_EQ(TakeLabel(*balancer, start + 3 * gap), third, "none since then");
    Report(*balancer, second, PathEvent::TIMED_OUT, start + 3 * gap);
    NS_TEST_EXPECT_MSG_NE(TakeLabel(*balancer, start + 3 * gap + 1),
                          third,
                          "a timeout is no acknowledgement");
    NS_TEST_EXPECT_MSG_EQ(CountersOf(*balancer)["host_flowlets"], 3, "counted");
}

FABRIC_TEST_F(HostFlowletBalancerTestCase, g_ackClockedBalancer, "A label is kept for a time")
{
    const Ptr<HostFlowletBalancer> balancer = Make(MicroSeconds(10));
    const uint32_t first = TakeLabel(*balancer, 0);
    const uint32_t second = TakeLabel(*balancer, 1000000);
    NS_TEST_EXPECT_MSG_NE(second, first, "the first change does not wait");
    NS_TEST_EXPECT_MSG_EQ(TakeLabel(*balancer, 11000000), second, "the next one does");
    NS_TEST_EXPECT_MSG_NE(TakeLabel(*balancer, 11000001), second, "for that time");
}
