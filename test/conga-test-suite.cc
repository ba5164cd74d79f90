/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/conga-balancer.h"

static Suite g_conga("ai-fabric-conga");

/// What packets carry between leaves.
struct CongaTestCase : FabricTestCase
{
    static constexpr uint32_t MTU = 4096; //!< payload bytes of a packet

    /// A frame that has come.
    struct Arrival
    {
        uint16_t port{0};  //!< by which port
        uint16_t bytes{0}; //!< length
        uint8_t opcode{0}; //!< what it is
        CongaTag tag;      //!< what it carries
    };

    /// @return a fabric of two leaves and two spines, of 100 Gb/s
    static Ptr<Fabric> MakeFabric(const Attributes& attributes = {})
    {
        ClosHelper helper;
        helper.SetPortAttribute("DataRate", DataRateValue(DataRate("100Gb/s")));
        helper.SetBalancer(FactoryOf("CongaBalancer", attributes));
        return InstallFabric(helper, LeafSpine(2, 2, 2));
    }

    /// Note what a port gets.  @param arrivals where
    void Note(FabricPort& port, std::vector<Arrival>& arrivals)
    {
        const uint16_t index = port.GetIndex();
        Trace(port, "Receive", [&arrivals, index](Ptr<const FabricFrame> frame) {
            arrivals.push_back({index,
                                frame->wireBytes,
                                static_cast<uint8_t>(frame->opcode),
                                frame->GetExtra().conga});
        });
    }

    /// Note what all ports of a switch get that lead up or down.
    void NoteSwitch(const FabricSwitch& fabricSwitch, bool up, std::vector<Arrival>& arrivals)
    {
        const SwitchSite& site = fabricSwitch.GetSite();
        for (std::size_t port = 0; port < fabricSwitch.GetPortCount(); ++port)
        {
            if ((port - site.firstUp < site.upCount) == up)
            {
                Note(*fabricSwitch.GetPort(port), arrivals);
            }
        }
    }
};

FABRIC_TEST_F(CongaTestCase, g_conga, "A tag goes from leaf to leaf, and feedback comes back")
{
    const Ptr<Fabric> fabric = MakeFabric({{"Bits", 7}});
    std::vector<Arrival> atLeaf;
    std::vector<Arrival> atFirstLeaf;
    std::vector<Arrival> atHosts;
    NoteSwitch(*fabric->GetSwitch(1), true, atLeaf);
    NoteSwitch(*fabric->GetSwitch(0), true, atFirstLeaf);
    Note(*fabric->GetNic(0)->GetPort(0), atHosts);
    Note(*fabric->GetNic(2)->GetPort(0), atHosts);
    RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(2)).first->PostWrite(50 * MTU);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(atLeaf.size(), 50, "packets");
    NS_TEST_ASSERT_MSG_EQ(atFirstLeaf.size(), 50, "acknowledgements");
    const uint16_t firstUp = fabric->GetSwitch(0)->GetSite().firstUp;
    for (const Arrival& arrival : atLeaf)
    {
        NS_TEST_EXPECT_MSG_EQ(+arrival.tag.isSet, 1, "between leaves");
        NS_TEST_EXPECT_MSG_EQ(+arrival.tag.uplink, +atLeaf[0].tag.uplink, "one flowlet");
        NS_TEST_EXPECT_MSG_EQ(arrival.port - firstUp, +arrival.tag.uplink, "by that spine");
    }
    NS_TEST_EXPECT_MSG_GT(+atLeaf[49].tag.metric, 20, "the link is used");
    NS_TEST_EXPECT_MSG_EQ(+atLeaf[0].tag.hasFeedback, 0, "nothing has come from there");
    const Arrival& last = atFirstLeaf[49];
    NS_TEST_EXPECT_MSG_EQ(+last.tag.hasFeedback, 1, "an acknowledgement brings it");
    NS_TEST_EXPECT_MSG_EQ(+last.tag.feedbackUplink, +atLeaf[0].tag.uplink, "of the path");
    NS_TEST_EXPECT_MSG_EQ(+last.tag.feedback, +atLeaf[49].tag.metric, "as the packet has met it");
    for (const Arrival& arrival : atHosts)
    {
        NS_TEST_EXPECT_MSG_EQ(+arrival.tag.isSet, 0, "not beyond leaves");
        const uint32_t usual = arrival.opcode == RC_ACK ? 66 : MTU + 62;
        NS_TEST_EXPECT_MSG_LT(arrival.bytes, usual + 17, "no bytes of its own"); // 16: RETH
    }
    const PolicyCounters counters = CountersOf(*fabric->GetSwitch(0)->GetBalancer());
    NS_TEST_EXPECT_MSG_EQ(counters.at("flowlets"), 1, "of packets");
    NS_TEST_EXPECT_MSG_EQ(counters.at("conga_feedbacks"), 50, "in acknowledgements");
}

FABRIC_TEST_F(CongaTestCase, g_conga, "Packets of one leaf have no tag")
{
    const Ptr<Fabric> fabric = MakeFabric();
    std::vector<Arrival> atHosts;
    Note(*fabric->GetNic(0)->GetPort(0), atHosts);
    Note(*fabric->GetNic(1)->GetPort(0), atHosts);
    RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(1)).first->PostWrite(3 * MTU);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(atHosts.size(), 6, "packets and acknowledgements");
    for (const Arrival& arrival : atHosts)
    {
        NS_TEST_EXPECT_MSG_EQ(+arrival.tag.isSet, 0, "no tag");
    }
    const PolicyCounters counters = CountersOf(*fabric->GetSwitch(0)->GetBalancer());
    NS_TEST_EXPECT_MSG_EQ(counters.at("flowlets"), 0, "no choice");
}

FABRIC_TEST_F(CongaTestCase, g_conga, "A flow that comes again leaves a busy path, and no other")
{
    const Ptr<Fabric> fabric = MakeFabric({{"Gap", MicroSeconds(20)}});
    std::vector<Arrival> atLeaf;
    NoteSwitch(*fabric->GetSwitch(1), true, atLeaf);
    const auto [first, firstEnd] = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(2));
    const auto [second, secondEnd] = RoceHelper().Connect(fabric->GetNic(1), fabric->GetNic(3));
    first->PostWrite(MTU);
    Simulator::Stop(MicroSeconds(500)); // the path is empty again
    Simulator::Run();
    first->PostWrite(MTU);
    Simulator::Stop(MicroSeconds(500));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(atLeaf.size(), 2, "packets");
    NS_TEST_EXPECT_MSG_EQ(+atLeaf[0].tag.uplink, +atLeaf[1].tag.uplink, "no path is better");
    second->PostWrite(500 * MTU);
    Simulator::Stop(MicroSeconds(100));
    Simulator::Run();
    atLeaf.clear();
    second->PostWrite(MTU); // its flowlet goes on
    first->PostWrite(MTU);
    Simulator::Stop(MicroSeconds(500));
    Simulator::Run();
    std::map<uint8_t, uint32_t> packets;
    for (const Arrival& arrival : atLeaf)
    {
        ++packets[arrival.tag.uplink];
    }
    NS_TEST_ASSERT_MSG_EQ(packets.size(), 2, "two paths");
    NS_TEST_EXPECT_MSG_EQ(std::min(packets[0], packets[1]), 1, "the first flow has one of its own");
}

FABRIC_TEST_F(CongaTestCase, g_conga, "Fabrics of three tiers are refused")
{
    const Ptr<CongaBalancer> balancer = CreateObject<CongaBalancer>();
    NS_TEST_EXPECT_MSG_NE(balancer->FindObstacle(FatTree(4)), "", "three tiers");
    NS_TEST_EXPECT_MSG_EQ(balancer->FindObstacle(LeafSpine(4, 4, 4)), "", "two tiers");
    NS_TEST_EXPECT_MSG_NE(balancer->FindObstacle(LeafSpine(2, 300, 1)), "", "300 uplinks");
}
