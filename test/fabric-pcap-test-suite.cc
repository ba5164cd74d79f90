/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/net-device-container.h"
#include "ns3/packet.h"
#include "ns3/pcap-file.h"

#include <fstream>

static Suite g_fabricPcap("ai-fabric-pcap", TestSuite::Type::SYSTEM);

namespace
{

/// What a capture should contain of one frame.
struct Sighting
{
    int64_t time;    //!< in ns
    uint32_t bytes;  //!< of the frame without FCS
    uint32_t psn;    //!< of the packet
    uint32_t opcode; //!< of the packet
    uint32_t source; //!< host

    /// @return whether both are the same
    bool operator==(const Sighting& other) const
    {
        return time == other.time && bytes == other.bytes && psn == other.psn &&
               opcode == other.opcode && source == other.source;
    }
};

/// @return the sighting of a frame now
Sighting
See(const FabricFrame& frame)
{
    return Sighting{Simulator::Now().GetNanoSeconds(),
                    FrameCodec::WireBytes(frame) - FrameCodec::FCS_SIZE,
                    frame.psn,
                    frame.opcode,
                    frame.source};
}

/// What comes of a run.
struct RunResult
{
    std::vector<Time> completions; //!< of the flows
    std::vector<uint64_t> sent;    //!< bytes that were sent, by link and end
    uint64_t events{0};            //!< that the run took
    uint64_t captured{0};          //!< frames sent by the device that was captured on
};

} // namespace

/// Capturing on one device changes nothing but the events of that device, and the file says what
/// crossed it, and when.
struct FabricPcapTestCase : FabricTestCase
{
    /// Picks the device to capture on.
    using Picker = std::function<Ptr<FabricNetDevice>(const Fabric&)>;

    /// @return what comes of it  @param picker where to capture, or nullptr
    RunResult Run(const std::string& name, const Picker& picker)
    {
        RunResult result;
        Ptr<Fabric> fabric = InstallFabric(ClosHelper(), LeafSpine(2, 2, 3));
        std::vector<Flow> flows;
        for (uint32_t i = 0; i < 18; ++i)
        {
            const uint32_t other = (i * i + i / 6 + 1) % 6;
            const uint32_t destination = other == i % 6 ? (i + 3) % 6 : other;
            flows.push_back(MakeFlow(i % 6, destination, 100000 + i, i * 777777));
        }
        Ptr<FabricNetDevice> device = picker ? picker(*fabric) : nullptr;
        m_seen.clear();
        if (device)
        {
            RoceHelper().EnablePcap(name, device, true, true);
            Watch(*device);
        }
        Ptr<FlowDriver> driver = StartFlows(*fabric, flows);
        Simulator::Run();
        fabric->CatchUp();
        for (const FlowRecord& record : driver->GetService()->GetRecords())
        {
            NS_TEST_EXPECT_MSG_EQ(record.completed, true, "the flow completes");
            result.completions.push_back(record.completedAt);
        }
        for (uint32_t link = 0; link < fabric->GetChannelCount(); ++link)
        {
            for (std::size_t end : {0, 1})
            {
                const auto& tx = fabric->GetChannel(link)->GetPort(end)->GetTransmitter();
                result.sent.push_back(tx.GetCounters().sentBytes);
            }
        }
        result.events = Simulator::GetEventCount();
        result.captured =
            device ? device->GetPort(0)->GetTransmitter().GetCounters().sentFrames : 0;
        driver->Dispose();
        fabric->Dispose();
        Simulator::Destroy();
        return result;
    }

    /// Note what a capture on a device should contain.
    void Watch(const FabricNetDevice& device)
    {
        for (const char* trace : {"Send", "Receive"})
        {
            Trace(*device.GetPort(0), trace, [this](Ptr<const FabricFrame> frame) {
                m_seen.push_back(See(*frame));
            });
        }
    }

    /// @param name a capture file, which should contain what was seen
    void CheckFile(const std::string& name)
    {
        PcapFile file;
        file.Open(name, std::ios::in);
        NS_TEST_ASSERT_MSG_EQ(file.Fail(), false, "readable");
        if (IsStatusFailure())
        {
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(file.IsNanoSecMode(), true, "a clock of nanoseconds");
        NS_TEST_EXPECT_MSG_EQ(file.GetDataLinkType(), 1, "Ethernet");
        Ptr<FabricFramePool> pool = Create<FabricFramePool>();
        std::size_t count = 0;
        uint32_t answers = 0;
        while (true)
        {
            std::vector<uint8_t> bytes(65536);
            uint32_t seconds = 0;
            uint32_t nanoseconds = 0;
            uint32_t included = 0;
            uint32_t original = 0;
            uint32_t length = 0;
            file.Read(bytes.data(), bytes.size(), seconds, nanoseconds, included, original, length);
            if (file.Eof())
            {
                break;
            }
            NS_TEST_ASSERT_MSG_EQ(file.Fail(), false, "record " << count);
            NS_TEST_ASSERT_MSG_LT(count, m_seen.size(), "no more than was seen");
            if (IsStatusFailure())
            {
                return;
            }
            NS_TEST_EXPECT_MSG_EQ(included, original, "frames are whole");
            Ptr<FabricFrame> frame =
                FrameCodec::Deserialize(Create<Packet>(bytes.data(), length), *pool);
            NS_TEST_ASSERT_MSG_NE(PeekPointer(frame), nullptr, "record " << count << " is a frame");
            if (IsStatusFailure())
            {
                return;
            }
            const Sighting read{seconds * 1000000000LL + nanoseconds,
                                original,
                                frame->psn,
                                frame->opcode,
                                frame->source};
            NS_TEST_EXPECT_MSG_EQ((read == m_seen[count]), true, "record " << count);
            answers += frame->opcode == RC_ACK;
            ++count;
        }
        NS_TEST_EXPECT_MSG_EQ(count, m_seen.size(), "all that was seen");
        NS_TEST_EXPECT_MSG_GT(answers, 0, "in both directions");
    }

    std::vector<Sighting> m_seen; //!< what crossed the device
};

FABRIC_TEST_F(FabricPcapTestCase, g_fabricPcap, "Captures on a NIC and on a switch port")
{
    const RunResult plain = Run("", nullptr);
    const Picker nic = [](const Fabric& fabric) { return fabric.GetNic(0); };
    const Picker down = [](const Fabric& fabric) {
        return Ptr<FabricNetDevice>(fabric.GetSwitch(0)->GetPort(0)->GetDevice());
    };
    const Picker up = [](const Fabric& fabric) {
        return Ptr<FabricNetDevice>(fabric.GetSwitch(1)->GetPort(2)->GetDevice());
    };
    uint32_t number = 0;
    for (const Picker& picker : {nic, down, up})
    {
        const std::string name =
            CreateTempDirFilename("capture-" + std::to_string(number++) + ".pcap");
        const RunResult captured = Run(name, picker);
        NS_TEST_EXPECT_MSG_EQ((captured.completions == plain.completions),
                              true,
                              "the flows complete when they did");
        NS_TEST_EXPECT_MSG_EQ((captured.sent == plain.sent), true, "all ports send the same");
        NS_TEST_EXPECT_MSG_GT(captured.captured, 100, "something crosses the device");
        NS_TEST_EXPECT_MSG_GT(captured.events, plain.events, "it schedules its departures");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(captured.events,
                                    plain.events + captured.captured,
                                    "and no other device does");
        CheckFile(name);
    }
}

FABRIC_TEST(g_fabricPcap, "The names of files made from a prefix")
{
    const std::string prefix = CreateTempDirFilename("prefix");
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    RoceHelper roce;
    roce.EnablePcapAll(prefix);
    roce.EnablePcap(prefix + "-plain", NetDeviceContainer(fabric->GetNic(1)));
    for (const char* name : {"-0-0", "-1-0", "-2-0", "-2-2", "-3-0", "-plain-1-0"})
    {
        const std::string file = prefix + name + ".pcap";
        NS_TEST_EXPECT_MSG_EQ(std::ifstream(file).good(), true, file);
    }
    fabric->Dispose();
}
