/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/pcie-reader.h"

static Suite g_pcieReader("ai-fabric-pcie", TestSuite::Type::SYSTEM);

namespace
{

constexpr uint32_t MTU = 4096;      //!< payload of a full packet
constexpr uint32_t WIRE = MTU + 62; //!< a full packet on the wire, without an RETH
constexpr int64_t PS_NS = 1000;     //!< picoseconds of a nanosecond

/// What limits the reads of a NIC, and what that gives.
struct Limits
{
    std::string rate;    //!< PcieReader::Rate
    std::string latency; //!< PcieReader::Latency
    uint32_t credits;    //!< PcieReader::ReadCredits
    uint32_t bytes;      //!< PcieReader::ReadBytes
    double expected;     //!< payload in Gb/s
};

/// Set the limits of all NICs that are made from now on.
void
SetLimits(const Limits& limits)
{
    const std::string reader = "ns3::aifabric::PcieReader::";
    Config::SetDefault(reader + "Rate", StringValue(limits.rate));
    Config::SetDefault(reader + "Latency", StringValue(limits.latency));
    Config::SetDefault(reader + "ReadCredits", UintegerValue(limits.credits));
    Config::SetDefault(reader + "ReadBytes", UintegerValue(limits.bytes));
}

/// A data packet that a host has begun to send.
struct Start
{
    int64_t at;       //!< when, in picoseconds
    uint32_t payload; //!< bytes of the message in it
};

/// Hosts below one switch. Host 0 sends, at 400 Gb/s.
struct Sender
{
    explicit Sender(uint32_t hosts = 2)
    {
        ClosHelper clos = ClosOf({}, {{"DataRate", "400Gb/s"}});
        fabric = clos.Install(LeafSpine(1, 1, hosts));
        roce.SetQueuePairAttribute("Mtu", UintegerValue(MTU));
        Trace(*fabric->GetNic(0)->GetPort(0), "Send", [this](Ptr<const FabricFrame> frame) {
            starts.push_back({FabricClock::Now(), frame->payload});
        });
    }

    /// @return a new queue pair of host 0
    Ptr<QueuePair> Connect(uint32_t host)
    {
        return roce.Connect(fabric->GetNic(0), fabric->GetNic(host)).first;
    }

    /// @return the rate of the payload from the 10th packet to the last, in Gb/s
    double GetRate() const
    {
        double bits = 0;
        for (std::size_t i = 10; i + 1 < starts.size(); ++i)
        {
            bits += 8.0 * starts[i].payload;
        }
        return bits * PS_NS / static_cast<double>(starts.back().at - starts[10].at);
    }

    Ptr<Fabric> fabric;        //!< the fabric
    RoceHelper roce;           //!< connects
    std::vector<Start> starts; //!< packets of host 0
};

} // namespace

/// The rate of the payload is min(that of the port, Rate, ReadCredits ReadBytes / Latency), whoever
/// sends.
struct PcieRateTestCase : FabricTestCase
{
    /// @param fraction of the port's rate at which each sends
    void CheckRate(const Limits& limits, uint32_t queuePairs, double fraction)
    {
        SetLimits(limits);
        Sender sender(1 + queuePairs);
        sender.roce.SetControl(FactoryOf("FixedControl", {{"RateFraction", fraction}}));
        for (uint32_t host = 1; host <= queuePairs; ++host)
        {
            sender.Connect(host)->PostWrite(600 * MTU / queuePairs);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(sender.starts.size(), 600, "all packets");
        NS_TEST_EXPECT_MSG_EQ_TOL(sender.GetRate() / limits.expected,
                                  1,
                                  1e-4,
                                  sender.GetRate() << " Gb/s instead of " << limits.expected
                                                   << " with " << limits.rate << ", "
                                                   << limits.latency << ", " << limits.credits);
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(PcieRateTestCase,
              g_pcieReader,
              "pcie: throughput is the least of port, bus and credits")
{
    const double port = 400.0 * MTU / (WIRE + 20);
    const std::vector<Limits> all{{"0b/s", "1us", 0, 512, port},
                                  {"1000Gb/s", "0s", 0, 512, port},
                                  {"0b/s", "0s", 8, 512, port},
                                  {"280Gb/s", "0s", 0, 512, 280},
                                  {"280Gb/s", "1us", 0, 512, 280},
                                  {"280Gb/s", "1us", 256, 512, 280},
                                  {"280Gb/s", "1us", 32, 512, 131.072},
                                  {"0b/s", "500ns", 32, 512, 262.144},
                                  {"0b/s", "2us", 128, 256, 131.072},
                                  {"0b/s", "1us", 1, 4096, 32.768},
                                  {"10Gb/s", "1us", 1, 4096, 10}};
    for (const Limits& limits : all)
    {
        CheckRate(limits, 1, 1);
        CheckRate(limits, 3, 1);
    }
    CheckRate({"280Gb/s", "1us", 0, 512, 100.0 * MTU / (WIRE + 20)}, 1, 0.25);
}

/// No packet begins before its payload can have been read, in whatever sizes.
struct PcieStartTestCase : FabricTestCase
{
    void DoSetup() override
    {
        FabricTestCase::DoSetup();
        SetLimits({"200Gb/s", "1us", 0, 512, 0});
    }

    static constexpr int64_t BYTE_PS = 40;        //!< time of a byte at 200 Gb/s
    static constexpr int64_t LATENCY = 1'000'000; //!< in picoseconds

    /// @return whether a reader limits host 0
    static bool HasReader(const Fabric& fabric)
    {
        return fabric.GetNic(0)->GetObject<PcieReader>() != nullptr;
    }
};

/// After idle time a packet waits for the latency and its payload; behind another it does not.
FABRIC_TEST_F(PcieStartTestCase, g_pcieReader, "PCIe start: first")
{
    Sender sender;
    const Ptr<QueuePair> queuePair = sender.Connect(1);
    const std::vector<int64_t> posts{777, 1'000'777, 50'000'000};
    for (const int64_t post : posts)
    {
        ScheduleFunction(PicoSeconds(post), [&] { queuePair->PostWrite(2 * MTU); });
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(sender.starts.size(), 6, "all packets");
    const int64_t first = LATENCY + BYTE_PS * MTU;
    const int64_t headers = BYTE_PS * 78; // a full packet is taken for its bytes on the wire
    std::vector<int64_t> expected{posts[0] + first, posts[0] + first + BYTE_PS * MTU};
    expected.push_back(expected[1] + BYTE_PS * MTU); // of the second message, which was there
    expected.push_back(expected[2] + BYTE_PS * MTU);
    expected.push_back(posts[2] + first);
    expected.push_back(expected[4] + BYTE_PS * MTU);
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        const int64_t late = sender.starts[i].at - expected[i];
        NS_TEST_EXPECT_MSG_EQ((late >= 0 && late <= headers),
                              true,
                              "packet " << i << " begins " << late << " ps late");
    }
}

/// Random sizes of several queue pairs: the reads begin when the first message is posted.
FABRIC_TEST_F(PcieStartTestCase, g_pcieReader, "PCIe start: sizes")
{
    Sender sender(5);
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(3);
    int64_t total = 0;
    std::vector<Ptr<QueuePair>> queuePairs;
    for (uint32_t host = 1; host <= 4; ++host)
    {
        queuePairs.push_back(sender.Connect(host));
    }
    for (int message = 0; message < 100; ++message)
    {
        const uint32_t size = random->GetInteger(1, message % 2 ? 100 : 4 * MTU);
        queuePairs[message % 4]->PostWrite(size);
        total += size;
    }
    Simulator::Run();
    int64_t read = 0;
    for (const Start& start : sender.starts)
    {
        read += start.payload;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(start.at, LATENCY + read * BYTE_PS, "byte " << read);
    }
    NS_TEST_EXPECT_MSG_EQ(read, total, "all bytes");
    NS_TEST_EXPECT_MSG_LT(sender.starts.back().at,
                          LATENCY + (read + 2 * WIRE) * BYTE_PS,
                          "reads do not pause");
}

/// Acknowledgements are not read from memory. A NIC that nothing limits has no reader.
FABRIC_TEST_F(PcieStartTestCase, g_pcieReader, "PCIe start: answers")
{
    Sender sender;
    int64_t done = 0;
    sender.Connect(1)->PostWrite(64, CallbackOf([&](Ptr<QueuePair>, uint64_t) {
                                     done = FabricClock::Now();
                                 }));
    Simulator::Run();
    const int64_t links = 4 * 500 * PS_NS; // there and back
    NS_TEST_EXPECT_MSG_GT(done, sender.starts[0].at + links, "after a round trip");
    NS_TEST_EXPECT_MSG_LT(done, sender.starts[0].at + links + 100 * PS_NS, "and no later");
    NS_TEST_EXPECT_MSG_EQ(HasReader(*sender.fabric), true, "one");
    Simulator::Destroy();
    SetLimits({"0b/s", "0s", 32, 512, 0});
    NS_TEST_EXPECT_MSG_EQ(HasReader(*Sender().fabric), false, "none");
}
