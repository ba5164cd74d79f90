/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-option-table.h"

#include "option-value.h"

#include <nlohmann/json.hpp>
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
const char* const AUTO = "auto";              //!< value: the first of two

const char* const IGNORE = "ignore";     //!< value of CONTROL: do not wait
const char* const FOLLOW = "follow";     //!< value of CONTROL: wait
const char* const SERIAL = "serial";     //!< value of STREAMS: one node at a time
const char* const PARALLEL = "parallel"; //!< value of STREAMS: all ready nodes at once

/// @return the value of an option with two values, the first if it is auto  @param table the
/// options  @param name of the option  @param first the one value  @param second the other
const std::string&
ReadChoice(const OptionTable& table,
           const std::string& name,
           const std::string& first,
           const std::string& second)
{
    const std::string& value = table.Get(name);
    if (value != AUTO && value != first && value != second)
    {
        throw OptionError(name, value, "one of " + first + ", " + second + ", auto");
    }
    return value == AUTO ? first : value;
}

/// @return the value of an option that is a rate, 0 if it is not given  @param table the options
/// @param name of the option  @param parse reads a rate  @param allowed what is allowed
double
ReadRate(const OptionTable& table,
         const std::string& name,
         std::optional<double> (*parse)(const std::string&),
         const std::string& allowed)
{
    const std::string& value = table.Get(name);
    if (value == NONE)
    {
        return 0;
    }
    const std::optional<double> rate = parse(value);
    if (!rate || *rate <= 0)
    {
        throw OptionError(name, value, allowed);
    }
    return *rate;
}

} // namespace

void
AddChakraOptions(OptionTable& table)
{
    table.Add(GROUPS,
              NONE,
              "JSON file of the process groups that traces name: {\"1\": [0, 1], \"2\": [2, 3]}; a "
              "group of the file replaces a group of the same name of a trace");
    table.Add(
        CONTROL,
        AUTO,
        "control dependencies of traces (who called whom): ignore, or follow, that is, a node "
        "waits for them as for data dependencies (auto: ignore)");
    table.Add(
        STREAMS,
        AUTO,
        "what a host executes at a time: serial, that is, one operation on its processor and "
        "one kernel, copy, collective or send on each stream, or parallel, that is, all nodes "
        "that are ready (auto: serial)");
    table.Add(PEAK,
              NONE,
              "operations a second of a host's device, such as 312TFLOPS: gives the time of nodes "
              "that have num_ops and no duration");
    table.Add(
        MEMORY,
        NONE,
        "bytes a second of the memory of a host's device, such as 2TB/s: gives the time of memory "
        "nodes that have tensor_size and no duration, and with --peakPerf the least time of "
        "others");
}

std::vector<std::string>
ListChakraOptions()
{
    return {GROUPS, CONTROL, STREAMS, PEAK, MEMORY};
}

ChakraOptions
ReadChakraOptions(const OptionTable& table, nlohmann::ordered_json& report)
{
    ChakraOptions options;
    options.followsControl = ReadChoice(table, CONTROL, IGNORE, FOLLOW) == FOLLOW;
    options.hasStreams = ReadChoice(table, STREAMS, SERIAL, PARALLEL) == SERIAL;
    options.operationsPerSecond = ReadRate(
        table,
        PEAK,
        ParseOperationRate,
        "operations a second, above 0 and at most 1e18, with k, M, G, T, P or E and FLOPS, "
        "FLOP/s or op/s, such as 312TFLOPS; or none");
    options.memoryBytesPerSecond = ReadRate(
        table,
        MEMORY,
        ParseByteRate,
        "bytes a second, above 0 and at most 1e18, with k, M, G, T, P or E and B/s, such as "
        "2TB/s, or bits, such as 8Tb/s; or none");
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
        report[name] = table.Get(name);
    }
    report[CONTROL] = options.followsControl ? FOLLOW : IGNORE;
    report[STREAMS] = options.hasStreams ? SERIAL : PARALLEL;
    return options;
}

} // namespace aifabric
} // namespace ns3
