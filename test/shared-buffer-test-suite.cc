/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

/// The shared buffer: dynamic thresholds, limits, and the law of lossless classes.
static Suite g_sharedBuffer("ai-fabric-shared-buffer");

/// Dynamic thresholds: n queues that take all they get hold alpha B / (1 + n alpha) bytes each
/// (Choudhury and Hahne 1998, equation 3), whatever n and alpha.
struct DynamicThresholdTestCase : FabricTestCase
{
    static constexpr uint32_t BUFFER = 600000; //!< B, in bytes
    static constexpr uint16_t BYTES = 1000;    //!< of a frame
    static constexpr uint32_t COUNT = 1500;    //!< frames a sender

    void Check(uint32_t queues, double alpha)
    {
        m_queues = queues;
        m_alpha = alpha;
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
            Simulator::Schedule(NanoSeconds(time),
                                &DynamicThresholdTestCase::CheckThresholds,
                                this);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_GT(CountRefused(*m_fabric), 0, "the queues want more than they get");
        const SharedBuffer& memory = GetBuffer(*m_fabric, 0);
        NS_TEST_EXPECT_MSG_EQ(memory.GetFreeBytes(), BUFFER, "all is free at the end");
        NS_TEST_EXPECT_MSG_EQ(memory.GetOccupancy(), 0, "nothing is held");
        m_fabric = nullptr;
    }

    /// Compare the queues with the closed form.
    void CheckThresholds()
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

    uint32_t m_queues;    //!< n
    double m_alpha;       //!< the factor
    Ptr<Fabric> m_fabric; //!< one leaf: n receivers, then two senders for each
};

/// The limit of a port is exact, and a frame that the memory has no room for is refused however
/// large alpha is.
struct SharedLimitTestCase : FabricTestCase
{
    /// @return the most frames that waited at an overloaded port
    /// @param name an attribute of the buffer
    uint32_t Overload(const std::string& name, uint32_t bytes)
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
        NS_TEST_EXPECT_MSG_EQ(CountRefused(*fabric), COUNT - most, "what is refused, and no more");
        NS_TEST_EXPECT_MSG_EQ(GetBuffer(*fabric, 0).GetCounters().maxOccupancy,
                              1000 * most,
                              "the most that was held");
        Simulator::Destroy();
        return most;
    }
};

FABRIC_TEST_F(SharedLimitTestCase, g_sharedBuffer, "limits of ports and memory are exact")
{
    NS_TEST_EXPECT_MSG_EQ(Overload("PortBytes", 10000), 10, "PortBytes, reached to the byte");
    NS_TEST_EXPECT_MSG_EQ(Overload("PortBytes", 10999), 10, "PortBytes, not exceeded");
    NS_TEST_EXPECT_MSG_EQ(Overload("BufferBytes", 12000), 12, "BufferBytes, reached to the byte");
    NS_TEST_EXPECT_MSG_EQ(Overload("BufferBytes", 12999), 12, "BufferBytes, not exceeded");
}

/// The memory of frames that have left is free, even if nothing has happened since that would tell:
/// on links so long that no frame has arrived, one burst after another gets all the room there is,
/// and a lossless class is not paused.
struct LateDeparturesTestCase : FabricTestCase
{
    /// @param lossless whether the bursts are lossless
    void Check(bool lossless)
    {
        m_lossless = lossless;
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
        // Three bursts at once, so that the memory has been fuller than it will be. Then two
        // bursts, the second when all of the first has left and nothing of it has arrived.
        Burst(0, 6);
        Burst(2, 7);
        Burst(4, 8);
        Simulator::Schedule(MicroSeconds(30), &LateDeparturesTestCase::Burst, this, 0, 6);
        Simulator::Schedule(MicroSeconds(32), &LateDeparturesTestCase::Burst, this, 0, 7);
        Simulator::Run();
        for (const uint16_t port : {6, 7})
        {
            const FabricTransmitter& egress =
                m_fabric->GetSwitch(0)->GetPort(port)->GetTransmitter();
            NS_TEST_EXPECT_MSG_EQ(egress.GetMaxFrames() - 1, (m_lossless ? 30 : 50), "waiting");
        }
        const SharedBuffer::Counters& counters = GetBuffer(*m_fabric, 0).GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.pauses, 0, "no class is paused");
        NS_TEST_EXPECT_MSG_EQ(counters.maxHeadroom, 0, "no headroom is used");
        // Lossy: 26 + 25 + 25 frames, as the third queue may grow to the 25 that are free then.
        NS_TEST_EXPECT_MSG_EQ(counters.maxOccupancy, (m_lossless ? 90000 : 76000), "held at most");
        m_fabric = nullptr;
    }

    /// Two hosts overload a third.
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

/// The headroom that is computed for a link: 2 rate delay + the largest frames of both ends + rate
/// times response time + the PFC frame, and one frame more, which makes the decision.
struct HeadroomFormulaTestCase : FabricTestCase
{
    /// Expect a headroom.
    void Expect(const std::string& rate, Time delay, Time response, uint32_t bytes)
    {
        ClosHelper helper = ClosOf({}, {{"DataRate", rate}});
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

FABRIC_TEST_F(HeadroomFormulaTestCase, g_sharedBuffer, "headroom follows from the link")
{
    Expect("400Gb/s", NanoSeconds(500), NanoSeconds(600), 50000 + 3 * 4218 + 30000 + 64);
    Expect("100Gb/s", MicroSeconds(1), NanoSeconds(600), 25000 + 3 * 4218 + 7500 + 64);
    Expect("10Gb/s", NanoSeconds(80), NanoSeconds(0), 200 + 3 * 4218 + 64);
}

/// A random sequence of arrivals and departures, beside a model that follows the law word by word:
/// reserve, share and headroom of each (port, class), what is refused, who is paused.
struct LosslessLawTestCase : FabricTestCase
{
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

    /// @return whether the law admits a frame
    bool Admit(Model& model, int64_t bytes) const
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

    /// A frame leaves.
    static void Release(Model& model, int64_t bytes)
    {
        for (int64_t* part : {&model.headroom, &model.share, &model.reserve})
        {
            const int64_t taken = std::min(*part, bytes);
            *part -= taken;
            bytes -= taken;
        }
    }

    /// Let a frame come in by a random port, or a lossy one.
    void Arrive()
    {
        const uint32_t port = m_uniform(PORTS + 1);
        const uint16_t bytes = 64 + m_uniform(4000);
        const bool lossy = port == PORTS;
        FabricTransmitter& egress = m_fabric->GetSwitch(0)->GetPort(2)->GetTransmitter();
        Ptr<FabricFrame> frame =
            MakeFrame(*m_fabric, 0, 2, lossy ? LOSSY_CLASS : LOSSLESS_CLASS, bytes);
        frame->ingress = lossy ? 0 : port;
        const bool expected = lossy ? bytes <= GetThreshold() * 4 : Admit(m_models[port], bytes);
        const bool admitted =
            m_buffer->Admit(*frame, egress, FabricClock::Now()) == AdmissionVerdict::ADMIT;
        NS_TEST_EXPECT_MSG_EQ(admitted, expected, bytes << " bytes at port " << port);
        m_seen[0] += !admitted;
        if (admitted)
        {
            (lossy ? m_lossyFrames : m_models[port].frames).push_back(frame);
            m_lossy += lossy ? bytes : 0;
        }
        Compare(lossy || !admitted ? PORTS : port);
    }

    /// Let a random frame leave.
    void Leave()
    {
        const uint32_t port = m_uniform(PORTS + 1);
        std::vector<Ptr<FabricFrame>>& frames =
            port == PORTS ? m_lossyFrames : m_models[port].frames;
        if (frames.empty())
        {
            return;
        }
        const Ptr<FabricFrame> frame = frames.front();
        frames.erase(frames.begin());
        m_buffer->Release(*frame, FabricClock::Now());
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

    /// Compare the buffer with the model, once it has decided on pauses.
    /// @param arrived the port where a frame has come in, or PORTS
    void Compare(uint32_t arrived)
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

    Ptr<Fabric> m_fabric;                        //!< one leaf with three hosts
    Ptr<SharedBuffer> m_buffer;                  //!< its buffer
    UniformInteger m_uniform;                    //!< decides
    std::array<Model, PORTS> m_models;           //!< by port
    std::vector<Ptr<FabricFrame>> m_lossyFrames; //!< lossy frames held
    int64_t m_lossy{0};                          //!< their bytes
    std::array<uint32_t, 4> m_seen{};            //!< refused, in headroom, pauses, resumes
};

FABRIC_TEST_F(LosslessLawTestCase,
              g_sharedBuffer,
              "reserve, share, headroom and pauses follow the law")
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

FABRIC_ROWS(g_sharedBuffer)
{
    for (const double alpha : {0.25, 0.5, 1.0, 2.0, 4.0})
    {
        for (const uint32_t queues : {1, 2, 5, 8})
        {
            const std::string name = std::to_string(queues) + ", " + std::to_string(alpha);
            rows.AddRow<DynamicThresholdTestCase>("queues, alpha: " + name, queues, alpha);
        }
    }
    rows.AddRow<LateDeparturesTestCase>("departures that are known late: lossy", false);
    rows.AddRow<LateDeparturesTestCase>("departures that are known late: lossless", true);
}
