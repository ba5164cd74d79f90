/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/aggregation-helper.h"
#include "ns3/gradient-carrier.h"
#include "ns3/message-service.h"
#include "ns3/offloaded-collective.h"
#include "ns3/ring-algorithm.h"
#include "ns3/training-driver.h"

#include <algorithm>

/// Switches add up the gradients of a training iteration (GradientGroup).
static Suite g_gradientGroup("ai-fabric-gradient-group");

namespace
{

constexpr uint64_t SUMMED_BYTES = 10000;                  //!< of an all-reduce
constexpr int64_t LATE_PS = 50 * int64_t{1000} * 1000;    //!< when a rank has computed
const std::vector<uint32_t> SUMMING_HOSTS = {0, 1, 3, 4}; //!< ranks, in two racks
constexpr uint32_t SERVER_HOST = 5;                       //!< of sums
constexpr uint32_t SUMMED_LAYERS = 2;                     //!< all-reduces of an iteration

/// @return a delay
WorkloadNode
ComputationOf(int64_t ps)
{
    WorkloadNode node;
    node.name = "compute";
    node.durationPs = ps;
    return node;
}

/// @return an all-reduce  @param algorithm its name; empty: by messages
WorkloadNode
SumOf(const std::string& name, const std::string& algorithm, std::vector<uint32_t> after)
{
    WorkloadNode node;
    node.name = name;
    node.kind = WorkloadNode::Kind::COLLECTIVE;
    node.bytes = SUMMED_BYTES;
    node.algorithm = algorithm;
    node.dependencies = std::move(after);
    return node;
}

/// @return an iteration: hosts sum two layers in switches, and something else by messages. The
/// first of the ranks is ready for the second layer before it is for the first one
TrainingWorkload
MakeIteration()
{
    TrainingWorkload workload;
    workload.communicators = {{"dp", SUMMING_HOSTS}, {"rest", SUMMING_HOSTS}};
    workload.programOf.assign(6, TrainingWorkload::NO_PROGRAM);
    for (const uint32_t host : SUMMING_HOSTS)
    {
        WorkloadProgram program = {ComputationOf(host == 0 ? LATE_PS : 0),
                                   SumOf("first", "offloaded", {0}),
                                   SumOf("second", "offloaded", {}),
                                   SumOf("rest", "", {})};
        program.back().communicator = 1;
        workload.programOf[host] = static_cast<uint32_t>(workload.programs.size());
        workload.programs.push_back(program);
    }
    return workload;
}

} // namespace

/// A fabric in which switches add up, and the iteration.
struct GradientGroupTestCase : FabricTestCase
{
    /// Run the iteration so many times, one after the other.
    void RunIterations(AggregationHelper::System system, uint32_t iterations)
    {
        fabric = ClosHelper().Install(LeafSpine(2, 2, 3));
        AggregationHelper::Options options;
        options.system = system;
        options.slots = 1000;
        AggregationHelper helper(fabric, options);
        AggregationPlan plan;
        plan.workers = SUMMING_HOSTS;
        plan.server = SERVER_HOST;
        plan.window = 8;
        members = helper.InstallMembers(plan);
        const auto group = CreateObject<GradientGroup>();
        group->Install(members.job, members.workers, SUMMED_LAYERS);
        carrier.AddGroup(0, group);
        service = CreateObject<MessageService>();
        service->Install(fabric->GetNicList());
        fabric->AssignStreams(1);
        left = iterations;
        Begin();
        Simulator::Stop(Seconds(1));
        Simulator::Run();
    }

    /// Begin an iteration, if one is left.
    void Begin()
    {
        if (left-- == 0)
        {
            return;
        }
        const auto driver = CreateObject<TrainingDriver>();
        drivers.push_back(driver);
        driver->SetCarrier(&carrier);
        CollectiveDefaults defaults;
        defaults.algorithm = RingAlgorithm::GetTypeId();
        defaults.byName = {{"offloaded", OffloadedCollective::GetTypeId()}};
        driver->Install(service, MakeIteration(), defaults, 4096);
        driver->TraceConnectWithoutContext("Finished",
                                           MakeCallback(&GradientGroupTestCase::Begin, this));
    }

    void DoTeardown() override
    {
        carrier.Dispose();
        for (const Ptr<TrainingDriver>& driver : drivers)
        {
            driver->Dispose();
        }
        drivers.clear();
        service->Dispose();
        members = {};
        fabric = nullptr;
        FabricTestCase::DoTeardown();
    }

    Ptr<Fabric> fabric;                       //!< the fabric
    Ptr<MessageService> service;              //!< carries the messages
    AggregationMembers members;               //!< of the job
    GradientCarrier carrier;                  //!< carries the sums
    std::vector<Ptr<TrainingDriver>> drivers; //!< by iteration
    uint32_t left{0};                         //!< iterations
};

FABRIC_TEST_F(GradientGroupTestCase,
              g_gradientGroup,
              "sums are right, come in the order of the program, and end the collective")
{
    constexpr uint32_t ITERATIONS = 3;
    for (const auto system :
         {AggregationHelper::ATP, AggregationHelper::SWITCHML, AggregationHelper::ESA})
    {
        const std::string what = "system " + std::to_string(system);
        RunIterations(system, ITERATIONS);
        const uint64_t fragments =
            GradientGroup::CountFragments(SUMMED_BYTES, AggregationHelper::GetValues(system));
        NS_TEST_EXPECT_MSG_EQ(members.job->GetWrong(), 0, what);
        NS_TEST_EXPECT_MSG_EQ(members.job->GetChecked(),
                              ITERATIONS * SUMMED_LAYERS * SUMMING_HOSTS.size() * fragments,
                              what << ": each worker has each sum of each iteration");
        NS_TEST_ASSERT_MSG_EQ(drivers.size(), ITERATIONS, what << ": all iterations have ended");
        for (const Ptr<TrainingDriver>& driver : drivers)
        {
            NS_TEST_EXPECT_MSG_EQ(driver->GetUnfinished(), 0, what);
            std::map<std::string, CollectiveRecord> records;
            for (const CollectiveRecord& record : driver->GetCollectives())
            {
                records[record.spec.name] = record;
            }
            NS_TEST_EXPECT_MSG_EQ(records["first"].messages, 0, what << ": no messages");
            NS_TEST_EXPECT_MSG_GT(records["rest"].messages, 0, what << ": by messages");
            NS_TEST_EXPECT_MSG_LT(records["first"].endPs,
                                  records["second"].endPs,
                                  what << ": in the order of the program");
            NS_TEST_EXPECT_MSG_EQ(driver->GetEndPs(), records["second"].endPs, what);
            NS_TEST_EXPECT_MSG_GT(records["first"].endPs - records["first"].startPs,
                                  LATE_PS,
                                  what << ": no sum without the last rank");
        }
        DoTeardown();
        DoSetup();
        carrier = GradientCarrier();
    }
    RunIterations(AggregationHelper::ESA, 1); // what DoTeardown() takes down
}
