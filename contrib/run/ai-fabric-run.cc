/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * Runs one scenario that its options describe, and leaves the results in a folder:
 *
 *     ai-fabric-run --k=4 --balancer=host-random --out=results/four
 *
 * The defaults are those of the load-balancing study (McClure et al., arXiv 2507.21372): a random
 * permutation of 1 MiB messages on a fat-tree of 128 hosts with links of 800 Gb/s and 0.5 us, for
 * which the lower bound of the completion time is 17.057 us. Random packet spraying (rsq) takes
 * about 11 % longer, plain ECMP several times as long.
 *
 * `--PrintHelp` lists all options, doc/outputs.rst explains the results. The exit status is 0 if
 * all messages were completed and the results are there, or `--check` found nothing wrong;
 * doc/usage.rst lists the others.
 */

#include "environment-options.h"
#include "fatal-error-line.h"
#include "option-sections.h"
#include "option-value.h"
#include "run-config.h"
#include "scenario-run.h"

#include "ns3/nstime.h"
#include "ns3/rank-transport.h"

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

#if defined(__GLIBC__) && defined(__ELF__)
/// Called before the constructors of libraries, among which ns-3 reads the environment and aborts
/// at a bad value.  @param environment the variables
void
BeforeConstructors(int /* argc */, char** /* argv */, char** environment)
{
    HideEnvironment(environment);
}

__attribute__((section(".preinit_array"),
               used)) void (*g_preinit)(int, char**, char**) = &BeforeConstructors;
#endif

/// @return what is wrong, in one line
std::string
Explain(const std::exception& error)
{
    const bool isMemory = dynamic_cast<const std::bad_alloc*>(&error);
    return isMemory ? "out of memory" : NameOption(error.what());
}

constexpr int FAILED_MESSAGES = 3; //!< exit status: there are results, but not of all messages

/// Write the options as a TOML scenario, if that was asked for.
/// @throws OptionError if it cannot be written
void
WriteConfig(const FabricScenario& scenario)
{
    if (scenario.configPath.empty() || RankTransport::GetRank() > 0)
    {
        return;
    }
    std::ofstream file(scenario.configPath);
    file << scenario.configText;
    file.close();
    OptionError::ThrowIf(!file, "writeConfig", scenario.configPath, "cannot be written");
}

/// @return the exit status  @param scenario what is run  @param fatal where errors go
int
Simulate(const FabricScenario& scenario, FatalErrorLine& fatal)
{
    if (scenario.check)
    {
        ScenarioRun::Check(scenario);
        WriteConfig(scenario);
        std::cout << (scenario.quiet ? "" : scenario.description);
        return 0;
    }
    ScenarioRun run(scenario, fatal.GetStream());
    WriteConfig(scenario);
    const ScenarioRun::End end = run.Run();
    if (end == ScenarioRun::End::STALLED)
    {
        return 1;
    }
    run.WriteResults();
    run.PrintSummary(std::cout);
    return end == ScenarioRun::End::FAILED ? FAILED_MESSAGES : 0;
}

/// @return the exit status when all that was to be printed has been  @param status the one if it
/// was  @param fatal where errors go
int
Finish(int status, const std::string& program, FatalErrorLine& fatal)
{
    std::cout.flush();
    if (!std::cout)
    {
        fatal.GetStream() << program << ": stdout cannot be written" << std::endl;
        return 1;
    }
    return status;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string program = "ai-fabric-run";
    FatalErrorLine fatal(program);
    Time::SetResolution(Time::FS); // the order of what happens at once is fixed
    EnableRanks(&argc, &argv);
    FatalErrorLine::SetCleanup([] { RankTransport::SelectErrorReporter(true); });
    std::optional<FabricScenario> scenario;
    try
    {
        const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
        const std::vector<OptionRow> rows = ListRows();
        const RunConfig config(arguments, rows);
        LoadPolicies(arguments, config);
        scenario = ReadScenario(arguments, config);
        if (scenario && !config.GetNote().empty() && RankTransport::GetRank() == 0)
        {
            fatal.GetStream() << "note: " << config.GetNote() << std::endl;
        }
    }
    catch (const std::exception& error)
    {
        RankTransport::SelectErrorReporter(true);
        fatal.GetStream() << program << ": " << Explain(error) << std::endl;
        RankTransport::Abort();
        return 1;
    }
    RankTransport::SelectErrorReporter(false);
    try
    {
        const int status = Finish(scenario ? Simulate(*scenario, fatal) : 0, program, fatal);
        RankTransport::Disable();
        return status;
    }
    catch (const std::exception& error)
    {
        fatal.GetStream() << program << ": " << Explain(error) << std::endl;
    }
    RankTransport::Abort();
    return 1;
}
