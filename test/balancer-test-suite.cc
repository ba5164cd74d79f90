/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/abort.h"
#include "ns3/congestion-control.h"
#include "ns3/ecmp-balancer.h"
#include "ns3/egress-group.h"
#include "ns3/host-random-balancer.h"
#include "ns3/loss-recovery.h"
#include "ns3/policy-registry.h"
#include "ns3/rr-balancer.h"
#include "ns3/rsq-balancer.h"
#include "ns3/simple-rr-balancer.h"

static Suite g_balancer("ai-fabric-balancer");

namespace
{

/// @return a group of next hops of which only the number matters
EgressGroup
MakeGroup(uint32_t members, uint16_t id = 0)
{
    EgressGroup group;
    group.id = id;
    group.members.assign(members, nullptr);
    return group;
}

/// @return how far counts are from uniform, in standard deviations of chi-square
/// @param counts how often each value came
double
Deviation(const std::vector<uint32_t>& counts)
{
    double total = 0;
    for (uint32_t count : counts)
    {
        total += count;
    }
    const double expected = total / counts.size();
    double chiSquare = 0;
    for (uint32_t count : counts)
    {
        chiSquare += (count - expected) * (count - expected) / expected;
    }
    const double freedom = counts.size() - 1.0;
    return (chiSquare - freedom) / std::sqrt(2 * freedom);
}

constexpr double LIMIT = 5; //!< standard deviations that nothing uniform reaches

/// Frames of many flows.
struct Flows
{
    Flows()
        : m_frame(Create<FabricFramePool>()->Create())
    {
    }

    /// @return a frame of a flow  @param number of the flow; flows are as RoCE makes them: pairs of
    /// neighboring hosts and neighboring ports
    const FabricFrame& Get(uint32_t number)
    {
        m_frame->source = number % 32;
        m_frame->destination = 64 + number / 32 % 32;
        m_frame->entropy = 0xC000 + number / 1024;
        m_frame->flowHash =
            FrameCodec::FlowHash(m_frame->source, m_frame->destination, m_frame->entropy);
        return *m_frame;
    }

    Ptr<FabricFrame> m_frame; //!< the frame
};

/// @return a balancer that has begun  @tparam T its type  @param stream random stream
template <typename T>
Ptr<T>
MakeBalancer(int64_t stream)
{
    Ptr<T> balancer = CreateObject<T>();
    NS_ABORT_MSG_IF(balancer->AssignStreams(stream) != 1, "a balancer uses one stream");
    balancer->Initialize();
    return balancer;
}

} // namespace

/// A flow keeps its next hop, flows are spread uniformly, and the choices of two switches do not
/// depend on each other.
struct EcmpBalancerTestCase : FabricTestCase
{
    static constexpr uint32_t FLOWS = 20000; //!< flows to be spread

    /// @return how far the second switch's choices among the flows that the first sends to one of
    /// its next hops are from uniform, for the worst next hop
    double Polarization(EcmpBalancer& first, EcmpBalancer& second, uint32_t members)
    {
        Flows flows;
        const EgressGroup group = MakeGroup(members);
        std::vector<std::vector<uint32_t>> counts(members, std::vector<uint32_t>(members));
        for (uint32_t i = 0; i < FLOWS; ++i)
        {
            ++counts[first.Choose(flows.Get(i), group, 0)][second.Choose(flows.Get(i), group, 0)];
        }
        double worst = 0;
        for (const std::vector<uint32_t>& row : counts)
        {
            worst = std::max(worst, Deviation(row));
        }
        return worst;
    }
};

FABRIC_TEST_F(EcmpBalancerTestCase,
              g_balancer,
              "ecmp: same flow, same port; uniform; tiers do not polarize")
{
    Flows flows;
    for (uint32_t members : {2, 3, 4, 7, 16, 64})
    {
        const EgressGroup group = MakeGroup(members);
        Ptr<EcmpBalancer> first = MakeBalancer<EcmpBalancer>(1);
        Ptr<EcmpBalancer> second = MakeBalancer<EcmpBalancer>(2);
        std::vector<uint32_t> counts(members);
        for (uint32_t i = 0; i < FLOWS; ++i)
        {
            const uint32_t chosen = first->Choose(flows.Get(i), group, i);
            NS_TEST_ASSERT_MSG_LT(chosen, members, "a member");
            NS_TEST_ASSERT_MSG_EQ(first->Choose(flows.Get(i), group, 2 * i), chosen, "again");
            if (IsStatusFailure())
            {
                return;
            }
            ++counts[chosen];
        }
        NS_TEST_EXPECT_MSG_LT(Deviation(counts), LIMIT, members << " next hops");
        NS_TEST_EXPECT_MSG_LT(Polarization(*first, *second, members), LIMIT, "independent");
        NS_TEST_EXPECT_MSG_GT(Polarization(*first, *first, members),
                              10 * LIMIT,
                              "two switches with one salt would not be");
    }
    Ptr<EcmpBalancer> again = MakeBalancer<EcmpBalancer>(1);
    const EgressGroup group = MakeGroup(1 << 16);
    NS_TEST_EXPECT_MSG_EQ(again->Choose(flows.Get(5), group, 0),
                          MakeBalancer<EcmpBalancer>(1)->Choose(flows.Get(5), group, 0),
                          "the same stream, the same salt");
    NS_TEST_EXPECT_MSG_NE(again->Choose(flows.Get(5), group, 0),
                          MakeBalancer<EcmpBalancer>(2)->Choose(flows.Get(5), group, 0),
                          "another stream, another salt");
}

/// Random spraying in the switch: uniform, and each choice independent of the one before.
FABRIC_TEST(g_balancer, "rsq: uniform and independent")
{
    Flows flows;
    for (uint32_t members : {2, 5, 16})
    {
        Ptr<RsqBalancer> balancer = MakeBalancer<RsqBalancer>(1);
        const EgressGroup group = MakeGroup(members);
        std::vector<uint32_t> counts(members);
        std::vector<uint32_t> pairs(members * members);
        uint32_t last = 0;
        for (uint32_t i = 0; i < 100000; ++i)
        {
            const uint32_t chosen = balancer->Choose(flows.Get(1), group, i);
            NS_TEST_ASSERT_MSG_LT(chosen, members, "a member");
            if (IsStatusFailure())
            {
                return;
            }
            ++counts[chosen];
            ++pairs[last * members + chosen];
            last = chosen;
        }
        NS_TEST_EXPECT_MSG_LT(Deviation(counts), LIMIT, members << " next hops");
        NS_TEST_EXPECT_MSG_LT(Deviation(pairs), LIMIT, "no memory");
    }
}

/// Round robin serves each member once a round. Simple round robin keeps its order, round robin
/// with reshuffle draws a new one after five rounds.
struct RrBalancerTestCase : FabricTestCase
{
    static constexpr uint32_t MEMBERS = 8; //!< next hops
    using Order = std::vector<uint32_t>;   //!< the choices of a round

    /// @return the choices of one round
    Order Round(SwitchBalancer& balancer, const EgressGroup& group)
    {
        Flows flows;
        Order order;
        for (uint32_t i = 0; i < group.members.size(); ++i)
        {
            // whatever the destination
            order.push_back(balancer.Choose(flows.Get(17 * i), group, i));
        }
        return order;
    }

    /// @param rounds after which the order changes
    void CheckOrders(Ptr<SwitchBalancer> balancer, uint32_t rounds)
    {
        const EgressGroup group = MakeGroup(MEMBERS);
        Order last;
        uint32_t changes = 0;
        for (uint32_t round = 0; round < 60; ++round)
        {
            const Order order = Round(*balancer, group);
            NS_TEST_EXPECT_MSG_EQ(SetOf(order).size(), MEMBERS, "each member once a round");
            if (round > 0 && round % rounds != 0)
            {
                NS_TEST_EXPECT_MSG_EQ((order == last), true, "no change in round " << round);
            }
            changes += round > 0 && order != last;
            last = order;
        }
        const uint32_t most = 59 / rounds;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(changes, most, "no more changes");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(changes + 1, most, "and hardly fewer");
    }

    /// @param balancer whose counts must differ by at most one at any time within a round
    void CheckFairness(SwitchBalancer& balancer)
    {
        Flows flows;
        const EgressGroup group = MakeGroup(MEMBERS);
        std::vector<uint32_t> counts(MEMBERS);
        for (uint32_t i = 0; i < 1000; ++i)
        {
            ++counts[balancer.Choose(flows.Get(i), group, i)];
            const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
            NS_TEST_EXPECT_MSG_LT_OR_EQ(*most - *least, 1, "after " << i + 1 << " packets");
        }
    }

    /// Each group has a rotation of its own, which begins anew when its members change.
    void CheckGroups(SwitchBalancer& balancer)
    {
        Flows flows;
        const EgressGroup one = MakeGroup(MEMBERS, 0);
        const EgressGroup two = MakeGroup(3, 5);
        std::set<uint32_t> chosen;
        std::set<uint32_t> chosenOfTwo;
        for (uint32_t i = 0; i < 3; ++i)
        {
            chosen.insert(balancer.Choose(flows.Get(i), one, i));
            const uint32_t ofTwo = balancer.Choose(flows.Get(i), two, i);
            NS_TEST_EXPECT_MSG_LT(ofTwo, 3, "a member of the other");
            chosenOfTwo.insert(ofTwo);
        }
        NS_TEST_EXPECT_MSG_EQ(chosen.size(), 3, "the one does not disturb the other");
        NS_TEST_EXPECT_MSG_EQ(chosenOfTwo.size(), 3, "the other does not disturb the one");
        const EgressGroup fewer = MakeGroup(2, 0);
        balancer.GroupChanged(fewer);
        for (uint32_t i = 0; i < 10; ++i)
        {
            NS_TEST_EXPECT_MSG_LT(balancer.Choose(flows.Get(i), fewer, i), 2, "a member");
        }
        balancer.GroupChanged(MakeGroup(4, 9)); // a group that it has not seen
    }
};

FABRIC_TEST_F(RrBalancerTestCase,
              g_balancer,
              "rr and simple-rr: fair rounds, and when their order changes")
{
    Flows flows;
    CheckOrders(MakeBalancer<SimpleRrBalancer>(1), UINT32_MAX);
    CheckOrders(MakeBalancer<RrBalancer>(1), 5);
    Ptr<RrBalancer> other = CreateWith<RrBalancer>({{"Reshuffle", 2}});
    CheckOrders(other, 2);
    CheckFairness(*MakeBalancer<SimpleRrBalancer>(2));
    CheckFairness(*MakeBalancer<RrBalancer>(2));
    CheckGroups(*MakeBalancer<SimpleRrBalancer>(3));
}

FABRIC_TEST_F(RrBalancerTestCase, g_balancer, "All orders are equally likely")
{
    std::map<Order, uint32_t> orders;
    for (int64_t stream = 0; stream < 6000; ++stream)
    {
        ++orders[Round(*MakeBalancer<SimpleRrBalancer>(stream), MakeGroup(3))];
    }
    std::vector<uint32_t> counts;
    for (const auto& entry : orders)
    {
        counts.push_back(entry.second);
    }
    NS_TEST_EXPECT_MSG_EQ(counts.size(), 6, "all orders of three");
    NS_TEST_EXPECT_MSG_LT(Deviation(counts), LIMIT, "equally often");
}

/// What hosts do: one entropy for life, or one a packet drawn uniformly.
struct HostBalancerTestCase : FabricTestCase
{
    /// @param entropies how many there are to draw from
    void CheckRandom(uint32_t entropies)
    {
        Ptr<HostRandomBalancer> balancer =
            CreateWith<HostRandomBalancer>({{"Entropies", entropies}});
        balancer->Start({}, 1);
        std::vector<uint32_t> counts(entropies);
        std::vector<uint32_t> planes(4);
        for (uint32_t i = 0; i < 20 * 0x4000; ++i)
        {
            const auto [entropy, plane, any] = ChoosePath(*balancer, 4);
            NS_TEST_EXPECT_MSG_EQ(any, true, "any plane");
            NS_TEST_ASSERT_MSG_GT_OR_EQ(entropy, PathChoice::FIRST_PORT, "a dynamic port");
            const uint32_t index = entropy - PathChoice::FIRST_PORT;
            NS_TEST_ASSERT_MSG_LT(index, entropies, "one of them");
            if (IsStatusFailure())
            {
                return;
            }
            ++counts[index];
            ++planes[plane];
        }
        if (entropies > 1)
        {
            NS_TEST_EXPECT_MSG_LT(Deviation(counts), LIMIT, entropies << " entropies");
        }
        NS_TEST_EXPECT_MSG_LT(Deviation(planes), LIMIT, "planes");
    }
};

FABRIC_TEST_F(HostBalancerTestCase, g_balancer, "Host balancers: one entropy, or random entropies")
{
    CheckRandom(0x4000);
    CheckRandom(64);
    CheckRandom(1);
}

FABRIC_TEST(g_balancer, "One entropy for life")
{
    Ptr<HostBalancer> balancer = CreateObject<HostBalancer>();
    balancer->Start({}, 1);
    std::vector<uint32_t> planes(4);
    for (uint16_t entropy = 0xC000; entropy < 0xC400; entropy += 4) // multiples of four
    {
        balancer->SetFixedEntropy(entropy);
        const uint32_t plane = ChoosePath(*balancer, 4).plane;
        NS_TEST_ASSERT_MSG_LT(plane, 4, "a plane");
        if (IsStatusFailure())
        {
            return;
        }
        ++planes[plane];
        NS_TEST_EXPECT_MSG_EQ(ChoosePath(*balancer).entropy, entropy, "the entropy");
        NS_TEST_EXPECT_MSG_EQ(ChoosePath(*balancer).entropy, entropy, "and again");
        NS_TEST_EXPECT_MSG_EQ(ChoosePath(*balancer, 4).plane, plane, "in the same plane");
    }
    NS_TEST_EXPECT_MSG_LT(Deviation(planes), LIMIT, "queue pairs use all planes");
}

/// Policies are known by short names made from their types.
struct PolicyRegistryTestCase : FabricTestCase
{
    void Check(const PolicyRegistry& registry, const std::string& name, const std::string& type)
    {
        NS_TEST_ASSERT_MSG_EQ(registry.Has(name), true, name);
        if (IsStatusFailure())
        {
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(registry.Find(name).GetName(), type, name);
        const std::string list = ", " + registry.List() + ",";
        NS_TEST_EXPECT_MSG_NE(list.find(", " + name + ","), std::string::npos, list);
    }
};

FABRIC_TEST_F(PolicyRegistryTestCase, g_balancer, "Names of policies")
{
    const PolicyRegistry balancers("Balancer",
                                   {SwitchBalancer::GetTypeId(), HostBalancer::GetTypeId()});
    Check(balancers, "ecmp", "ns3::aifabric::EcmpBalancer");
    Check(balancers, "rsq", "ns3::aifabric::RsqBalancer");
    Check(balancers, "rr", "ns3::aifabric::RrBalancer");
    Check(balancers, "simple-rr", "ns3::aifabric::SimpleRrBalancer");
    Check(balancers, "jsq", "ns3::aifabric::JsqBalancer");
    Check(balancers, "switch-ar", "ns3::aifabric::SwitchArBalancer");
    Check(balancers, "flowlet", "ns3::aifabric::FlowletBalancer");
    Check(balancers, "conga", "ns3::aifabric::CongaBalancer");
    Check(balancers, "conweave", "ns3::aifabric::ConweaveBalancer");
    Check(balancers, "ofan", "ns3::aifabric::OfanBalancer");
    Check(balancers, "host-random", "ns3::aifabric::HostRandomBalancer");
    for (const char* name : {"", "host", "switch", "Ecmp", "EcmpBalancer", "go-back-n"})
    {
        NS_TEST_EXPECT_MSG_EQ(balancers.Has(name), false, name);
    }
    const PolicyRegistry recoveries("Recovery", {LossRecovery::GetTypeId()});
    Check(recoveries, "go-back-n", "ns3::aifabric::GoBackNRecovery");
    Check(recoveries, "oracle", "ns3::aifabric::OracleRecovery");
    const PolicyRegistry controls("Control", {CongestionControl::GetTypeId()});
    Check(controls, "fixed", "ns3::aifabric::FixedControl");
    std::ostringstream table;
    balancers.Print(table);
    NS_TEST_EXPECT_MSG_NE(table.str().find("Reshuffle [5]"), std::string::npos, table.str());
}
