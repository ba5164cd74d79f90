/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/global-value.h"
#include "ns3/host-random-balancer.h"
#include "ns3/loss-oracle.h"
#include "ns3/message-application-helper.h"
#include "ns3/message-application.h"
#include "ns3/message-service.h"
#include "ns3/names.h"
#include "ns3/oracle-recovery.h"
#include "ns3/plane-dr-balancer.h"
#include "ns3/prefetching-event.h"
#include "ns3/rsq-balancer.h"

/// What scripts of a user's own meet.
static Suite g_script("ai-fabric-script", TestSuite::Type::SYSTEM);

namespace
{

/// @return the time of the last completion, in nanoseconds; 0 if a message is not completed
/// @param flows messages to send over it
double
Complete(const Fabric& fabric, const std::vector<Flow>& flows)
{
    Ptr<FlowDriver> driver = StartFlows(fabric, flows);
    Simulator::Run();
    double last = 0;
    bool areAllDone = true;
    for (const FlowRecord& record : driver->GetService()->GetRecords())
    {
        areAllDone = areAllDone && record.completed;
        last = std::max(last, static_cast<double>(record.completedAt.GetPicoSeconds()) / 1e3);
    }
    driver->Dispose();
    return areAllDone ? last : 0;
}

} // namespace

/// OracleRecovery is told of losses in a script that installs no LossOracle.
struct ScriptOracleTestCase : FabricTestCase
{
    static constexpr uint64_t BYTES = 1024 * 1024; //!< of each message
    static constexpr uint32_t HOSTS = 8;           //!< of the fabric

    /// @return when an incast with losses ends, in ns  @param hasOwn the script installs an oracle
    /// @param roundTrip default value of the oracle's round trip
    double Measure(bool hasOwn, std::optional<Time> roundTrip)
    {
        if (roundTrip)
        {
            Default("LossOracle::RoundTripTime", *roundTrip);
        }
        ClosHelper helper;
        helper.SetBalancerType(RsqBalancer::GetTypeId());
        helper.SetNicAttribute("RecoveryType", TypeIdValue(OracleRecovery::GetTypeId()));
        helper.SetAdmission(FactoryOf("PortBuffer", {{"PortBytes", 200000}}));
        Ptr<Fabric> fabric = InstallFabric(helper, LeafSpine(2, 2, HOSTS / 2));
        m_roundTrip = fabric->GetRoundTripTime(4096);
        const Time links = NanoSeconds(4 * 2 * 500);
        const Time bytes = PicoSeconds(4 * int64_t{4096 + 62 + 64} * 10);
        NS_TEST_EXPECT_MSG_EQ(m_roundTrip, links + bytes, "four links, there and back");
        Ptr<LossOracle> own = CreateObject<LossOracle>();
        if (hasOwn)
        {
            own->SetAttribute("RoundTripTime", TimeValue(m_roundTrip));
            Watch(*own, *fabric);
        }
        std::vector<Flow> flows;
        for (uint32_t host = 1; host < HOSTS; ++host)
        {
            flows.push_back({0, host, 0, BYTES});
        }
        const double end = Complete(*fabric, flows);
        NS_TEST_EXPECT_MSG_GT(CountRefused(*fabric), 0, "there are losses");
        Simulator::Destroy();
        return end;
    }

    static void Watch(LossOracle& oracle, const Fabric& fabric)
    {
        std::vector<Ptr<RoceNetDevice>> nics;
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            nics.push_back(fabric.GetNic(host));
        }
        const std::vector<Ptr<FabricSwitch>>& switches = fabric.GetSwitchList();
        oracle.Install(nics, switches, {});
    }

    Time m_roundTrip; //!< of the fabric
};

FABRIC_TEST_F(ScriptOracleTestCase,
              g_script,
              "A fabric reports losses to the recoveries that need it")
{
    const double prepared = Measure(false, std::nullopt);
    const double ideal = (HOSTS - 1) * BYTES / 4096 * 41.78;
    NS_TEST_EXPECT_MSG_GT(prepared, ideal, "no more than the last link gives");
    NS_TEST_EXPECT_MSG_LT(prepared, ideal + 50e3, "without the retransmission timer");
    NS_TEST_EXPECT_MSG_EQ(prepared, Measure(true, std::nullopt), "as the script's own");
    NS_TEST_EXPECT_MSG_EQ(prepared, Measure(false, m_roundTrip), "the round trip");
    const double late = Measure(false, MicroSeconds(100));
    NS_TEST_EXPECT_MSG_GT(late, prepared + 50e3, "a default value counts");
}

FABRIC_TEST(g_script, "The prepared oracle watches nothing until a queue pair needs it")
{
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    const auto oracle = DynamicCast<LossOracle>(fabric->GetNic(0)->GetLossReporter());
    NS_TEST_ASSERT_MSG_EQ((oracle != nullptr), true, "prepared");
    if (!oracle)
    {
        return;
    }
    RoceHelper roce;
    roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
    NS_TEST_EXPECT_MSG_EQ(oracle->IsStarted(), false, "go-back-N does not need it");
    roce.SetRecovery(FactoryOf("OracleRecovery"));
    roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
    NS_TEST_EXPECT_MSG_EQ(oracle->IsStarted(), true, "a queue pair needs it");
    NS_TEST_EXPECT_MSG_EQ(fabric->GetNic(1)->GetLossReporter(), oracle, "one for all");
}

/// Switch balancers spread a queue pair over all planes.
struct ScriptPlanesTestCase : FabricTestCase
{
    static constexpr uint64_t BYTES = 2 * 1024 * 1024; //!< of a message

    /// @return when a message ends, in ns
    static double Measure(const std::function<void(ClosHelper&)>& set)
    {
        ClosHelper helper = ClosOf({{"RecoveryType", OracleRecovery::GetTypeId()}});
        set(helper);
        Ptr<Fabric> fabric = InstallFabric(helper, LeafSpine(2, 2, 2, 2));
        const double end = Complete(*fabric, {{0, 0, 2, BYTES}});
        Simulator::Destroy();
        return end;
    }
};

FABRIC_TEST_F(ScriptPlanesTestCase,
              g_script,
              "A switch balancer comes with the balancer of planes in the NICs")
{
    const double one = BYTES / 4096 * 41.78;
    const auto set = [](ClosHelper& helper) { helper.SetBalancerType(RsqBalancer::GetTypeId()); };
    NS_TEST_EXPECT_MSG_LT(Measure(set), one / 2 + 5000, "both planes");
    const auto setFactory = [](ClosHelper& helper) {
        helper.SetBalancer(FactoryOf("RsqBalancer"));
    };
    NS_TEST_EXPECT_MSG_LT(Measure(setFactory), one / 2 + 5000, "both planes, by SetBalancer");
    const auto setBoth = [](ClosHelper& helper) {
        helper.SetNicAttribute("BalancerType", TypeIdValue(HostBalancer::GetTypeId()));
        helper.SetBalancerType(RsqBalancer::GetTypeId());
    };
    NS_TEST_EXPECT_MSG_GT(Measure(setBoth), one, "the script's choice counts");
}

FABRIC_TEST(g_script, "Which balancer NICs have")
{
    const auto type = [](const ClosHelper& helper, uint32_t planes) {
        TypeIdValue value;
        Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 2, planes));
        fabric->GetNic(0)->GetAttribute("BalancerType", value);
        return value.Get();
    };
    ClosHelper helper;
    const TypeId usual = HostBalancer::GetTypeId();
    NS_TEST_EXPECT_MSG_EQ(type(helper, 2), usual, "ECMP hashes over planes");
    helper.SetBalancerType(HostRandomBalancer::GetTypeId());
    NS_TEST_EXPECT_MSG_EQ(type(helper, 2), HostRandomBalancer::GetTypeId(), "of hosts");
    helper.SetBalancerType(RsqBalancer::GetTypeId());
    NS_TEST_EXPECT_MSG_EQ(type(helper, 1), usual, "one plane, and the last call counts");
    NS_TEST_EXPECT_MSG_EQ(type(helper, 2), PlaneDrBalancer::GetTypeId(), "two planes");
    Default("RoceNetDevice::BalancerType", HostRandomBalancer::GetTypeId());
    NS_TEST_EXPECT_MSG_EQ(type(ClosHelper(), 2),
                          HostRandomBalancer::GetTypeId(),
                          "a default value counts");
}

/// PrepareSimulator() chooses the module's scheduler, unless the user chose one.
struct ScriptSchedulerTestCase : FabricTestCase
{
    /// An event that counts how often it was told to prefetch, which MonotoneScheduler alone does.
    class CountedEvent : public PrefetchingEvent
    {
      public:
        explicit CountedEvent(uint32_t& prefetched)
            : m_prefetched(prefetched)
        {
        }

        void Prefetch(uint32_t) const override
        {
            ++m_prefetched;
        }

      private:
        void Notify() override
        {
        }

        uint32_t& m_prefetched; //!< the counter
    };

    /// @return how often events are told to prefetch  @param prepares the script prepares the
    /// simulator
    static uint32_t CountPrefetched(bool prepares)
    {
        if (prepares)
        {
            ClosHelper::PrepareSimulator();
        }
        uint32_t prefetched = 0;
        for (uint32_t i = 0; i < 1000; ++i)
        {
            Simulator::Schedule(PicoSeconds(5000 + i % 500),
                                Ptr<EventImpl>(new CountedEvent(prefetched), false));
        }
        Simulator::Run();
        Simulator::Destroy();
        return prefetched;
    }
};

FABRIC_TEST_F(ScriptSchedulerTestCase, g_script, "One call sets the scheduler of events")
{
    NS_TEST_EXPECT_MSG_EQ(CountPrefetched(false), 0, "the scheduler of ns-3");
    NS_TEST_EXPECT_MSG_GT(CountPrefetched(true), 0, "that of the module");
    NS_TEST_EXPECT_MSG_EQ(Time::GetResolution(), Time::FS, "femtoseconds stay");
    Config::SetGlobal("SchedulerType", StringValue("ns3::HeapScheduler"));
    NS_TEST_EXPECT_MSG_EQ(CountPrefetched(true), 0, "that of the user");
    Config::SetGlobal("SchedulerType", StringValue("ns3::MapScheduler"));
}

/// Nodes have names, and NICs come in a container.
FABRIC_TEST(g_script, "Names of nodes in Config paths; the container of NICs")
{
    Ptr<Fabric> one = ClosHelper().Install(LeafSpine(2, 2, 2));
    Ptr<Fabric> two = ClosHelper().Install(LeafSpine(2, 2, 2));
    one->AddNames();
    two->AddNames("b-");
    NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>("host-3"), one->GetHosts().Get(3), "a host");
    NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>("spine-1"),
                          one->GetSwitchNodes().Get(3),
                          "a switch, by its name in the description");
    NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>("b-leaf-0"),
                          two->GetSwitchNodes().Get(0),
                          "of the other fabric");
    Config::Set("/Names/leaf-0/$ns3::aifabric::FabricSwitch/DetectionDelay",
                TimeValue(NanoSeconds(7)));
    Config::Set("/Names/b-host-1/DeviceList/0/$ns3::aifabric::RoceNetDevice/AckBytes",
                UintegerValue(70));
    TimeValue delay;
    one->GetSwitch(0)->GetAttribute("DetectionDelay", delay);
    NS_TEST_EXPECT_MSG_EQ(delay.Get(), NanoSeconds(7), "a path to a switch");
    NS_TEST_EXPECT_MSG_EQ(two->GetNic(1)->GetAckBytes(), 70, "a path to a NIC");
    const NetDeviceContainer nics = one->GetNics();
    NS_TEST_ASSERT_MSG_EQ(nics.GetN(), 4, "all NICs");
    for (uint32_t host = 0; host < nics.GetN(); ++host)
    {
        NS_TEST_EXPECT_MSG_EQ(nics.Get(host), one->GetNic(host), "by host index");
    }
    Names::Clear();
}

/// Window, rate and round-trip time of a queue pair.
struct ScriptTraceTestCase : FabricTestCase
{
    /// What a trace source told.
    template <typename T>
    struct Record
    {
        std::vector<T> values; //!< new values
        bool isChain{true};    //!< each old value is the new value before
        T last{};              //!< the last value

        /// @return adds to the record
        Callback<void, T, T> Note()
        {
            return CallbackOf([this](T before, T now) {
                isChain = isChain && before == last;
                last = now;
                values.push_back(now);
            });
        }
    };
};

FABRIC_TEST_F(ScriptTraceTestCase, g_script, "One packet crosses an empty leaf")
{
    Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
    RoceHelper roce;
    roce.SetControl(FactoryOf("FixedControl", {{"Window", 100000}}));
    const RoceHelper::Ends ends = roce.Connect(fabric->GetNic(0), fabric->GetNic(1));
    Record<uint64_t> window;
    Record<Time> rtt;
    const auto noteWindow = window.Note();
    const auto noteRtt = rtt.Note();
    ends.first->TraceConnectWithoutContext("CongestionWindow", noteWindow);
    ends.first->TraceConnectWithoutContext("RTT", noteRtt);
    ends.first->PostWrite(4096);
    Simulator::Run();
    const int64_t data = 500000 + 41740; // a link, in ps, the frame with its RETH
    const int64_t ack = 500000 + 640;
    NS_TEST_ASSERT_MSG_EQ(window.values.size(), 1, "the window does not change");
    NS_TEST_ASSERT_MSG_EQ(rtt.values.size(), 1, "one acknowledgement");
    NS_TEST_EXPECT_MSG_EQ(window.last, 100000, "bytes");
    NS_TEST_EXPECT_MSG_EQ(rtt.last, PicoSeconds(2 * data + 2 * ack), "two links and back");
    ends.first->TraceDisconnectWithoutContext("CongestionWindow", noteWindow);
    ends.first->TraceDisconnectWithoutContext("RTT", noteRtt);
    ends.first->PostWrite(4096);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(rtt.values.size(), 1, "nobody is connected");
}

FABRIC_TEST_F(ScriptTraceTestCase, g_script, "A rate is cut and grows, observed by a Config path")
{
    ClosHelper helper = ClosOf({{"ControlType", "ns3::aifabric::DctcpControl"}});
    helper.SetMarker(FactoryOf("StepMarker", {{"Threshold", 20000}}));
    Ptr<Fabric> fabric = helper.Install(LeafSpine(1, 1, 3));
    const RoceHelper::Ends ends = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(2));
    const RoceHelper::Ends other = RoceHelper().Connect(fabric->GetNic(1), fabric->GetNic(2));
    fabric->AddNames("trace-");
    Record<DataRate> rate;
    Record<Time> rtt;
    const std::string queuePair =
        "/Names/trace-host-0/DeviceList/0/$ns3::aifabric::RoceNetDevice/QueuePairList/0/";
    Config::ConnectWithoutContext(queuePair + "Rate", rate.Note());
    Config::ConnectWithoutContext(queuePair + "RTT", rtt.Note());
    ends.first->PostWrite(4096 * 500);
    other.first->PostWrite(4096 * 500);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(rtt.values.size(), 500, "one for each acknowledgement");
    NS_TEST_EXPECT_MSG_EQ(rtt.isChain, true, "old and new round-trip times");
    NS_TEST_EXPECT_MSG_EQ(rate.isChain, true, "old and new rates");
    NS_TEST_ASSERT_MSG_GT(rate.values.size(), 2, "the rate changes");
    NS_TEST_EXPECT_MSG_EQ(rate.values.front(), DataRate("800Gb/s"), "the line rate");
    NS_TEST_EXPECT_MSG_EQ(rate.last, ends.first->GetControl()->GetRate(), "the last rate");
    const auto least = std::min_element(rate.values.begin(), rate.values.end());
    NS_TEST_EXPECT_MSG_LT(least->GetBitRate(), 700e9, "it was cut");
    Names::Clear();
}

/// MessageApplication posts what its attributes say, when they say.
struct ScriptApplicationTestCase : FabricTestCase
{
    /// What an application did.
    struct Log
    {
        std::vector<Time> postedAt;    //!< when each message was posted
        std::vector<uint64_t> posted;  //!< lengths
        std::vector<Time> completedAt; //!< when each message was acknowledged
        std::vector<Time> durations;   //!< that each message took
        uint32_t destination{0};       //!< where to
        uint64_t isCompleted{0};       //!< as the application counts
        std::size_t applications{0};   //!< installed on all hosts
    };

    /// @return what the application of host 0 does in a fabric of four hosts
    /// @param attributes names and values of its attributes
    static Log Run(const std::vector<std::pair<std::string, std::string>>& attributes)
    {
        Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(2, 2, 2));
        MessageApplicationHelper helper(fabric->GetHosts().Get(2));
        for (const auto& [name, value] : attributes)
        {
            helper.SetAttribute(name, StringValue(value));
        }
        ApplicationContainer all = helper.Install(fabric->GetHosts());
        MessageApplicationHelper::AssignStreams(all, 1);
        const auto application = DynamicCast<MessageApplication>(all.Get(0));
        application->SetStartTime(MicroSeconds(10));
        application->SetStopTime(MicroSeconds(210));
        for (uint32_t i = 1; i < all.GetN(); ++i)
        {
            all.Get(i)->SetStartTime(Seconds(1));
        }
        Log log;
        Trace(*application, "Posted", [&](uint64_t n) {
            log.posted.push_back(n);
            log.postedAt.push_back(Simulator::Now());
        });
        Trace(*application, "Completed", [&](uint64_t, Time duration) {
            log.completedAt.push_back(Simulator::Now());
            log.durations.push_back(duration);
        });
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        log.destination = application->GetDestination();
        log.isCompleted = application->GetCompleted();
        log.applications = all.GetN();
        Simulator::Destroy();
        return log;
    }
};

/// One message after the other, in periods of activity.
FABRIC_TEST_F(ScriptApplicationTestCase, g_script, "Script application: periods")
{
    const std::string seconds = "ns3::ConstantRandomVariable[Constant=20e-6]";
    const Log log = Run({{"MessageBytes", "ns3::ConstantRandomVariable[Constant=40960]"},
                         {"OnTime", seconds},
                         {"OffTime", seconds}});
    NS_TEST_EXPECT_MSG_EQ(log.applications, 3, "all hosts but the destination");
    NS_TEST_EXPECT_MSG_EQ(log.destination, 2, "the destination");
    NS_TEST_EXPECT_MSG_EQ(log.posted.size(), log.isCompleted, "none is lost");
    NS_TEST_ASSERT_MSG_GT(log.posted.size(), 10, "several a period");
    NS_TEST_ASSERT_MSG_EQ(log.completedAt.size(), log.posted.size(), "each is told");
    std::size_t periods = 1;
    for (std::size_t i = 0; i < log.posted.size(); ++i)
    {
        const int64_t since = (log.postedAt[i] - MicroSeconds(10)).GetNanoSeconds();
        NS_TEST_EXPECT_MSG_LT(since % 40000, 20000, "within a period, message " << i);
        NS_TEST_EXPECT_MSG_LT(log.postedAt[i], MicroSeconds(210), "before the stop");
        NS_TEST_EXPECT_MSG_EQ(log.durations[i],
                              log.completedAt[i] - log.postedAt[i],
                              "duration of message " << i);
        const bool follows = i > 0 && log.postedAt[i] == log.completedAt[i - 1];
        periods += i > 0 && !follows;
    }
    NS_TEST_EXPECT_MSG_EQ(log.postedAt[0], MicroSeconds(10), "the start");
    NS_TEST_EXPECT_MSG_EQ(periods, 5, "in a period a message follows the one before");
}

/// Messages at fixed times, whether acknowledged or not.
FABRIC_TEST_F(ScriptApplicationTestCase, g_script, "Script application: interval")
{
    const Log log = Run({{"MessageBytes", "ns3::ConstantRandomVariable[Constant=4096]"},
                         {"Interval", "ns3::ConstantRandomVariable[Constant=1e-6]"},
                         {"MaxMessages", "50"}});
    NS_TEST_ASSERT_MSG_EQ(log.posted.size(), 50, "the limit");
    for (std::size_t i = 0; i < log.posted.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(log.postedAt[i], MicroSeconds(10 + i), "message " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(log.isCompleted, 50, "all are completed");
}

/// Lengths are drawn, and the same with the same streams.
FABRIC_TEST_F(ScriptApplicationTestCase, g_script, "Script application: lengths")
{
    const std::vector<std::pair<std::string, std::string>> attributes{
        {"MessageBytes", "ns3::UniformRandomVariable[Min=1000|Max=9000]"},
        {"Interval", "ns3::ConstantRandomVariable[Constant=1e-7]"}};
    const Log log = Run(attributes);
    NS_TEST_ASSERT_MSG_EQ(log.posted.size(), 2000, "until the stop");
    double sum = 0;
    for (const uint64_t bytes : log.posted)
    {
        NS_TEST_EXPECT_MSG_EQ((bytes >= 1000 && bytes <= 9000), true, "the bounds");
        sum += static_cast<double>(bytes);
    }
    const double error = 8000 / std::sqrt(12.0 * 2000);
    NS_TEST_EXPECT_MSG_EQ_TOL(sum / 2000, 5000, 5 * error, "the mean");
    NS_TEST_EXPECT_MSG_EQ((Run(attributes).posted == log.posted), true, "the same streams");
}
