/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/abort.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-port.h"
#include "ns3/fabric-transmitter.h"
#include "ns3/frame-handler.h"
#include "ns3/frame-source.h"
#include "ns3/node.h"
#include "ns3/object-vector.h"
#include "ns3/queue-size.h"
#include "ns3/switch-port-net-device.h"

#include <algorithm>
#include <ostream>
#include <tuple>

static Suite g_fabricTransmitter("ai-fabric-transmitter");

namespace
{

/// @return the current time in time steps
int64_t
StepNow()
{
    return FabricClock::Now();
}

/// Something that happened to a frame.
struct Incident
{
    char what;     //!< 'A' arrived, 'L' lost on the link, 'R' refused by its queue
    uint8_t side;  //!< the port that sent the frame
    int64_t time;  //!< when, in time steps
    uint32_t name; //!< the frame

    /// @return whether both are the same
    bool operator==(const Incident& other) const
    {
        return what == other.what && side == other.side && time == other.time && name == other.name;
    }
};

/// @return the stream
std::ostream&
operator<<(std::ostream& os, const Incident& incident)
{
    return os << incident.what << " side " << +incident.side << " frame " << incident.name << " at "
              << incident.time << " ps";
}

/// A source whose frames are ready at given times.
struct TimedSource : FrameSource
{
    /// A frame that is not made yet.
    struct Plan
    {
        int64_t ready;        //!< when it may be sent, in time steps
        uint8_t trafficClass; //!< its class
        uint16_t bytes;       //!< its size
        uint32_t name;        //!< its name
    };

    /// @param exact whether a time is named only if there is an open frame at that time; a line of
    /// paced queue pairs does not know, and names the time at which it will
    TimedSource(Ptr<FabricFramePool> pool, bool exact)
        : m_pool(pool),
          m_exact(exact)
    {
    }

    /// Add a frame.
    void Add(const Plan& plan)
    {
        m_plans.push_back(plan);
    }

    /// @return frames that are not made yet
    std::size_t GetPlanned() const
    {
        return m_plans.size();
    }

    void Prefetch(uint32_t) const override
    {
    }

    int64_t GetNextTime(uint8_t open) override
    {
        int64_t next = NEVER;
        for (const Plan& plan : m_plans)
        {
            if ((!m_exact && plan.ready > m_asked) || open >> plan.trafficClass & 1)
            {
                next = std::min(next, plan.ready);
            }
        }
        return next;
    }

    int GetReadyClass(uint8_t open, int64_t start) override
    {
        m_asked = std::max(m_asked, start);
        int best = -1;
        for (const Plan& plan : m_plans)
        {
            if (plan.ready <= start && open >> plan.trafficClass & 1)
            {
                best = std::max<int>(best, plan.trafficClass);
            }
        }
        return best;
    }

    Ptr<FabricFrame> Pull(uint8_t trafficClass, int64_t start) override
    {
        auto plan = std::find_if(m_plans.begin(), m_plans.end(), [=](const Plan& candidate) {
            return candidate.ready <= start && candidate.trafficClass == trafficClass;
        });
        NS_ABORT_MSG_IF(plan == m_plans.end(), "pulled a frame that is not there");
        Ptr<FabricFrame> frame = m_pool->Create();
        frame->source = plan->name;
        frame->wireBytes = plan->bytes;
        frame->SetTos(plan->trafficClass << 5);
        frame->sentAt = start;
        m_plans.erase(plan);
        return frame;
    }

    Ptr<FabricFramePool> m_pool; //!< where frames come from
    bool m_exact;                //!< GetNextTime tells of open frames only
    std::vector<Plan> m_plans;   //!< frames to be made
    int64_t m_asked{-1};         //!< the latest time that GetReadyClass was asked about
};

/// Two ports joined by a cable, and a log of what becomes of the frames between them.
struct Cable
{
    /// What the ports are like.
    struct Config
    {
        std::string rate{"80Gb/s"};                     //!< at which a byte takes 100 ps
        uint32_t gap{20};                               //!< bytes between two frames
        Time delay{NanoSeconds(50)};                    //!< of the cable
        uint8_t classes{0xFF};                          //!< which have queues of their own
        std::string maxSize{"1000000p"};                //!< of each queue; empty: the default
        std::string scheduler{"StrictEgressScheduler"}; //!< chooses among queues
    };

    /// @param config what the ports are like
    explicit Cable(const Config& config)
        : m_pool(Create<FabricFramePool>())
    {
        for (uint8_t side = 0; side < 2; ++side)
        {
            m_ears[side].cable = this;
            m_ears[side].side = 1 - side;
            Ptr<Node> node = CreateObject<Node>();
            m_devices[side] = CreateObject<SwitchPortNetDevice>();
            node->AddDevice(m_devices[side]);
            m_ports[side] = CreateWith<FabricPort>(
                {{"DataRate", config.rate},
                 {"InterframeGap", config.gap},
                 {"Classes", config.classes},
                 {"EgressSchedulerType", "ns3::aifabric::" + config.scheduler}});
            m_devices[side]->AddPort(m_ports[side], &m_ears[side], 0);
            for (uint8_t c = 0; c < 8 && !config.maxSize.empty(); ++c)
            {
                Tx(side).GetQueue(c)->SetMaxSize(QueueSize(config.maxSize));
            }
            Trace(*m_ports[side], "Loss", [this, side](Ptr<const FabricFrame> frame, Time when) {
                lost[side].push_back({'L', side, when.GetPicoSeconds(), frame->source});
            });
            Trace(*m_ports[side], "Receive", [this, side](Ptr<const FabricFrame> frame) {
                ++receivedFrames[1 - side];
                receivedBytes[1 - side] += frame->wireBytes;
            });
        }
        m_channel = CreateWith<FabricChannel>({{"Delay", config.delay}});
        m_channel->Connect(m_ports[0], m_ports[1]);
    }

    ~Cable()
    {
        m_channel->Dispose();
        Simulator::Destroy();
    }

    /// @return the sending half of a port
    FabricTransmitter& Tx(uint8_t side) const
    {
        return m_ports[side]->GetTransmitter();
    }

    const Ptr<FabricPort>& Port(uint8_t side) const
    {
        return m_ports[side];
    }

    const Ptr<SwitchPortNetDevice>& Device(uint8_t side) const
    {
        return m_devices[side];
    }

    /// @return the cable
    FabricChannel& Channel() const
    {
        return *m_channel;
    }

    const Ptr<FabricFramePool>& Pool() const
    {
        return m_pool;
    }

    /// Make a frame.  @param bytes its size on the wire  @return the frame
    Ptr<FabricFrame> Make(uint16_t bytes, uint8_t trafficClass, uint32_t name)
    {
        Ptr<FabricFrame> frame = m_pool->Create();
        frame->source = name;
        frame->wireBytes = bytes;
        frame->SetTos(trafficClass << 5);
        return frame;
    }

    /// Send a frame now.  @param bytes its size on the wire
    void Send(uint8_t side, uint16_t bytes, uint8_t trafficClass, uint32_t name)
    {
        if (!Tx(side).Send(Make(bytes, trafficClass, name), StepNow()))
        {
            log.push_back({'R', side, StepNow(), name});
        }
    }

    /// Send a PAUSE or PFC frame now.  @param kind PAUSE or PFC  @param classes the classes, of PFC
    /// @param quanta the time, for each class
    void SendPause(uint8_t side, FrameKind kind, uint8_t classes, uint16_t quanta)
    {
        Ptr<FabricFrame> frame = Make(64, 0, 0);
        frame->kind = kind;
        frame->Extra().pause.classes = classes;
        frame->Extra().pause.quanta.fill(quanta);
        Tx(side).SendControl(frame, StepNow());
    }

    std::vector<Incident> log;                 //!< arrivals and refusals, in order
    std::array<std::vector<Incident>, 2> lost; //!< losses on the cable, by side, in order
    std::vector<std::pair<uint32_t, uint32_t>> prefetched; //!< steps and frames, in order
    std::array<uint64_t, 2> receivedFrames{}; //!< that arrived, by the side that sent them
    std::array<uint64_t, 2> receivedBytes{};  //!< their bytes

    /// Hears what arrives at one port.
    struct Ear : public FrameHandler
    {
        void ReceiveFrame(const Ptr<FabricFrame>& frame, uint16_t, int64_t now) override
        {
            cable->log.push_back({'A', side, now, frame->source});
        }

        void PrefetchFrame(const FabricFrame& frame, uint32_t step) const override
        {
            cable->prefetched.push_back({step, frame.source});
        }

        bool NeedsPrefetch() const override
        {
            return true;
        }

        bool IsHost() const override
        {
            return true;
        }

        Cable* cable{nullptr}; //!< where to log
        uint8_t side{0};       //!< the port at the other end
    };

    Ptr<FabricFramePool> m_pool;                       //!< of all frames
    std::array<Ear, 2> m_ears;                         //!< who receives
    std::array<Ptr<SwitchPortNetDevice>, 2> m_devices; //!< of the ports
    std::array<Ptr<FabricPort>, 2> m_ports;            //!< the two ends
    Ptr<FabricChannel> m_channel;                      //!< the cable
};

/// Run something at a time.  @param time when, in time steps
void
At(int64_t time, std::function<void()> action)
{
    ScheduleFunction(PicoSeconds(time - StepNow()), action);
}

/// What one run of a script comes to.
struct Outcome
{
    std::vector<Incident> log;                             //!< what happened to frames; losses of
                                                           //!< the two sides one after the other
    std::array<FabricTransmitter::Counters, 2> counters{}; //!< at the end, by side
    std::array<double, 2> frameTime{};                     //!< at the end, by side
    std::array<uint32_t, 2> maxFrames{};                   //!< at the end, by side
    uint64_t events{0};                                    //!< that the run took
    std::string mistake;                                   //!< the first law that was broken
};

/// One run of a random script: all that can happen to a cable.
struct RandomPlay
{
    /// Which ports are eager.
    enum Mode : uint8_t
    {
        LATE = 0,     //!< none
        FIRST = 1,    //!< the port of side 0
        BOTH = 3,     //!< both
        OBSERVED = 4, //!< both, because they are observed, from some time on
    };

    RandomPlay(uint32_t seed, uint32_t steps, Mode mode)
        : m_mode(mode),
          m_steps(steps),
          m_random(CreateObject<UniformRandomVariable>())
    {
        m_random->SetStream(seed);
        Cable::Config config;
        // Without gaps, and with sizes and steps that are multiples of 10 ns, much happens at one
        // time.
        config.gap = seed % 2 ? 20 : 0;
        config.classes = seed % 3 ? 0xFF : 0x49;
        config.maxSize = seed % 5 ? "1000000p" : "3p";
        config.scheduler = seed % 8 < 5 ? "StrictEgressScheduler" : "DwrrEgressScheduler";
        m_cable = std::make_unique<Cable>(config);
        m_cable->Channel().AssignStreams(1000000 + seed);
        m_cable->Channel().SetLossProbability(seed % 4 ? 0 : 0.1);
        for (uint8_t side = 0; side < 2; ++side)
        {
            m_sources[side] = std::make_unique<TimedSource>(m_cable->Pool(), seed % 7 < 4);
            m_cable->Tx(side).SetSource(m_sources[side].get());
            if (mode & 1 << side)
            {
                m_cable->Tx(side).SetEager(FabricTransmitter::EAGER_OWNER, true, 0);
            }
        }
    }

    /// @return what comes of it
    Outcome Run()
    {
        At(0, [this] { Step(); });
        Simulator::Run();
        for (uint8_t side = 0; side < 2; ++side)
        {
            const FabricTransmitter& tx = m_cable->Tx(side);
            Check(side);
            Require(tx.GetWaitingFrames() == 0, "no frame is forgotten");
            Require(tx.GetCounters().sentFrames == m_accepted[side],
                    "all frames are sent in the end");
            Require(tx.GetCounters().sentBytes == m_acceptedBytes[side], "and all their bytes");
            m_outcome.counters[side] = tx.GetCounters();
            m_outcome.frameTime[side] = tx.GetFrameTime(StepNow());
            m_outcome.maxFrames[side] = tx.GetMaxFrames();
        }
        m_outcome.log = m_cable->log;
        // What happens in one picosecond at the two nodes has no order.
        std::stable_sort(m_outcome.log.begin(),
                         m_outcome.log.end(),
                         [](const Incident& a, const Incident& b) {
                             return std::tie(a.what, a.side) < std::tie(b.what, b.side);
                         });
        for (const std::vector<Incident>& lost : m_cable->lost)
        {
            m_outcome.log.insert(m_outcome.log.end(), lost.begin(), lost.end());
        }
        m_outcome.events = Simulator::GetEventCount();
        for (const Incident& incident : m_outcome.log)
        {
            const auto expected = m_arrivals.find(incident.name);
            Require(incident.what != 'A' || expected == m_arrivals.end() ||
                        expected->second == incident.time,
                    "a start is traced when it happens");
        }
        return m_outcome;
    }

    /// @return a random number from 0 to max
    uint32_t Random(uint32_t max)
    {
        return m_random->GetInteger(0, max);
    }

    /// Do something random, and schedule the next.
    void Step()
    {
        const uint8_t side = Random(1);
        if (Random(19) < 14)
        {
            Offer(side);
        }
        else
        {
            Disturb(side);
        }
        if (m_mode == OBSERVED && (m_steps == 200 || m_steps == 100))
        {
            Observe(m_steps == 100);
        }
        if (--m_steps > 0)
        {
            Simulator::Schedule(NanoSeconds(10 * Random(6)), &RandomPlay::Step, this);
        }
    }

    /// Give a port something to send.
    void Offer(uint8_t side)
    {
        static constexpr std::array<uint16_t, 4> SIZES = {100, 200, 400, 1000};
        FabricTransmitter& tx = m_cable->Tx(side);
        const uint16_t bytes = SIZES[Random(3)];
        const uint8_t trafficClass = Random(7);
        const uint32_t name = ++m_names;
        if (Random(2) > 0)
        {
            const std::size_t before = m_cable->log.size();
            m_cable->Send(side, bytes, trafficClass, name);
            const bool refused = m_cable->log.size() > before && m_cable->log.back().what == 'R';
            m_accepted[side] += !refused;
            m_acceptedBytes[side] += refused ? 0 : bytes;
            return;
        }
        tx.Advance(StepNow());
        m_sources[side]->Add({StepNow() + 10000 * Random(20), trafficClass, bytes, name});
        ++m_accepted[side];
        m_acceptedBytes[side] += bytes;
        tx.Resume(StepNow());
    }

    /// Do one of the things that happen seldom.
    void Disturb(uint8_t side)
    {
        FabricTransmitter& tx = m_cable->Tx(side);
        switch (Random(6))
        {
        case 0:
            tx.Pause(Random(255), StepNow() + 10000 * Random(50), StepNow());
            break;
        case 1:
        case 2:
            m_cable->SendPause(side,
                               Random(3) ? FrameKind::PFC : FrameKind::PAUSE,
                               Random(255),
                               Random(2) * Random(30));
            ++m_controls[side];
            ++m_accepted[side];
            m_acceptedBytes[side] += 64;
            break;
        case 3:
            m_cable->Channel().SetUp(!m_cable->Channel().IsUp() || Random(2) > 0);
            break;
        case 4:
            m_cable->Port(side)->SetRateFactor(Random(1) ? 1 : 0.5);
            break;
        default:
            Check(side);
        }
    }

    /// Begin to observe a port.
    void Observe(uint8_t side)
    {
        FabricTransmitter& tx = m_cable->Tx(side);
        auto sent = [this, side, &tx](Ptr<const FabricFrame> frame) {
            ++m_observed[side];
            if (frame->source)
            {
                m_arrivals[frame->source] =
                    StepNow() + tx.GetTransmissionTime(frame->wireBytes) + 50000;
            }
        };
        m_cable->Port(side)->TraceConnectWithoutContext(
            "Send",
            FunctionCallback<void, Ptr<const FabricFrame>>(sent));
        m_unobserved[side] = tx.GetCounters().sentFrames;
        m_isObserved[side] = true;
    }

    /// Check the conservation laws.
    void Check(uint8_t side)
    {
        FabricTransmitter& tx = m_cable->Tx(side);
        tx.Advance(StepNow());
        const FabricTransmitter::Counters& counters = tx.GetCounters();
        const uint64_t waiting = tx.GetWaitingFrames() + m_sources[side]->GetPlanned();
        const uint64_t control = m_accepted[side] - counters.sentFrames - waiting;
        Require(control <= m_controls[side], "frames accepted = sent + waiting");
        Require(counters.sentFrames ==
                    counters.deliveredFrames + counters.lostFrames + tx.GetFlightFrames(),
                "frames sent = delivered + lost + in flight");
        Require(counters.deliveredFrames == m_cable->receivedFrames[side],
                "frames delivered = received");
        Require(counters.deliveredBytes == m_cable->receivedBytes[side],
                "bytes delivered = received");
        Require(counters.lostFrames == m_cable->lost[side].size(), "each loss is traced");
        Require(counters.sentBytes ==
                    counters.deliveredBytes + counters.lostBytes + tx.GetFlightBytes(),
                "bytes sent = delivered + lost + in flight");
        if (m_isObserved[side])
        {
            Require(m_observed[side] == counters.sentFrames - m_unobserved[side],
                    "each start is traced once");
        }
    }

    void Require(bool holds, const std::string& law)
    {
        if (!holds && m_outcome.mistake.empty())
        {
            m_outcome.mistake = law + ", at " + std::to_string(StepNow()) + " ps";
        }
    }

    const Mode m_mode;                                     //!< who is eager
    uint32_t m_steps;                                      //!< to be done
    Ptr<UniformRandomVariable> m_random;                   //!< draws the script
    std::unique_ptr<Cable> m_cable;                        //!< what it happens to
    std::array<std::unique_ptr<TimedSource>, 2> m_sources; //!< beside the queues
    std::array<uint64_t, 2> m_accepted{};                  //!< frames to be sent
    std::array<uint64_t, 2> m_acceptedBytes{};             //!< their bytes
    std::array<uint64_t, 2> m_controls{};                  //!< of these, control frames
    std::array<bool, 2> m_isObserved{};                    //!< starts are traced
    std::array<uint64_t, 2> m_observed{};                  //!< starts that were traced
    std::array<uint64_t, 2> m_unobserved{};                //!< starts before that
    std::map<uint32_t, int64_t> m_arrivals;                //!< expected, of traced starts
    uint32_t m_names{0};                                   //!< frames so far
    Outcome m_outcome;                                     //!< what comes of it
};

} // namespace

/// A frame arrives after its transmission time and the delay of the cable; the next one begins a
/// gap later.
struct TransmitterTimingTestCase : FabricTestCase
{
    /// @param stepsPerByte picoseconds a byte
    void Check(const std::string& rate, int64_t stepsPerByte, uint16_t bytes)
    {
        Cable::Config config;
        config.rate = rate;
        config.delay = NanoSeconds(500);
        Cable cable(config);
        const int64_t begin = 12345;
        At(begin, [&cable, bytes] {
            cable.Send(0, bytes, 3, 1);
            cable.Send(0, bytes, 3, 2);
        });
        Simulator::Run();
        const int64_t first = begin + bytes * stepsPerByte + 500000;
        const int64_t second = first + (bytes + 20) * stepsPerByte;
        const std::vector<Incident> expected = {{'A', 0, first, 1}, {'A', 0, second, 2}};
        NS_TEST_ASSERT_MSG_EQ((cable.log == expected),
                              true,
                              bytes << " bytes at " << rate << ": " << cable.log.size());
        NS_TEST_ASSERT_MSG_EQ(cable.Tx(0).GetBusyTime(),
                              2 * (bytes + 20) * stepsPerByte,
                              "the wire was busy for two frames and their gaps");
    }
};

FABRIC_TEST_F(TransmitterTimingTestCase, g_fabricTransmitter, "Times of frames at several rates")
{
    const std::vector<std::pair<std::string, int64_t>> rates = {{"10Gb/s", 800},
                                                                {"25Gb/s", 320},
                                                                {"100Gb/s", 80},
                                                                {"200Gb/s", 40},
                                                                {"400Gb/s", 20},
                                                                {"800Gb/s", 10}};
    for (const auto& [rate, stepsPerByte] : rates)
    {
        for (uint16_t bytes : {64, 4158, 9216})
        {
            Check(rate, stepsPerByte, bytes);
        }
    }
}

/// Of the waiting frames, one of the highest class goes first; within a class, the oldest. A class
/// without a queue is served with the next lower class that has one. Control frames precede all.
struct TransmitterPriorityTestCase : FabricTestCase
{
    /// @param order the names of the frames in order
    void CheckOrder(uint8_t classes, const std::vector<uint32_t>& order)
    {
        Cable::Config config;
        config.classes = classes;
        Cable cable(config);
        At(0, [&cable] {
            cable.Send(0, 64, 0, 0); // begins at once, whatever comes after it
            for (uint8_t c = 1; c < 8; ++c)
            {
                cable.Send(0, 64, c, c);
            }
            cable.Send(0, 64, 2, 8);
            cable.Send(0, 64, 3, 9);
            cable.Send(0, 64, 1, 10);
            cable.Send(0, 64, 7, 11);
        });
        Simulator::Run();
        std::vector<uint32_t> sent;
        for (const Incident& incident : cable.log)
        {
            sent.push_back(incident.name);
        }
        NS_TEST_ASSERT_MSG_EQ((sent == order), true, "order with classes " << +classes);
    }
};

FABRIC_TEST_F(TransmitterPriorityTestCase, g_fabricTransmitter, "Strict priority")
{
    CheckOrder(0xFF, {0, 7, 11, 6, 5, 4, 3, 9, 2, 8, 1, 10});
    // queues at 0, 3 and 6: classes 7 and 6, 5 to 3, and 2 to 0 are served in order of arrival
    CheckOrder(0x49, {0, 6, 7, 11, 3, 4, 5, 9, 1, 2, 8, 10});
}

/// PAUSE closes all gates, PFC those of its classes, for a number of quanta (512 bit times each);
/// quanta of 0 open them again. A frame in transmission is not affected, nor are control frames.
struct TransmitterGateTestCase : FabricTestCase
{
    static constexpr int64_t QUANTUM = 6400;          //!< 64 bytes at 80 Gb/s, in ps
    static constexpr int64_t CROSSING = 6400 + 50000; //!< of a pause frame, in ps
    static constexpr int64_t FRAME = 20000;           //!< of 200 bytes, in ps

    /// One frame waits behind a gate, and one is in transmission when the gate closes.
    /// @param kind PAUSE or PFC  @param quanta for how long
    /// @param expected for how many quanta class 3 is closed
    void CheckOpening(FrameKind kind, uint8_t classes, uint16_t quanta, int64_t expected)
    {
        Cable cable{Cable::Config{}};
        At(0, [&] { cable.SendPause(1, kind, classes, quanta); });
        At(CROSSING - 1, [&] { cable.Send(0, 200, 3, 1); });
        At(CROSSING + 1, [&] { cable.Send(0, 200, 3, 2); });
        Simulator::Run();
        const int64_t free = CROSSING - 1 + FRAME + 2000;
        const int64_t start = std::max(free, CROSSING + expected * QUANTUM);
        const std::vector<Incident> log = {{'A', 0, CROSSING - 1 + FRAME + 50000, 1},
                                           {'A', 0, start + FRAME + 50000, 2}};
        NS_TEST_EXPECT_MSG_EQ((cable.log == log),
                              true,
                              "classes " << +classes << " quanta " << quanta << ": "
                                         << cable.log.size());
    }

    /// A gate opens by itself for frames of a source as for those of a queue.
    /// @param exact whether the source knows which of its frames are open
    void CheckSource(bool exact)
    {
        Cable cable{Cable::Config{}};
        TimedSource source(cable.Pool(), exact);
        cable.Tx(0).SetSource(&source);
        At(0, [&] {
            cable.Tx(0).Pause(0x08, 300000, 0);
            source.Add({1000, 3, 200, 1});
            source.Add({400000, 3, 200, 2});
            cable.Tx(0).Resume(0);
        });
        Simulator::Run();
        const std::vector<Incident> log = {{'A', 0, 300000 + FRAME + 50000, 1},
                                           {'A', 0, 400000 + FRAME + 50000, 2}};
        NS_TEST_EXPECT_MSG_EQ((cable.log == log), true, "the source is served when the gate opens");
    }
};

FABRIC_TEST_F(TransmitterGateTestCase,
              g_fabricTransmitter,
              "Gates: PAUSE and PFC, their expiry and their end")
{
    CheckOpening(FrameKind::PAUSE, 0, 100, 100);
    CheckOpening(FrameKind::PFC, 0x08, 100, 100);
    CheckOpening(FrameKind::PFC, 0x08, 65535, 65535);
    CheckOpening(FrameKind::PFC, 0xF7, 100, 0); // another class
    CheckSource(true);
    CheckSource(false);
}

/// A second pause frame shortens the first, and zero quanta end it.
FABRIC_TEST_F(TransmitterGateTestCase, g_fabricTransmitter, "Transmitter gate: end")
{
    for (uint16_t quanta : {0, 7})
    {
        Cable cable{Cable::Config{}};
        At(0, [&] { cable.SendPause(1, FrameKind::PFC, 0x08, 50000); });
        At(100000, [&] { cable.Send(0, 200, 3, 1); });
        At(200000, [&] { cable.SendPause(1, FrameKind::PFC, 0x08, quanta); });
        Simulator::Run();
        const int64_t start = 200000 + CROSSING + quanta * QUANTUM;
        NS_TEST_ASSERT_MSG_EQ(cable.log.size(), 1, "the frame passes once");
        if (IsStatusFailure())
        {
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(cable.log[0].time, start + FRAME + 50000, "the gate opens");
    }
}

/// Lower classes pass while a higher one is paused, and wait again when it is open.
FABRIC_TEST(g_fabricTransmitter, "Transmitter gate: others pass")
{
    Cable cable{Cable::Config{}};
    At(0, [&] {
        cable.Tx(0).Pause(0x80, 30000, 0);
        cable.Send(0, 200, 7, 7);
        for (uint32_t name : {1, 2, 3})
        {
            cable.Send(0, 200, 0, name);
        }
    });
    Simulator::Run();
    // starts: 1 at 0, 2 at 22 ns, then the gate is open: 7 at 44 ns, 3 at 66 ns
    const std::vector<Incident> log = {{'A', 0, 70000, 1},
                                       {'A', 0, 92000, 2},
                                       {'A', 0, 114000, 7},
                                       {'A', 0, 136000, 3}};
    NS_TEST_EXPECT_MSG_EQ((cable.log == log), true, "class 7 overtakes when its gate opens");
}

/// A pause does not hold a control frame back.
FABRIC_TEST_F(TransmitterGateTestCase, g_fabricTransmitter, "Transmitter gate: control passes")
{
    Cable cable{Cable::Config{}};
    int64_t paused = -1;
    Trace(*cable.Port(1), "Pause", [&paused](uint8_t, Time) { paused = StepNow(); });
    At(0, [&] {
        cable.Tx(0).Pause(0xFF, 900000, 0);
        cable.Send(0, 200, 7, 7);
        cable.SendPause(0, FrameKind::PAUSE, 0, 1);
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(paused, CROSSING, "the pause frame crosses at once");
}

/// Classes that share a queue share its gate.
FABRIC_TEST_F(TransmitterGateTestCase, g_fabricTransmitter, "Transmitter gate: shared queue")
{
    Cable::Config config;
    config.classes = 0x49;
    Cable cable(config);
    At(0, [&] {
        cable.Tx(0).Pause(0x10, 300000, 0); // class 4 has the queue of class 3
        cable.Send(0, 200, 3, 3);
        cable.Send(0, 200, 2, 2);
    });
    Simulator::Run();
    const std::vector<Incident> log = {{'A', 0, FRAME + 50000, 2},
                                       {'A', 0, 300000 + FRAME + 50000, 3}};
    NS_TEST_EXPECT_MSG_EQ((cable.log == log), true, "class 3 waits, class 2 does not");
}

/// Random traffic over a cable with all that can happen to it. What happens to the frames must not
/// depend on whether the ports schedule their departures (eager) or compute them late, and frames
/// and bytes are conserved at any time.
struct TransmitterEquivalenceTestCase : FabricTestCase
{
    static constexpr uint32_t SEEDS = 150; //!< random scripts
    static constexpr uint32_t STEPS = 300; //!< things that happen in each

    /// @param what names the script and the mode
    void Compare(const Outcome& late, const Outcome& eager, const std::string& what)
    {
        NS_TEST_ASSERT_MSG_EQ(late.mistake, "", what << ", late");
        NS_TEST_ASSERT_MSG_EQ(eager.mistake, "", what);
        if (IsStatusFailure())
        {
            return;
        }
        const std::size_t length = std::min(late.log.size(), eager.log.size());
        for (std::size_t i = 0; i < length; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ((late.log[i] == eager.log[i]),
                                  true,
                                  what << ", incident " << i << ": " << late.log[i] << " if late, "
                                       << eager.log[i] << " if eager");
            if (IsStatusFailure())
            {
                return;
            }
        }
        NS_TEST_ASSERT_MSG_EQ(late.log.size(), eager.log.size(), what);
        for (uint8_t side = 0; side < 2; ++side)
        {
            const FabricTransmitter::Counters& a = late.counters[side];
            const FabricTransmitter::Counters& b = eager.counters[side];
            NS_TEST_EXPECT_MSG_EQ(a.sentFrames, b.sentFrames, what);
            NS_TEST_EXPECT_MSG_EQ(a.sentBytes, b.sentBytes, what);
            NS_TEST_EXPECT_MSG_EQ(a.deliveredBytes, b.deliveredBytes, what);
            NS_TEST_EXPECT_MSG_EQ(a.lostBytes, b.lostBytes, what);
            NS_TEST_EXPECT_MSG_EQ(late.frameTime[side], eager.frameTime[side], what);
            NS_TEST_EXPECT_MSG_EQ(late.maxFrames[side], eager.maxFrames[side], what);
        }
    }
};

FABRIC_TEST_F(TransmitterEquivalenceTestCase,
              g_fabricTransmitter,
              "Eager and late ports do the same, bit by bit")
{
    uint64_t lateEvents = 0;
    uint64_t eagerEvents = 0;
    uint64_t incidents = 0;
    uint64_t refusals = 0;
    for (uint32_t seed = 1; seed <= SEEDS && !IsStatusFailure(); ++seed)
    {
        const Outcome late = RandomPlay(seed, STEPS, RandomPlay::LATE).Run();
        lateEvents += late.events;
        incidents += late.log.size();
        refusals += std::count_if(late.log.begin(), late.log.end(), [](const Incident& incident) {
            return incident.what == 'R';
        });
        for (auto mode : {RandomPlay::FIRST, RandomPlay::BOTH, RandomPlay::OBSERVED})
        {
            const Outcome eager = RandomPlay(seed, STEPS, mode).Run();
            const std::string what =
                "script " + std::to_string(seed) + " mode " + std::to_string(mode);
            Compare(late, eager, what);
            eagerEvents += mode == RandomPlay::BOTH ? eager.events : 0;
        }
    }
    NS_TEST_EXPECT_MSG_GT(incidents, SEEDS * STEPS / 2, "the scripts are about something");
    NS_TEST_EXPECT_MSG_GT(refusals, SEEDS / 2, "queues with a limit are full now and then");
    NS_TEST_EXPECT_MSG_GT(eagerEvents, lateEvents, "eager ports take more events");
}

/// A busy link takes one event a frame, and one more if its port is eager.
struct TransmitterEventsTestCase : FabricTestCase
{
    /// @return events of a run
    uint64_t CountEvents(uint32_t frames, bool eager)
    {
        Cable cable{Cable::Config{}};
        cable.Tx(0).SetEager(FabricTransmitter::EAGER_OWNER, eager, 0);
        At(0, [&cable, frames] {
            for (uint32_t i = 0; i < frames; ++i)
            {
                cable.Send(0, 1000, 3, i);
            }
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(cable.log.size(), frames, "all frames arrive");
        return Simulator::GetEventCount();
    }
};

FABRIC_TEST_F(TransmitterEventsTestCase, g_fabricTransmitter, "Events a frame")
{
    constexpr uint32_t FRAMES = 1000;
    const uint64_t nothing = CountEvents(0, false);
    NS_TEST_EXPECT_MSG_EQ(CountEvents(FRAMES, false) - nothing, FRAMES, "one event a hop");
    const uint64_t eager = CountEvents(FRAMES, true) - nothing;
    NS_TEST_EXPECT_MSG_GT_OR_EQ(eager, 2 * FRAMES - 1, "an eager port schedules its starts");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(eager, 2 * FRAMES + 1, "and nothing else");
}

/// A handler that wants to prefetch is told of each frame of a busy link that follows others: in
/// three steps, each at the arrival of another frame before it. Between two frames apart there is
/// none.
FABRIC_TEST(g_fabricTransmitter, "Frames that are prefetched")
{
    constexpr uint32_t FRAMES = 100;
    Cable::Config config;
    config.rate = "100Gb/s";
    config.delay = NanoSeconds(500);
    Cable cable(config);
    At(0, [&cable] {
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            cable.Send(0, 1000, 3, i);
        }
    });
    At(1000000000, [&cable] { cable.Send(0, 1000, 3, FRAMES); });
    std::map<uint32_t, uint32_t> steps; // the last of each frame
    for (std::size_t arrivals = 0; arrivals < FRAMES; arrivals = cable.log.size())
    {
        const std::size_t before = cable.prefetched.size();
        Simulator::Stop(NanoSeconds(50)); // one arrival, or none
        Simulator::Run();
        for (std::size_t i = before; i < cable.prefetched.size(); ++i)
        {
            const auto [step, frame] = cable.prefetched[i];
            NS_TEST_EXPECT_MSG_GT(frame, arrivals, "it is behind the frame that comes");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(frame, arrivals + 4 - step, "it is not far behind it");
            NS_TEST_EXPECT_MSG_EQ(step, steps[frame] + 1, "the steps are in order");
            steps[frame] = step;
        }
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(cable.log.size(), FRAMES + 1, "all frames arrive");
    uint32_t whole = 0;
    for (uint32_t frame = 1; frame < FRAMES; ++frame)
    {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(steps[frame], 2, "frame " << frame);
        whole += steps[frame] == 3;
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(whole, FRAMES / 7 * 6 - 1, "all but the first of those in flight");
    NS_TEST_EXPECT_MSG_EQ(steps.count(0) + steps.count(FRAMES), 0, "no frame before them");
}

/// Who observes a port sees each departure from then on when it happens, and none from before, even
/// if the port has not computed those yet.
struct TransmitterObserverTestCase : FabricTestCase
{
    static constexpr uint32_t FRAMES = 40;  //!< enqueued at time 0
    static constexpr int64_t STEP = 102000; //!< from one start to the next: 1000 bytes and a gap

    /// @param connect when, in time steps
    /// @param disturb whether another observer, of arrivals there, is connected before
    void Check(const std::string& trace, int64_t connect, bool disturb)
    {
        Cable cable{Cable::Config{}};
        m_times.clear();
        if (disturb)
        {
            Trace(*cable.Device(0), "PhyRxEnd", [](Ptr<const Packet>) {});
        }
        At(0, [&cable] {
            for (uint32_t i = 0; i < FRAMES; ++i)
            {
                cable.Send(0, 1000, 3, i);
            }
        });
        At(connect, [&] { Connect(cable, trace); });
        Simulator::Run();
        std::vector<int64_t> expected;
        for (int64_t start = 0; start < FRAMES * STEP; start += STEP)
        {
            if (start > connect)
            {
                expected.push_back(start);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((m_times == expected),
                              true,
                              trace << " connected at " << connect << " ps: " << m_times.size()
                                    << " departures of " << expected.size());
    }

    void Connect(Cable& cable, const std::string& trace)
    {
        const std::string name = trace.substr(trace.find('/') + 1);
        const auto frame = CallbackOf([this](Ptr<const FabricFrame>) { Note(); });
        const auto packet = CallbackOf([this](Ptr<const Packet>) { Note(); });
        const auto length = CallbackOf([this](uint32_t, uint32_t) { Note(); });
        bool connected = false;
        if (trace[0] == 'Q')
        {
            const CallbackBase& sink =
                name == "Dequeue" ? static_cast<const CallbackBase&>(frame) : length;
            connected = cable.Tx(0).GetQueue(3)->TraceConnectWithoutContext(name, sink);
        }
        else if (trace[0] == 'P')
        {
            connected = cable.Port(0)->TraceConnectWithoutContext(name, frame);
        }
        else
        {
            connected = cable.Device(0)->TraceConnectWithoutContext(name, packet);
        }
        NS_TEST_EXPECT_MSG_EQ(connected, true, trace);
    }

    /// A departure is observed.
    void Note()
    {
        m_times.push_back(StepNow());
    }

    std::vector<int64_t> m_times; //!< of departures, in time steps
};

FABRIC_TEST_F(TransmitterObserverTestCase, g_fabricTransmitter, "Observers of departures")
{
    for (const std::string trace : {"Queue/Dequeue",
                                    "Queue/PacketsInQueue",
                                    "Queue/BytesInQueue",
                                    "Port/Send",
                                    "Device/PhyTxBegin",
                                    "Device/Sniffer",
                                    "Device/PromiscSniffer"})
    {
        for (int64_t connect : {int64_t{0}, 7 * STEP - 1, 7 * STEP + 1, 30 * STEP + 5})
        {
            Check(trace, connect, trace == "Device/PhyTxBegin");
        }
    }
}

/// A queue that nobody looks at has no object, and yet the limit that was the default when its port
/// was made; its counters are those of a queue that was there from the start.
struct TransmitterQueueTestCase : FabricTestCase
{
    /// @param size the limit of the queues  @param later the default after the ports are made
    void Check(const std::string& size, const std::string& later)
    {
        constexpr uint32_t FRAMES = 10;
        Cable::Config config;
        config.maxSize.clear();
        config.classes = 0x48;
        Default("FabricQueue::MaxSize", size);
        Cable cable(config);
        Default("FabricQueue::MaxSize", later);
        At(0, [&cable] {
            for (uint32_t i = 0; i < FRAMES; ++i)
            {
                cable.Send(0, 1000, 3, i);
            }
        });
        Simulator::Run();
        FabricTransmitter& port = cable.Tx(0);
        NS_TEST_EXPECT_MSG_EQ(port.GetQueues().CountRefused(),
                              FRAMES - 4,
                              "one is sent, three wait");
        NS_TEST_EXPECT_MSG_EQ(port.GetQueue(3)->GetTotalDroppedPackets(), FRAMES - 4, "refused");
        NS_TEST_EXPECT_MSG_EQ(port.GetQueue(3)->GetMaxSize(), QueueSize(size), "limit");
        NS_TEST_EXPECT_MSG_EQ(port.GetQueue(6)->GetMaxSize(), QueueSize(size), "limit");
        port.GetQueue(3)->Watch();
        NS_TEST_EXPECT_MSG_EQ(port.GetQueue(3)->GetTotalReceivedPackets(), 4, "accepted");
        NS_TEST_EXPECT_MSG_EQ(port.GetQueue(0), port.GetQueue(3), "class 0 has the lowest queue");
        NS_TEST_EXPECT_MSG_NE(port.GetQueue(5), port.GetQueue(6), "class 5 has that of class 3");
        NS_TEST_EXPECT_MSG_EQ(port.GetQueues().SharesQueue(5, 4),
                              true,
                              "they share that of class 3");
        NS_TEST_EXPECT_MSG_EQ(port.GetQueues().SharesQueue(5, 6), false, "class 6 has its own");
        ObjectVectorValue queues;
        cable.Port(0)->GetAttribute("QueueList", queues);
        NS_TEST_ASSERT_MSG_EQ(queues.GetN(), 2, "classes with a queue");
        NS_TEST_EXPECT_MSG_EQ(queues.Get(0), port.GetQueue(3), "from the lowest class up");
        NS_TEST_EXPECT_MSG_EQ(queues.Get(1), port.GetQueue(6), "from the lowest class up");
    }
};

FABRIC_TEST_F(TransmitterQueueTestCase, g_fabricTransmitter, "Queues that are looked at late")
{
    for (const std::string size : {"3p", "3000B"})
    {
        for (const std::string later : {"4294967295B", "1p"})
        {
            Check(size, later);
        }
    }
}

/// The integral over time of the frames in a port, as the port adds it up, equals the one that an
/// observer of its queues and its wire computes.
struct TransmitterIntegralTestCase : FabricTestCase
{
    void Check(uint32_t stream)
    {
        Cable cable{Cable::Config{}};
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(stream);
        for (uint32_t i = 0; i < 500; ++i)
        {
            const auto time = static_cast<int64_t>(random->GetInteger(0, 10000000));
            const uint16_t bytes = random->GetInteger(64, 4158);
            const uint8_t trafficClass = random->GetInteger(0, 7);
            At(time, [&cable, bytes, trafficClass, i] { cable.Send(0, bytes, trafficClass, i); });
        }
        double integral = 0;
        int64_t frames = 0;
        int64_t longest = 0;
        int64_t since = 0;
        int64_t wire = 0;
        const auto length = CallbackOf([&](uint32_t before, uint32_t after) {
            integral += static_cast<double>(frames * (StepNow() - since));
            since = StepNow();
            frames += static_cast<int64_t>(after) - before;
            longest = std::max(longest, frames);
        });
        const auto send = CallbackOf(
            [&](Ptr<const FabricFrame> frame) { wire += (frame->wireBytes + 20) * 100; });
        for (uint8_t c = 0; c < 8; ++c)
        {
            cable.Tx(0).GetQueue(c)->TraceConnectWithoutContext("PacketsInQueue", length);
        }
        cable.Port(0)->TraceConnectWithoutContext("Send", send);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(frames, 0, "all frames have left");
        NS_TEST_EXPECT_MSG_GT(longest, 10, "there was a queue");
        NS_TEST_EXPECT_MSG_EQ(cable.Tx(0).GetFrameTime(StepNow()),
                              integral + wire,
                              "stream " << stream);
        NS_TEST_EXPECT_MSG_EQ(cable.Tx(0).GetMaxFrames(), longest + 1, "stream " << stream);
    }
};

FABRIC_TEST_F(TransmitterIntegralTestCase, g_fabricTransmitter, "Integral of the queue length")
{
    for (uint32_t stream = 1; stream <= 20; ++stream)
    {
        Check(stream);
    }
}
