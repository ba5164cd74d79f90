/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/ack-bypass.h"
#include "ns3/loss-oracle.h"
#include "ns3/oracle-recovery.h"
#include "ns3/port-buffer.h"
#include "ns3/scheduler.h"

#include <tuple>

/// All tests of the order of events.
static Suite g_fabricClock("ai-fabric-clock");

namespace
{

/// A scheduler that shuffles nodes: events of one time leave in the order of their uids at each
/// node, and in any order among nodes, as on many ranks.
struct ShuffledScheduler : Scheduler
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aifabric::test::ShuffledScheduler")
                                .SetParent<Scheduler>()
                                .SetGroupName("AiFabric")
                                .AddConstructor<ShuffledScheduler>()
                                .AddAttribute("Salt",
                                              "Decides on the order.",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&ShuffledScheduler::m_salt),
                                              MakeUintegerChecker<uint32_t>());
        return tid;
    }

    void Insert(const Event& event) override
    {
        m_events.emplace(KeyOf(event.key), event);
    }

    bool IsEmpty() const override
    {
        return m_events.empty();
    }

    Event PeekNext() const override
    {
        return m_events.begin()->second;
    }

    Event RemoveNext() override
    {
        const Event event = PeekNext();
        m_events.erase(m_events.begin());
        return event;
    }

    void Remove(const Event& event) override
    {
        m_events.erase(KeyOf(event.key));
    }

    /// Time, node's place, uid.
    using Key = std::tuple<uint64_t, uint32_t, uint32_t>;

    /// @return where an event stands
    Key KeyOf(const EventKey& key) const
    {
        return {key.m_ts, (key.m_context + m_salt) * 2654435761U, key.m_uid};
    }

    uint32_t m_salt;               //!< decides on the order of nodes
    std::map<Key, Event> m_events; //!< pending
};

NS_OBJECT_ENSURE_REGISTERED(ShuffledScheduler);

constexpr const char* PREFIX = "ns3::aifabric::"; //!< of all policies

/// One run.
struct Setting
{
    std::string balancer;  //!< of switches or of hosts
    std::string admission; //!< the buffer
    bool isBypassed;       //!< acknowledgements bypass the fabric
    uint16_t planes;       //!< 0: a fat-tree; else those of a leaf-spine fabric
};

/// What happens in a picosecond does not depend on the order in which events of different nodes
/// were scheduled: hosts start at once, so that nearly everything happens at once.
struct TurnsTestCase : FabricTestCase
{
    void Check(const Setting& setting)
    {
        m_setting = setting;
        const std::vector<int64_t> expected = Run(ObjectFactory("ns3::MapScheduler"));
        NS_TEST_EXPECT_MSG_EQ((Run(FactoryOf("MonotoneScheduler")) == expected),
                              true,
                              "with the module's scheduler");
        for (uint32_t salt = 1; salt <= 4; ++salt)
        {
            const ObjectFactory shuffled = FactoryOf("test::ShuffledScheduler", {{"Salt", salt}});
            NS_TEST_EXPECT_MSG_EQ((Run(shuffled) == expected), true, "shuffled " << salt);
        }
        const ObjectFactory unused("ns3::MapScheduler");
        UseWindows(false);
        NS_TEST_EXPECT_MSG_EQ((Run(unused) == expected), true, "in windows");
        UseWindows(true);
        NS_TEST_EXPECT_MSG_EQ((Run(unused) == expected), true, "in windows, nodes shuffled");
    }

    /// @return what came of a run  @param scheduler who orders events
    std::vector<int64_t> Run(const ObjectFactory& scheduler)
    {
        Simulator::SetScheduler(scheduler);
        const FabricGraph graph =
            m_setting.planes ? LeafSpine(4, 4, 4, m_setting.planes) : FatTree(4);
        ClosHelper helper = ClosOf({{"RecoveryType", OracleRecovery::GetTypeId()}});
        helper.SetBalancerType(TypeId::LookupByName(PREFIX + m_setting.balancer));
        ObjectFactory admission(PREFIX + m_setting.admission);
        if (m_setting.admission == "PortBuffer")
        {
            admission.Set("PortBytes", UintegerValue(30000)); // some are dropped
        }
        helper.SetAdmission(admission);
        const Ptr<Fabric> fabric = InstallFabric(helper, graph);
        const Ptr<FlowDriver> driver = StartFlows(*fabric, MakeFlows(graph.HostCount()));
        const Ptr<LossOracle> oracle = Watch(*fabric);
        const Ptr<AckBypass> bypass = Bypass(*fabric);
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        const std::vector<int64_t> result = Measure(*fabric, *driver);
        for (const Ptr<Object>& object :
             {Ptr<Object>(driver), Ptr<Object>(oracle), Ptr<Object>(bypass), Ptr<Object>(fabric)})
        {
            if (object)
            {
                object->Dispose();
            }
        }
        Simulator::Destroy();
        return result;
    }

    /// @return an all-to-all in which all hosts start at once, after one of a byte in which they do
    /// not: then the queue pairs are numbered.
    static std::vector<Flow> MakeFlows(uint32_t hosts)
    {
        const UniformInteger uniform = Uniform(99);
        std::vector<Flow> flows = AllToAll(hosts, 1, uniform);
        for (Flow& flow : flows)
        {
            flow.startPs = flow.source * 1000;
        }
        for (Flow flow : AllToAll(hosts, 20000, uniform))
        {
            flow.startPs = 100'000'000;
            flows.push_back(flow);
        }
        return flows;
    }

    /// @return who tells of losses
    static Ptr<LossOracle> Watch(const Fabric& fabric)
    {
        const std::vector<Ptr<FabricSwitch>>& switches = fabric.GetSwitchList();
        const std::vector<Ptr<FabricChannel>>& channels = fabric.GetChannelList();
        Ptr<LossOracle> oracle = CreateObject<LossOracle>();
        oracle->Install(GetNics(fabric), switches, channels);
        return oracle;
    }

    /// @return who carries acknowledgements, or nobody
    Ptr<AckBypass> Bypass(const Fabric& fabric) const
    {
        if (!m_setting.isBypassed)
        {
            return nullptr;
        }
        Ptr<AckBypass> bypass = CreateObject<AckBypass>();
        bypass->Install(fabric.GetGraph(), GetNics(fabric));
        return bypass;
    }

    /// @return the NICs
    static std::vector<Ptr<RoceNetDevice>> GetNics(const Fabric& fabric)
    {
        const std::vector<Ptr<RoceNetDevice>>& nics = fabric.GetNicList();
        return nics;
    }

    /// @return times and counters
    std::vector<int64_t> Measure(const Fabric& fabric, const FlowDriver& driver)
    {
        std::vector<int64_t> result;
        for (const FlowRecord& record : driver.GetService()->GetRecords())
        {
            NS_TEST_EXPECT_MSG_EQ(record.completed, true, "each message is completed");
            result.push_back(record.receivedAt.GetPicoSeconds());
            result.push_back(record.completedAt.GetPicoSeconds());
        }
        fabric.CatchUp();
        ForEachPort(fabric, [&result](FabricPort& port) {
            const FabricTransmitter& transmitter = port.GetTransmitter();
            result.push_back(transmitter.GetCounters().sentFrames);
            result.push_back(transmitter.GetQueues().GetMaxBytes());
            result.push_back(transmitter.GetBusyTime());
            result.push_back(static_cast<int64_t>(transmitter.GetFrameTime(FabricClock::Now())));
        });
        return result;
    }

    Setting m_setting; //!< what runs
};

/// The order of turns, and delays until them.
FABRIC_TEST(g_fabricClock, "turns of a picosecond")
{
    std::string order;
    const auto add = [&order](char name) { order += name; };
    const std::vector<std::pair<int64_t, char>> turns = {
        {FabricClock::LAST_TURN, 'g'},
        {FabricClock::REVIEW_TURN, 'f'},
        {FabricClock::TurnOfPort(65535), 'e'},
        {FabricClock::TurnOfPort(1), 'd'},
        {FabricClock::TurnOfPort(0), 'c'},
        {FabricClock::OUT_OF_BAND_TURN, 'b'},
        {0, 'a'},
    };
    for (const auto& [turn, name] : turns)
    {
        ScheduleFunction(FabricClock::Until(5, turn), [&add, name = name] { add(name); });
    }
    ScheduleFunction(FabricClock::Until(6), [&] {
        add('h');
        NS_TEST_EXPECT_MSG_EQ(FabricClock::Now(), 6, "time in picoseconds");
    });
    ScheduleFunction(FabricClock::Until(7, 100), [&] {
        NS_TEST_EXPECT_MSG_EQ(FabricClock::Now(), 7, "the turn does not count");
        NS_TEST_EXPECT_MSG_EQ(FabricClock::Until(7, 50), Time(0), "a turn that is past is now");
        NS_TEST_EXPECT_MSG_EQ(FabricClock::Until(8), FemtoSeconds(900), "the next picosecond");
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(order, "abcdefgh", "turns in order");
}

FABRIC_ROWS(g_fabricClock)
{
    for (const std::string balancer : {"EcmpBalancer",
                                       "FlowletBalancer",
                                       "RsqBalancer",
                                       "RrBalancer",
                                       "JsqBalancer",
                                       "SwitchArBalancer",
                                       "OfanBalancer",
                                       "HostRandomBalancer",
                                       "HostDrBalancer",
                                       "RepsBalancer",
                                       "PlbBalancer"})
    {
        rows.AddRow<TurnsTestCase>(balancer, Setting{balancer, "PortBuffer", false, 0});
    }
    rows.AddRow<TurnsTestCase>("bypassed", Setting{"RrBalancer", "PortBuffer", true, 0});
    rows.AddRow<TurnsTestCase>("shared", Setting{"JsqBalancer", "SharedBuffer", false, 0});
    rows.AddRow<TurnsTestCase>("two tiers", Setting{"CongaBalancer", "PortBuffer", false, 1});
    rows.AddRow<TurnsTestCase>("reordered", Setting{"ConweaveBalancer", "SharedBuffer", false, 1});
    rows.AddRow<TurnsTestCase>("planes", Setting{"JsqBalancer", "PortBuffer", false, 2});
    rows.AddRow<TurnsTestCase>("shared, planes",
                               Setting{"HostDrBalancer", "SharedBuffer", false, 2});
}

} // namespace
