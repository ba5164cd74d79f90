/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/dscp-table.h"
#include "ns3/fabric-port.h"

static Suite g_dscpTable("ai-fabric-dscp-table", TestSuite::Type::SYSTEM);

namespace
{

Ptr<DscpTable>
MakeTable(const std::string& classes)
{
    return CreateWith<DscpTable>({{"Classes", classes}});
}

/// Classes that ports gave to frames of a DSCP.
using ClassesOfDscps = std::map<uint8_t, std::set<uint8_t>>;

/// Notes the classes of frames that ports send.
struct ClassLog
{
    /// Note what a port sends.
    static void Watch(FabricPort& port, ClassesOfDscps& where)
    {
        Trace(port, "Send", [&where](Ptr<const FabricFrame> frame) {
            if (frame->kind == FrameKind::ROCE)
            {
                const uint8_t dscp = frame->GetTos() >> 2;
                where[dscp].insert(frame->GetClass());
            }
        });
    }
};

} // namespace

/// The text of the attribute and the classes; by default the class selectors.
FABRIC_TEST(g_dscpTable, "The text of a table")
{
    const Ptr<DscpTable> usual = CreateObject<DscpTable>();
    NS_TEST_EXPECT_MSG_EQ(usual->IsUsual(), true, "by default");
    for (uint8_t dscp = 0; dscp < DscpTable::DSCPS; ++dscp)
    {
        NS_TEST_EXPECT_MSG_EQ(+usual->GetClass(dscp), dscp / 8, "class selector");
    }
    const Ptr<DscpTable> own = MakeTable("26:5,46-63:7");
    NS_TEST_EXPECT_MSG_EQ(own->IsUsual(), false, "another class");
    NS_TEST_EXPECT_MSG_EQ(own->IsEqual(*usual), false, "another class");
    for (uint8_t dscp = 0; dscp < DscpTable::DSCPS; ++dscp)
    {
        const int expected = dscp == 26 ? 5 : dscp >= 46 ? 7 : dscp / 8;
        NS_TEST_EXPECT_MSG_EQ(+own->GetClass(dscp), expected, "DSCP " << +dscp);
    }
    StringValue text;
    own->GetAttribute("Classes", text);
    NS_TEST_EXPECT_MSG_EQ(MakeTable(text.Get())->IsEqual(*own), true, text.Get());
    NS_TEST_EXPECT_MSG_EQ(MakeTable("24-31:3")->IsUsual(), true, "the same in other words");
    NS_TEST_EXPECT_MSG_EQ(MakeTable("")->IsUsual(), true, "no entry");
    const Ptr<FabricPort> port = CreateObject<FabricPort>();
    NS_TEST_EXPECT_MSG_EQ(port->GetDscpTable()->IsUsual(), true, "a port makes a table");
}

/// NICs and switches put frames into the queues that the table says: data, acknowledgements and
/// frames that are trimmed; and PFC pauses the class of the table.
struct DscpTableUseTestCase : FabricTestCase
{
    /// Forget a fabric and all defaults.
    static void EndFabric()
    {
        Simulator::Destroy();
        Config::Reset();
    }
};

/// Data and acknowledgements between two hosts; the default of the attribute counts.
FABRIC_TEST_F(DscpTableUseTestCase, g_dscpTable, "DSCP table use: RoCE")
{
    Default("DscpTable::Classes", "26:5,40:2");
    Default("RcQueuePair::AckDscp", 40);
    ClosHelper helper = ClosOf({}, {{"Classes", 0xFF}});
    const Ptr<Fabric> fabric = helper.Install(LeafSpine(2, 2, 2));
    NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(0)->GetPort(0)->GetDscpTable(),
                          fabric->GetSwitch(0)->GetPort(1)->GetDscpTable(),
                          "ports share one table");
    ClassesOfDscps classes;
    ForEachPort(*fabric, [&classes](FabricPort& port) { ClassLog::Watch(port, classes); });
    const auto ends = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(3));
    ends.first->PostWrite(100000);
    Simulator::Run();
    const ClassesOfDscps expected = {{26, {5}}, {40, {2}}};
    NS_TEST_EXPECT_MSG_EQ((classes == expected), true, "everywhere");
    NS_TEST_EXPECT_MSG_EQ(+ends.first->GetClass(), 5, "the queue pair");
    const FabricTransmitter& last = fabric->GetSwitch(1)->GetPort(1)->GetTransmitter();
    NS_TEST_EXPECT_MSG_EQ(last.GetLane(5).GetEnqueuedFrames(), 25, "in the queue of data");
    NS_TEST_EXPECT_MSG_EQ(last.GetLane(3).GetEnqueuedFrames(), 0, "not where it would be");
    EndFabric();
}

/// Only NICs have a table of their own: behind the first switch all is as usual.
FABRIC_TEST_F(DscpTableUseTestCase, g_dscpTable, "DSCP table use: NICs only")
{
    ClosHelper helper;
    helper.SetNicPortAttribute("DscpTable", PointerValue(MakeTable("26:6")));
    const Ptr<Fabric> fabric = helper.Install(LeafSpine(2, 2, 2));
    ClassesOfDscps atNics;
    ClassesOfDscps atSwitches;
    for (uint32_t host = 0; host < 4; ++host)
    {
        ClassLog::Watch(*fabric->GetNic(host)->GetPort(0), atNics);
    }
    for (uint32_t id = 0; id < fabric->GetSwitchCount(); ++id)
    {
        for (std::size_t port = 0; port < fabric->GetSwitch(id)->GetPortCount(); ++port)
        {
            ClassLog::Watch(*fabric->GetSwitch(id)->GetPort(port), atSwitches);
        }
    }
    RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(3)).first->PostWrite(100000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((atNics == ClassesOfDscps{{26, {6}}}), true, "at NICs");
    NS_TEST_EXPECT_MSG_EQ((atSwitches == ClassesOfDscps{{26, {3}}}), true, "at switches");
    EndFabric();
}

/// A frame that is trimmed gets the class of its new DSCP.
FABRIC_TEST_F(DscpTableUseTestCase, g_dscpTable, "DSCP table use: trimming")
{
    Default("DscpTable::Classes", "50:4,52:7");
    ClosHelper helper = ClosOf({}, {{"Classes", 0xFF}});
    const ObjectFactory buffer = FactoryOf("TrimmingBuffer", {{"PortBytes", 20000}});
    helper.SetAdmission(buffer);
    const Ptr<Fabric> fabric = helper.Install(LeafSpine(2, 1, 4));
    ClassesOfDscps classes;
    ForEachPort(*fabric, [&classes](FabricPort& port) { ClassLog::Watch(port, classes); });
    for (const uint32_t source : {0, 1, 2, 3, 4, 5})
    {
        for (uint32_t i = 0; i < 50; ++i)
        {
            Ptr<FabricFrame> frame = MakeFrame(*fabric, source, 7, LOSSLESS_CLASS, 4158);
            frame->payload = 4096;
            SendFrame(*fabric, frame);
        }
    }
    Simulator::Run();
    const ClassesOfDscps expected = {{24, {3}}, {50, {4}}, {52, {7}}};
    NS_TEST_EXPECT_MSG_EQ((classes == expected), true, "of trimmed frames");
    EndFabric();
}

/// PFC pauses the class to which the table maps the data.
FABRIC_TEST_F(DscpTableUseTestCase, g_dscpTable, "DSCP table use: lossless")
{
    Default("DscpTable::Classes", "26:5");
    ClosHelper helper = ClosOf({}, {{"Classes", 0x29}});
    helper.SetAdmission(BufferFactory(3000000, 1 << 5));
    const Ptr<Fabric> fabric = helper.Install(LeafSpine(2, 2, 4));
    const auto driver = StartFlows(*fabric, Incast(8, 7, 0, 1000000, Uniform(1)));
    Simulator::Run();
    uint64_t pauses = 0;
    for (uint32_t id = 0; id < fabric->GetSwitchCount(); ++id)
    {
        pauses += GetBuffer(*fabric, id).GetCounters().pauses;
    }
    NS_TEST_EXPECT_MSG_GT(pauses, 0, "senders are paused");
    NS_TEST_EXPECT_MSG_EQ(CountRefused(*fabric), 0, "nothing is dropped");
    EndFabric();
}

/// A frame that begins in a switch has the class of the table, by either way of sending it.
FABRIC_TEST_F(DscpTableUseTestCase, g_dscpTable, "DSCP table use: originated")
{
    Default("DscpTable::Classes", "24:5");
    ClosHelper helper = ClosOf({}, {{"Classes", 0xFF}});
    const Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 2));
    ClassesOfDscps classes;
    ForEachPort(*fabric, [&classes](FabricPort& port) { ClassLog::Watch(port, classes); });
    FabricSwitch& leaf = *fabric->GetSwitch(0);
    for (const bool byPort : {false, true})
    {
        ScheduleFunction(MicroSeconds(1), [&fabric, &leaf, byPort]() {
            const Ptr<FabricFrame> frame = MakeFrame(*fabric, 0, 1, LOSSLESS_CLASS, 1000);
            byPort ? leaf.SendBy(frame, 1, FabricClock::Now())
                   : leaf.Originate(frame, FabricClock::Now());
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((classes == ClassesOfDscps{{24, {5}}}), true, "its class");
        classes.clear();
    }
    EndFabric();
}
