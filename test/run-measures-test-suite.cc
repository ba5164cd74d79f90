/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/event-log.h"
#include "ns3/keep-every-other.h"
#include "ns3/measure-run.h"
#include "ns3/port-catalog.h"
#include "ns3/queue-sampler.h"
#include "ns3/run-report.h"
#include "ns3/thinning-sampler.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

static Suite g_runMeasures("ai-fabric-run-measures", TestSuite::Type::SYSTEM);

namespace
{

constexpr uint64_t MESSAGE = 200000; //!< bytes

/// A fabric with its traffic, and all that is measured of it.
struct TestRun
{
    /// @param buffer the buffer of a switch  @param flows the messages; may be none
    TestRun(const ObjectFactory& buffer, const std::vector<Flow>& flows)
        : m_flows(flows)
    {
        ClosHelper helper;
        helper.SetBalancerType(TypeId::LookupByName("ns3::aifabric::RepsBalancer"));
        helper.SetAdmission(buffer);
        m_fabric = InstallFabric(helper, LeafSpine(2, 2, 4));
        m_nics = m_fabric->GetNicList();
        m_switches = m_fabric->GetSwitchList();
        const std::vector<Ptr<FabricChannel>>& channels = m_fabric->GetChannelList();
        m_catalog = std::make_unique<PortCatalog>(m_fabric->GetGraph(), channels);
        m_driver = CreateObject<FlowDriver>();
        m_driver->Install(m_nics, m_flows);
    }

    /// Make a link lose frames, and cut another one for a while.
    void MakeFaults(const std::string& where = "leaf-1--spine-1") const
    {
        Fail(*m_fabric, "leaf-0--spine-0", {{"LossProbability", 0.05}});
        Fail(*m_fabric,
             where,
             {{"Down", true}, {"Start", MicroSeconds(3)}, {"Stop", MicroSeconds(9)}});
    }

    /// @return what is measured now
    RunMeasures Measure() const
    {
        return MeasureRun(*m_catalog, m_switches, m_nics, *m_driver->GetService());
    }

    RunReport Report(const RunMeasures& measures) const
    {
        return RunReport({m_graph, *m_catalog, m_flows, m_origins, {}, 100000000},
                         measures,
                         {},
                         {},
                         1000000);
    }

    /// Let go of the simulation; names and messages stay.
    void End()
    {
        m_driver->Dispose();
        m_fabric->Dispose();
        m_driver = nullptr;
        m_fabric = nullptr;
        m_nics.clear();
        m_switches.clear();
        Simulator::Destroy();
    }

    const PortCatalog& GetCatalog() const
    {
        return *m_catalog;
    }

    /// @return the NICs
    const std::vector<Ptr<RoceNetDevice>>& GetNics() const
    {
        return m_nics;
    }

    const std::vector<Ptr<FabricSwitch>>& GetSwitches() const
    {
        return m_switches;
    }

    /// @return who sends the messages
    FlowDriver& GetDriver() const
    {
        return *m_driver;
    }

    FabricGraph m_graph = LeafSpine(2, 2, 4);  //!< the fabric's description
    std::vector<Flow> m_flows;                 //!< the messages
    std::vector<MessageOrigin> m_origins;      //!< none: they are flows
    Ptr<Fabric> m_fabric;                      //!< the fabric
    std::vector<Ptr<RoceNetDevice>> m_nics;    //!< its NICs
    std::vector<Ptr<FabricSwitch>> m_switches; //!< its switches
    std::unique_ptr<PortCatalog> m_catalog;    //!< its ports
    Ptr<FlowDriver> m_driver;                  //!< who sends the messages
};

/// @return a small buffer, where frames are dropped
ObjectFactory
SmallBuffer()
{
    return FactoryOf("PortBuffer", {{"PortBytes", 30000}});
}

/// @return messages from all hosts, most of them to one
std::vector<Flow>
MixedFlows()
{
    const UniformInteger uniform = Uniform(7);
    std::vector<Flow> flows = RandomPermutation(8, MESSAGE, uniform);
    for (const Flow& flow : Incast(8, 5, 0, MESSAGE / 4, uniform))
    {
        flows.push_back(flow);
    }
    for (Flow& flow : flows)
    {
        flow.startPs = uniform(2000000);
    }
    return flows;
}

/// @return the text of a file
std::string
ReadText(const std::string& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

/// What is measured is what happened, in the midst of a run and at its end.
struct RunMeasuresLawTestCase : FabricTestCase
{
    /// Note when something becomes of flows.  @param times when, by flow
    void NoteFlows(const std::string& trace, std::vector<int64_t>& times)
    {
        Trace(*m_run->GetDriver().GetService(),
              trace,
              [&times](uint32_t message, const FlowRecord&) {
                  times[message] = Simulator::Now().GetPicoSeconds();
              });
    }

    /// Compare what is measured now with what is known otherwise.
    void Check()
    {
        const RunMeasures measures = m_run->Measure();
        uint64_t madeByHosts = 0;
        m_lost = 0;
        const std::vector<PortCatalog::Entry>& ports = m_run->GetCatalog().GetPorts();
        NS_TEST_ASSERT_MSG_EQ(measures.ports.size(), ports.size(), "all ports are measured");
        for (std::size_t i = 0; i < ports.size(); ++i)
        {
            const FabricTransmitter& transmitter = ports[i].port->GetTransmitter();
            const FabricTransmitter::Counters counters = transmitter.GetCounters();
            const RunMeasures::Port& port = measures.ports[i];
            NS_TEST_EXPECT_MSG_EQ(port.sentFrames, counters.sentFrames, "sent");
            NS_TEST_EXPECT_MSG_EQ(port.sentBytes, counters.sentBytes, "bytes sent");
            NS_TEST_EXPECT_MSG_EQ(port.GetDeliveredFrames(), counters.deliveredFrames, "delivered");
            NS_TEST_EXPECT_MSG_EQ(port.lostFrames, counters.lostFrames, "lost");
            NS_TEST_EXPECT_MSG_EQ(port.maxFrames, transmitter.GetMaxFrames(), "longest queue");
            if (ports[i].layer == 0)
            {
                madeByHosts += port.sentFrames + transmitter.GetWaitingFrames();
            }
            m_lost += port.lostFrames;
            m_flying += port.flightFrames;
        }
        const PolicyCounters& sum = measures.totals;
        NS_TEST_EXPECT_MSG_EQ(sum.at("data_packets") + sum.at("acks") + sum.at("nacks"),
                              madeByHosts,
                              "hosts send what their queue pairs make");
        NS_TEST_EXPECT_MSG_EQ(measures.CountPacketHops(),
                              m_run->GetCatalog().GetPacketHops(),
                              "packet-hops");
        PolicyCounters counted;
        uint64_t dropped = 0;
        for (const Ptr<FabricSwitch>& fabricSwitch : m_run->GetSwitches())
        {
            dropped += fabricSwitch->GetReceived() - fabricSwitch->GetForwarded();
            fabricSwitch->CountDrops(counted);
        }
        NS_TEST_EXPECT_MSG_EQ((measures.drops == counted), true, "reasons of drops");
        for (const auto& entry : counted)
        {
            dropped -= entry.second;
        }
        NS_TEST_EXPECT_MSG_EQ(dropped, 0, "drops");
        for (std::size_t i = 0; i < measures.flows.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(measures.flows[i].receivedPs, m_received[i], "received");
            NS_TEST_EXPECT_MSG_EQ(measures.flows[i].completedPs, m_completed[i], "completed");
        }
    }

    std::unique_ptr<TestRun> m_run;   //!< the run
    std::vector<int64_t> m_received;  //!< when flows were received, in ps
    std::vector<int64_t> m_completed; //!< when they were completed, in ps
    uint64_t m_lost{0};               //!< frames lost so far
    uint64_t m_flying{0};             //!< frames in flight at all checks
};

FABRIC_TEST_F(RunMeasuresLawTestCase, g_runMeasures, "What is measured is what happened")
{
    m_run = std::make_unique<TestRun>(SmallBuffer(), MixedFlows());
    m_run->MakeFaults();
    m_received.resize(13, RunMeasures::NEVER_PS);
    m_completed = m_received;
    NoteFlows("Received", m_received);
    NoteFlows("Completed", m_completed);
    for (const uint32_t time : {1, 2, 4, 5, 8, 10, 12})
    {
        Simulator::Schedule(MicroSeconds(time), &RunMeasuresLawTestCase::Check, this);
    }
    Simulator::Run();
    Check();
    const RunMeasures last = m_run->Measure();
    NS_TEST_EXPECT_MSG_EQ(m_run->GetDriver().GetService()->GetCompleted(),
                          13,
                          "all is delivered at last");
    NS_TEST_EXPECT_MSG_GT(last.drops.at(FabricSwitch::GetReasonName(FabricSwitch::NO_BUFFER)),
                          0,
                          "the test has seen drops");
    NS_TEST_EXPECT_MSG_GT(m_lost, 0, "the test has seen losses");
    NS_TEST_EXPECT_MSG_GT(m_flying, 0, "the test has seen frames in flight");
    NS_TEST_EXPECT_MSG_GT(last.totals.at("retransmissions"), 0, "and packets sent again");
    NS_TEST_EXPECT_MSG_EQ(last.policies.count("reps_freezes"), 1, "policies have counted");
    m_run->End();
    m_run = nullptr;
}

/// A fabric that stands idle measures nothing: merged with those of a run, its measures and samples
/// change no bit.
FABRIC_TEST(g_runMeasures, "A fabric that stands idle measures nothing")
{
    std::vector<Flow> later = MixedFlows();
    for (Flow& flow : later)
    {
        flow.startPs += 1000000000; // never, here
    }
    TestRun busy(SmallBuffer(), MixedFlows());
    TestRun idle(SmallBuffer(), later);
    busy.MakeFaults();
    idle.MakeFaults();
    QueueSampler busySampler(busy.GetCatalog(), NanoSeconds(100));
    QueueSampler idleSampler(idle.GetCatalog(), NanoSeconds(100));
    for (int64_t time = 0; time < 20000; time += 100)
    {
        Simulator::Schedule(NanoSeconds(time), &QueueSampler::Sample, &busySampler);
        Simulator::Schedule(NanoSeconds(time), &QueueSampler::Sample, &idleSampler);
    }
    Simulator::Stop(MicroSeconds(20));
    Simulator::Run();

    const RunMeasures measures = busy.Measure();
    RunMeasures merged = idle.Measure();
    merged.Merge(measures);
    NS_TEST_EXPECT_MSG_EQ((merged.Write() == measures.Write()), true, "idle first");
    merged = measures;
    merged.Merge(idle.Measure());
    NS_TEST_EXPECT_MSG_EQ((merged.Write() == measures.Write()), true, "busy first");
    NS_TEST_EXPECT_MSG_GT(measures.CountPacketHops(), 1000, "it was busy");

    QueueSamples samples = idleSampler.GetSamples();
    samples.Merge(busySampler.GetSamples());
    NS_TEST_EXPECT_MSG_EQ((samples.Write() == busySampler.GetSamples().Write()), true, "samples");
    NS_TEST_EXPECT_MSG_EQ(samples.times.size(), 200, "all samples are there");
    busy.End();
    idle.End();
}

/// A ThinningSampler that has as many samples as it may keep forgets every other one, and doubles
/// the interval.
FABRIC_TEST(g_runMeasures, "Samples become fewer as a run takes long")
{
    struct Times
    {
        void Thin()
        {
            KeepEveryOther(times, 1, times.size());
        }

        std::vector<int64_t> times; //!< in picoseconds
    };

    struct Sampler final : ThinningSampler<Times>
    {
        explicit Sampler(const PortCatalog& catalog)
            : ThinningSampler(catalog, NanoSeconds(1))
        {
            SetRoom(1, 1, 100); // at least 11
        }

        void Add() override
        {
            m_series.times.push_back(FabricClock::Now());
        }
    };

    TestRun run(SmallBuffer(), {});
    Sampler sampler(run.GetCatalog());
    for (int64_t time = 0; time < 11; ++time)
    {
        Simulator::Schedule(NanoSeconds(time), &Sampler::Sample, &sampler);
    }
    Simulator::Stop(NanoSeconds(11));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(sampler.GetSeries().times.size(), 11, "all are there");
    NS_TEST_EXPECT_MSG_EQ(sampler.Sample(), NanoSeconds(2), "half as often");
    const std::vector<int64_t> expected{0, 2000, 4000, 6000, 8000, 10000, 11000};
    NS_TEST_EXPECT_MSG_EQ((sampler.GetSeries().times == expected), true, "every other one");
    sampler.Close();
    NS_TEST_EXPECT_MSG_EQ(sampler.GetSeries().times.size(), 7, "one was taken at this time");
    run.End();
}

/// A report of what several parts of a run have measured is that of the whole, byte by byte, and
/// needs no simulation any more.
struct MergedReportTestCase : FabricTestCase
{
    static constexpr std::size_t PARTS = 3; //!< of the run

    /// @param whole what a run has measured  @param part a part of the run  @return what the part
    /// measures: ports are dealt out, and so are the two ends of flows; frames are lost where they
    /// would have come
    static RunMeasures GetPart(const RunMeasures& whole, std::size_t part)
    {
        RunMeasures measures;
        if (part == 1)
        {
            measures = whole;
        }
        measures.ports.assign(whole.ports.size(), {});
        measures.flows.assign(whole.flows.size(), {});
        for (std::size_t i = 0; i < whole.ports.size(); ++i)
        {
            if (i % PARTS == part)
            {
                measures.ports[i] = whole.ports[i];
            }
            const bool loses = (i + 1) % PARTS == part;
            measures.ports[i].lostFrames = loses ? whole.ports[i].lostFrames : 0;
        }
        for (std::size_t i = 0; i < whole.flows.size(); ++i)
        {
            if (i % PARTS == part)
            {
                measures.flows[i].receivedPs = whole.flows[i].receivedPs;
            }
            if ((i + 2) % PARTS == part)
            {
                measures.flows[i].completedPs = whole.flows[i].completedPs;
            }
        }
        return measures;
    }

    std::string Describe(const RunReport& report, const QueueSamples& samples)
    {
        nlohmann::ordered_json json;
        report.AddResults(json);
        std::ostringstream os;
        os << json;
        const std::string path = CreateTempDirFilename("table.csv");
        for (const std::function<void()>& write :
             std::vector<std::function<void()>>{[&]() { report.WriteFlows(path); },
                                                [&]() { report.WriteLinks(path); },
                                                [&]() { report.WriteLayers(path); },
                                                [&]() { report.WriteQueues(path, samples); }})
        {
            write();
            os << ReadText(path);
        }
        return os.str();
    }
};

FABRIC_TEST_F(MergedReportTestCase,
              g_runMeasures,
              "The report of merged parts is that of the whole")
{
    TestRun run(SmallBuffer(), MixedFlows());
    run.MakeFaults();
    QueueSampler sampler(run.GetCatalog(), NanoSeconds(100));
    for (int64_t time = 0; time < 20000; time += 100)
    {
        Simulator::Schedule(NanoSeconds(time), &QueueSampler::Sample, &sampler);
    }
    Simulator::Run();
    const RunMeasures whole = run.Measure();
    const std::string expected = Describe(run.Report(whole), sampler.GetSamples());
    run.End();

    std::vector<std::string> parts;
    for (std::size_t part = 0; part < PARTS; ++part)
    {
        parts.push_back(GetPart(whole, part).Write());
    }
    RunMeasures merged = RunMeasures::Read(parts[0]);
    for (std::size_t part = 1; part < PARTS; ++part)
    {
        NS_TEST_EXPECT_MSG_EQ((merged.Write() == whole.Write()), false, "something is missing");
        merged.Merge(RunMeasures::Read(parts[part]));
    }
    const std::string found = Describe(run.Report(merged), sampler.GetSamples());
    NS_TEST_EXPECT_MSG_EQ((found == expected), true, "the same report");
    NS_TEST_EXPECT_MSG_GT(expected.size(), 10000, "it says something");
}

/// The logs of the parts of a run merge into the log of the whole, to which only the first part
/// adds what happens in all of them.
struct MergedEventLogTestCase : FabricTestCase
{
    /// @return what a log has of ports
    static std::string GetPauses(const std::string& text)
    {
        std::istringstream is(text);
        std::string pauses;
        for (std::string line; std::getline(is, line);)
        {
            const bool isOfPorts = line.find(",pause,") != std::string::npos ||
                                   line.find(",resume,") != std::string::npos;
            pauses += pauses.empty() || isOfPorts ? line + "\n" : "";
        }
        return pauses;
    }
};

FABRIC_TEST_F(MergedEventLogTestCase,
              g_runMeasures,
              "The logs of parts merge into that of the whole")
{
    const std::string wholePath = CreateTempDirFilename("whole.csv");
    const std::string firstPath = CreateTempDirFilename("first.csv");
    const std::string otherPath = CreateTempDirFilename("other.csv");
    const std::string portsPath = CreateTempDirFilename("ports.csv");
    const std::string mergedPath = CreateTempDirFilename("merged.csv");
    EventLog whole(wholePath);
    EventLog first(firstPath);
    EventLog other(otherPath, false);
    EventLog ports(portsPath, false);

    const UniformInteger uniform = Uniform(7);
    TestRun run(BufferFactory(3000000, 1 << LOSSLESS_CLASS), Incast(8, 7, 0, 4 * MESSAGE, uniform));
    run.MakeFaults("host-3");
    std::vector<std::vector<Ptr<RoceNetDevice>>> nics(2);
    for (uint32_t host = 0; host < run.GetNics().size(); ++host)
    {
        nics[host % 2].push_back(run.GetNics()[host]);
    }
    whole.WatchLinks(run.GetCatalog());
    whole.WatchPauses(run.GetCatalog());
    whole.Watch(run.GetNics());
    first.WatchLinks(run.GetCatalog());
    first.WatchPauses(run.GetCatalog());
    first.Watch(nics[0]);
    other.Watch(nics[1]);
    ports.WatchLinks(run.GetCatalog());
    ports.WatchPauses(run.GetCatalog());
    ScheduleFunction(MicroSeconds(3), [&]() {
        for (EventLog* log : {&other, &whole, &first})
        {
            log->WriteGlobal("converged", "routing", "");
        }
    });
    Simulator::Run();
    for (EventLog* log : {&whole, &first, &other, &ports})
    {
        log->Close();
    }
    std::ifstream firstLog(firstPath);
    std::ifstream otherLog(otherPath);
    EventTable::Merge({&otherLog, &firstLog}, mergedPath);
    const std::string text = ReadText(wholePath);
    NS_TEST_EXPECT_MSG_EQ((ReadText(mergedPath) == text), true, "the same log");
    NS_TEST_EXPECT_MSG_EQ((ReadText(portsPath) == GetPauses(text)), true, "pauses and no more");
    for (const char* event : {",pause,", ",timeout,", ",link_down,", ",link_up,", ",converged,"})
    {
        NS_TEST_EXPECT_MSG_EQ((text.find(event) != std::string::npos), true, event);
    }
    NS_TEST_EXPECT_MSG_EQ((ReadText(otherPath).find(",timeout,") != std::string::npos),
                          true,
                          "the other part has something to say");
    run.End();
}
