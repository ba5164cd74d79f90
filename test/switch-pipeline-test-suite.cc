/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../examples/mirror-stage.h"
#include "fabric-test.h"

#include "ns3/ingress-stage.h"
#include "ns3/loss-oracle.h"
#include "ns3/mac48-address.h"
#include "ns3/port-buffer.h"
#include "ns3/step-marker.h"
#include "ns3/trimming-buffer.h"

/// The switch as a pipeline: ingress stage, trimming, place of the marker, flush.
static Suite g_switchPipeline("ai-fabric-switch-pipeline");

namespace
{

constexpr uint16_t FRAME_BYTES = 1000; //!< bytes of a frame
constexpr uint32_t LEAF = 0;           //!< the switch that is tested

/// A stage that a test writes down where it uses it.
struct TestStage : IngressStage
{
    /// Lets a frame pass, or not.
    using Rule = std::function<bool(FabricSwitch&, const Ptr<FabricFrame>&, int64_t)>;

    explicit TestStage(const Rule& rule)
        : m_rule(rule)
    {
    }

    void Install(FabricSwitch& fabricSwitch) override
    {
        m_switch = &fabricSwitch;
    }

    bool Passes(const Ptr<FabricFrame>& frame, int64_t now) override
    {
        ++m_seen;
        return m_rule(*m_switch, frame, now);
    }

    void Count(PolicyCounters& counters) const override
    {
        counters["test_stage_frames"] += m_seen;
    }

    Rule m_rule;                     //!< what it does
    FabricSwitch* m_switch{nullptr}; //!< the switch
    uint64_t m_seen{0};              //!< frames that came
};

/// @return a frame that a trimming buffer may trim, with data of its own
Ptr<FabricFrame>
MakeData(const Fabric& fabric, uint32_t source, uint32_t destination, uint32_t psn)
{
    Ptr<FabricFrame> frame = MakeFrame(fabric, source, destination, LOSSLESS_CLASS, FRAME_BYTES);
    frame->payload = FRAME_BYTES - 62;
    frame->psn = psn;
    return frame;
}

} // namespace

/// What the cases have in common: one leaf with four hosts, and what each host receives.
struct PipelineTestCase : FabricTestCase
{
    /// Build the fabric.
    void Build(const ClosHelper& helper)
    {
        m_fabric = helper.Install(LeafSpine(1, 1, 4));
        m_leaf = m_fabric->GetSwitch(LEAF);
        for (uint32_t host = 0; host < 4; ++host)
        {
            Trace(*m_fabric->GetNic(host)->GetPort(0),
                  "Receive",
                  [this, host](Ptr<const FabricFrame> frame) {
                      m_received[host].push_back(m_fabric->GetPool()->Clone(*frame));
                  });
        }
    }

    /// Frames in = frames out + dropped + consumed, in the leaf.
    void CheckConservation()
    {
        uint64_t dropped = 0;
        for (uint8_t reason = 0; reason < FabricSwitch::DROP_REASONS; ++reason)
        {
            dropped += m_leaf->GetDropped(static_cast<FabricSwitch::DropReason>(reason));
        }
        NS_TEST_EXPECT_MSG_EQ(m_leaf->GetReceived() + m_leaf->GetOriginated(),
                              m_leaf->GetForwarded() + dropped + m_leaf->GetConsumed(),
                              "conservation of frames");
        uint64_t sent = 0;
        for (std::size_t port = 0; port < m_leaf->GetPortCount(); ++port)
        {
            sent += m_leaf->GetPort(port)->GetTransmitter().GetCounters().sentFrames;
        }
        NS_TEST_EXPECT_MSG_EQ(m_leaf->GetForwarded(), sent, "frames forwarded are sent");
    }

    Ptr<Fabric> m_fabric;                                         //!< the fabric
    Ptr<FabricSwitch> m_leaf;                                     //!< its only leaf
    std::map<uint32_t, std::vector<Ptr<FabricFrame>>> m_received; //!< by host, in order
};

/// A stage that counts and consumes, one that answers at once and later, and one that copies a
/// frame to three ports.
struct IngressStageTestCase : PipelineTestCase
{
    /// Send a frame from host 0 to each other one, and run.
    void Run(const TestStage::Rule& rule)
    {
        m_received.clear();
        Build(ClosHelper());
        Ptr<TestStage> stage = CreateObject<TestStage>(rule);
        m_leaf->SetStage(stage);
        for (uint32_t host = 1; host < 4; ++host)
        {
            SendFrame(*m_fabric, MakeData(*m_fabric, 0, host, host));
        }
        Simulator::Run();
        CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(CountersOf(*stage)["test_stage_frames"],
                              3,
                              "the stage sees each frame once");
    }

    /// Frames to host 2 end in the switch.
    void Consume()
    {
        Run([](FabricSwitch&, const Ptr<FabricFrame>& frame, int64_t) {
            return frame->destination != 2;
        });
        NS_TEST_EXPECT_MSG_EQ(m_leaf->GetConsumed(), 1, "frames consumed");
        NS_TEST_EXPECT_MSG_EQ(m_received[2].size(), 0, "none comes to host 2");
        NS_TEST_EXPECT_MSG_EQ(m_received[1].size() + m_received[3].size(), 2, "the others do");
        Simulator::Destroy();
    }

    /// Frames to host 2 are answered by the switch, at once and a second time after 1 us.
    void Answer()
    {
        Run([this](FabricSwitch& leaf, const Ptr<FabricFrame>& frame, int64_t now) {
            if (frame->destination != 2)
            {
                return true;
            }
            for (const uint32_t psn : {100, 101})
            {
                Ptr<FabricFrame> answer = MakeData(*m_fabric, 2, frame->source, psn);
                if (psn == 100)
                {
                    leaf.Originate(answer, now);
                    continue;
                }
                ScheduleFunction(MicroSeconds(1),
                                 [&leaf, answer]() { leaf.Originate(answer, FabricClock::Now()); });
            }
            return false;
        });
        NS_TEST_EXPECT_MSG_EQ(m_leaf->GetOriginated(), 2, "answers");
        NS_TEST_ASSERT_MSG_EQ(m_received[0].size(), 2, "both come back");
        NS_TEST_EXPECT_MSG_EQ(m_received[0][0]->psn, 100U, "first the one that was sent at once");
        NS_TEST_EXPECT_MSG_EQ(m_received[0][1]->psn, 101U, "then the other one");
        Simulator::Destroy();
    }

    /// The switch reports the frame to host 2 to host 3: not by the port where it came in, nor by
    /// that where it would go, and by way of all that other frames pass but for the stage.
    void Report()
    {
        Run([this](FabricSwitch& leaf, const Ptr<FabricFrame>& frame, int64_t now) {
            if (frame->destination == 2)
            {
                leaf.Originate(MakeData(*m_fabric, 2, 3, 100), now);
                leaf.Originate(MakeData(*m_fabric, 2, 17, 101), now); // there is no host 17
            }
            return true;
        });
        NS_TEST_EXPECT_MSG_EQ(m_received[0].size(), 0, "none comes back");
        NS_TEST_EXPECT_MSG_EQ(m_received[2].size(), 1, "the frame itself passes");
        NS_TEST_ASSERT_MSG_EQ(m_received[3].size(), 2, "host 3 gets its frame and the report");
        NS_TEST_EXPECT_MSG_EQ(m_received[3][0]->psn, 100U, "first the report");
        NS_TEST_EXPECT_MSG_EQ(+m_received[3][0]->ttl, +FabricFrame::FIRST_TTL, "no hop before it");
        NS_TEST_EXPECT_MSG_EQ(+m_received[3][1]->ttl, FabricFrame::FIRST_TTL - 1, "a hop");
        const FabricSwitch& spine = *m_fabric->GetSwitch(1);
        NS_TEST_EXPECT_MSG_EQ(spine.GetDropped(FabricSwitch::NO_ROUTE), 1, "it is forwarded up");
        Simulator::Destroy();
    }

    /// Frames that begin in the switch wait in the buffer and are marked; what has no room is
    /// dropped.
    void Refuse()
    {
        constexpr uint32_t ROOM = 5;
        ClosHelper helper;
        helper.SetAdmission(FactoryOf("PortBuffer", {{"PortBytes", ROOM * FRAME_BYTES}}));
        helper.SetMarker(FactoryOf("StepMarker", {{"Threshold", 2 * FRAME_BYTES}}));
        for (const bool byPort : {false, true})
        {
            m_received.clear();
            Build(helper);
            ScheduleFunction(MicroSeconds(1), [this, byPort]() {
                for (uint32_t psn = 0; psn < 10; ++psn)
                {
                    Ptr<FabricFrame> frame = MakeData(*m_fabric, 0, 3, psn);
                    frame->SetTos(frame->GetTos() | ECN_ECT0);
                    byPort ? m_leaf->SendBy(frame, 3, FabricClock::Now())
                           : m_leaf->Originate(frame, FabricClock::Now());
                }
            });
            Simulator::Run();
            CheckConservation();
            // one is sent at once, then there is room for five
            NS_TEST_EXPECT_MSG_EQ(m_received[3].size(), ROOM + 1, "what there is room for");
            NS_TEST_EXPECT_MSG_EQ(m_leaf->GetDropped(FabricSwitch::NO_BUFFER),
                                  9 - ROOM,
                                  "the rest");
            uint32_t marked = 0;
            for (const Ptr<FabricFrame>& frame : m_received[3])
            {
                marked += frame->GetEcn() == ECN_CE;
            }
            NS_TEST_EXPECT_MSG_GT_OR_EQ(marked, 2, "behind two others");
            NS_TEST_EXPECT_MSG_LT(marked, ROOM, "and not the first ones");
            Simulator::Destroy();
        }
    }

    /// The frame to host 1 goes by the ports of hosts 1 to 3 as copies, whatever its destination.
    void Copy()
    {
        Run([this](FabricSwitch& leaf, const Ptr<FabricFrame>& frame, int64_t now) {
            if (frame->destination != 1)
            {
                return true;
            }
            for (uint16_t port = 1; port < 4; ++port)
            {
                Ptr<FabricFrame> copy = m_fabric->GetPool()->Clone(*frame);
                leaf.SendBy(copy, port, now);
            }
            return false;
        });
        for (uint32_t host = 1; host < 4; ++host)
        {
            std::multiset<uint32_t> psns;
            for (const Ptr<FabricFrame>& frame : m_received[host])
            {
                psns.insert(frame->psn);
                NS_TEST_EXPECT_MSG_EQ(frame->wireBytes, FRAME_BYTES, "a copy is as long");
            }
            const std::multiset<uint32_t> expected =
                host == 1 ? std::multiset<uint32_t>{1} : std::multiset<uint32_t>{1, host};
            NS_TEST_EXPECT_MSG_EQ((psns == expected), true, "what host " << host << " receives");
        }
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(IngressStageTestCase, g_switchPipeline, "a stage consumes, answers and copies frames")
{
    Consume();
    Answer();
    Report();
    Refuse();
    Copy();
}

/// A queue that is flushed loses all that waits and not what is being sent; watched or not.
struct FlushTestCase : PipelineTestCase
{
    /// Empty a queue, and see that only the others wait.
    void Flush()
    {
        const FabricTransmitter& egress = m_leaf->GetPort(3)->GetTransmitter();
        m_leaf->Flush(3, LOSSLESS_CLASS, FabricClock::Now());
        const FrameLane& other = egress.GetLane(LOSSY_CLASS);
        NS_TEST_EXPECT_MSG_EQ(egress.GetLane(LOSSLESS_CLASS).GetFrames(), 0, "nothing waits");
        NS_TEST_EXPECT_MSG_GT(other.GetFrames(), 0, "but in the other queue");
        NS_TEST_EXPECT_MSG_EQ(egress.GetWaitingFrames(), other.GetFrames(), "frames that wait");
        NS_TEST_EXPECT_MSG_EQ(egress.GetWaitingBytes(), other.GetBytes(), "and their bytes");
    }
};

FABRIC_TEST_F(FlushTestCase, g_switchPipeline, "a queue is emptied")
{
    for (const bool watched : {false, true})
    {
        m_received.clear();
        ClosHelper helper;
        helper.SetAdmission(BufferFactory(1000000, 0));
        Build(helper);
        uint32_t traced = 0;
        Trace(*m_leaf, "Drop", [&traced](Ptr<const FabricFrame>, FabricSwitch::DropReason reason) {
            traced += reason == FabricSwitch::FLUSHED;
        });
        Ptr<FabricQueue> queue = m_leaf->GetPort(3)->GetTransmitter().GetQueue(LOSSLESS_CLASS);
        if (watched)
        {
            queue->Watch();
        }
        for (uint32_t i = 0; i < 20; ++i)
        {
            SendFrame(*m_fabric, MakeData(*m_fabric, 0, 3, i));
            SendFrame(*m_fabric, MakeData(*m_fabric, 1, 3, i));
            SendFrame(*m_fabric, MakeFrame(*m_fabric, 2, 3, LOSSY_CLASS, FRAME_BYTES));
            SendFrame(*m_fabric, MakeData(*m_fabric, 2, 1, i));
            SendFrame(*m_fabric, MakeData(*m_fabric, 3, 1, i));
        }
        ScheduleFunction(NanoSeconds(600), [this]() { Flush(); });
        Simulator::Run();
        CheckConservation();
        NS_TEST_EXPECT_MSG_EQ(GetBuffer(*m_fabric, LEAF).GetOccupancy(), 0, "all is released");
        const uint64_t flushed = m_leaf->GetDropped(FabricSwitch::FLUSHED);
        NS_TEST_EXPECT_MSG_GT(flushed, 3, "frames waited when the queue was emptied");
        NS_TEST_EXPECT_MSG_EQ(m_received[3].size() + flushed, 60, "all others arrive");
        NS_TEST_EXPECT_MSG_EQ(m_received[1].size(), 40, "another port is not concerned");
        NS_TEST_EXPECT_MSG_EQ(traced, flushed, "each is traced");
        uint32_t lossy = 0;
        for (const Ptr<FabricFrame>& frame : m_received[3])
        {
            lossy += frame->GetClass() == LOSSY_CLASS;
        }
        NS_TEST_EXPECT_MSG_EQ(lossy, 20, "another queue of the port is not concerned");
        if (watched)
        {
            NS_TEST_EXPECT_MSG_EQ(queue->GetNPackets(), 0, "the queue has counted it");
        }
        Simulator::Destroy();
    }
}

/// The stage of the manual: of the data frames of hosts, about one in n goes to the collector as a
/// copy without payload, in a class of its own. All frames pass.
struct MirrorStageTestCase : PipelineTestCase
{
    static constexpr uint32_t FRAMES = 600; //!< data frames sent

    /// @return the numbers of the frames that were copied
    std::vector<uint32_t> Check(uint32_t period)
    {
        m_received.clear();
        ClosHelper helper;
        helper.SetAdmission(BufferFactory(10000000, 0));
        Build(helper);
        const auto stage =
            CreateWith<MirrorStage>({{"Period", period}, {"Collector", 3}, {"Dscp", 8}});
        m_leaf->SetStage(stage);
        m_leaf->AssignStreams(1);
        for (uint32_t i = 1; i <= FRAMES; ++i)
        {
            SendFrame(*m_fabric, MakeData(*m_fabric, 0, 1, i));
            SendFrame(*m_fabric, MakeFrame(*m_fabric, 0, 1, LOSSLESS_CLASS, 64)); // no payload
        }
        Simulator::Run();
        CheckConservation();
        PolicyCounters counters = CountersOf(*stage);
        NS_TEST_EXPECT_MSG_EQ(counters["mirror_seen"], FRAMES, "data frames");
        NS_TEST_EXPECT_MSG_EQ(counters["mirror_copies"], m_received[3].size(), "copies");
        NS_TEST_EXPECT_MSG_EQ(m_received[1].size(), 2 * FRAMES, "all frames pass");
        NS_TEST_EXPECT_MSG_EQ(m_leaf->GetConsumed(), 0, "none is consumed");
        if (period == 1)
        {
            NS_TEST_EXPECT_MSG_EQ(m_received[3].size(), FRAMES, "each frame is copied");
        }
        std::vector<uint32_t> numbers;
        for (const Ptr<FabricFrame>& frame : m_received[3])
        {
            numbers.push_back(frame->psn);
            NS_TEST_EXPECT_MSG_EQ(frame->wireBytes, 78, "headers");
            NS_TEST_EXPECT_MSG_EQ(+frame->GetClass(), 1, "in the class of the copies");
            NS_TEST_EXPECT_MSG_EQ(frame->source, 0, "who sent it");
        }
        for (const Ptr<FabricFrame>& frame : m_received[1])
        {
            NS_TEST_EXPECT_MSG_EQ((frame->flags & FRAME_TRIMMED), 0, "frames themselves are whole");
        }
        Simulator::Destroy();
        return numbers;
    }
};

FABRIC_TEST_F(MirrorStageTestCase, g_switchPipeline, "the manual's stage mirrors data frames")
{
    Check(1);
    const std::vector<uint32_t> numbers = Check(5);
    NS_TEST_EXPECT_MSG_EQ((Check(5) == numbers), true, "the same random stream");
    uint32_t previous = 0;
    for (const uint32_t number : numbers)
    {
        NS_TEST_EXPECT_MSG_LT_OR_EQ(number - previous, 9, "distance of copied frames");
        previous = number;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(numbers.size(), FRAMES / 5, FRAMES / 20, "one in five");
}

/// Where packets wait for their host, a marker with AtLastHop=false marks none; one with true does.
/// Where they wait for a switch, both do. The same holds of markers that mark at dequeue.
struct LastHopMarkTestCase : PipelineTestCase
{
    /// @return frames that are marked
    /// @param isWithin whether frames wait within the fabric, and not before their host
    uint32_t CountMarked(const ObjectFactory& marker, bool isWithin)
    {
        ClosHelper helper;
        helper.SetMarker(marker);
        const Ptr<Fabric> fabric = helper.Install(LeafSpine(2, 1, 4));
        uint32_t marked = 0;
        const auto count = CallbackOf(
            [&marked](Ptr<const FabricFrame> frame) { marked += frame->GetEcn() == ECN_CE; });
        for (uint32_t host = 0; host < 8; ++host)
        {
            fabric->GetNic(host)->GetPort(0)->TraceConnectWithoutContext("Receive", count);
        }
        for (uint32_t i = 0; i < 40; ++i)
        {
            // the uplink carries half of what two hosts send, and each receiver gets half of that
            Ptr<FabricFrame> frame = MakeData(*fabric, i % 2, isWithin ? 4 + i % 2 : 3, i);
            frame->SetTos(frame->GetTos() | ECN_ECT0);
            SendFrame(*fabric, frame);
        }
        Simulator::Run();
        Simulator::Destroy();
        return marked;
    }
};

FABRIC_TEST_F(LastHopMarkTestCase, g_switchPipeline, "a marker knows the last hop")
{
    for (const bool atDequeue : {false, true})
    {
        for (const bool atLastHop : {false, true})
        {
            const ObjectFactory marker = FactoryOf(
                "StepMarker",
                {{"Threshold", FRAME_BYTES}, {"AtLastHop", atLastHop}, {"AtDequeue", atDequeue}});
            NS_TEST_EXPECT_MSG_EQ((CountMarked(marker, false) > 0),
                                  atLastHop,
                                  "marks before the link to a host");
            NS_TEST_EXPECT_MSG_GT(CountMarked(marker, true), 0, "marks before a switch");
        }
    }
}

/// Two hosts overload the link to a third. Every frame comes there, whole or trimmed, as long as
/// there is room for trimmed ones; trimmed ones overtake; the flip of a coin decides whether the
/// arriving or the last queued frame loses its end, and never changes how many do.
struct TrimmingTestCase : PipelineTestCase
{
    static constexpr uint32_t COUNT = 200; //!< frames a host
    static constexpr uint32_t ROOM = 10;   //!< frames that wait at most

    /// @param victim which frame is trimmed; empty: no room for trimmed frames
    /// @param ipv6 whether frames travel in IPv6
    void Check(const std::string& victim, bool ipv6)
    {
        m_victim = victim;
        m_more = ipv6 ? 20 : 0;
        ClosHelper helper;
        helper.SetAdmission(FactoryOf("TrimmingBuffer",
                                      {{"PortBytes", ROOM * FRAME_BYTES},
                                       {"OtherBytes", m_victim.empty() ? 63 : 800000},
                                       {"Victim", m_victim.empty() ? "Arriving" : m_victim}}));
        Build(helper);
        m_fabric->AssignStreams(1);
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            for (const uint32_t source : {0, 1})
            {
                Ptr<FabricFrame> frame = MakeData(*m_fabric, source, 3, i);
                frame->SetTos(frame->GetTos() | ECN_ECT0);
                frame->flags = m_more > 0 ? FRAME_IPV6 : 0;
                frame->payload -= m_more;
                SendFrame(*m_fabric, frame);
            }
        }
        Simulator::Run();
        CheckConservation();
        CheckFrames();
        Simulator::Destroy();
    }

    /// Look at what has arrived.
    void CheckFrames()
    {
        const auto buffer = DynamicCast<TrimmingBuffer>(m_leaf->GetAdmission());
        std::set<std::pair<uint32_t, uint32_t>> seen;
        uint64_t trimmed = 0;
        uint64_t overtaking = 0;
        uint64_t bytes = 0;
        uint32_t whole = 0;
        std::map<uint32_t, uint32_t> last;
        for (const Ptr<FabricFrame>& frame : m_received[3])
        {
            NS_TEST_EXPECT_MSG_EQ(seen.emplace(frame->source, uint32_t{frame->psn}).second,
                                  true,
                                  "each frame comes once");
            bytes += frame->wireBytes;
            if (!(frame->flags & FRAME_TRIMMED))
            {
                ++whole;
                last[frame->source] = std::max<uint32_t>(last[frame->source], frame->psn);
                continue;
            }
            ++trimmed;
            overtaking += frame->psn > last[frame->source];
            NS_TEST_EXPECT_MSG_EQ(frame->wireBytes, 64 + m_more, "length of a trimmed frame");
            CheckBytes(*frame);
            NS_TEST_EXPECT_MSG_EQ(+(frame->GetTos() / 4),
                                  52,
                                  "DSCP of one trimmed at the last hop");
            NS_TEST_EXPECT_MSG_EQ(frame->GetEcn(), ECN_ECT0, "ECN stays as it was");
            NS_TEST_EXPECT_MSG_EQ(frame->payload,
                                  FRAME_BYTES - 62 - m_more,
                                  "so do the lengths in it");
        }
        const uint64_t dropped = m_leaf->GetDropped(FabricSwitch::NO_BUFFER);
        NS_TEST_EXPECT_MSG_EQ(trimmed + dropped, buffer->GetTrimmed(), "trimmed frames");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetTrimmedAtLastHop(), buffer->GetTrimmed(), "all here");
        NS_TEST_EXPECT_MSG_EQ(whole + buffer->GetTrimmed(), 2 * COUNT, "no frame is missing");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetCutBytes(),
                              buffer->GetTrimmed() * (FRAME_BYTES - 64 - m_more),
                              "bytes that were cut");
        NS_TEST_EXPECT_MSG_EQ(bytes + buffer->GetCutBytes() + dropped * (64 + m_more),
                              2 * COUNT * FRAME_BYTES,
                              "conservation of bytes");
        NS_TEST_EXPECT_MSG_GT(buffer->GetTrimmed(), COUNT / 2, "the link was overloaded");
        NS_TEST_EXPECT_MSG_EQ((dropped > 0), m_victim.empty(), "drops where there is no room");
        NS_TEST_EXPECT_MSG_EQ((overtaking > trimmed / 2),
                              !m_victim.empty(),
                              "trimmed frames overtake data");
    }

    /// The bytes of a trimmed frame name its packet.
    void CheckBytes(const FabricFrame& frame)
    {
        const Mac48Address mac("02:00:00:00:00:01");
        const Ptr<Packet> packet = FrameCodec::Serialize(frame, mac, mac);
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize() + 4, frame.wireBytes, "bytes in a capture");
        const Ptr<FabricFrame> read = FrameCodec::DeserializeTrimmed(packet, *m_fabric->GetPool());
        NS_TEST_ASSERT_MSG_NE(read, nullptr, "no BTH is left");
        NS_TEST_EXPECT_MSG_EQ(uint32_t{read->psn}, uint32_t{frame.psn}, "PSN");
        NS_TEST_EXPECT_MSG_EQ(read->payload, frame.payload, "length");
    }

    std::string m_victim; //!< which frame is trimmed; empty: no room for trimmed frames
    uint32_t m_more;      //!< bytes that IPv6 has more than IPv4
};

/// Of the frames that are trimmed or dropped, each rule takes its share from the queue: then what
/// arrives whole is not what came first.
struct VictimTestCase : PipelineTestCase
{
    static constexpr uint32_t COUNT = 400; //!< frames of a run

    /// A rule, and the number of frames that it displaces.
    struct Rule
    {
        std::string name; //!< Victim
        double mean;      //!< of the number
        double variance;  //!< of the number
    };

    /// Send frames to a queue that has room for one.
    void Check(ObjectFactory buffer, const Rule& rule)
    {
        m_received.clear();
        m_lost.clear();
        buffer.Set("Victim", StringValue(rule.name));
        ClosHelper helper;
        helper.SetAdmission(buffer);
        Build(helper);
        m_fabric->AssignStreams(1);
        m_leaf->TraceConnectWithoutContext("Drop", MakeCallback(&VictimTestCase::Lose, this));
        FabricTransmitter& egress = m_leaf->GetPort(3)->GetTransmitter();
        egress.Pause(1 << LOSSLESS_CLASS, 1000000000, 0);
        const Ptr<FabricQueue> queue = egress.GetQueue(LOSSLESS_CLASS);
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            SendFrame(*m_fabric, MakeData(*m_fabric, 0, 3, i));
        }
        Simulator::Run();
        std::vector<uint32_t> whole;
        for (const Ptr<FabricFrame>& frame : m_received[3])
        {
            (frame->flags & FRAME_TRIMMED ? m_lost : whole).push_back(frame->psn);
        }
        NS_TEST_EXPECT_MSG_EQ(whole.size(), 1, "one frame has room");
        CheckLost(rule);
        const std::string name = buffer.GetTypeId().GetName();
        const uint64_t dropped = m_leaf->GetDropped(FabricSwitch::NO_BUFFER);
        NS_TEST_EXPECT_MSG_EQ(m_leaf->GetReceived(), m_leaf->GetForwarded() + dropped, name);
        NS_TEST_EXPECT_MSG_EQ(queue->GetTotalDroppedPackets(), dropped, name);
        if (const auto shared = DynamicCast<SharedBuffer>(m_leaf->GetAdmission()))
        {
            const auto& counters = shared->GetClassCounters(LOSSLESS_CLASS);
            NS_TEST_EXPECT_MSG_EQ(counters.admittedBytes, counters.releasedBytes, "all have left");
            NS_TEST_EXPECT_MSG_EQ(shared->GetOccupancy(), 0, "nothing is held");
            NS_TEST_EXPECT_MSG_EQ(shared->GetFreeBytes(), shared->GetSharedBytes(), "all is free");
        }
        Simulator::Destroy();
    }

    /// The frame that comes when the one in the queue is lost takes its place; so lost frames come
    /// in order, but for the ones that were in the queue.
    void CheckLost(const Rule& rule)
    {
        uint32_t displaced = 0;
        uint32_t expected = 0;
        uint32_t waiting = 0;
        for (const uint32_t psn : m_lost)
        {
            ++expected;
            if (psn == waiting)
            {
                ++displaced;
                waiting = expected;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(expected, COUNT - 1, "all others are lost");
        NS_TEST_EXPECT_MSG_EQ_TOL(displaced,
                                  rule.mean,
                                  4 * std::sqrt(rule.variance),
                                  rule.name + ": frames that were lost in the queue");
    }

    /// The switch has dropped a frame.
    void Lose(Ptr<const FabricFrame> frame, FabricSwitch::DropReason)
    {
        m_lost.push_back(frame->psn);
    }

    std::vector<uint32_t> m_lost; //!< PSNs of frames that were trimmed or dropped, in order
};

FABRIC_TEST_F(VictimTestCase, g_switchPipeline, "which frame of a full queue is lost")
{
    // A queue of one frame, and nothing leaves: the link to host 3 is paused.
    double harmonic = 0; // the k-th overflow has a probability of 1 / (k + 1)
    double variance = 0;
    for (uint32_t k = 1; k < COUNT; ++k)
    {
        harmonic += 1.0 / (k + 1);
        variance += k / ((k + 1.0) * (k + 1.0));
    }
    const std::vector<Rule> rules = {{"Arriving", 0, 0},
                                     {"Coin", (COUNT - 1) / 2.0, (COUNT - 1) / 4.0},
                                     {"Even", harmonic, variance}};
    for (const Rule& rule : rules)
    {
        Check(FactoryOf("TrimmingBuffer", {{"PortBytes", FRAME_BYTES}}), rule);
        Check(FactoryOf("PortBuffer", {{"PortBytes", FRAME_BYTES}}), rule);
        Check(FactoryOf("SharedBuffer", {{"BufferBytes", 2 * FRAME_BYTES}}), rule);
        Check(FactoryOf("SharedBuffer",
                        {{"BufferBytes", 100 * FRAME_BYTES}, {"PortBytes", FRAME_BYTES}}),
              rule);
    }
}

/// Within the fabric, frames are trimmed with the DSCP of that; and a reliable connection drops and
/// counts them, has them repaired, and delivers every byte.
struct TrimmedConnectionTestCase : FabricTestCase
{
    /// @return an oracle that tells senders of losses
    static Ptr<LossOracle> Watch(const Fabric& fabric)
    {
        const std::vector<Ptr<RoceNetDevice>>& nics = fabric.GetNicList();
        const std::vector<Ptr<FabricSwitch>>& switches = fabric.GetSwitchList();
        const std::vector<Ptr<FabricChannel>>& channels = fabric.GetChannelList();
        Ptr<LossOracle> oracle = CreateObject<LossOracle>();
        oracle->Install(nics, switches, channels);
        return oracle;
    }

    /// Run an incast.
    void Run(const std::string& recovery)
    {
        ClosHelper helper;
        helper.SetBalancer(FactoryOf("RsqBalancer"));
        helper.SetAdmission(FactoryOf("TrimmingBuffer", {{"PortBytes", 20000}}));
        Ptr<Fabric> fabric = InstallFabric(helper, LeafSpine(4, 2, 4));
        const TypeId type = TypeId::LookupByName("ns3::aifabric::" + recovery + "Recovery");
        std::map<uint8_t, uint32_t> dscps;
        for (uint32_t host = 0; host < 16; ++host)
        {
            fabric->GetNic(host)->SetAttribute("RecoveryType", TypeIdValue(type));
            Trace(*fabric->GetNic(host), "Trimmed", [&dscps](Ptr<const FabricFrame> frame) {
                ++dscps[frame->GetTos() >> 2];
            });
        }
        std::vector<Flow> flows;
        for (uint32_t host = 4; host < 16; ++host)
        {
            flows.push_back({0, host, host % 4, 200000}); // two links to the leaf
        }
        for (uint32_t host = 1; host < 4; ++host)
        {
            flows.push_back({0, host, 0, 200000}); // one link to the host
        }
        Ptr<LossOracle> oracle = Watch(*fabric);
        Ptr<FlowDriver> driver = StartFlows(*fabric, flows);
        Simulator::Run();
        uint64_t trimmed = 0;
        uint64_t counted = 0;
        for (uint32_t host = 0; host < 16; ++host)
        {
            counted += fabric->GetNic(host)->GetCounters().trimmed;
        }
        for (uint32_t id = 0; id < fabric->GetSwitchCount(); ++id)
        {
            const auto buffer = DynamicCast<TrimmingBuffer>(fabric->GetSwitch(id)->GetAdmission());
            trimmed += buffer->GetTrimmed();
        }
        NS_TEST_EXPECT_MSG_EQ(driver->GetService()->GetCompleted(),
                              flows.size(),
                              recovery << ": all is delivered");
        NS_TEST_EXPECT_MSG_GT(dscps[50], 0, "frames were trimmed before a leaf");
        NS_TEST_EXPECT_MSG_GT(dscps[52], 0, "and before a host");
        NS_TEST_EXPECT_MSG_EQ(counted, dscps[50] + dscps[52], "each is counted and traced");
        NS_TEST_EXPECT_MSG_EQ(counted + CountRefused(*fabric), trimmed, "none is missing");
    }
};

FABRIC_TEST_F(TrimmedConnectionTestCase,
              g_switchPipeline,
              "a reliable connection drops trimmed frames and repairs them")
{
    for (const std::string recovery : {"Oracle", "Sack", "GoBackN"})
    {
        Run(recovery);
        Simulator::Destroy();
    }
}

/// Switches above the leaves have the buffer of SetSpineAdmission(), if there is one.
FABRIC_TEST(g_switchPipeline, "spines have a buffer of their own")
{
    constexpr uint32_t SHALLOW = 100000;
    constexpr uint32_t DEEP = 64000000;
    const std::string type = "ns3::aifabric::PortBuffer";
    ClosHelper helper;
    helper.SetAdmission(ObjectFactory(type, "PortBytes", UintegerValue(SHALLOW)));
    for (const uint32_t bytes : {SHALLOW, DEEP})
    {
        const Ptr<Fabric> fabric = helper.Install(LeafSpine(2, 2, 2));
        const std::vector<FabricSwitchSpec>& specs = fabric->GetGraph().Switches();
        for (uint32_t id = 0; id < specs.size(); ++id)
        {
            const uint32_t expected = specs[id].tier > 0 ? bytes : SHALLOW;
            NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(id)->GetAdmission()->GetPortBytes(),
                                  expected,
                                  fabric->GetGraph().SwitchName(id));
        }
        Simulator::Destroy();
        helper.SetSpineAdmission(ObjectFactory(type, "PortBytes", UintegerValue(DEEP)));
    }
}

FABRIC_ROWS(g_switchPipeline)
{
    for (const std::string victim : {"", "Arriving", "Coin", "Even"})
    {
        rows.AddRow<TrimmingTestCase>("what does not fit is trimmed: " + victim, victim, false);
        rows.AddRow<TrimmingTestCase>("it is trimmed in IPv6: " + victim, victim, true);
    }
}
