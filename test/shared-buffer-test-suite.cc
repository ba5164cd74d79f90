/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/shared-buffer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

using namespace ns3;
using namespace ns3::aifabric;
using namespace fabrictest;

namespace
{

constexpr uint8_t LOSSY_CLASS = 0;    //!< traffic class of best effort
constexpr uint8_t LOSSLESS_CLASS = 3; //!< traffic class of RoCE
constexpr uint8_t HIGH_CLASS = 6;     //!< traffic class of congestion notification
constexpr uint32_t RESERVE = 4096;    //!< reserve of a (port, class), in bytes

/// @return a factory of shared buffers  @param bytes memory  @param lossless lossless classes
ObjectFactory
BufferFactory(uint64_t bytes, uint8_t lossless)
{
    return ObjectFactory("ns3::aifabric::SharedBuffer",
                         "BufferBytes",
                         UintegerValue(bytes),
                         "LosslessClasses",
                         UintegerValue(lossless));
}

/// @return the buffer of a switch  @param fabric the fabric  @param id number of the switch
SharedBuffer&
GetBuffer(const Fabric& fabric, uint32_t id)
{
    return *DynamicCast<SharedBuffer>(fabric.GetSwitch(id)->GetAdmission());
}

/// @return frames for which the switches had no room  @param fabric the fabric
uint64_t
CountDropped(const Fabric& fabric)
{
    uint64_t dropped = 0;
    for (uint32_t id = 0; id < fabric.GetSwitchCount(); ++id)
    {
        dropped += fabric.GetSwitch(id)->GetDropped(FabricSwitch::NO_BUFFER);
    }
    return dropped;
}

/// Do something with every port of a fabric.  @param fabric the fabric  @param action what to do
void
ForEachPort(const Fabric& fabric, const std::function<void(FabricPort&)>& action)
{
    for (std::size_t i = 0; i < fabric.GetChannelCount(); ++i)
    {
        action(*fabric.GetChannel(i)->GetPort(0));
        action(*fabric.GetChannel(i)->GetPort(1));
    }
}

/// Observe departures and do nothing.
void
Ignore(Ptr<const FabricFrame>)
{
}

/// Make a port eager.  @param port the port
void
Observe(FabricPort& port)
{
    port.TraceConnectWithoutContext("Send", MakeCallback(&Ignore));
}

/// @return a PFC frame  @param fabric where  @param trafficClass the class  @param quanta how long
Ptr<FabricFrame>
MakePfc(const Fabric& fabric, uint8_t trafficClass, uint16_t quanta)
{
    Ptr<FabricFrame> frame = fabric.GetPool()->Create();
    frame->kind = FrameKind::PFC;
    frame->Extra().pause.classes = 1 << trafficClass;
    frame->Extra().pause.quanta[trafficClass] = quanta;
    frame->wireBytes = FrameCodec::WireBytes(*frame);
    return frame;
}

} // namespace

/**
 * @ingroup ai-fabric-tests
 *
 * Dynamic thresholds: n queues that take all they get hold alpha B / (1 + n alpha) bytes each
 * (Choudhury and Hahne 1998, equation 3), whatever n and alpha.
 */
class DynamicThresholdTestCase : public FabricTestCase
{
  public:
    /// @param queues n  @param alpha the factor
    DynamicThresholdTestCase(uint32_t queues, double alpha)
        : FabricTestCase("dynamic thresholds: " + std::to_string(queues) +
                         " queues, alpha = " + std::to_string(alpha)),
          m_queues(queues),
          m_alpha(alpha)
    {
    }

  private:
    static constexpr uint32_t BUFFER = 600000; //!< B, in bytes
    static constexpr uint16_t BYTES = 1000;    //!< of a frame
    static constexpr uint32_t COUNT = 1500;    //!< frames a sender

    void DoRun() override;

    /// Compare the queues with the closed form.
    void Check();

    uint32_t m_queues;    //!< n
    double m_alpha;       //!< the factor
    Ptr<Fabric> m_fabric; //!< one leaf: n receivers, then two senders for each
};

void
DynamicThresholdTestCase::Check()
{
    m_fabric->CatchUp();
    const double expected = m_alpha * BUFFER / (1 + m_queues * m_alpha);
    for (uint32_t host = 0; host < m_queues; ++host)
    {
        const FabricPort& port = *m_fabric->GetSwitch(0)->GetPort(host);
        NS_TEST_EXPECT_MSG_EQ_TOL(port.GetTransmitter().GetWaitingBytes(),
                                  expected,
                                  (1 + m_alpha) * BYTES,
                                  "a queue holds its share within a frame");
    }
}

void
DynamicThresholdTestCase::DoRun()
{
    ClosHelper helper;
    ObjectFactory buffer = BufferFactory(BUFFER, 0);
    buffer.Set("Alpha", DoubleValue(m_alpha));
    helper.SetAdmission(buffer);
    m_fabric = helper.Install(LeafSpine(1, 1, 3 * m_queues));
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        for (uint32_t sender = 0; sender < 2 * m_queues; ++sender)
        {
            const uint32_t source = m_queues + sender;
            SendFrame(*m_fabric,
                      MakeFrame(*m_fabric, source, sender % m_queues, LOSSY_CLASS, BYTES));
        }
    }
    // A frame and its gap take 10.2 ns at 800 Gb/s: the senders are done after 15.3 us.
    for (uint32_t time = 10000; time <= 15000; time += 501)
    {
        Simulator::Schedule(NanoSeconds(time), &DynamicThresholdTestCase::Check, this);
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_GT(CountDropped(*m_fabric), 0, "the queues want more than they get");
    const SharedBuffer& memory = GetBuffer(*m_fabric, 0);
    NS_TEST_EXPECT_MSG_EQ(memory.GetFreeBytes(), BUFFER, "all is free at the end");
    NS_TEST_EXPECT_MSG_EQ(memory.GetOccupancy(), 0, "nothing is held");
    m_fabric = nullptr;
}

/**
 * @ingroup ai-fabric-tests
 *
 * The limit of a port is exact, and a frame that the memory has no room for is refused however
 * large alpha is.
 */
class SharedLimitTestCase : public FabricTestCase
{
  public:
    SharedLimitTestCase()
        : FabricTestCase("limits of ports and memory are exact")
    {
    }

  private:
    void DoRun() override;

    /// @return the most frames that waited at an overloaded port  @param name an attribute of the
    /// buffer  @param bytes its value
    uint32_t Overload(const std::string& name, uint32_t bytes);
};

uint32_t
SharedLimitTestCase::Overload(const std::string& name, uint32_t bytes)
{
    constexpr uint32_t COUNT = 30;
    ClosHelper helper;
    ObjectFactory buffer = BufferFactory(1000000, 0);
    buffer.Set("Alpha", DoubleValue(1000));
    buffer.Set(name, UintegerValue(bytes));
    helper.SetAdmission(buffer);
    Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 3));
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        SendFrame(*fabric, MakeFrame(*fabric, 0, 2, LOSSY_CLASS, 1000));
        SendFrame(*fabric, MakeFrame(*fabric, 1, 2, HIGH_CLASS, 1000));
    }
    Simulator::Run();
    const uint32_t most = fabric->GetSwitch(0)->GetPort(2)->GetTransmitter().GetMaxFrames() - 1;
    NS_TEST_EXPECT_MSG_EQ(CountDropped(*fabric), COUNT - most, "what is refused, and no more");
    NS_TEST_EXPECT_MSG_EQ(GetBuffer(*fabric, 0).GetCounters().maxOccupancy,
                          1000 * most,
                          "the most that was held");
    Simulator::Destroy();
    return most;
}

void
SharedLimitTestCase::DoRun()
{
    NS_TEST_EXPECT_MSG_EQ(Overload("PortBytes", 10000), 10, "PortBytes, reached to the byte");
    NS_TEST_EXPECT_MSG_EQ(Overload("PortBytes", 10999), 10, "PortBytes, not exceeded");
    NS_TEST_EXPECT_MSG_EQ(Overload("BufferBytes", 12000), 12, "BufferBytes, reached to the byte");
    NS_TEST_EXPECT_MSG_EQ(Overload("BufferBytes", 12999), 12, "BufferBytes, not exceeded");
}

/**
 * @ingroup ai-fabric-tests
 *
 * The memory of frames that have left is free, even if nothing has happened since that would tell:
 * on links so long that no frame has arrived, one burst after another gets all the room there is,
 * and a lossless class is not paused.
 */
class LateDeparturesTestCase : public FabricTestCase
{
  public:
    /// @param lossless whether the bursts are lossless
    explicit LateDeparturesTestCase(bool lossless)
        : FabricTestCase(std::string("departures that are known late count, ") +
                         (lossless ? "lossless" : "lossy")),
          m_lossless(lossless)
    {
    }

  private:
    void DoRun() override;

    /// Two hosts overload a third.  @param first the first host  @param destination the third
    void Burst(uint32_t first, uint32_t destination)
    {
        for (uint32_t i = 0; i < (m_lossless ? 30 : 60); ++i)
        {
            for (const uint32_t source : {first, first + 1})
            {
                const uint8_t trafficClass = m_lossless ? LOSSLESS_CLASS : LOSSY_CLASS;
                SendFrame(*m_fabric, MakeFrame(*m_fabric, source, destination, trafficClass, 1000));
            }
        }
    }

    bool m_lossless;      //!< the bursts are lossless
    Ptr<Fabric> m_fabric; //!< one leaf with nine hosts
};

void
LateDeparturesTestCase::DoRun()
{
    constexpr uint32_t HEADROOM = 100000;
    constexpr uint32_t PORTS = 10;
    ClosHelper helper;
    helper.SetChannelAttribute("Delay", TimeValue(MicroSeconds(5)));
    ObjectFactory buffer = BufferFactory(100000, 0);
    if (m_lossless)
    {
        // A burst takes 15 frames from each host, of which 11 are in the shared part. There may
        // be 18 there, but not another 15.
        buffer = BufferFactory(1000000 + PORTS * (HEADROOM + RESERVE), 1 << LOSSLESS_CLASS);
        buffer.Set("HeadroomBytes", UintegerValue(HEADROOM));
        buffer.Set("IngressAlpha", DoubleValue(0.018));
    }
    helper.SetAdmission(buffer);
    m_fabric = helper.Install(LeafSpine(1, 1, 9));
    // Three bursts at once, so that the memory has been fuller than it will be. Then two bursts,
    // the second when all of the first has left and nothing of it has arrived.
    Burst(0, 6);
    Burst(2, 7);
    Burst(4, 8);
    Simulator::Schedule(MicroSeconds(30), &LateDeparturesTestCase::Burst, this, 0, 6);
    Simulator::Schedule(MicroSeconds(32), &LateDeparturesTestCase::Burst, this, 0, 7);
    Simulator::Run();
    for (const uint16_t port : {6, 7})
    {
        const FabricTransmitter& egress = m_fabric->GetSwitch(0)->GetPort(port)->GetTransmitter();
        NS_TEST_EXPECT_MSG_EQ(egress.GetMaxFrames() - 1, (m_lossless ? 30 : 50), "waiting");
    }
    const SharedBuffer::Counters& counters = GetBuffer(*m_fabric, 0).GetCounters();
    NS_TEST_EXPECT_MSG_EQ(counters.pauses, 0, "no class is paused");
    NS_TEST_EXPECT_MSG_EQ(counters.maxHeadroom, 0, "no headroom is used");
    // Lossy: 26 + 25 + 25 frames, as the third queue may grow to the 25 that are free then.
    NS_TEST_EXPECT_MSG_EQ(counters.maxOccupancy, (m_lossless ? 90000 : 76000), "held at most");
    m_fabric = nullptr;
}

/**
 * @ingroup ai-fabric-tests
 *
 * The headroom that is computed for a link: 2 rate delay + the largest frames of both ends + rate
 * times response time + the PFC frame, and one frame more, which makes the decision.
 */
class HeadroomFormulaTestCase : public FabricTestCase
{
  public:
    HeadroomFormulaTestCase()
        : FabricTestCase("headroom follows from the link")
    {
    }

  private:
    void DoRun() override
    {
        Expect("400Gb/s", NanoSeconds(500), NanoSeconds(600), 50000 + 3 * 4218 + 30000 + 64);
        Expect("100Gb/s", MicroSeconds(1), NanoSeconds(600), 25000 + 3 * 4218 + 7500 + 64);
        Expect("10Gb/s", NanoSeconds(80), NanoSeconds(0), 200 + 3 * 4218 + 64);
    }

    /// Expect a headroom.  @param rate the link's rate  @param delay its delay
    /// @param response the response time  @param bytes the headroom
    void Expect(const std::string& rate, Time delay, Time response, uint32_t bytes)
    {
        ClosHelper helper;
        helper.SetPortAttribute("DataRate", StringValue(rate));
        helper.SetChannelAttribute("Delay", TimeValue(delay));
        ObjectFactory buffer = BufferFactory(4000000, 1 << LOSSLESS_CLASS | 1 << HIGH_CLASS);
        buffer.Set("ResponseTime", TimeValue(response));
        helper.SetAdmission(buffer);
        Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 2));
        fabric->GetSwitch(0)->Initialize();
        const SharedBuffer& memory = GetBuffer(*fabric, 0);
        NS_TEST_EXPECT_MSG_EQ(memory.GetHeadroomBytes(1), bytes, "headroom at " << rate);
        NS_TEST_EXPECT_MSG_EQ(memory.GetSharedBytes(),
                              4000000 - 3 * 2 * (bytes + RESERVE),
                              "three ports and two classes have theirs, the rest is shared");
        Simulator::Destroy();
    }
};

/**
 * @ingroup ai-fabric-tests
 *
 * A random sequence of arrivals and departures, beside a model that follows the law word by word:
 * reserve, share and headroom of each (port, class), what is refused, who is paused.
 */
class LosslessLawTestCase : public FabricTestCase
{
  public:
    LosslessLawTestCase()
        : FabricTestCase("reserve, share, headroom and pauses follow the law")
    {
    }

  private:
    static constexpr int64_t HEADROOM = 9000; //!< of a (port, class), in bytes
    static constexpr int64_t OFFSET = 2500;   //!< below the threshold to resume, in bytes
    static constexpr int64_t SHARED = 100000; //!< shared part, in bytes
    static constexpr uint32_t PORTS = 4;      //!< ports of the switch

    /// What the law says of a (port, class).
    struct Model
    {
        int64_t reserve{0};                   //!< bytes in the reserve
        int64_t share{0};                     //!< bytes in the shared part
        int64_t headroom{0};                  //!< bytes in the headroom
        bool paused{false};                   //!< whether it is paused
        std::vector<Ptr<FabricFrame>> frames; //!< what it holds
    };

    void DoRun() override;

    /// @return the threshold of shares
    double GetThreshold() const
    {
        int64_t taken = m_lossy;
        for (const Model& model : m_models)
        {
            taken += model.share;
        }
        return (SHARED - taken) / 4.0;
    }

    /// @return whether the law admits a frame  @param model where it comes in  @param bytes its
    /// size
    bool Admit(Model& model, int64_t bytes) const;

    /// A frame leaves.  @param model where it came in  @param bytes its size
    static void Release(Model& model, int64_t bytes);

    /// Let a frame come in by a random port, or a lossy one.
    void Arrive();

    /// Let a random frame leave.
    void Leave();

    /// Compare the buffer with the model, once it has decided on pauses.
    /// @param arrived the port where a frame has come in, or PORTS
    void Compare(uint32_t arrived);

    Ptr<Fabric> m_fabric;                        //!< one leaf with three hosts
    Ptr<SharedBuffer> m_buffer;                  //!< its buffer
    UniformInteger m_uniform;                    //!< decides
    std::array<Model, PORTS> m_models;           //!< by port
    std::vector<Ptr<FabricFrame>> m_lossyFrames; //!< lossy frames held
    int64_t m_lossy{0};                          //!< their bytes
    std::array<uint32_t, 4> m_seen{};            //!< refused, in headroom, pauses, resumes
};

bool
LosslessLawTestCase::Admit(Model& model, int64_t bytes) const
{
    const int64_t reserved = std::min(bytes, int64_t{RESERVE} - model.reserve);
    const int64_t shared = bytes - reserved;
    if (shared == 0 || model.share + shared <= GetThreshold())
    {
        model.reserve += reserved;
        model.share += shared;
        return true;
    }
    if (model.headroom + bytes <= HEADROOM)
    {
        model.headroom += bytes;
        return true;
    }
    return false;
}

void
LosslessLawTestCase::Release(Model& model, int64_t bytes)
{
    for (int64_t* part : {&model.headroom, &model.share, &model.reserve})
    {
        const int64_t taken = std::min(*part, bytes);
        *part -= taken;
        bytes -= taken;
    }
}

void
LosslessLawTestCase::Arrive()
{
    const uint32_t port = m_uniform(PORTS + 1);
    const uint16_t bytes = 64 + m_uniform(4000);
    const bool lossy = port == PORTS;
    FabricTransmitter& egress = m_fabric->GetSwitch(0)->GetPort(2)->GetTransmitter();
    Ptr<FabricFrame> frame =
        MakeFrame(*m_fabric, 0, 2, lossy ? LOSSY_CLASS : LOSSLESS_CLASS, bytes);
    frame->ingress = lossy ? 0 : port;
    const bool expected = lossy ? bytes <= GetThreshold() * 4 : Admit(m_models[port], bytes);
    const bool admitted = m_buffer->Admit(*frame, egress, Simulator::Now().GetTimeStep());
    NS_TEST_EXPECT_MSG_EQ(admitted, expected, bytes << " bytes at port " << port);
    m_seen[0] += !admitted;
    if (admitted)
    {
        (lossy ? m_lossyFrames : m_models[port].frames).push_back(frame);
        m_lossy += lossy ? bytes : 0;
    }
    Compare(lossy || !admitted ? PORTS : port);
}

void
LosslessLawTestCase::Leave()
{
    const uint32_t port = m_uniform(PORTS + 1);
    std::vector<Ptr<FabricFrame>>& frames = port == PORTS ? m_lossyFrames : m_models[port].frames;
    if (frames.empty())
    {
        return;
    }
    const Ptr<FabricFrame> frame = frames.front();
    frames.erase(frames.begin());
    m_buffer->Release(*frame, Simulator::Now().GetTimeStep());
    if (port == PORTS)
    {
        m_lossy -= frame->wireBytes;
    }
    else
    {
        Release(m_models[port], frame->wireBytes);
    }
    Compare(PORTS);
}

void
LosslessLawTestCase::Compare(uint32_t arrived)
{
    Simulator::Stop(NanoSeconds(10));
    Simulator::Run();
    const double threshold = GetThreshold();
    for (uint32_t port = 0; port < PORTS; ++port)
    {
        Model& model = m_models[port];
        if (model.paused && arrived != port)
        {
            model.paused = model.headroom > 0 || model.share + OFFSET > threshold;
            m_seen[3] += !model.paused;
        }
        else if (port == arrived && (model.headroom > 0 || model.share >= threshold))
        {
            m_seen[2] += !model.paused;
            model.paused = true;
        }
        m_seen[1] += model.headroom > 0;
        const SharedBuffer::Ingress& ingress = m_buffer->GetIngress(port, LOSSLESS_CLASS);
        NS_TEST_ASSERT_MSG_EQ(ingress.used, model.reserve + model.share, "used, port " << port);
        NS_TEST_ASSERT_MSG_EQ(ingress.headroom, model.headroom, "headroom, port " << port);
        NS_TEST_ASSERT_MSG_EQ(ingress.paused, model.paused, "paused, port " << port);
    }
    NS_TEST_ASSERT_MSG_EQ_TOL(m_buffer->GetFreeBytes(), 4 * threshold, 0.1, "free");
}

void
LosslessLawTestCase::DoRun()
{
    ClosHelper helper;
    ObjectFactory buffer =
        BufferFactory(SHARED + PORTS * (HEADROOM + RESERVE), 1 << LOSSLESS_CLASS);
    buffer.Set("IngressAlpha", DoubleValue(0.25));
    buffer.Set("HeadroomBytes", UintegerValue(HEADROOM));
    buffer.Set("ResumeOffset", UintegerValue(OFFSET));
    helper.SetAdmission(buffer);
    m_fabric = helper.Install(LeafSpine(1, 1, 3));
    m_buffer = &GetBuffer(*m_fabric, 0);
    m_uniform = Uniform(21);
    Simulator::Stop(NanoSeconds(1));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(m_buffer->GetSharedBytes(), SHARED, "the shared part");
    for (uint32_t step = 0; step < 10000; ++step)
    {
        // fill and drain in turns of 100 steps
        m_uniform(100) < (step / 100 % 2 ? 40U : 60U) ? Arrive() : Leave();
    }
    for (const uint32_t seen : m_seen)
    {
        NS_TEST_EXPECT_MSG_GT(seen, 50, "refusals, headroom, pauses and resumes are seen");
    }
    m_lossyFrames.clear();
    m_models = {};
    m_buffer = nullptr;
    m_fabric = nullptr;
}

/**
 * @ingroup ai-fabric-tests
 *
 * A fabric with lossless RoCE traffic that meets at one host, what is checked of it at its end, and
 * what is remembered of it.
 */
class PfcTestCase : public FabricTestCase
{
  public:
    /// A fabric and its traffic.
    struct Scenario
    {
        std::string rate{"800"};      //!< of all links, in Gb/s
        Time delay{NanoSeconds(500)}; //!< of all links
        int64_t spines{2};            //!< above four leaves
        int64_t hostsPerLeaf{4};      //!< hosts below each leaf
        uint32_t senders{15};         //!< hosts that send to host 0
        uint64_t bytes{300000};       //!< of each message
        uint64_t buffer{2000000};     //!< memory of a switch
        int64_t stream{1};            //!< random stream; 0: all flows start at once
        uint16_t quanta{65535};       //!< pause time
        bool bothWays{false};         //!< hosts also send a permutation
        bool symmetric{false};        //!< instead, leaves do the same at the same time
        uint32_t lossyFrames{0};      //!< lossy frames that each sender adds
    };

    /// @param name what is tested
    explicit PfcTestCase(const std::string& name)
        : FabricTestCase(name)
    {
    }

  protected:
    /// Build a fabric and its traffic.  @param scenario what to build
    void Build(const Scenario& scenario);

    /// Run, and check that nothing lossless was lost and that nothing is left.
    void RunLossless();

    /// @return what happened: completions, pauses and their times, and counters
    std::vector<int64_t> GetHistory();

    Ptr<Fabric> m_fabric;     //!< the fabric
    Ptr<FlowDriver> m_driver; //!< its lossless traffic
    uint64_t m_pauses{0};     //!< pauses of all switches
    uint64_t m_frames{0};     //!< PFC frames of all switches
    uint32_t m_headroom{0};   //!< the most bytes in a headroom

  private:
    /// A switch has paused a peer or resumed it.  @param id the switch  @param port its port
    /// @param trafficClass the class  @param paused which of the two
    void Paused(uint32_t id, uint16_t port, uint8_t trafficClass, bool paused)
    {
        NS_TEST_EXPECT_MSG_EQ(+trafficClass, +LOSSLESS_CLASS, "only lossless classes are paused");
        m_history.push_back(Simulator::Now().GetTimeStep());
        m_history.push_back(id << 16 | port << 1 | paused);
    }

    /// @return in each of three leaves, three hosts send to the fourth and to a host of the last
    /// leaf  @param scenario the fabric
    static std::vector<Flow> MakeSymmetric(const Scenario& scenario);

    /// Check the buffer of a switch at the end.  @param id the switch
    void CheckBuffer(uint32_t id);

    /// Check that no queue pair had to send anything again.
    void CheckQueuePairs();

    std::vector<int64_t> m_history; //!< pauses and their times
};

std::vector<Flow>
PfcTestCase::MakeSymmetric(const Scenario& scenario)
{
    std::vector<Flow> flows;
    for (const uint32_t first : {0, 4, 8})
    {
        for (uint32_t host = first + 1; host < first + 4; ++host)
        {
            flows.push_back(Flow{0, host, first, scenario.bytes});
            flows.push_back(Flow{0, host, 12, scenario.bytes});
        }
    }
    return flows;
}

void
PfcTestCase::Build(const Scenario& scenario)
{
    m_history.clear();
    Config::SetDefault("ns3::aifabric::RoceQueuePair::AckTimeout", TimeValue(Seconds(1)));
    ClosHelper helper;
    helper.SetPortAttribute("DataRate", StringValue(scenario.rate + "Gb/s"));
    helper.SetChannelAttribute("Delay", TimeValue(scenario.delay));
    ObjectFactory buffer = BufferFactory(scenario.buffer, 1 << LOSSLESS_CLASS);
    buffer.Set("ResponseTime", TimeValue(Time(0)));
    buffer.Set("PauseQuanta", UintegerValue(scenario.quanta));
    helper.SetAdmission(buffer);
    m_fabric = helper.Install(LeafSpine(4, scenario.spines, scenario.hostsPerLeaf));
    m_fabric->AssignStreams(1);
    const uint32_t hosts = m_fabric->GetGraph().HostCount();
    for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
    {
        m_fabric->GetSwitch(id)->GetAdmission()->TraceConnectWithoutContext(
            "Pause",
            MakeCallback(&PfcTestCase::Paused, this).Bind(id));
    }
    UniformInteger uniform = Uniform(scenario.stream);
    std::vector<Flow> flows = scenario.symmetric
                                  ? MakeSymmetric(scenario)
                                  : Incast(hosts, scenario.senders, 0, scenario.bytes, uniform);
    for (uint32_t i = 0; i < scenario.lossyFrames; ++i)
    {
        for (const Flow& flow : flows)
        {
            SendFrame(*m_fabric, MakeFrame(*m_fabric, flow.source, 0, LOSSY_CLASS, 1500));
        }
    }
    for (const Flow& flow : scenario.bothWays ? RandomPermutation(hosts, scenario.bytes, uniform)
                                              : std::vector<Flow>())
    {
        flows.push_back(flow);
    }
    for (Flow& flow : flows)
    {
        flow.startPs = scenario.stream ? uniform(2000000) : 0;
    }
    m_driver = StartFlows(*m_fabric, flows);
}

void
PfcTestCase::RunLossless()
{
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    m_fabric->CatchUp();
    m_pauses = 0;
    m_frames = 0;
    m_headroom = 0;
    for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
    {
        CheckBuffer(id);
    }
    CheckQueuePairs();
    NS_TEST_EXPECT_MSG_EQ(m_driver->GetCompleted(),
                          m_driver->GetRecords().size(),
                          "all messages are delivered");
    NS_TEST_EXPECT_MSG_GT(m_pauses, 0, "there were pauses");
    ForEachPort(*m_fabric, [this](FabricPort& port) {
        NS_TEST_EXPECT_MSG_EQ(+port.GetTransmitter().GetPaused(), 0, "all gates are open");
        NS_TEST_EXPECT_MSG_EQ(port.GetTransmitter().GetWaitingFrames(), 0, "nothing waits");
    });
}

void
PfcTestCase::CheckBuffer(uint32_t id)
{
    const SharedBuffer& memory = GetBuffer(*m_fabric, id);
    const SharedBuffer::Counters& counters = memory.GetCounters();
    NS_TEST_EXPECT_MSG_EQ(counters.losslessDrops, 0, "a lossless class loses nothing");
    NS_TEST_EXPECT_MSG_EQ(counters.pauses, counters.resumes, "each pause has ended");
    NS_TEST_EXPECT_MSG_EQ(memory.GetOccupancy(), 0, "nothing is held");
    NS_TEST_EXPECT_MSG_EQ(memory.GetFreeBytes(), memory.GetSharedBytes(), "all is free");
    for (uint16_t port = 0; port < m_fabric->GetSwitch(id)->GetPortCount(); ++port)
    {
        const SharedBuffer::Ingress& ingress = memory.GetIngress(port, LOSSLESS_CLASS);
        NS_TEST_EXPECT_MSG_EQ(ingress.used + ingress.headroom, 0, "nothing is counted");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(ingress.maxHeadroom,
                                    memory.GetHeadroomBytes(port),
                                    "the headroom sufficed");
        m_headroom = std::max(m_headroom, ingress.maxHeadroom);
    }
    m_pauses += counters.pauses;
    m_frames += counters.pauseFrames;
}

void
PfcTestCase::CheckQueuePairs()
{
    for (uint32_t host = 0; host < m_fabric->GetGraph().HostCount(); ++host)
    {
        const RoceNetDevice& nic = *m_fabric->GetNic(host);
        for (std::size_t i = 0; i < nic.GetQueuePairCount(); ++i)
        {
            const RoceQueuePair::Counters& counters = nic.GetQueuePair(i)->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.retransmissions, 0, "nothing is sent again");
            NS_TEST_EXPECT_MSG_EQ(counters.outOfSequence, 0, "nothing is missing");
            NS_TEST_EXPECT_MSG_EQ(counters.timeouts, 0, "no timer expires");
        }
    }
}

std::vector<int64_t>
PfcTestCase::GetHistory()
{
    for (const FlowRecord& record : m_driver->GetRecords())
    {
        m_history.push_back(record.receivedAt.GetTimeStep());
        m_history.push_back(record.completedAt.GetTimeStep());
    }
    for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
    {
        const SharedBuffer& memory = GetBuffer(*m_fabric, id);
        m_history.push_back(memory.GetCounters().pauseFrames);
        m_history.push_back(memory.GetCounters().maxOccupancy);
        m_history.push_back(m_fabric->GetSwitch(id)->GetDropped(FabricSwitch::NO_BUFFER));
        for (uint16_t port = 0; port < m_fabric->GetSwitch(id)->GetPortCount(); ++port)
        {
            m_history.push_back(memory.GetIngress(port, LOSSLESS_CLASS).maxHeadroom);
        }
    }
    return m_history;
}

/**
 * @ingroup ai-fabric-tests
 *
 * Many hosts send to one: nothing is lost, nothing is sent again, and all gates open in the end.
 */
class PfcIncastTestCase : public PfcTestCase
{
  public:
    /// @param name what is special  @param scenario fabric and traffic
    PfcIncastTestCase(const std::string& name, const Scenario& scenario)
        : PfcTestCase("lossless incast: " + name),
          m_scenario(scenario)
    {
    }

  private:
    void DoRun() override
    {
        for (int64_t stream = 0; stream < 4; ++stream)
        {
            m_scenario.stream = stream;
            Build(m_scenario);
            RunLossless();
            NS_TEST_EXPECT_MSG_EQ(CountDropped(*m_fabric), 0, "nothing is dropped");
            NS_TEST_EXPECT_MSG_GT(m_headroom, 0, "the headroom was used");
            Simulator::Destroy();
        }
    }

    Scenario m_scenario; //!< fabric and traffic
};

/**
 * @ingroup ai-fabric-tests
 *
 * Lossy traffic beside lossless traffic, in the same memory, is dropped.
 */
class PfcLossyNeighborTestCase : public PfcTestCase
{
  public:
    PfcLossyNeighborTestCase()
        : PfcTestCase("a lossy class beside a lossless one is dropped")
    {
    }

  private:
    void DoRun() override
    {
        Scenario scenario;
        scenario.lossyFrames = 400;
        Build(scenario);
        RunLossless();
        NS_TEST_EXPECT_MSG_GT(CountDropped(*m_fabric), 0, "lossy frames are dropped");
        const uint64_t sent = uint64_t{scenario.lossyFrames} * scenario.senders;
        NS_TEST_EXPECT_MSG_EQ(m_fabric->GetNic(0)->GetCounters().dropped + CountDropped(*m_fabric),
                              sent,
                              "the rest arrives, where no queue pair wants it");
    }
};

/**
 * @ingroup ai-fabric-tests
 *
 * Pauses that last longer than the pause time of a PFC frame are refreshed before they end.
 */
class PfcRefreshTestCase : public PfcTestCase
{
  public:
    PfcRefreshTestCase()
        : PfcTestCase("a long pause is refreshed before it ends")
    {
    }

  private:
    void DoRun() override;

    /// A port was paused or resumed.  @param port the port  @param duration how long; 0: resumed
    void Paused(FabricPort* port, uint8_t, Time duration)
    {
        Time& until = m_until[port];
        if (!until.IsZero() && !duration.IsZero())
        {
            NS_TEST_EXPECT_MSG_LT(Simulator::Now(), until, "it was still paused");
            ++m_refreshes;
        }
        until = duration.IsZero() ? Time(0) : Simulator::Now() + duration;
    }

    std::map<FabricPort*, Time> m_until; //!< when paused ports would resume
    uint32_t m_refreshes{0};             //!< pauses of paused ports
};

void
PfcRefreshTestCase::DoRun()
{
    Scenario scenario;
    scenario.quanta = 300; // 192 ns
    Build(scenario);
    ForEachPort(*m_fabric, [this](FabricPort& port) {
        port.TraceConnectWithoutContext(
            "Pause",
            MakeCallback(&PfcRefreshTestCase::Paused, this).Bind(&port));
    });
    RunLossless();
    NS_TEST_EXPECT_MSG_GT(m_refreshes, 100, "there were long pauses");
    NS_TEST_EXPECT_MSG_GT(m_frames, m_refreshes, "each refresh is counted");
    NS_TEST_EXPECT_MSG_EQ(CountDropped(*m_fabric), 0, "nothing is dropped");
}

/**
 * @ingroup ai-fabric-tests
 *
 * Two hosts send to a third, which has paused the switch, so that nothing leaves, and sends to both
 * at line rate, so that a PFC frame waits for a frame of the largest size. Whatever the
 * offset, nothing is lost; the headroom is needed almost whole; with two frames less, something
 * is lost.
 */
class PfcHeadroomTestCase : public FabricTestCase
{
  public:
    /// @param rate of the links, in Gb/s
    explicit PfcHeadroomTestCase(const std::string& rate)
        : FabricTestCase("the headroom is needed and suffices, " + rate + " Gb per s"),
          m_rate(rate)
    {
    }

  private:
    static constexpr uint16_t BYTES = 4218; //!< of a frame, the largest
    static constexpr uint32_t COUNT = 120;  //!< frames a host

    void DoRun() override;

    /// Run once.  @param headroom of the buffer; 0: computed  @param offset of the start of host 2
    /// @return the buffer's counters
    SharedBuffer::Counters Run(uint32_t headroom, Time offset);

    /// Send frames.  @param source from where  @param destination to where
    void Burst(uint32_t source, uint32_t destination)
    {
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            SendFrame(*m_fabric, MakeFrame(*m_fabric, source, destination, LOSSLESS_CLASS, BYTES));
        }
    }

    std::string m_rate;     //!< of the links, in Gb/s
    Ptr<Fabric> m_fabric;   //!< one leaf with three hosts
    uint32_t m_computed{0}; //!< the headroom that is computed
    uint32_t m_used{0};     //!< the most that was used of a headroom
};

SharedBuffer::Counters
PfcHeadroomTestCase::Run(uint32_t headroom, Time offset)
{
    ClosHelper helper;
    helper.SetPortAttribute("DataRate", StringValue(m_rate + "Gb/s"));
    ObjectFactory buffer = BufferFactory(2000000, 1 << LOSSLESS_CLASS);
    buffer.Set("ResponseTime", TimeValue(Time(0)));
    buffer.Set("HeadroomBytes", UintegerValue(headroom));
    buffer.Set("IngressAlpha", DoubleValue(0.01));
    helper.SetAdmission(buffer);
    m_fabric = helper.Install(LeafSpine(1, 1, 3));
    m_fabric->GetNic(2)->GetPort(0)->GetTransmitter().SendControl(
        MakePfc(*m_fabric, LOSSLESS_CLASS, 65535),
        0);
    Burst(0, 2);
    Burst(1, 2);
    Simulator::Schedule(offset, &PfcHeadroomTestCase::Burst, this, 2, 0);
    Simulator::Schedule(offset, &PfcHeadroomTestCase::Burst, this, 2, 1);
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    const SharedBuffer& memory = GetBuffer(*m_fabric, 0);
    m_computed = memory.GetHeadroomBytes(0);
    for (const uint16_t port : {0, 1})
    {
        m_used = std::max(m_used, memory.GetIngress(port, LOSSLESS_CLASS).maxHeadroom);
    }
    const SharedBuffer::Counters counters = memory.GetCounters();
    NS_TEST_EXPECT_MSG_GT(counters.pauses, 0, "there are pauses");
    NS_TEST_EXPECT_MSG_EQ(m_fabric->GetSwitch(0)->GetForwarded() + counters.losslessDrops,
                          4 * COUNT,
                          "all frames have come");
    m_fabric = nullptr;
    Simulator::Destroy();
    return counters;
}

void
PfcHeadroomTestCase::DoRun()
{
    constexpr uint32_t OFFSETS = 40;
    const Time frames = DataRate(m_rate + "Gb/s").CalculateBytesTxTime(2 * BYTES);
    for (uint32_t i = 0; i < OFFSETS; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(Run(0, frames * i / OFFSETS).losslessDrops, 0, "nothing is lost");
    }
    NS_TEST_EXPECT_MSG_LT_OR_EQ(m_used, m_computed, "the headroom suffices");
    NS_TEST_EXPECT_MSG_GT(m_used + BYTES, m_computed, "and is needed but for a frame");
    const uint32_t enough = m_computed;
    uint64_t lost = 0;
    for (uint32_t i = 0; i < OFFSETS; ++i)
    {
        lost += Run(enough - 2 * BYTES, frames * i / OFFSETS).losslessDrops;
    }
    NS_TEST_EXPECT_MSG_GT(lost, 0, "with two frames less it does not suffice");
}

/**
 * @ingroup ai-fabric-tests
 *
 * A pause that nobody refreshes ends by itself: the next frame of its class starts at that time to
 * the picosecond, whether it waits in a queue or at a queue pair; other classes do not stop. A PFC
 * frame with zero quanta ends it at once.
 */
class PauseExpiryTestCase : public FabricTestCase
{
  public:
    /// @param queuePair whether data waits at a queue pair, otherwise in the port's queue
    /// @param observed whether departures are scheduled
    PauseExpiryTestCase(bool queuePair, bool observed)
        : FabricTestCase(std::string("a pause ends by itself: ") +
                         (queuePair ? "queue pair" : "queue") + (observed ? ", observed" : "")),
          m_queuePair(queuePair),
          m_observed(observed)
    {
    }

  private:
    static constexpr uint16_t QUANTA = 2000; //!< 1.28 us at 800 Gb/s
    static constexpr uint16_t BYTES = 1000;  //!< of a frame from a queue

    void DoRun() override;

    /// Run once.  @param resumeAt when a second PFC frame is sent, with zero quanta; 0: never
    void Run(Time resumeAt);

    /// Send a PFC frame from the switch to host 0.  @param quanta the pause time
    void SendPfc(uint16_t quanta)
    {
        m_fabric->GetSwitch(0)->GetPort(0)->GetTransmitter().SendControl(
            MakePfc(*m_fabric, LOSSLESS_CLASS, quanta),
            Simulator::Now().GetTimeStep());
    }

    /// A frame has come to the switch.  @param frame the frame
    void Received(Ptr<const FabricFrame> frame)
    {
        const Time start = Simulator::Now() - NanoSeconds(500) - GetDuration(frame->wireBytes);
        (frame->GetClass() == LOSSLESS_CLASS ? m_starts : m_others).push_back(start);
    }

    /// @return the time to send a frame at 800 Gb/s  @param bytes its size
    static Time GetDuration(uint32_t bytes)
    {
        return PicoSeconds(10 * bytes);
    }

    bool m_queuePair;           //!< data waits at a queue pair
    bool m_observed;            //!< departures are scheduled
    Ptr<Fabric> m_fabric;       //!< one leaf with two hosts
    std::vector<Time> m_starts; //!< when frames of the paused class began to be sent
    std::vector<Time> m_others; //!< when frames of other classes began to be sent
};

void
PauseExpiryTestCase::Run(Time resumeAt)
{
    m_starts.clear();
    m_others.clear();
    m_fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    m_fabric->GetSwitch(0)->GetPort(0)->TraceConnectWithoutContext(
        "Receive",
        MakeCallback(&PauseExpiryTestCase::Received, this));
    if (m_observed)
    {
        ForEachPort(*m_fabric, &Observe);
    }
    Ptr<RoceQueuePair> receiver = m_fabric->GetNic(1)->CreateQueuePair();
    Ptr<RoceQueuePair> sender = m_fabric->GetNic(0)->CreateQueuePair();
    sender->Connect(1, receiver->GetNumber());
    receiver->Connect(0, sender->GetNumber());
    for (uint32_t i = 0; i < 200 && !m_queuePair; ++i)
    {
        SendFrame(*m_fabric, MakeFrame(*m_fabric, 0, 1, LOSSLESS_CLASS, BYTES));
    }
    if (m_queuePair)
    {
        sender->PostWrite(200000);
    }
    for (uint32_t i = 0; i < 30; ++i)
    {
        SendFrame(*m_fabric, MakeFrame(*m_fabric, 0, 1, LOSSY_CLASS, BYTES));
    }
    SendPfc(QUANTA);
    if (!resumeAt.IsZero())
    {
        Simulator::Schedule(resumeAt, &PauseExpiryTestCase::SendPfc, this, 0);
    }
    Simulator::Stop(MilliSeconds(5));
    Simulator::Run();
    m_fabric = nullptr;
    Simulator::Destroy();
}

void
PauseExpiryTestCase::DoRun()
{
    const Time closed = GetDuration(64) + NanoSeconds(500);
    const Time opened = closed + QUANTA * GetDuration(64);
    for (const Time& resumeAt : {Time(0), NanoSeconds(700), opened + NanoSeconds(1)})
    {
        Run(resumeAt);
        const Time open = resumeAt.IsZero()
                              ? opened
                              : std::min(opened, resumeAt + GetDuration(64) + NanoSeconds(500));
        std::vector<Time> before;
        std::copy_if(m_starts.begin(), m_starts.end(), std::back_inserter(before), [&](Time t) {
            return t <= closed;
        });
        NS_TEST_EXPECT_MSG_EQ(before.empty(), false, "frames are sent before the pause");
        NS_TEST_ASSERT_MSG_GT(m_starts.size(), before.size(), "frames are sent after the pause");
        NS_TEST_EXPECT_MSG_EQ(m_starts[before.size()], open, "the first when the pause ends");
        NS_TEST_EXPECT_MSG_EQ(m_starts.size(), m_queuePair ? 49 : 200, "all are sent in the end");
        NS_TEST_EXPECT_MSG_EQ(m_others.size(), 30, "so are those of other classes");
        NS_TEST_EXPECT_MSG_LT(m_others.back(), open, "which do not stop");
    }
}

/**
 * @ingroup ai-fabric-tests
 *
 * The same run is the same run, to the picosecond: again, with any scheduler, and whoever observes
 * departures and captures frames.
 */
class PfcSameRunTestCase : public PfcTestCase
{
  public:
    /// @param name what is special  @param scenario fabric and traffic
    PfcSameRunTestCase(const std::string& name, const Scenario& scenario)
        : PfcTestCase("the same run: " + name),
          m_scenario(scenario)
    {
    }

  private:
    void DoRun() override;

    /// Run with observers.  @param observe makes some ports eager  @return what happened
    std::vector<int64_t> Run(const std::function<void()>& observe);

    /// Run with a scheduler.  @param type its name  @return what happened
    std::vector<int64_t> RunWith(const std::string& type)
    {
        Simulator::SetScheduler(ObjectFactory(type));
        return Run([]() {});
    }

    Scenario m_scenario; //!< fabric and traffic
};

std::vector<int64_t>
PfcSameRunTestCase::Run(const std::function<void()>& observe)
{
    Build(m_scenario);
    observe();
    RunLossless();
    const std::vector<int64_t> history = GetHistory();
    Simulator::Destroy();
    return history;
}

void
PfcSameRunTestCase::DoRun()
{
    const std::vector<int64_t> first = Run([]() {});
    NS_TEST_EXPECT_MSG_EQ((Run([]() {}) == first), true, "again");
    for (const std::string name : {"ns3::MapScheduler",
                                   "ns3::HeapScheduler",
                                   "ns3::CalendarScheduler",
                                   "ns3::aifabric::MonotoneScheduler"})
    {
        TypeId type;
        if (TypeId::LookupByNameFailSafe(name, &type))
        {
            NS_TEST_EXPECT_MSG_EQ((RunWith(name) == first), true, "with " << name);
        }
    }
    const auto all = [this]() { ForEachPort(*m_fabric, &Observe); };
    NS_TEST_EXPECT_MSG_EQ((Run(all) == first), true, "all departures observed");
    const auto leaf = [this]() {
        for (uint16_t port = 0; port < m_fabric->GetSwitch(1)->GetPortCount(); ++port)
        {
            Observe(*m_fabric->GetSwitch(1)->GetPort(port));
        }
    };
    NS_TEST_EXPECT_MSG_EQ((Run(leaf) == first), true, "those of one leaf observed");
    const auto random = [this]() {
        UniformInteger uniform = Uniform(99);
        ForEachPort(*m_fabric, [&uniform](FabricPort& port) {
            if (uniform(2))
            {
                Observe(port);
            }
        });
    };
    NS_TEST_EXPECT_MSG_EQ((Run(random) == first), true, "some observed");
}

/**
 * @ingroup ai-fabric-tests
 *
 * Conservation of bytes in a memory that lossy and lossless classes share, at many times and at the
 * end: in each class, admitted = released + waiting; in the lossless class, waiting = counted where
 * it came in; shared part = free + lossy waiting + shares. The most that was ever held is what an
 * observer saw.
 */
class SharedConservationTestCase : public PfcTestCase
{
  public:
    /// @param observed whether departures are scheduled
    explicit SharedConservationTestCase(bool observed)
        : PfcTestCase(std::string("conservation of bytes, ") +
                      (observed ? "observed" : "unobserved")),
          m_observed(observed)
    {
    }

  private:
    void DoRun() override;

    /// Check the laws.
    void Check();

    /// Check the laws of a switch.  @param id the switch
    void CheckSwitch(uint32_t id);

    /// Check that a class pauses and resumes in time.  @param memory the memory
    /// @param ingress what the class holds
    void CheckPause(const SharedBuffer& memory, const SharedBuffer::Ingress& ingress);

    /// A frame has joined a queue of a switch.  @param id the switch
    void Joined(uint32_t id, Ptr<const FabricFrame>);

    /// A frame has left a queue of a switch.  @param id the switch
    void Left(uint32_t id, Ptr<const FabricFrame>)
    {
        m_left[id] = Simulator::Now();
    }

    /// A switch has paused a peer or resumed it.  @param id the switch  @param paused which
    void Decided(uint32_t id, uint16_t, uint8_t, bool paused)
    {
        if (!paused)
        {
            NS_TEST_EXPECT_MSG_EQ(m_left[id], Simulator::Now(), "resumed by a departure");
        }
    }

    /// Observe a switch.  @param id the switch
    void ObserveSwitch(uint32_t id);

    bool m_observed;                     //!< departures are scheduled
    std::map<uint32_t, Time> m_left;     //!< when a frame left a switch last
    std::map<uint32_t, uint64_t> m_most; //!< the most bytes that a switch held
    std::array<uint64_t, 8> m_seen{};    //!< the most bytes that waited at a check, by class
    uint64_t m_seenHeadroom{0};          //!< the most bytes in headrooms at a check
};

void
SharedConservationTestCase::CheckPause(const SharedBuffer& memory,
                                       const SharedBuffer::Ingress& ingress)
{
    constexpr uint32_t OFFSET = 3072;
    const uint32_t share = ingress.used > RESERVE ? ingress.used - RESERVE : 0;
    const bool mayResume = ingress.headroom == 0 && share + OFFSET <= memory.GetFreeBytes() / 8.0;
    NS_TEST_EXPECT_MSG_EQ((ingress.headroom > 0 && !ingress.paused), false, "paused at once");
    NS_TEST_EXPECT_MSG_EQ((mayResume && ingress.paused), false, "resumed at once");
}

void
SharedConservationTestCase::CheckSwitch(uint32_t id)
{
    const FabricSwitch& fabricSwitch = *m_fabric->GetSwitch(id);
    const SharedBuffer& memory = GetBuffer(*m_fabric, id);
    uint64_t held = 0;
    uint64_t shared = 0;
    for (const uint8_t c : {LOSSY_CLASS, LOSSLESS_CLASS, HIGH_CLASS})
    {
        uint64_t waiting = 0;
        uint64_t counted = 0;
        for (uint16_t port = 0; port < fabricSwitch.GetPortCount(); ++port)
        {
            const SharedBuffer::Ingress& ingress = memory.GetIngress(port, c);
            waiting += fabricSwitch.GetPort(port)->GetTransmitter().GetLane(c).GetBytes();
            counted += ingress.used + ingress.headroom;
            shared += ingress.used > RESERVE ? ingress.used - RESERVE : 0;
            m_seenHeadroom = std::max<uint64_t>(m_seenHeadroom, ingress.headroom);
            CheckPause(memory, ingress);
        }
        const SharedBuffer::ClassCounters& counters = memory.GetClassCounters(c);
        NS_TEST_EXPECT_MSG_EQ(counters.admittedBytes,
                              counters.releasedBytes + waiting,
                              "admitted = released + waiting, class " << +c);
        const bool lossless = c == LOSSLESS_CLASS;
        NS_TEST_EXPECT_MSG_EQ(counted, lossless ? waiting : 0, "counted where it came in");
        shared += lossless ? 0 : waiting;
        held += waiting;
        m_seen[c] = std::max(m_seen[c], waiting);
    }
    NS_TEST_EXPECT_MSG_EQ(memory.GetOccupancy(), held, "held = waiting in all classes");
    NS_TEST_EXPECT_MSG_EQ(memory.GetSharedBytes(), memory.GetFreeBytes() + shared, "shared part");
}

void
SharedConservationTestCase::Check()
{
    m_fabric->CatchUp();
    for (uint32_t id = 0; id < m_fabric->GetSwitchCount(); ++id)
    {
        CheckSwitch(id);
    }
}

void
SharedConservationTestCase::Joined(uint32_t id, Ptr<const FabricFrame>)
{
    const FabricSwitch& fabricSwitch = *m_fabric->GetSwitch(id);
    uint64_t held = 0;
    for (uint16_t port = 0; port < fabricSwitch.GetPortCount(); ++port)
    {
        FabricTransmitter& transmitter = fabricSwitch.GetPort(port)->GetTransmitter();
        transmitter.Advance(Simulator::Now().GetTimeStep());
        for (const uint8_t c : {LOSSY_CLASS, LOSSLESS_CLASS, HIGH_CLASS})
        {
            held += transmitter.GetLane(c).GetBytes();
        }
    }
    m_most[id] = std::max(m_most[id], held);
}

void
SharedConservationTestCase::ObserveSwitch(uint32_t id)
{
    using Self = SharedConservationTestCase;
    const FabricSwitch& fabricSwitch = *m_fabric->GetSwitch(id);
    for (uint16_t port = 0; port < fabricSwitch.GetPortCount(); ++port)
    {
        for (const uint8_t c : {LOSSY_CLASS, LOSSLESS_CLASS, HIGH_CLASS})
        {
            FabricQueue& queue = *fabricSwitch.GetPort(port)->GetTransmitter().GetQueue(c);
            queue.TraceConnectWithoutContext("Enqueue", MakeCallback(&Self::Joined, this).Bind(id));
            queue.TraceConnectWithoutContext("Dequeue", MakeCallback(&Self::Left, this).Bind(id));
        }
    }
    GetBuffer(*m_fabric, id)
        .TraceConnectWithoutContext("Pause", MakeCallback(&Self::Decided, this).Bind(id));
}

void
SharedConservationTestCase::DoRun()
{
    Scenario scenario;
    scenario.lossyFrames = 300;
    scenario.bothWays = true;
    scenario.buffer = 1300000;
    Build(scenario);
    for (uint32_t host = 1; host < 16; ++host)
    {
        for (uint32_t i = 0; i < 300; ++i)
        {
            SendFrame(*m_fabric, MakeFrame(*m_fabric, host, i % host, HIGH_CLASS, 500 + i));
        }
    }
    for (uint32_t id = 0; id < m_fabric->GetSwitchCount() && m_observed; ++id)
    {
        ObserveSwitch(id);
    }
    for (uint32_t time = 1; time < 80; ++time)
    {
        Simulator::Schedule(NanoSeconds(777 * time), &SharedConservationTestCase::Check, this);
    }
    RunLossless();
    Check();
    NS_TEST_EXPECT_MSG_GT(CountDropped(*m_fabric), 0, "the test has seen drops");
    NS_TEST_EXPECT_MSG_GT(m_seenHeadroom, 0, "and headrooms in use");
    for (const uint8_t c : {LOSSY_CLASS, LOSSLESS_CLASS, HIGH_CLASS})
    {
        NS_TEST_EXPECT_MSG_GT(m_seen[c], 10000, "and queues of class " << +c);
    }
    for (const auto& [id, most] : m_most)
    {
        NS_TEST_EXPECT_MSG_EQ(GetBuffer(*m_fabric, id).GetCounters().maxOccupancy, most, "most");
    }
}

/**
 * @ingroup ai-fabric-tests
 *
 * The shared buffer: dynamic thresholds, limits, and priority-based flow control.
 */
class SharedBufferTestSuite : public TestSuite
{
  public:
    SharedBufferTestSuite();

  private:
    /// Add a quick test case.  @param testCase the test case
    void Add(TestCase* testCase)
    {
        AddTestCase(testCase);
    }
};

SharedBufferTestSuite::SharedBufferTestSuite()
    : TestSuite("ai-fabric-shared-buffer", TestSuite::Type::UNIT)
{
    using Scenario = PfcTestCase::Scenario;
    for (const double alpha : {0.25, 0.5, 1.0, 2.0, 4.0})
    {
        for (const uint32_t queues : {1, 2, 5, 8})
        {
            Add(new DynamicThresholdTestCase(queues, alpha));
        }
    }
    Add(new SharedLimitTestCase);
    Add(new LateDeparturesTestCase(false));
    Add(new LateDeparturesTestCase(true));
    Add(new HeadroomFormulaTestCase);
    Add(new LosslessLawTestCase);
    Scenario scenario;
    Add(new PfcIncastTestCase("15 to 1", scenario));
    scenario.senders = 5;
    scenario.bytes = 1000000;
    Add(new PfcIncastTestCase("5 to 1, long", scenario));
    scenario.bothWays = true;
    Add(new PfcIncastTestCase("5 to 1, both ways", scenario));
    for (const std::string rate : {"10", "25", "100", "400"})
    {
        scenario.rate = rate;
        scenario.buffer = rate == "400" ? 1000000 : 400000;
        Add(new PfcIncastTestCase(rate + " Gb per s, both ways", scenario));
    }
    scenario = Scenario{};
    scenario.hostsPerLeaf = 16;
    scenario.senders = 63;
    scenario.bytes = 100000;
    scenario.buffer = 5000000;
    Add(new PfcIncastTestCase("63 to 1", scenario));
    Add(new PfcLossyNeighborTestCase);
    Add(new PfcRefreshTestCase);
    for (const std::string rate : {"10", "100", "800"})
    {
        Add(new PfcHeadroomTestCase(rate));
    }
    for (const bool queuePair : {false, true})
    {
        Add(new PauseExpiryTestCase(queuePair, false));
        Add(new PauseExpiryTestCase(queuePair, true));
    }
    scenario = Scenario{};
    scenario.stream = 0;
    scenario.lossyFrames = 100;
    Add(new PfcSameRunTestCase("all flows at once", scenario));
    scenario.stream = 2;
    scenario.bothWays = true;
    scenario.buffer = 1300000;
    Add(new PfcSameRunTestCase("flows both ways", scenario));
    scenario = Scenario{};
    scenario.spines = 1;
    scenario.stream = 0;
    scenario.symmetric = true;
    Add(new PfcSameRunTestCase("leaves in step", scenario));
    scenario = Scenario{};
    scenario.stream = 3;
    scenario.bothWays = true;
    scenario.delay = MicroSeconds(3);
    scenario.buffer = 4200000;
    scenario.lossyFrames = 600;
    Add(new PfcSameRunTestCase("long links", scenario));
    Add(new SharedConservationTestCase(false));
    Add(new SharedConservationTestCase(true));
}

static SharedBufferTestSuite g_sharedBufferTestSuite; //!< the suite
