/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-options.h"

#include "ns3/abort.h"
#include "ns3/rank-transport.h"

#include <cstdio>
#include <cstdlib>

namespace ns3
{
namespace aifabric
{

std::optional<std::string>
RankOptions::FindEngine(const std::string& engine)
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

} // namespace aifabric
} // namespace ns3
