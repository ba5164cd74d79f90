/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trace-options.h"

#include "option-value.h"

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

} // namespace

void
TraceOptions::Declare(OptionTable& table)
{
    table.AddNone(
        GROUPS,
        "JSON file of the process groups that traces name: {\"1\": [0, 1], \"2\": [2, 3]}; a "
        "group of the file replaces a group of the same name of a trace");
    table.AddAuto(
        CONTROL,
        "control dependencies of traces (who called whom): ignore, or follow, that is, a node "
        "waits for them as for data dependencies (auto: ignore)");
    table.AddAuto(
        STREAMS,
        "what a host executes at a time: serial, that is, one operation on its processor and "
        "one kernel, copy, collective or send on each stream, or parallel, that is, all nodes "
        "that are ready (auto: serial)");
    table.AddNone(
        PEAK,
        "operations a second of a host's device, such as 312TFLOPS: gives the time of nodes "
        "that have num_ops and no duration");
    table.AddNone(
        MEMORY,
        "bytes a second of the memory of a host's device, such as 2TB/s: gives the time of memory "
        "nodes that have tensor_size and no duration, and with --peakPerf the least time of "
        "others");
}

void
TraceOptions::RefuseAll()
{
    RefuseGiven({GROUPS, CONTROL, STREAMS, PEAK, MEMORY}, "only with --workload=chakra");
}

ChakraOptions
TraceOptions::Read()
{
    ChakraOptions options;
    options.followsControl = ReadChoice(CONTROL, "ignore", "follow") == "follow";
    options.hasStreams = ReadChoice(STREAMS, "serial", "parallel") == "serial";
    options.operationsPerSecond = ReadRate(
        PEAK,
        ParseOperationRate,
        "operations a second, above 0 and at most 1e18, with k, M, G, T, P or E and FLOPS, "
        "FLOP/s or op/s, such as 312TFLOPS; or none");
    options.memoryBytesPerSecond = ReadRate(
        MEMORY,
        ParseByteRate,
        "bytes a second, above 0 and at most 1e18, with k, M, G, T, P or E and B/s, such as "
        "2TB/s, or bits, such as 8Tb/s; or none");
    if (!IsNone(GROUPS))
    {
        options.groups =
            ReadFile(GROUPS, [this]() { return ReadChakraGroupsFile(m_table.Get(GROUPS)); });
    }
    return options;
}

std::string
TraceOptions::ReadChoice(const std::string& name,
                         const std::string& first,
                         const std::string& second)
{
    const std::string& given = OptionSection::ReadChoice(name, {first, second});
    const std::string value = given == AUTO ? first : given;
    m_scenario.options[name] = value;
    return value;
}

double
TraceOptions::ReadRate(const std::string& name,
                       std::optional<double> (*parse)(const std::string&),
                       const std::string& allowed) const
{
    const std::optional<double> rate = IsNone(name) ? 0 : parse(m_table.Get(name));
    RefuseIf(!IsNone(name) && (!rate || *rate <= 0), name, allowed);
    return *rate;
}

} // namespace aifabric
} // namespace ns3
