/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-fuzz.h"

#include "ns3/ev-denylist.h"
#include "ns3/link-fault.h"
#include "ns3/mrc-balancer.h"
#include "ns3/mrc-codec.h"
#include "ns3/mrc-queue-pair.h"
#include "ns3/psn-window.h"

#include <cstdlib>

static Suite g_mrcProperty("ai-fabric-mrc-property");

namespace
{

/// What became of data packets on their way.
struct Ledger
{
    uint64_t lost{0};     //!< by chaos, on links, or refused by switches
    uint64_t injected{0}; //!< copies and forgeries

    /// A frame is lost.
    void Lose(const FabricFrame& frame)
    {
        lost += IsWhole(frame);
    }

    /// @return whether a frame carries data
    static bool IsWhole(const FabricFrame& frame)
    {
        return MrcCodec::IsData(frame.opcode) && !(frame.flags & FRAME_TRIMMED);
    }
};

/// Random loss, copies, delays and forgeries of frames that arrive at switches.
struct Chaos
{
    uint32_t loss{0};      //!< percent of frames
    uint32_t copies{0};    //!< percent of frames
    uint32_t forgeries{0}; //!< percent of frames
    uint32_t range{0};     //!< packets of the window of a responder
    uint64_t sacks{0};     //!< SACKs for packets that nobody has sent
    int64_t delayPs{0};    //!< the longest of a frame; 0: none
    std::mt19937 random;   //!< decides
    Ledger ledger;         //!< of data packets
    uint64_t mostKept{0};  //!< packets that a responder has kept at most
};

} // namespace

/// Whatever is lost, copied, delayed, forged, trimmed and cut, each message comes once, immediates
/// come in order, and the simulation ends; each retransmission has its reason, the memory of
/// responders is bounded, and the same seed gives the same run.
struct MrcPropertyTestCase : ConnectionFuzz
{
    /// Immediates of a stream.
    struct Immediates
    {
        std::vector<uint32_t> posted; //!< values
        std::vector<uint32_t> came;   //!< values that have come
    };

    static Ptr<MrcQueuePair> MrcOf(const Ptr<QueuePair>& queuePair)
    {
        return DynamicCast<MrcQueuePair>(queuePair);
    }

    void CheckSeeds() override
    {
        for (const int opcode : {MRC_WRITE_MIDDLE, MRC_WRITE_LAST_IMM, MRC_SACK, MRC_PROBE})
        {
            NS_TEST_EXPECT_MSG_GT(m_lost[opcode], 0, "lost frames of opcode " << opcode);
        }
        NS_TEST_EXPECT_MSG_GT(m_injected, 0, "copies and forgeries");
        NS_TEST_EXPECT_MSG_GT(m_trimmed, 0, "trimmed packets");
        NS_TEST_EXPECT_MSG_GT(m_refused, 0, "refused packets");
        NS_TEST_EXPECT_MSG_GT(m_sacks, 0, "SACKs for packets that nobody has sent");
        NS_TEST_EXPECT_MSG_GT(m_places.size(), 3, "kinds of elements that failed");
        for (const char* counter : {"ev_retired", "ev_returned", "denied_evs"})
        {
            NS_TEST_EXPECT_MSG_GT(m_counters[counter], 0, counter);
        }
    }

    Ptr<Fabric> Draw() override
    {
        Default("MrcQueuePair::Mtu", Pick({256, 4096}));
        const uint64_t units = Pick({1, 2, 8});
        Default("MrcQueuePair::MaxPsnRange", units);
        Default("MrcQueuePair::TrackedPsnRange", Pick({0, 0, 1}));
        Default("MrcQueuePair::DynamicMpr", m_random() % 2 == 0);
        Default("MrcQueuePair::AlwaysSkipMarks", Pick({0, 0, 2}));
        Default("MrcQueuePair::ReverseProbeInterval", MicroSeconds(Pick({0, 0, 5})));
        DrawSets();
        m_chaos = {};
        m_chaos.range = units * 128;
        m_chaos.random.seed(RngSeedManager::GetRun());
        Ptr<Fabric> fabric = MakeFabric();
        Cut(*fabric);
        m_denylist = std::make_unique<EvDenylist>(fabric->GetGraph(), fabric->GetNicList());
        Deny(*fabric);
        return fabric;
    }

    /// Draw how many EVs queue pairs have and use, with backups or without.
    void DrawSets()
    {
        const std::string balancer = "ns3::aifabric::MrcBalancer::";
        Config::SetDefault(balancer + "EvTotal", UintegerValue(Pick({256, 6, 12})));
        Config::SetDefault(balancer + "EvActive", UintegerValue(Pick({128, 2, 6})));
        Config::SetDefault(balancer + "EvMinActive", UintegerValue(Pick({0, 1})));
        Config::SetDefault(balancer + "SwapOnSkip", BooleanValue(m_random() % 2));
        Config::SetDefault(balancer + "ProbeInterval", TimeValue(MicroSeconds(Pick({20, 1000}))));
        Config::SetDefault(balancer + "ProbeAnswers", UintegerValue(Pick({1, 3})));
    }

    /// Deny the EVs through random elements, and others after some time, perhaps none.
    void Deny(const Fabric& fabric)
    {
        uint64_t time = 0;
        for (uint64_t changes = Pick({0, 0, 2, 4}); changes > 0; --changes)
        {
            std::set<FabricElement> bad;
            for (uint64_t count = Pick({0, 1, 3}); count > 0; --count)
            {
                bad.insert(PickElement(fabric.GetGraph()));
            }
            time += Pick({5, 60, 400});
            ScheduleFunction(MicroSeconds(time), [this, bad] { m_denylist->SetBad(bad); });
        }
    }

    /// @return any element of a fabric
    FabricElement PickElement(const FabricGraph& graph)
    {
        const uint32_t link = m_random() % graph.Links().size();
        const FabricLinkSpec& ends = graph.Links()[link];
        if (ends.a.isHost)
        {
            return {FabricElement::NIC_PORT, ends.a.id, ends.a.port};
        }
        const uint32_t id = m_random() % 2 ? ends.a.id : ends.b.id;
        const FabricSwitchSpec& spec = graph.Switches()[id];
        switch (m_random() % 3)
        {
        case 0:
            return {FabricElement::LINK, link, spec.plane};
        default:
            return {spec.tier > 0 ? FabricElement::T1 : FabricElement::T0, id, spec.plane};
        }
    }

    /// @return a fabric whose switches lose, copy, delay and trim
    Ptr<Fabric> MakeFabric()
    {
        ClosHelper clos;
        clos.SetBalancerType(MrcBalancer::GetTypeId());
        const uint64_t bytes = Pick({9000, 20000, 60000});
        const bool trims = m_random() % 2;
        clos.SetAdmission(trims ? FactoryOf("TrimmingBuffer",
                                            {{"PortBytes", bytes},
                                             {"Classes", 1},
                                             {"TrimmedDscp", 44},
                                             {"LastHopDscp", 45}})
                                : FactoryOf("PortBuffer", {{"PortBytes", bytes}}));
        const std::string forwarder =
            std::vector<std::string>{"Clos", "Stev", "Srv6"}[m_random() % 3];
        clos.SetForwarder(FactoryOf(forwarder + "Forwarder"));
        clos.SetNicAttribute("Mtu", UintegerValue(4300)); // 4200 by default
        const bool isIp6 = forwarder == "Srv6" || m_random() % 2;
        clos.SetNicAttribute("IpVersion", StringValue(isIp6 ? "6" : "4"));
        clos.SetNicAttribute("SharesControl", BooleanValue(m_random() % 2));
        Ptr<Fabric> fabric =
            InstallFabric(clos, LeafSpine(2, Pick({1, 2, 3, 6}), 2, 1 + m_random() % 3));
        m_chaos.loss = Pick({0, 1, 5, 12});
        m_chaos.copies = Pick({0, 5, 20});
        m_chaos.forgeries = Pick({0, 0, 3, 10});
        m_chaos.delayPs = static_cast<int64_t>(Pick({0, 2, 30, 100}) * 1000000);
        ChaosStage::InstallAll(*fabric, [this](ChaosStage& stage, const FabricFrame& frame) {
            Spoil(stage, frame);
        });
        for (uint32_t id = 0; id < fabric->GetSwitchCount(); ++id)
        {
            Trace(*fabric->GetSwitch(id),
                  "Drop",
                  [this](Ptr<const FabricFrame> frame, FabricSwitch::DropReason) {
                      m_chaos.ledger.Lose(*frame);
                  });
        }
        ForEachPort(*fabric, [this](FabricPort& port) {
            Trace(port, "Loss", [this](Ptr<const FabricFrame> frame, Time) {
                m_chaos.ledger.Lose(*frame);
            });
        });
        return fabric;
    }

    /// Lose, copy and forge a frame at random, or just pass it on.
    void Spoil(ChaosStage& stage, const FabricFrame& frame)
    {
        if (m_chaos.random() % 100 < m_chaos.loss)
        {
            ++m_lost[frame.opcode];
            m_chaos.ledger.Lose(frame);
            return;
        }
        if (m_chaos.random() % 100 < m_chaos.copies)
        {
            m_chaos.ledger.injected += Ledger::IsWhole(frame);
            Forward(stage, frame);
        }
        // Only once: twice forged, a PSN far away may come back to one that was sent.
        if (frame.GetHops() == 0 && m_chaos.random() % 100 < m_chaos.forgeries)
        {
            const Ptr<FabricFrame> forged = stage.Clone(frame);
            Forge(*forged);
            m_chaos.ledger.injected += Ledger::IsWhole(*forged);
            Forward(stage, *forged);
            NoteKept();
        }
        Forward(stage, frame);
    }

    /// Pass a frame on, late perhaps.
    void Forward(ChaosStage& stage, const FabricFrame& frame)
    {
        const bool isDelayed = m_chaos.delayPs > 0 && m_chaos.random() % 4 == 0;
        stage.Forward(frame, isDelayed ? m_chaos.random() % m_chaos.delayPs : 0);
    }

    /// Make a frame say what nobody has said.
    void Forge(FabricFrame& frame)
    {
        const uint32_t random = m_chaos.random();
        switch (frame.opcode)
        {
        case MRC_SACK:
            ForgeSack(frame, random);
            return;
        case MRC_NACK:
            frame.Extra().sack.entropy = random;
            frame.sentAt -= 1 + random % 1000; // of no transmission
            return;
        case MRC_PROBE:
        case MRC_RESPONSE:
            frame.psn = random % 65536;
            return;
        case MRC_REQUEST:
            frame.syndrome = MrcCodec::PORT_STATUS;
            frame.msn = random;
            return;
        default:
            // beyond the window, or far before it
            frame.psn = (frame.psn + 2 * m_chaos.range + random % (1 << 20)) & PsnWindow::PSN_MASK;
        }
    }

    /// Make a SACK name another EV, or packets that nobody has sent: in its bitmap, or in all its
    /// PSNs, far ahead or far before.
    void ForgeSack(FabricFrame& frame, uint32_t random)
    {
        constexpr uint32_t FAR = 1 << 16;
        SackFields& sack = frame.Extra().sack;
        if (random % 4 == 0)
        {
            sack.entropy = random;
            sack.verdict = random / 4 % 4;
            return;
        }
        const uint32_t distance = FAR + random % (1 << 20);
        const uint32_t offset = random % 4 == 1 ? -distance : distance;
        sack.bitmapPsn = (sack.bitmapPsn + offset) & PsnWindow::PSN_MASK;
        sack.bitmap = uint64_t{m_chaos.random()} << 32 | m_chaos.random();
        if (random % 4 < 3)
        {
            sack.cumulativePsn = (sack.cumulativePsn + offset) & PsnWindow::PSN_MASK;
            frame.psn = (frame.psn + offset) & PsnWindow::PSN_MASK;
            sack.outOfOrder = m_chaos.random();
        }
        ++m_chaos.sacks;
    }

    /// Note what responders keep.
    void NoteKept()
    {
        for (const Stream& stream : m_streams)
        {
            m_chaos.mostKept =
                std::max(m_chaos.mostKept, MrcOf(stream.sender)->GetReceivingHalf().CountKept());
        }
    }

    /// @return a link, or a switch, a plane or an optic, all of whose links fail
    std::string PickPlace(const Fabric& fabric)
    {
        const FabricGraph& graph = fabric.GetGraph();
        const std::string plane = std::to_string(m_random() % graph.Planes());
        const std::string inPlane = graph.Planes() > 1 ? "plane" + plane + "-" : "";
        const std::string leaf = inPlane + "leaf-" + std::to_string(m_random() % 2);
        switch (m_random() % 6)
        {
        case 0:
            return leaf;
        case 1:
            return inPlane + "spine-" + std::to_string(m_random() % graph.LeafUplinks());
        case 2:
            return "plane-" + plane;
        case 3:
            return "optic-" + leaf + ":0";
        case 4:
            return "host-" + std::to_string(m_random() % graph.HostCount());
        default:
            return std::to_string(m_random() % fabric.GetChannelCount());
        }
    }

    /// Cut some elements, once or again and again.
    void Cut(const Fabric& fabric)
    {
        FailureHelper faults;
        faults.SetAttribute("Down", BooleanValue(true));
        for (uint64_t count = Pick({0, 0, 1, 3}); count > 0; --count)
        {
            const uint64_t start = Pick({5, 40, 300});
            faults.SetAttribute("Start", TimeValue(MicroSeconds(start)));
            faults.SetAttribute("Stop", TimeValue(MicroSeconds(start + Pick({3, 50, 1500}))));
            faults.SetAttribute("Period", TimeValue(MicroSeconds(Pick({0, 0, 20, 200}))));
            faults.SetAttribute("Duty", DoubleValue(0.01 * Pick({10, 50, 90})));
            const std::string place = PickPlace(fabric);
            const auto more = faults.Install(fabric, place);
            m_faults.insert(m_faults.end(), more.begin(), more.end());
            ++m_places[place.substr(0, place.find_first_of("-0123456789"))];
        }
    }

    void Connect(const Fabric& fabric) override
    {
        RoceHelper roce = MrcHelper();
        roce.SetQueuePairAttribute("AckTimeout", TimeValue(MicroSeconds(Pick({66, 300}))));
        roce.SetQueuePairAttribute("FirstPsn", UintegerValue(Pick({0, (1 << 24) - 10})));
        roce.SetQueuePairAttribute("ExponentialRetries", UintegerValue(24));
        for (uint32_t host = 1; host < fabric.GetGraph().HostCount(); ++host)
        {
            AddStreams(roce.Connect(fabric.GetNic(host), fabric.GetNic(0)));
        }
        m_immediates.assign(m_streams.size(), {});
        for (std::size_t i = 0; i < m_streams.size(); ++i)
        {
            MrcOf(m_streams[i].receiver)
                ->SetImmediateCallback(CallbackOf([this, i](Ptr<QueuePair>, uint32_t value) {
                    m_immediates[i].came.push_back(value);
                }));
        }
    }

    void PostMessage(std::size_t stream, uint64_t bytes, uint32_t key) override
    {
        if (m_random() % 2 == 0)
        {
            PostNow(stream, bytes, key);
            return;
        }
        std::vector<uint32_t>& values = m_immediates[stream].posted;
        values.push_back(m_random());
        m_streams[stream].posted.emplace_back(bytes, key);
        MrcOf(m_streams[stream].sender)->PostWriteImmediate(bytes, values.back(), {}, key);
    }

    void CheckRun(const Fabric& fabric) override
    {
        for (const Immediates& values : m_immediates)
        {
            NS_TEST_EXPECT_MSG_EQ((values.came == values.posted), true, m_what << ": immediates");
        }
        NS_TEST_EXPECT_MSG_LT(m_chaos.mostKept, 2 * m_chaos.range + 256 + 1, m_what << ": memory");
        CheckSums(fabric);
        m_sacks += m_chaos.sacks;
        m_denylist.reset();
        m_faults.clear();
    }

    /// Check C13: each retransmission replaces a packet that was lost, trimmed or refused, or its
    /// packet was there.
    void CheckSums(const Fabric& fabric)
    {
        PolicyCounters trims;
        for (uint32_t id = 0; id < fabric.GetSwitchCount(); ++id)
        {
            fabric.GetSwitch(id)->GetAdmission()->Count(trims);
        }
        uint64_t sentAgain = 0;
        uint64_t unused = m_chaos.ledger.lost + trims["trimming_frames"];
        for (const Stream& stream : m_streams)
        {
            sentAgain += stream.sender->GetCounters().retransmissions;
            unused += stream.receiver->GetCounters().packetsDiscarded;
            unused += MrcOf(stream.receiver)->GetReceivingHalf().CountRefused();
            m_refused += MrcOf(stream.receiver)->GetReceivingHalf().CountRefused();
            stream.sender->CountPolicies(m_counters);
        }
        m_injected += m_chaos.ledger.injected;
        m_trimmed += trims["trimming_frames"];
        NS_TEST_EXPECT_MSG_EQ(sentAgain + m_chaos.ledger.injected,
                              unused,
                              m_what << ": retransmitted and injected = lost, trimmed, refused and "
                                        "discarded");
    }

    Chaos m_chaos;                            //!< of the scenario
    std::unique_ptr<EvDenylist> m_denylist;   //!< of the scenario
    std::vector<Ptr<LinkFault>> m_faults;     //!< of the scenario
    std::vector<Immediates> m_immediates;     //!< by stream
    std::map<int, uint64_t> m_lost;           //!< frames that were, by opcode
    uint64_t m_injected{0};                   //!< data packets
    uint64_t m_trimmed{0};                    //!< data packets
    uint64_t m_refused{0};                    //!< data packets
    PolicyCounters m_counters;                //!< of senders
    uint64_t m_sacks{0};                      //!< for packets that nobody has sent
    std::map<std::string, uint32_t> m_places; //!< elements that failed, by kind
};

/// @return a number of the environment
static uint32_t
ReadNumber(const char* name, uint32_t usual)
{
    const char* const wanted = std::getenv(name);
    return wanted ? std::strtoul(wanted, nullptr, 10) : usual;
}

FABRIC_ROWS(g_mrcProperty)
{
    const uint32_t begin = ReadNumber("AI_FABRIC_MRC_FIRST", 1);
    const uint32_t end = begin + ReadNumber("AI_FABRIC_MRC_SCHEDULES", 300);
    for (uint32_t first = begin; first < end; first += 50)
    {
        const std::string name = "random faults, seeds from " + std::to_string(first);
        rows.AddRow<MrcPropertyTestCase>(name, first, std::min(50U, end - first));
    }
}
