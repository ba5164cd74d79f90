/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/conweave-balancer.h"
#include "ns3/shared-buffer.h"

static Suite g_conweave("ai-fabric-conweave");

/// Flows that leave a path, and the switch that puts them in order.
struct ConweaveTestCase : FabricTestCase
{
    static constexpr uint32_t MTU = 4096; //!< payload bytes of a packet

    /// Build two leaves and 64 spines, of 100 Gb/s, and note what hosts get.
    void Build(const Attributes& attributes)
    {
        ClosHelper helper;
        helper.SetPortAttribute("DataRate", DataRateValue(DataRate("100Gb/s")));
        helper.SetBalancer(FactoryOf("ConweaveBalancer", attributes));
        helper.SetAdmission(FactoryOf("SharedBuffer"));
        m_fabric = InstallFabric(helper, LeafSpine(2, 64, 2));
        m_first = m_fabric->GetSwitch(0);
        m_last = m_fabric->GetSwitch(1);
        for (uint32_t host = 0; host < 4; ++host)
        {
            Trace(*m_fabric->GetNic(host)->GetPort(0),
                  "Receive",
                  [this](Ptr<const FabricFrame> frame) {
                      NS_TEST_EXPECT_MSG_EQ((frame->opcode != CONWEAVE_CONTROL),
                                            true,
                                            "not for hosts");
                      if (frame->payload > 0)
                      {
                          m_psns.push_back(frame->psn);
                      }
                  });
        }
    }

    /// Host 0 writes to host 2, and the path that it takes stands still from 2 to 62 us.
    void Write()
    {
        RoceHelper().Connect(m_fabric->GetNic(0), m_fabric->GetNic(2)).first->PostWrite(200 * MTU);
        Simulator::Stop(MicroSeconds(2));
        Simulator::Run();
        const SwitchSite& site = m_first->GetSite();
        for (uint16_t port = site.firstUp; port < site.firstUp + site.upCount; ++port)
        {
            FabricTransmitter& transmitter = m_first->GetPort(port)->GetTransmitter();
            if (transmitter.GetSentBytes() > 0)
            {
                constexpr int64_t US = 1000000; // picoseconds
                transmitter.Pause(0xFF, 62 * US, 2 * US);
            }
        }
    }

    /// Frames in = frames out + dropped + consumed + those that wait, in a switch.
    void CheckConservation(const FabricSwitch& fabricSwitch)
    {
        uint64_t dropped = 0;
        for (uint8_t reason = 0; reason < FabricSwitch::DROP_REASONS; ++reason)
        {
            dropped += fabricSwitch.GetDropped(static_cast<FabricSwitch::DropReason>(reason));
        }
        NS_TEST_EXPECT_MSG_EQ(fabricSwitch.GetReceived() + fabricSwitch.GetOriginated(),
                              fabricSwitch.GetForwarded() + dropped + fabricSwitch.GetConsumed() +
                                  fabricSwitch.GetReordering(),
                              "frames of a switch");
    }

    Ptr<Fabric> m_fabric;         //!< the fabric
    Ptr<FabricSwitch> m_first;    //!< leaf of the sender
    Ptr<FabricSwitch> m_last;     //!< leaf of the receiver
    std::vector<uint32_t> m_psns; //!< of the packets that hosts got, in their order
};

FABRIC_TEST_F(ConweaveTestCase, g_conweave, "Packets that overtake a TAIL wait in the buffer")
{
    Build({{"ReplyTimeout", MicroSeconds(3)}, {"ResumeExtra", MilliSeconds(1)}});
    Write();
    Simulator::Stop(MicroSeconds(28));
    Simulator::Run();
    m_last->CatchUp(MicroSeconds(30).GetPicoSeconds());
    const uint32_t held = m_last->GetReordering();
    const auto buffer = DynamicCast<SharedBuffer>(m_last->GetAdmission());
    const FabricTransmitter& egress = m_last->GetPort(0)->GetTransmitter();
    NS_TEST_ASSERT_MSG_GT(held, 10, "packets wait");
    NS_TEST_EXPECT_MSG_EQ(egress.GetWaitingFrames(), held, "for their port");
    NS_TEST_EXPECT_MSG_EQ(egress.GetWaitingBytes(), buffer->GetOccupancy(), "in the memory");
    NS_TEST_EXPECT_MSG_EQ(egress.GetLane(3).GetFrames(), 0, "and in no other queue");
    CheckConservation(*m_last);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(m_last->GetReordering(), 0, "all are released");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetOccupancy(), 0, "the memory is free");
    NS_TEST_ASSERT_MSG_EQ(m_psns.size(), 200, "packets");
    NS_TEST_EXPECT_MSG_EQ(std::is_sorted(m_psns.begin(), m_psns.end()), true, "in order");
    CheckConservation(*m_first);
    CheckConservation(*m_last);
    const PolicyCounters sink = CountersOf(*m_last->GetBalancer());
    NS_TEST_EXPECT_MSG_GT(sink.at("conweave_held"), held, "packets have waited");
    NS_TEST_EXPECT_MSG_EQ(sink.at("conweave_timeouts"), 0, "until the TAIL came");
    NS_TEST_EXPECT_MSG_EQ(m_last->GetOriginated(), sink.at("conweave_controls"), "control packets");
    NS_TEST_EXPECT_MSG_EQ(m_first->GetConsumed(), sink.at("conweave_controls"), "which arrive");
    const PolicyCounters source = CountersOf(*m_first->GetBalancer());
    NS_TEST_EXPECT_MSG_GT(source.at("conweave_clears"), 0, "and end the epoch");
}

FABRIC_TEST_F(ConweaveTestCase, g_conweave, "A TAIL that does not come in time is not waited for")
{
    Build({{"ReplyTimeout", MicroSeconds(3)},
           {"ResumeExtra", MicroSeconds(5)},
           {"ResumeDefault", MicroSeconds(5)}}); // the whole epoch stands still
    Write();
    Simulator::Run();
    const PolicyCounters sink = CountersOf(*m_last->GetBalancer());
    NS_TEST_EXPECT_MSG_GT(sink.at("conweave_timeouts"), 0, "a timer ended");
    NS_TEST_EXPECT_MSG_EQ(std::is_sorted(m_psns.begin(), m_psns.end()), false, "disorder");
    NS_TEST_EXPECT_MSG_EQ(m_last->GetReordering(), 0, "all are released");
    CheckConservation(*m_last);
}

FABRIC_TEST_F(ConweaveTestCase, g_conweave, "Fabrics of three tiers are refused")
{
    const Ptr<ConweaveBalancer> balancer = CreateObject<ConweaveBalancer>();
    NS_TEST_EXPECT_MSG_NE(balancer->FindObstacle(FatTree(4)), "", "three tiers");
    NS_TEST_EXPECT_MSG_EQ(balancer->FindObstacle(LeafSpine(4, 4, 4)), "", "two tiers");
    NS_TEST_EXPECT_MSG_NE(balancer->FindObstacle(LeafSpine(2, 300, 1)), "", "300 uplinks");
}
