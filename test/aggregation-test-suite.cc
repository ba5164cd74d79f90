/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core/schedule-count.h"
#include "fabric-test.h"

#include "ns3/aggregation-helper.h"
#include "ns3/enum.h"
#include "ns3/slot-stage.h"

static Suite g_aggregation("ai-fabric-aggregation");

/// What the cases have in common: a fabric of one or two racks, jobs, and the laws that hold for
/// all of them.
struct AggregationTestCase : FabricTestCase
{
    using System = AggregationHelper::System;

    /// @return how a system adds up by default
    static AggregationHelper::Options OptionsOf(System system, uint32_t slots)
    {
        AggregationHelper::Options options;
        options.system = system;
        options.slots = slots;
        return options;
    }

    static AggregationPlan PlanOf(uint16_t number,
                                  const std::vector<uint32_t>& workers,
                                  uint32_t server,
                                  uint32_t window)
    {
        AggregationPlan plan;
        plan.number = number;
        plan.workers = workers;
        plan.server = server;
        plan.window = window;
        plan.gradients = GradientSource(number + 1, 1, FixedPoint::ATP_SCALE, number % 2);
        return plan;
    }

    static AggregationShape ShapeOf(uint32_t fragments)
    {
        AggregationShape shape;
        shape.fragments = fragments;
        return shape;
    }

    /// Run until nothing happens, and check what holds for all jobs: each worker has the right sum
    /// of each fragment, and no slot is held.
    void RunAndCheck(const AggregationHelper& helper, const std::string& what)
    {
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        for (const Ptr<AggregationDriver>& driver : helper.GetDrivers())
        {
            NS_TEST_EXPECT_MSG_EQ(driver->IsDone(), true, what << ": a job hangs");
            NS_TEST_EXPECT_MSG_EQ(driver->GetJob().GetWrong(), 0, what << ": wrong sums");
            NS_TEST_EXPECT_MSG_GT(driver->GetJob().GetChecked(), 0, what << ": sums");
        }
        for (const Ptr<AggregationStage>& stage : helper.GetStages())
        {
            NS_TEST_EXPECT_MSG_EQ(stage->GetFree(), stage->GetSlots(), what << ": slots are held");
        }
    }

    /// @return what all stages have counted
    static PolicyCounters CountAll(const AggregationHelper& helper)
    {
        PolicyCounters counters;
        for (const Ptr<AggregationStage>& stage : helper.GetStages())
        {
            stage->Count(counters);
        }
        return counters;
    }
};

/// One job with ample memory and no losses: the switch adds up all packets.
FABRIC_TEST_F(AggregationTestCase,
              g_aggregation,
              "with ample memory all packets are added up in switches")
{
    constexpr uint32_t FRAGMENTS = 1000;
    std::map<System, int64_t> times;
    for (const System system :
         {AggregationHelper::ATP, AggregationHelper::SWITCHML, AggregationHelper::ESA})
    {
        const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 5));
        // The page: a job
        AggregationHelper helper(fabric, OptionsOf(system, 20000));
        helper.Install(PlanOf(3, {0, 1, 2, 3}, 4, 200), ShapeOf(FRAGMENTS));
        fabric->AssignStreams(1);
        // The page: end
        const std::string what = "system " + std::to_string(system);
        RunAndCheck(helper, what);
        PolicyCounters counters = CountAll(helper);
        NS_TEST_EXPECT_MSG_EQ(counters["aggregation_received"], 4 * FRAGMENTS, what);
        NS_TEST_EXPECT_MSG_EQ(counters["aggregation_added"], 4 * FRAGMENTS, what);
        NS_TEST_EXPECT_MSG_EQ(counters["aggregation_completed"], FRAGMENTS, what);
        NS_TEST_EXPECT_MSG_EQ(helper.GetDrivers()[0]->GetResent(), 0, what);
        NS_TEST_EXPECT_MSG_EQ(helper.GetDrivers()[0]->GetJob().GetChecked(), 4 * FRAGMENTS, what);
        times[system] = helper.GetDrivers()[0]->GetCompletionTime().GetPicoSeconds();
        Simulator::Destroy();
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(times[AggregationHelper::ESA] * 1.0 / times[AggregationHelper::ATP],
                              1,
                              0.02,
                              "ESA takes as long as ATP");
    NS_TEST_EXPECT_MSG_LT(times[AggregationHelper::SWITCHML],
                          times[AggregationHelper::ATP] * 1.05,
                          "SwitchML has no way to a parameter server");
}

/// Schedules that are drawn: jobs, workers in one rack or two, slots, windows, losses up to 10 %,
/// stragglers, timers. AI_FABRIC_SCHEDULES says how many.
struct RandomScheduleTestCase : AggregationTestCase
{
    /// @param freesAtAck whether slots are free at the acknowledgement
    void Check(System system, bool freesAtAck)
    {
        m_system = system;
        m_freesAtAck = freesAtAck;
        // ATP: a switch sends a sum to the workers, and its copy to the server is lost. Packets
        // that were sent again open the fragment at the server, which forgets it before it is
        // complete.
        RunSchedule(647);
        Simulator::Destroy();
        const uint32_t schedules = CountSchedules(150);
        for (uint32_t seed = 1; seed <= schedules && !IsStatusFailure(); ++seed)
        {
            RunSchedule(seed);
            Simulator::Destroy();
        }
    }

    void RunSchedule(uint32_t seed)
    {
        std::mt19937 random(seed);
        const auto draw = [&random](uint32_t least, uint32_t most) {
            return std::uniform_int_distribution<uint32_t>(least, most)(random);
        };
        const uint32_t jobs = draw(1, 3);
        const uint32_t workers = draw(1, 5);
        const uint32_t window = draw(1, 20);
        const uint32_t leaves = draw(1, 2);
        const Ptr<Fabric> fabric =
            ClosHelper().Install(LeafSpine(leaves, leaves, jobs * (workers + 1)));
        const double loss = draw(0, 3) > 0 ? draw(0, 100) / 1000.0 : 0;
        for (const Ptr<FabricChannel>& channel : fabric->GetChannelList())
        {
            channel->SetLossProbability(loss);
        }
        const uint32_t slots = m_system == AggregationHelper::SWITCHML ? jobs * window + draw(0, 3)
                                                                       : draw(1, 2 * jobs * window);
        Default("SlotStage::FreePolicy",
                EnumValue(m_freesAtAck ? SlotStage::AT_ACKNOWLEDGEMENT : SlotStage::AT_COMPLETION));
        Default("SlotStage::Ageing", draw(0, 1));
        Default("SlotStage::Refresh", draw(0, 1));
        Default("AggregationDriver::PriorityPolicy",
                EnumValue(static_cast<AggregationDriver::PriorityPolicy>(draw(0, 5))));
        AggregationHelper helper(fabric, OptionsOf(m_system, slots));
        helper.SetWorkerAttribute("Timeout", TimeValue(MicroSeconds(100)));
        if (m_system != AggregationHelper::SWITCHML)
        {
            helper.SetWorkerAttribute("FirstTimeout", TimeValue(MilliSeconds(draw(0, 2))));
            helper.SetWorkerAttribute("ReorderThreshold", UintegerValue(draw(0, 4)));
            helper.SetServerAttribute("RehashOnCollision", BooleanValue(draw(0, 1)));
        }
        for (uint32_t j = 0; j < jobs; ++j)
        {
            std::vector<uint32_t> hosts;
            for (uint32_t w = 0; w < workers; ++w)
            {
                const uint32_t rack = leaves == 1 ? 0 : draw(0, 1);
                hosts.push_back(rack * jobs * (workers + 1) + j * (workers + 1) + w);
            }
            const uint32_t rack = leaves == 1 ? 0 : draw(0, 1);
            const uint32_t server = rack * jobs * (workers + 1) + j * (workers + 1) + workers;
            AggregationPlan plan = PlanOf(j, hosts, server, window);
            plan.hasDistinctSlots = draw(0, 1);
            plan.resultFromSwitch = draw(0, 1);
            plan.reach = m_system == AggregationHelper::SWITCHML ? 0 : window * draw(0, 3);
            AggregationShape shape = ShapeOf(draw(1, 60));
            shape.layers = draw(1, 4);
            shape.iterations = draw(1, 2);
            shape.compute = MicroSeconds(draw(0, 20));
            shape.jitter = draw(0, 3) * 0.3;
            shape.start = MicroSeconds(draw(0, 5));
            NS_TEST_EXPECT_MSG_NE(helper.Install(plan, shape), nullptr, "there is room");
        }
        fabric->AssignStreams(1);
        helper.AssignStreams(1000000000);
        RunAndCheck(helper, "schedule " + std::to_string(seed));
    }

    System m_system;   //!< which system
    bool m_freesAtAck; //!< slots are free at the acknowledgement
};

/// Sums that do not fit are computed in floats, also with losses.
struct SaturationTestCase : AggregationTestCase
{
    /// Run jobs whose sums do not fit.
    /// @param loss probability of the loss of a packet on each link
    void Saturate(System system, uint32_t racks, uint16_t jobs, double loss)
    {
        constexpr uint32_t FRAGMENTS = 100;
        const uint32_t hosts = 5 * jobs / racks + 1; // in a rack
        const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(racks, racks, hosts));
        for (const Ptr<FabricChannel>& channel : fabric->GetChannelList())
        {
            channel->SetLossProbability(loss);
        }
        AggregationHelper helper(fabric, OptionsOf(system, 50)); // fewer than all windows
        for (uint16_t j = 0; j < jobs; ++j)
        {
            const auto hostOf = [&](uint32_t member) { // members take turns among the racks
                const uint32_t place = 5 * j + member;
                return place % racks * hosts + place / racks;
            };
            AggregationPlan plan =
                PlanOf(j, {hostOf(0), hostOf(1), hostOf(2), hostOf(3)}, hostOf(4), 20);
            plan.gradients = GradientSource(j + 1, 1000, FixedPoint::ATP_SCALE, j % 2);
            helper.Install(plan, ShapeOf(FRAGMENTS));
        }
        fabric->AssignStreams(1);
        const std::string what = "system " + std::to_string(system) + ", racks " +
                                 std::to_string(racks) + ", jobs " + std::to_string(jobs) +
                                 ", loss " + std::to_string(loss);
        RunAndCheck(helper, what);
        for (const Ptr<ParameterServer>& server : helper.GetServers())
        {
            const ParameterServer::Counters& counters = server->GetCounters();
            NS_TEST_EXPECT_MSG_GT(counters.floats, FRAGMENTS / 2, what << ": sums of up to 4000");
            NS_TEST_EXPECT_MSG_EQ(counters.sums, FRAGMENTS, what << ": sums");
        }
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(SaturationTestCase, g_aggregation, "saturated sums are computed in floats")
{
    for (const System system : {AggregationHelper::ATP, AggregationHelper::ESA})
    {
        for (const uint32_t racks : {1, 2})
        {
            for (const uint16_t jobs : {1, 3})
            {
                Saturate(system, racks, jobs, 0);
                Saturate(system, racks, jobs, 0.05);
            }
        }
    }
}

/// Partial sums that would never be complete: reminders take them out, or the workers' timers do.
struct ReminderTestCase : AggregationTestCase
{
    /// @return the time of the job that takes longest
    Time Run(bool reminds)
    {
        const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 10));
        AggregationHelper helper(fabric, OptionsOf(AggregationHelper::ESA, 2));
        helper.SetWorkerAttribute("Timeout", TimeValue(MilliSeconds(20)));
        helper.SetServerAttribute("Reminders", BooleanValue(reminds));
        Default("AggregationDriver::PriorityPolicy", EnumValue(AggregationDriver::RANDOM));
        for (uint32_t j = 0; j < 2; ++j)
        {
            AggregationShape shape = ShapeOf(20);
            shape.compute = MicroSeconds(20);
            shape.jitter = 1;
            shape.iterations = 20;
            const uint32_t first = 5 * j;
            helper.Install(PlanOf(j, {first, first + 1, first + 2, first + 3}, first + 4, 20),
                           shape);
        }
        fabric->AssignStreams(1);
        helper.AssignStreams(1000000000);
        RunAndCheck(helper, reminds ? "with reminders" : "without reminders");
        const uint64_t reminders = helper.GetServers()[0]->GetCounters().reminders +
                                   helper.GetServers()[1]->GetCounters().reminders;
        NS_TEST_EXPECT_MSG_EQ((reminders > 0), reminds, "reminders");
        const Time longest = std::max(helper.GetDrivers()[0]->GetCompletionTime(),
                                      helper.GetDrivers()[1]->GetCompletionTime());
        Simulator::Destroy();
        return longest;
    }
};

FABRIC_TEST_F(ReminderTestCase, g_aggregation, "reminders take out partial sums that are stranded")
{
    const Time with = Run(true);
    const Time without = Run(false);
    NS_TEST_EXPECT_MSG_LT(with, MilliSeconds(5), "reminders work within some 20 us");
    NS_TEST_EXPECT_MSG_GT(without, MilliSeconds(20), "without them the timers of workers do");
}

/// Sums of later fragments show a loss, long before a timer does; and a worker that waits for
/// another one's computation sends nothing again.
struct OvertakenTestCase : AggregationTestCase
{
    /// @return the time of a job below a switch that loses packets
    /// @param threshold packets later that overtake a fragment
    Time Lose(System system, uint32_t threshold)
    {
        const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 5));
        for (uint32_t host = 0; host < 4; ++host)
        {
            fabric->GetChannelList()[host]->SetLossProbability(0.002);
        }
        AggregationHelper helper(fabric, OptionsOf(system, 20000));
        helper.SetWorkerAttribute("Timeout", TimeValue(MilliSeconds(20)));
        helper.SetWorkerAttribute("ReorderThreshold", UintegerValue(threshold));
        helper.SetServerAttribute("Reminders", BooleanValue(threshold > 0));
        helper.Install(PlanOf(0, {0, 1, 2, 3}, 4, 200), ShapeOf(2000));
        fabric->AssignStreams(1);
        RunAndCheck(helper, "threshold " + std::to_string(threshold));
        NS_TEST_EXPECT_MSG_GT(helper.GetDrivers()[0]->GetResent(), 0, "something was lost");
        const Time took = helper.GetDrivers()[0]->GetCompletionTime();
        Simulator::Destroy();
        return took;
    }

    /// @return packets sent again by workers that wait for each other for some milliseconds
    /// @param first timer of the first sum
    uint64_t Wait(System system, Time first)
    {
        const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 5));
        AggregationHelper helper(fabric, OptionsOf(system, 20000));
        helper.SetWorkerAttribute("FirstTimeout", TimeValue(first));
        AggregationShape shape = ShapeOf(1000);
        shape.compute = MilliSeconds(10);
        shape.jitter = 0.3;
        shape.iterations = 2;
        helper.Install(PlanOf(0, {0, 1, 2, 3}, 4, 200), shape);
        fabric->AssignStreams(1);
        helper.AssignStreams(1000000000);
        RunAndCheck(helper, "first timer " + std::to_string(first.GetMilliSeconds()) + " ms");
        const uint64_t resent = helper.GetDrivers()[0]->GetResent();
        Simulator::Destroy();
        return resent;
    }
};

FABRIC_TEST_F(OvertakenTestCase, g_aggregation, "sums of later fragments make a worker send again")
{
    for (const System system : {AggregationHelper::ATP, AggregationHelper::ESA})
    {
        NS_TEST_EXPECT_MSG_LT(Lose(system, 3), MilliSeconds(2), "no timer of 20 ms expires");
        NS_TEST_EXPECT_MSG_GT(Lose(system, 0), MilliSeconds(20), "the timers find the losses");
        NS_TEST_EXPECT_MSG_EQ(Wait(system, MilliSeconds(50)), 0, "others may still compute");
        NS_TEST_EXPECT_MSG_GT(Wait(system, Seconds(0)), 0, "the usual timer is too short");
    }
}

/// The timers of workers: a burst of losses costs one timer, whatever else the timer is scheduled
/// for.
struct TimerTestCase : AggregationTestCase
{
    /// @return the time of a job  @param burst how long the link of a worker loses everything
    Time Run(System system, Time burst)
    {
        const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, 5));
        AggregationHelper helper(fabric, OptionsOf(system, 20000));
        helper.SetWorkerAttribute("Timeout", TimeValue(TIMEOUT));
        if (system != AggregationHelper::SWITCHML)
        {
            helper.SetWorkerAttribute("ReorderThreshold", UintegerValue(0));
            helper.SetServerAttribute("Reminders", BooleanValue(false));
        }
        helper.Install(PlanOf(0, {0, 1, 2, 3}, 4, 100), ShapeOf(3000));
        fabric->AssignStreams(1);
        const Ptr<FabricChannel> channel = fabric->GetChannelList()[0];
        void (FabricChannel::*const lose)(double) = &FabricChannel::SetLossProbability;
        const Time begin = MicroSeconds(10);
        Simulator::Schedule(begin, lose, channel, burst.IsZero() ? 0.0 : 1.0);
        Simulator::Schedule(begin + burst, lose, channel, 0.0);
        RunAndCheck(helper, "burst of " + std::to_string(burst.GetNanoSeconds()) + " ns");
        const Time took = helper.GetDrivers()[0]->GetCompletionTime();
        Simulator::Destroy();
        return took;
    }

    const Time TIMEOUT = MicroSeconds(200); //!< of the workers
};

FABRIC_TEST_F(TimerTestCase,
              g_aggregation,
              "each fragment is sent again when its own timer expires")
{
    for (const System system :
         {AggregationHelper::ATP, AggregationHelper::SWITCHML, AggregationHelper::ESA})
    {
        const Time usual = Run(system, Seconds(0));
        for (const int64_t ns : {200, 2000})
        {
            const Time lost = Run(system, NanoSeconds(ns)) - usual;
            NS_TEST_EXPECT_MSG_GT(lost, 0.5 * TIMEOUT, "system " << int(system) << ", " << ns);
            NS_TEST_EXPECT_MSG_LT(lost, 1.1 * TIMEOUT, "system " << int(system) << ", " << ns);
        }
    }
}

/// The switch of the server sends results (AggregationPlan::resultFromSwitch), wherever the sum was
/// completed.
FABRIC_TEST_F(AggregationTestCase, g_aggregation, "the switch of the server sends each result once")
{
    for (const System system : {AggregationHelper::ATP, AggregationHelper::ESA})
    {
        for (const std::vector<uint32_t>& workers :
             {std::vector<uint32_t>{0, 1, 2, 3}, {0}, {0, 1, 5, 6}, {6, 7, 8}})
        {
            const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(2, 2, 5));
            AggregationHelper helper(fabric, OptionsOf(system, 20000));
            AggregationPlan plan = PlanOf(0, workers, 9, 50);
            plan.rackHosts = 5;
            plan.resultFromSwitch = true;
            helper.Install(plan, ShapeOf(500));
            fabric->AssignStreams(1);
            RunAndCheck(helper, "workers from host " + std::to_string(workers.front()));
            NS_TEST_EXPECT_MSG_EQ(helper.GetDrivers()[0]->GetResent(), 0, workers.size());
            NS_TEST_EXPECT_MSG_LT(helper.GetDrivers()[0]->GetCompletionTime(),
                                  MilliSeconds(1),
                                  workers.size());
            Simulator::Destroy();
        }
    }
}

/// The limits of a switch: its slots, those of a port, and the packets per second of its pipeline.
struct SwitchLimitTestCase : AggregationTestCase
{
    static constexpr uint32_t FRAGMENTS = 500; //!< of the job
    static constexpr uint32_t WORKERS = 4;     //!< of the job

    /// Set a limit of all switches to come.
    void Limit(const std::string& name, uint64_t value)
    {
        m_what += name + " " + std::to_string(value) + " ";
        Default(name, value);
    }

    /// End the limits.
    void Reset()
    {
        m_what.clear();
        Config::Reset();
    }

    /// A pipeline that is slower than the links sets the time of a job.
    void CheckRate(System system)
    {
        constexpr uint64_t RATE = 10000000;
        NS_TEST_EXPECT_MSG_EQ(Run(system).count("aggregation_waited"), 0, "there is no limit");
        const Time usual = m_took;
        Limit("SlotStage::Slots", 300);
        Limit("SwitchMlStage::Slots", 300);
        Limit("AggregationStage::PacketRate", RATE);
        PolicyCounters counters = Run(system);
        // ATP's and ESA's acknowledgements pass the switch as well; no packet is sent again.
        const uint32_t packets = FRAGMENTS * (system == AggregationHelper::SWITCHML ? 4 : 5);
        NS_TEST_EXPECT_MSG_EQ(m_resent, 0, m_what);
        NS_TEST_EXPECT_MSG_EQ(counters["aggregation_overflows"], 0, m_what);
        NS_TEST_EXPECT_MSG_GT(counters["aggregation_waited"], packets / 2, m_what);
        const double seconds = static_cast<double>(packets) / RATE;
        NS_TEST_EXPECT_MSG_EQ_TOL(m_took.GetSeconds(), seconds, 0.05 * seconds, m_what);
        NS_TEST_EXPECT_MSG_LT(usual, m_took / 2, "the links are faster");
        Reset();
    }

    /// Packets for which the queue has no room are sent again.
    void CheckQueue(System system)
    {
        Limit("AggregationStage::PacketRate", 5000000);
        // The timers of SwitchML's workers expire in step: a short queue drops the same packets
        // again.
        Limit("AggregationStage::PacketQueue", system == AggregationHelper::SWITCHML ? 150 : 10);
        PolicyCounters counters = Run(system);
        NS_TEST_EXPECT_MSG_GT(counters["aggregation_overflows"], 0, "200 packets are under way");
        NS_TEST_EXPECT_MSG_GT(m_resent, 0, "those that are dropped are sent again");
        Reset();
    }

    /// Packets of a port that has its slots are not added up.
    void CheckPorts(System system)
    {
        Limit("SlotStage::PortSlots", 5);
        PolicyCounters counters = Run(system);
        NS_TEST_EXPECT_MSG_GT(counters["aggregation_port_full"], 0, "ports have few slots");
        NS_TEST_EXPECT_MSG_LT(counters["aggregation_added"], WORKERS * FRAGMENTS, "packets");
        Reset();
    }

    /// @return what the switch has counted in a job
    PolicyCounters Run(System system)
    {
        const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(1, 1, WORKERS + 1));
        AggregationHelper helper(fabric, OptionsOf(system, 0));
        const Ptr<AggregationStage> stage = helper.GetStages().front();
        const UintegerValue slots = GetDefault(*stage, "Slots");
        NS_TEST_EXPECT_MSG_EQ(stage->GetSlots(), slots.Get(), "slots of the attribute");
        helper.SetWorkerAttribute("Timeout", TimeValue(MicroSeconds(200)));
        AggregationShape shape = ShapeOf(FRAGMENTS);
        shape.compute = NanoSeconds(500); // so that workers do not begin at the same time
        shape.jitter = 1;
        helper.Install(PlanOf(0, {0, 1, 2, 3}, WORKERS, 50), shape);
        fabric->AssignStreams(1);
        helper.AssignStreams(1000000000);
        RunAndCheck(helper, "system " + std::to_string(system) + " " + m_what);
        NS_TEST_EXPECT_MSG_EQ(stage->GetWaiting(), 0, m_what << ": packets wait");
        m_took = helper.GetDrivers()[0]->GetCompletionTime();
        m_resent = helper.GetDrivers()[0]->GetResent();
        const PolicyCounters counters = CountAll(helper);
        Simulator::Destroy();
        return counters;
    }

    /// @return the value of an attribute
    static UintegerValue GetDefault(const AggregationStage& stage, const std::string& name)
    {
        UintegerValue value;
        stage.GetAttribute(name, value);
        return value;
    }

    std::string m_what;   //!< the limits
    Time m_took;          //!< time of the last job
    uint64_t m_resent{0}; //!< packets that its workers have sent again
};

FABRIC_TEST_F(SwitchLimitTestCase,
              g_aggregation,
              "slots, slots of a port and the packet rate of a switch are limits")
{
    for (const System system :
         {AggregationHelper::ATP, AggregationHelper::SWITCHML, AggregationHelper::ESA})
    {
        CheckRate(system);
        CheckQueue(system);
    }
    CheckPorts(AggregationHelper::ATP);
    CheckPorts(AggregationHelper::ESA);
}

FABRIC_ROWS(g_aggregation)
{
    using Random = RandomScheduleTestCase;
    rows.AddRow<Random>("random schedules: ATP, free at ACK", AggregationHelper::ATP, true);
    rows.AddRow<Random>("random schedules: ATP", AggregationHelper::ATP, false);
    rows.AddRow<Random>("random schedules: ESA, free at ACK", AggregationHelper::ESA, true);
    rows.AddRow<Random>("random schedules: ESA", AggregationHelper::ESA, false);
    rows.AddRow<Random>("random schedules: SwitchML", AggregationHelper::SWITCHML, true);
}
