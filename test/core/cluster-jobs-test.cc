/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/cluster-jobs.h"
#include "ns3/cluster-workload.h"

using namespace ns3;

namespace
{

constexpr const char* HEADER =
    "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns\n";

/// @return the jobs of a table
std::vector<ClusterJob>
Read(const std::string& rows)
{
    std::istringstream input(HEADER + rows);
    return ReadClusterJobs(input, "jobs.csv");
}

/// Place jobs on 4 racks of 2 nodes of 2 GPUs.
void
Place(std::vector<ClusterJob>& jobs)
{
    const FabricGraph graph = MakeLeafSpine({4, 2, 4});
    std::mt19937 random(1);
    PlaceClusterJobs(jobs,
                     graph,
                     GpuNodes(graph, 2, GpuNodes::Mapping::RACK),
                     [&random](uint32_t bound) { return random() % bound; });
}

} // namespace

TEST(ClusterJobs, ReadsATable)
{
    const std::vector<ClusterJob> jobs =
        Read("# two\na,4,packed,0,all-reduce,1000,3,50\nb-2,2,random,7,broadcast,1,1,0\n");
    ASSERT_EQ(jobs.size(), 2);
    EXPECT_EQ(jobs[0].name, "a");
    EXPECT_EQ(jobs[0].ranks, 4);
    EXPECT_EQ(jobs[0].placement, JobPlacement::PACKED);
    EXPECT_EQ(jobs[0].bytes, 1000);
    EXPECT_EQ(jobs[0].iterations, 3);
    EXPECT_EQ(jobs[0].computePs, 50000);
    EXPECT_EQ(jobs[1].arrivalPs, 7000);
    EXPECT_EQ(jobs[1].collective, CollectiveKind::BROADCAST);
    EXPECT_EQ(jobs[1].placement, JobPlacement::RANDOM);
}

TEST(ClusterJobs, SaysWhatIsWrong)
{
    const auto error = [](const std::string& rows) { return RefusalOf([&rows]() { Read(rows); }); };
    EXPECT_EQ(error(""), "jobs.csv: there is no job");
    EXPECT_EQ(RefusalOf([]() {
                  std::istringstream input("name,ranks,placement,arrival_ns\na,2,packed,0\n");
                  ReadClusterJobs(input, "jobs.csv");
              }),
              "jobs.csv:1: column iterations: missing (a first line is name,ranks,placement,"
              "arrival_ns,iterations, perhaps with collective,bytes,compute_ns,program,after)");
    EXPECT_NE(error("a,1,packed,0,all-reduce,1,1,0\n").find("column ranks: '1'"),
              std::string::npos);
    EXPECT_NE(error("a,2,near,0,all-reduce,1,1,0\n").find("packed, fragmented or random"),
              std::string::npos);
    EXPECT_NE(error("a b,2,packed,0,all-reduce,1,1,0\n").find("column name"), std::string::npos);
    EXPECT_NE(error("a,2,packed,0,sum,1,1,0\n").find("column collective"), std::string::npos);
    EXPECT_NE(error("a,2,packed,0,all-reduce,0,1,0\n").find("column bytes"), std::string::npos);
    const std::string row = "a,2,packed,0,all-reduce,1,1,0\n";
    EXPECT_NE(error(row + row).find("a name of its own"), std::string::npos);
}

TEST(ClusterJobs, JobsShareNoHost)
{
    std::vector<ClusterJob> jobs = Read("a,4,fragmented,0,all-reduce,1,1,0\n"
                                        "b,6,packed,0,all-reduce,1,1,0\n"
                                        "c,6,random,0,all-reduce,1,1,0\n");
    Place(jobs);
    std::set<uint32_t> hosts;
    for (const ClusterJob& job : jobs)
    {
        EXPECT_EQ(job.hosts.size(), job.ranks);
        hosts.insert(job.hosts.begin(), job.hosts.end());
    }
    EXPECT_EQ(hosts.size(), 16);
    EXPECT_NE(jobs[0].hosts[0] / 4, jobs[0].hosts[2] / 4); // its nodes are in two racks
}

TEST(ClusterJobs, RefusesWhatHasNoRoom)
{
    std::vector<ClusterJob> jobs =
        Read("a,12,packed,0,all-reduce,1,1,0\nb,6,packed,0,all-reduce,1,1,0\n");
    EXPECT_EQ(RefusalOf([&jobs]() { Place(jobs); }), "job b: 6 ranks, but only 4 hosts are free");
    jobs = Read("a,3,packed,0,all-reduce,1,1,0\n");
    EXPECT_EQ(RefusalOf([&jobs]() { Place(jobs); }),
              "job a: 3 ranks are not a multiple of the 2 GPUs of a node");
}

TEST(ClusterJobs, APlanOfIterations)
{
    std::vector<ClusterJob> jobs =
        Read("a,4,packed,9,all-reduce,1000,3,50\nb,2,packed,0,all-gather,1000,1,0\n");
    Place(jobs);
    const TrainingWorkload workload = MakeWorkload(MakeClusterPlan(jobs), 16);
    const WorkloadProgram& first = workload.programs[workload.programOf[0]];
    ASSERT_EQ(first.size(), 7); // the arrival, and three times a delay and a collective
    EXPECT_EQ(first[0].durationPs, 9000);
    EXPECT_EQ(first[1].durationPs, 50000);
    EXPECT_EQ(first[6].name, "a");
    EXPECT_EQ(workload.programs[workload.programOf[4]].size(), 3);
    EXPECT_EQ(workload.programOf[8], TrainingWorkload::NO_PROGRAM);
}

/// A job of which another one follows reports its end to its first host, and that to the other job.
TEST(ClusterJobs, JobsThatAreProgramsNeedNoColumnsOfOthers)
{
    std::istringstream input("name,ranks,placement,arrival_ns,iterations,program\n"
                             "a,4,packed,9,2,x.toml\n");
    const std::vector<ClusterJob> jobs = ReadClusterJobs(input, "jobs.csv");
    ASSERT_EQ(jobs.size(), 1);
    EXPECT_EQ(jobs[0].program, "x.toml");
    EXPECT_EQ(jobs[0].iterations, 2);
    std::istringstream lacks("name,ranks,placement,arrival_ns,iterations,bytes,compute_ns\n"
                             "a,4,packed,9,2,1000,50\n");
    EXPECT_THROW(ReadClusterJobs(lacks, "jobs.csv"), std::invalid_argument);
}

TEST(ClusterJobs, AJobFollowsAnotherOne)
{
    const std::string header =
        "after,name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns,program\n";
    std::istringstream input(header + ",a,4,packed,9,all-reduce,1000,2,50,\n"
                                      "a,b,2,packed,7,,,3,,x.toml\n");
    std::vector<ClusterJob> jobs = ReadClusterJobs(input, "jobs.csv");
    Place(jobs);
    TrainingWorkload own;
    own.programs.resize(2);
    for (const auto kind : {WorkloadNode::Kind::SEND, WorkloadNode::Kind::RECEIVE})
    {
        WorkloadNode node;
        node.kind = kind;
        node.bytes = 8;
        node.tag = 5;
        node.peer = kind == WorkloadNode::Kind::SEND ? 1 : 0;
        own.programs[own.programOf.size()].push_back(node);
        own.programOf.push_back(static_cast<uint32_t>(own.programOf.size()));
    }
    const std::vector<ClusterJob> first(jobs.begin(), jobs.begin() + 1);
    ClusterWorkload all(jobs, MakeWorkload(MakeClusterPlan(first), 16), 16);
    all.Add(jobs[1], own);
    const TrainingWorkload workload = all.Join();
    const auto programOf = [&workload](uint32_t host) {
        return workload.programs[workload.programOf[host]];
    };
    const WorkloadProgram sender = programOf(4); // rank 0 of b
    ASSERT_EQ(sender.size(), 8);                 // thrice a begin and a message; report, and end
    EXPECT_EQ(sender[0].durationPs, 7000);
    EXPECT_EQ(sender[1].peer, 5U);
    EXPECT_EQ(sender[1].dependencies, (std::vector<uint32_t>{0, 6}));
    EXPECT_EQ(sender[3].tag, 5U + 6);
    EXPECT_EQ(sender[3].dependencies, std::vector<uint32_t>{2});
    EXPECT_EQ(sender[6].kind, WorkloadNode::Kind::RECEIVE);
    EXPECT_EQ(sender[6].bytes, 0U);
    EXPECT_TRUE(sender[7].isEnd);
    EXPECT_EQ(sender[7].dependencies, std::vector<uint32_t>{5});
    EXPECT_EQ(programOf(1).size(), 7U);      // as before, the end, and a report of it
    EXPECT_EQ(programOf(0).size(), 5U + 7U); // the end, three reports, all ended, two to the others
    EXPECT_EQ(workload.programOf[1], workload.programOf[3]);
}

TEST(ClusterJobs, LayersAreCollectivesOneAfterTheOther)
{
    std::vector<ClusterJob> jobs = Read("a,4,packed,0,all-reduce,1000,2,50\n");
    jobs[0].layers = 3;
    Place(jobs);
    const TrainingWorkload workload = MakeWorkload(MakeClusterPlan(jobs), 16);
    const WorkloadProgram& program = workload.programs[workload.programOf[0]];
    ASSERT_EQ(program.size(), 9); // the arrival, and twice a delay and three collectives
    EXPECT_EQ(program[2].bytes + program[3].bytes + program[4].bytes, 1000);
    EXPECT_EQ(program[2].bytes, 333);
    EXPECT_EQ(program[4].dependencies, std::vector<uint32_t>{3});
    jobs[0].bytes = 2;
    EXPECT_EQ(MakeClusterPlan(jobs).phases[1].steps.size(), 3) << "a layer of no bytes is left out";
}

TEST(ClusterJobs, EachHostDrawsItsComputations)
{
    std::vector<ClusterJob> jobs =
        Read("a,4,packed,9,all-reduce,1000,2,50\nb,2,packed,0,all-reduce,1000,2,50\n");
    jobs[0].jitter = 0.1;
    Place(jobs);
    TrainingWorkload workload = MakeWorkload(MakeClusterPlan(jobs), 16);
    double draw = 0;
    DrawComputations(workload, jobs, [&draw]() { return draw -= 1; });
    std::set<int64_t> durations;
    for (const uint32_t host : jobs[0].hosts)
    {
        const WorkloadProgram& program = workload.programs[workload.programOf[host]];
        EXPECT_EQ(program[0].durationPs, 9000) << "the arrival has no jitter";
        for (const std::size_t node : {1, 3})
        {
            EXPECT_EQ(program[node].kind, WorkloadNode::Kind::COMPUTE);
            EXPECT_GE(program[node].durationPs, 55000);
            durations.insert(program[node].durationPs);
        }
    }
    EXPECT_EQ(durations.size(), 8) << "drawn anew by each host and iteration";
    const WorkloadProgram& other = workload.programs[workload.programOf[jobs[1].hosts[0]]];
    EXPECT_EQ(other[1].durationPs, 50000) << "another job's stay as they are";
}
