/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/ack-bypass.h"
#include "ns3/oracle-recovery.h"
#include "ns3/rsq-balancer.h"

static Suite g_ackBypass("ai-fabric-ack-bypass");

namespace
{

constexpr uint32_t K = 4;                //!< of the fat-tree
constexpr uint64_t MTU = 4096;           //!< payload of a full packet, in bytes
constexpr uint64_t DATA_BYTES = 62;      //!< of a packet beside its payload
constexpr uint64_t RETH_BYTES = 16;      //!< of the first packet of a message besides
constexpr int64_t HOP_TIME_PS = 500'640; //!< of an acknowledgement: 0.5 us and 64 bytes

/// A fat-tree whose acknowledgements bypass it.
struct BypassedFabric
{
    /// @param chargesReth whether the RETH of first packets takes its bytes on the wire
    explicit BypassedFabric(bool chargesReth = true)
        : graph(FatTree(K))
    {
        ClosHelper helper =
            ClosOf({{"RecoveryType", OracleRecovery::GetTypeId()}, {"ChargeReth", chargesReth}});
        helper.SetBalancer(FactoryOf("RsqBalancer"));
        fabric = InstallFabric(helper, graph);
        const std::vector<Ptr<RoceNetDevice>>& nics = fabric->GetNicList();
        bypass = CreateObject<AckBypass>();
        bypass->Install(graph, nics);
    }

    ~BypassedFabric()
    {
        bypass->Dispose();
    }

    FabricGraph graph;     //!< the fabric's description
    Ptr<Fabric> fabric;    //!< the fabric
    Ptr<AckBypass> bypass; //!< who carries acknowledgements
};

/// An acknowledgement arrives as late as if it had crossed the links of a shortest path.
struct AckBypassDelayTestCase : FabricTestCase
{
    /// @param hopTimePs time for each link
    void Check(int64_t hopTimePs)
    {
        BypassedFabric bypassed;
        bypassed.bypass->SetAttribute("HopTime", TimeValue(PicoSeconds(hopTimePs)));
        // Beside each other, in one pod, in two pods: one packet each, none in another one's way.
        const std::vector<Flow> flows{{0, 0, 1, MTU}, {0, 4, 6, MTU}, {0, 8, 15, MTU}};
        const Ptr<FlowDriver> driver = StartFlows(*bypassed.fabric, flows);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(driver->GetService()->GetCompleted(), flows.size(), "all complete");
        for (const FlowRecord& record : driver->GetService()->GetRecords())
        {
            const int64_t links =
                bypassed.graph.PathLinks(record.flow.source, record.flow.destination);
            NS_TEST_EXPECT_MSG_EQ((record.completedAt - record.receivedAt).GetPicoSeconds(),
                                  links * hopTimePs,
                                  links << " links");
        }
        driver->Dispose();
        bypassed.fabric->Dispose();
    }
};

/// In a permutation, every port carries data and nothing else, and each packet is acknowledged
/// once.
struct AckBypassBytesTestCase : FabricTestCase
{
    /// @param chargesReth whether the RETH of first packets takes its bytes on the wire
    void Check(bool chargesReth)
    {
        constexpr uint64_t PACKETS = 24;
        BypassedFabric bypassed(chargesReth);
        const uint32_t hosts = bypassed.graph.HostCount();
        const std::vector<Flow> flows = RandomPermutation(hosts, PACKETS * MTU, Uniform(5));
        const Ptr<FlowDriver> driver = StartFlows(*bypassed.fabric, flows);
        Simulator::Run();
        bypassed.fabric->CatchUp();
        NS_TEST_ASSERT_MSG_EQ(driver->GetService()->GetCompleted(), hosts, "all complete");
        NS_TEST_EXPECT_MSG_EQ(bypassed.bypass->GetCarried(), hosts * PACKETS, "one a packet");

        uint64_t frames = 0;
        uint64_t bytes = 0;
        ForEachPort(*bypassed.fabric, [&frames, &bytes](FabricPort& port) {
            frames += port.GetTransmitter().GetCounters().sentFrames;
            bytes += port.GetTransmitter().GetCounters().sentBytes;
        });
        uint64_t hops = 0;
        for (const Flow& flow : flows)
        {
            hops += bypassed.graph.PathLinks(flow.source, flow.destination);
        }
        NS_TEST_EXPECT_MSG_EQ(frames, hops * PACKETS, "data packets and nothing else");
        NS_TEST_EXPECT_MSG_EQ(bytes,
                              hops *
                                  (PACKETS * (MTU + DATA_BYTES) + (chargesReth ? RETH_BYTES : 0)),
                              "and their bytes");
        driver->Dispose();
        bypassed.fabric->Dispose();
    }
};

FABRIC_ROWS(g_ackBypass)
{
    rows.AddRow<AckBypassDelayTestCase>("each hop delays an acknowledgement", HOP_TIME_PS);
    rows.AddRow<AckBypassDelayTestCase>("hops may take no time", 0);
    rows.AddRow<AckBypassBytesTestCase>("no port carries an acknowledgement", true);
    rows.AddRow<AckBypassBytesTestCase>("all data packets have the same bytes", false);
}

} // namespace
