/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-options.h"

#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/message-steering.h"
#include "ns3/rank-plan-csv.h"
#include "ns3/rank-transport.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* GRANTED = "granted";           //!< an engine
constexpr const char* NULL_MESSAGE = "null-message"; //!< an engine

/// @return the TypeId of ns-3's simulator for an engine, if there is such an engine
/// @param engine its name, or auto
std::optional<std::string>
FindEngine(const std::string& engine)
{
    if (engine == GRANTED || engine == "auto")
    {
        return "ns3::DistributedSimulatorImpl";
    }
    if (engine == NULL_MESSAGE)
    {
        return "ns3::NullMessageSimulatorImpl";
    }
    return std::nullopt;
}

} // namespace

void
RankOptions::Enable(int* argc, char*** argv)
{
    const std::string ranksOption = "--ranks=";
    const std::string engineOption = "--engine=";
    std::string ranks = "1";
    std::string engine = GRANTED;
    for (int i = 1; i < *argc; ++i)
    {
        const std::string argument = (*argv)[i];
        if (argument.compare(0, ranksOption.size(), ranksOption) == 0)
        {
            ranks = argument.substr(ranksOption.size());
        }
        if (argument.compare(0, engineOption.size(), engineOption) == 0)
        {
            engine = argument.substr(engineOption.size());
        }
    }
    if (ranks != "1" && RankTransport::IsAvailable())
    {
        RankTransport::Enable(argc, argv, FindEngine(engine).value_or(*FindEngine(GRANTED)));
        std::atexit(&RankTransport::Disable); // where help ends the program
        if (RankTransport::GetRank() > 0)
        {
            const FILE* nowhere = std::freopen("/dev/null", "w", stdout); // rank 0 says the same
            NS_ABORT_MSG_IF(!nowhere, "/dev/null cannot be written");
        }
    }
}

void
RankOptions::Declare(OptionTable& table)
{
    table.Add("scheduler", "monotone", "event scheduler, or help");
    table.Add(
        "ranks",
        "1",
        "processes of the run, which mpiexec has started; ./fabric run --ranks=N starts them");
    table.Add("engine",
              AUTO,
              "how ranks keep in step: granted (DistributedSimulatorImpl) or null-message "
              "(NullMessageSimulatorImpl) (auto: granted)");
    table.Add(
        "plan",
        AUTO,
        "which rank simulates what: auto, or a file: node,rank (each switch; hosts stand with "
        "their leaf)");
    table.Reserve("SchedulerType", "scheduler");
}

void
RankOptions::Read()
{
    constexpr int64_t MOST = 4096;
    m_scenario.scheduler = ReadPolicy("scheduler");
    const auto ranks = static_cast<uint32_t>(ReadInteger("ranks", 1, MOST));
    if (!FindEngine(m_table.Get("engine")))
    {
        Refuse("engine", GRANTED + std::string(" or ") + NULL_MESSAGE);
    }
    if (ranks == 1)
    {
        for (const std::string option : {"engine", "plan"})
        {
            if (IsGiven(option))
            {
                Refuse(option, "only with several --ranks");
            }
        }
        return;
    }
    CheckScenario();
    CheckRanks(ranks);
    if (m_scenario.delayPs == 0)
    {
        throw OptionError("delay", m_table.Get("delay"), "above zero with several ranks");
    }
    try
    {
        m_scenario.plan = MakeRankPlan(m_table.Get("plan"), *m_scenario.graph, ranks);
    }
    catch (const std::invalid_argument& error)
    {
        const std::string what = error.what();
        const bool isOfOption = what.rfind("ranks:", 0) == 0 || what.rfind("plan:", 0) == 0;
        throw std::invalid_argument((isOfOption ? "--" : "--plan: ") + what);
    }
}

void
RankOptions::CheckScenario() const
{
    if (m_scenario.training)
    {
        Refuse("ranks", "1 with --workload=" + m_scenario.workload);
    }
    const auto steering = MakePolicy<MessageSteering>(m_scenario.steering);
    if (!steering->WorksOnRanks())
    {
        Refuse("ranks", "1 with --steering=" + m_table.Get("steering"));
    }
    BooleanValue renews;
    steering->GetAttribute("Renew", renews);
    if (renews.Get())
    {
        Refuse("ranks", "1 with --ns3::aifabric::MessageSteering::Renew");
    }
}

void
RankOptions::CheckRanks(uint32_t ranks) const
{
    if (RankTransport::GetRanks() != ranks)
    {
        Refuse("ranks",
               RankTransport::IsAvailable()
                   ? "the number of processes that mpiexec has started, which is " +
                         std::to_string(RankTransport::GetRanks())
                   : "1 in a build without MPI; ./fabric run --ranks=N makes one with it");
    }
}

} // namespace aifabric
} // namespace ns3
