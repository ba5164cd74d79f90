/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/frame-codec.h"
#include "ns3/path-telemetry.h"

static Suite g_telemetry("ai-fabric-telemetry-stage");

/// What switches report, and who carries it.
struct TelemetryStageTestCase : FabricTestCase
{
    static constexpr uint32_t MTU = 4096; //!< payload bytes of a packet

    /// What came by a port.
    struct Arrival
    {
        PathTelemetry telemetry; //!< what it carried
        uint32_t more{0};        //!< bytes beyond its headers and payload
        uint8_t opcode{0};       //!< what it is
    };

    /// @return a fabric of two leaves and a spine whose switches report
    static Ptr<Fabric> MakeFabric()
    {
        ClosHelper helper;
        helper.SetPortAttribute("DataRate", DataRateValue(DataRate("100Gb/s")));
        helper.SetEgressStage(FactoryOf("TelemetryStage"));
        return InstallFabric(helper, LeafSpine(2, 1, 2));
    }

    /// Note what a host gets.  @param arrivals where
    void Note(const Fabric& fabric, uint32_t host, std::vector<Arrival>& arrivals)
    {
        Trace(*fabric.GetNic(host)->GetPort(0),
              "Receive",
              [this, &arrivals](Ptr<const FabricFrame> frame) {
                  const PathTelemetry* telemetry = frame->FindTelemetry();
                  NS_TEST_ASSERT_MSG_NE(telemetry, nullptr, "all frames of RC carry telemetry");
                  const uint32_t usual =
                      FrameCodec::RoceWireBytes(frame->opcode, frame->payload, false);
                  arrivals.push_back(
                      {*telemetry, frame->wireBytes - usual, static_cast<uint8_t>(frame->opcode)});
              });
    }

    /// Compare what a packet and its acknowledgement carry.
    void CheckEqual(const PathTelemetry& packet, const PathTelemetry& answer)
    {
        NS_TEST_ASSERT_MSG_EQ(packet.hops, answer.hops, "hops");
        NS_TEST_EXPECT_MSG_EQ(packet.path, answer.path, "path");
        for (uint32_t i = 0; i < packet.hops; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(packet.hop[i].GetTimeSince(answer.hop[i]), 0, "time");
            NS_TEST_EXPECT_MSG_EQ(packet.hop[i].GetBytesSince(answer.hop[i]), 0, "bytes");
            NS_TEST_EXPECT_MSG_EQ(packet.hop[i].queue, answer.hop[i].queue, "queue");
            NS_TEST_EXPECT_MSG_EQ(packet.hop[i].GetRate(), answer.hop[i].GetRate(), "rate");
        }
    }
};

FABRIC_TEST_F(TelemetryStageTestCase,
              g_telemetry,
              "Three switches report on two packets, and acknowledgements bring that back")
{
    const Ptr<Fabric> fabric = MakeFabric();
    const auto [near, far] = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(2));
    std::vector<Arrival> data;
    std::vector<Arrival> acks;
    Note(*fabric, 2, data);
    Note(*fabric, 0, acks);
    near->PostWrite(2 * MTU);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(data.size(), 2, "packets");
    NS_TEST_ASSERT_MSG_EQ(acks.size(), 2, "acknowledgements");
    for (uint32_t packet = 0; packet < 2; ++packet)
    {
        const PathTelemetry& telemetry = data[packet].telemetry;
        NS_TEST_ASSERT_MSG_EQ(telemetry.hops, 3, "leaf, spine, leaf");
        NS_TEST_EXPECT_MSG_EQ(data[packet].more, PathTelemetry::BYTES, "42 bytes on the wire");
        NS_TEST_EXPECT_MSG_EQ(+acks[packet].opcode, +RC_ACK, "an acknowledgement");
        CheckEqual(telemetry, acks[packet].telemetry);
        for (const HopTelemetry& hop : {telemetry.hop[0], telemetry.hop[1], telemetry.hop[2]})
        {
            NS_TEST_EXPECT_MSG_EQ(hop.queue, 0, "nothing waits");
            NS_TEST_EXPECT_MSG_EQ(hop.GetRate(), 12.5, "100 Gb/s");
            const uint32_t first = MTU + 62 + 16 + PathTelemetry::BYTES; // with an RETH
            NS_TEST_EXPECT_MSG_EQ(hop.sent, (packet == 0 ? 0 : first / 128), "bytes sent before");
        }
        for (uint32_t i = 1; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_GT(telemetry.hop[i].GetTimeSince(telemetry.hop[i - 1]),
                                  300,
                                  "a packet takes more than 330 ns a link");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(data[0].telemetry.path, data[1].telemetry.path, "one path");
}

FABRIC_TEST_F(TelemetryStageTestCase, g_telemetry, "Queues and slower links are reported")
{
    const Ptr<Fabric> fabric = MakeFabric();
    for (uint32_t link = 0; link < fabric->GetChannelCount(); ++link)
    {
        fabric->GetChannel(link)->SetRateFactor(0.5004);
    }
    std::vector<Arrival> data;
    Note(*fabric, 2, data);
    for (const uint32_t host : {0, 1})
    {
        RoceHelper().Connect(fabric->GetNic(host), fabric->GetNic(2)).first->PostWrite(20 * MTU);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(data.size(), 40, "packets");
    uint32_t longest = 0;
    for (const Arrival& arrival : data)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(arrival.telemetry.hop[0].GetRate(),
                                  6.255,
                                  1e-6,
                                  "50.04 Gb/s, not rounded");
        longest = std::max(longest, arrival.telemetry.hop[0].GetQueueBytes());
    }
    NS_TEST_EXPECT_MSG_GT(longest, 15 * MTU, "two hosts share the uplink");
    NS_TEST_EXPECT_MSG_LT(longest, 20 * (MTU + 200), "and half of what they send waits");
}
