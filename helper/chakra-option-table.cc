/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-option-table.h"

#include "option-value.h"

#include <optional>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

const char* const GROUPS = "chakraGroups";    //!< option: the file of groups
const char* const CONTROL = "chakraControl";  //!< option: what control dependencies mean
const char* const STREAMS = "chakraStreams";  //!< option: what devices do at a time
const char* const PEAK = "peakPerf";          //!< option: operations of a device
const char* const MEMORY = "memoryBandwidth"; //!< option: of the memory of a device
const char* const NONE = "none";              //!< value: not given

/// @return whether the second of two words was given  @param table the options  @param name of the
/// option  @param first the first word  @param second the other
bool
IsSecond(const OptionTable& table,
         const std::string& name,
         const std::string& first,
         const std::string& second)
{
    const std::string& value = table.Get(name);
    if (value != first && value != second)
    {
        throw OptionError(name, value, "one of " + first + ", " + second);
    }
    return value == second;
}

/// @return a speed, 0 if it is not given  @param table the options  @param name of the option
/// @param parse reads it  @param allowed what is allowed
double
ReadSpeed(const OptionTable& table,
          const std::string& name,
          std::optional<double> (*parse)(const std::string&),
          const std::string& allowed)
{
    const std::string& value = table.Get(name);
    if (value == NONE)
    {
        return 0;
    }
    const std::optional<double> speed = parse(value);
    if (!speed || *speed <= 0)
    {
        throw OptionError(name, value, allowed);
    }
    return *speed;
}

} // namespace

void
AddChakraOptions(OptionTable& table)
{
    table.Add(GROUPS,
              NONE,
              "file of the process groups that traces name: {\"1\": [0, 1], \"2\": [2, 3]}, which "
              "goes before the groups of the traces");
    table.Add(CONTROL,
              "ignore",
              "control dependencies of traces (who called whom): ignore, or follow, that is, wait "
              "for them as for data dependencies");
    table.Add(STREAMS,
              "serial",
              "what a host does of a trace at a time: serial, that is, one operation of its "
              "processor and one thing a stream, or parallel, that is, all that is ready");
    table.Add(PEAK,
              NONE,
              "operations a second of a host's device, such as 312TFLOPS: how long nodes take that "
              "have num_ops and no duration");
    table.Add(MEMORY,
              NONE,
              "bytes a second of the memory of a host's device, such as 2TB/s: how long nodes take "
              "at least that have tensor_size and no duration");
}

std::vector<std::string>
ListChakraOptions()
{
    return {GROUPS, CONTROL, STREAMS, PEAK, MEMORY};
}

ChakraOptions
ReadChakraOptions(const OptionTable& table, JsonObject& report)
{
    ChakraOptions options;
    options.followsControl = IsSecond(table, CONTROL, "ignore", "follow");
    options.hasStreams = !IsSecond(table, STREAMS, "serial", "parallel");
    options.operationsPerSecond =
        ReadSpeed(table, PEAK, ParseOperationRate, "operations a second, such as 312TFLOPS");
    options.memoryBytesPerSecond =
        ReadSpeed(table, MEMORY, ParseByteRate, "bytes a second, such as 2TB/s");
    if (table.Get(GROUPS) != NONE)
    {
        try
        {
            options.groups = ReadChakraGroupsFile(table.Get(GROUPS));
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument(std::string("--") + GROUPS + ": " + error.what());
        }
    }
    for (const std::string& name : ListChakraOptions())
    {
        report.Set(name, table.Get(name));
    }
    return options;
}

} // namespace aifabric
} // namespace ns3
