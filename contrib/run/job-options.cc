/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-options.h"

#include "ns3/csv-writer.h"
#include "ns3/rank-transport.h"

#include <map>

namespace ns3
{
namespace aifabric
{

void
JobOptions::Declare(OptionTable& table)
{
    table.Add("iterations",
              "1",
              "number of times that the whole traffic is sent, one after the other, as the "
              "iterations of a job");
    table.Add(
        "onFailure",
        "continue",
        "what happens when a queue pair fails: continue sends the other messages, and ends with "
        "results and exit status 3; stop ends the run without results; abort ends it with the "
        "results of the completed iterations; restart begins the iteration again");
    table.AddAuto(
        "restartCost",
        "time from the failure of a queue pair until a restarted iteration begins (auto: 1ms)");
    table.AddAuto("restartLimit",
                  "restarts in a row without a completed iteration after which the job is aborted "
                  "(auto: 10)");
}

void
JobOptions::Read()
{
    constexpr int64_t MOST_ITERATIONS = 1000000;
    m_scenario.job.iterations =
        static_cast<uint32_t>(ReadInteger("iterations", 1, MOST_ITERATIONS));
    m_scenario.options["iterations"] = m_scenario.job.iterations;
    RefuseIf(m_scenario.aggregation && m_scenario.job.iterations > 1,
             "iterations",
             "1 with in-network aggregation, whose --jobs=FILE has iterations");
    RefuseIf(!IsNone("cluster") && m_scenario.job.iterations > 1,
             "iterations",
             "1 with --cluster, whose file has iterations");
    RefuseIf(!m_scenario.jobs.empty() && m_scenario.job.iterations > 1,
             "iterations",
             "1 with --jobs=FILE, whose file has iterations");
    ReadFailure();
    RefuseIf(m_scenario.aggregation && m_scenario.job.EndsIterations(),
             "onFailure",
             "continue or stop with in-network aggregation");
    CheckRanks();
}

void
JobOptions::ReadFailure()
{
    constexpr int64_t COST = 1000000000; // 1 ms, in picoseconds
    constexpr int64_t MOST_RESTARTS = 1000000;
    constexpr int64_t RESTARTS = 10;
    static const std::map<std::string, JobSpec::OnFailure> KINDS = {
        {"continue", JobSpec::OnFailure::CONTINUE},
        {"stop", JobSpec::OnFailure::STOP},
        {"abort", JobSpec::OnFailure::ABORT},
        {"restart", JobSpec::OnFailure::RESTART}};
    JobSpec& job = m_scenario.job;
    job.onFailure = KINDS.at(ReadChoice("onFailure", {"continue", "stop", "abort", "restart"}));
    if (job.onFailure != JobSpec::OnFailure::RESTART)
    {
        RefuseGiven({"restartCost", "restartLimit"}, "only with --onFailure=restart");
        return;
    }
    job.restartCostPs = IsSet("restartCost") ? ReadTime("restartCost", 0) : COST;
    m_scenario.options["restartCost"] = FormatNs(job.restartCostPs) + "ns";
    job.restartLimit =
        static_cast<uint32_t>(ReadInteger("restartLimit", 1, MOST_RESTARTS, RESTARTS));
    m_scenario.options["restartLimit"] = job.restartLimit;
}

void
JobOptions::CheckRanks() const
{
    const bool isShared = RankTransport::GetRanks() > 1;
    RefuseIf(isShared && m_scenario.job.iterations > 1, "iterations", "1 with several --ranks");
    RefuseIf(isShared && m_scenario.job.EndsIterations(),
             "onFailure",
             "continue or stop with several --ranks");
}

} // namespace aifabric
} // namespace ns3
