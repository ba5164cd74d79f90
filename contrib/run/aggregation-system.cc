/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-system.h"

#include "aggregation-rates.h"
#include "aggregation-run.h"
#include "option-sections.h"
#include "option-value.h"

#include "ns3/aggregation-codec.h"
#include "ns3/rank-transport.h"
#include "ns3/slot-stage.h"
#include "ns3/switchml-stage.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr std::size_t MOST_JOBS = 65535;        // numbers of 16 bits
constexpr std::size_t MOST_SWITCHML_JOBS = 256; // numbers of 8 bits

} // namespace

void
AggregationSystem::RefuseFabrics() const
{
    RefuseIf(m_scenario.graph->Planes() > 1, "planes", "1 with in-network aggregation");
    RefuseIf(m_table.Get("forwarding") == "srv6",
             "forwarding",
             "not with --algorithm=" + m_table.Get("algorithm"));
    RefuseIf(RankTransport::GetRanks() > 1, "ranks", "1 with in-network aggregation");
    RefuseIf(m_table.Get("acks") != "fabric", "acks", "fabric with in-network aggregation");
}

AggregationSpec
AggregationSystem::ReadSlots()
{
    AggregationSpec spec;
    spec.algorithm = m_table.Get("algorithm");
    spec.slots = Read("slots", FindSlots(spec));
    return spec;
}

int64_t
AggregationSystem::FindSlots(const AggregationSpec& spec)
{
    const bool isPool = spec.algorithm == "switchml";
    const TypeId stage = isPool ? SwitchMlStage::GetTypeId() : SlotStage::GetTypeId();
    const auto slots = static_cast<int64_t>(*FindDefault<UintegerValue>(stage, "Slots"));
    return isPool ? 2 * slots : slots;
}

void
AggregationSystem::ReadWindow(AggregationSpec& spec,
                              const std::string& sizes,
                              const std::string& jobs)
{
    const bool isPool = spec.algorithm == "switchml";
    const std::size_t most = isPool ? MOST_SWITCHML_JOBS : MOST_JOBS;
    RefuseIf(spec.jobs.size() > most, jobs, "at most " + std::to_string(most) + " jobs");
    CheckSizes(spec, sizes);
    const auto count = static_cast<int64_t>(spec.jobs.size());
    const int64_t widest = isPool ? spec.slots / 2 / count : 32768;
    RefuseIf(widest == 0, "slots", "at least two for each of the jobs");
    const AggregationRates rates(m_table, m_scenario);
    const int64_t usual = std::min(widest, rates.FindWindow(spec));
    spec.window = Read("aggregationWindow", Whole(1, widest, usual));
}

void
AggregationSystem::CheckSizes(const AggregationSpec& spec, const std::string& sizes) const
{
    const auto system = AggregationRun::FindSystem(spec.algorithm);
    const uint32_t bytes = AggregationHelper::GetValues(system) * AggregationCodec::WORD;
    for (const ClusterJob& job : spec.jobs)
    {
        RefuseIf(AggregationRun::CountFragments(spec, job) >
                     std::numeric_limits<uint32_t>::max() / job.iterations,
                 sizes,
                 "less than 2^32 packets of " + std::to_string(bytes) +
                     " bytes in all iterations of a job");
    }
}

void
AggregationSystem::ReadServers(AggregationSpec& spec)
{
    constexpr int64_t MOST_REACH = 1048576;
    if (spec.servers.empty())
    {
        RefuseGiven({"parameterServers", "aggregationReach", "resultPath", "distinctSlots"},
                    "only with --algorithm=atp or esa");
        return;
    }
    m_scenario.options["parameterServers"] = spec.servers;
    spec.serviceRate = AggregationRates(m_table, m_scenario).FindServiceRate();
    const int64_t reach = (spec.algorithm == "esa" ? 4 : 1) * spec.window;
    spec.reach = Read("aggregationReach", Whole(spec.window, MOST_REACH, reach));
    spec.resultFromSwitch = Read("resultPath") == "switch";
    spec.hasDistinctSlots = Read("distinctSlots");
}

void
AggregationSystem::ReadGradients(AggregationSpec& spec)
{
    spec.magnitude = Read("gradientMagnitude");
    spec.roundsRandomly = Read("gradientRounding") == "random";
}

} // namespace aifabric
} // namespace ns3
