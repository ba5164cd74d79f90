/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-converter.h"

#include "chakra-parts.h"

#include "ns3/flow.h"
#include "ns3/message-text.h"
#include "ns3/workload-check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

using Kind = WorkloadNode::Kind;
using Unit = WorkloadNode::Unit;

constexpr int64_t PS_PER_US = 1'000'000; //!< picoseconds of a microsecond
constexpr double PS_PER_S = 1e12;        //!< picoseconds of a second
constexpr int64_t NO_STREAM = -1;        //!< the stream of what the trace gives none

/// Numbers of comm_type, from the schema.
const std::map<uint64_t, CollectiveKind> KINDS = {{0, CollectiveKind::ALL_REDUCE},
                                                  {1, CollectiveKind::REDUCE},
                                                  {2, CollectiveKind::ALL_GATHER},
                                                  {3, CollectiveKind::GATHER},
                                                  {4, CollectiveKind::SCATTER},
                                                  {5, CollectiveKind::BROADCAST},
                                                  {6, CollectiveKind::ALL_TO_ALL},
                                                  {7, CollectiveKind::REDUCE_SCATTER},
                                                  {8, CollectiveKind::REDUCE_SCATTER}};
constexpr uint64_t BARRIER = 9; //!< comm_type of a barrier, from the schema

/// Refuse a node.  @param why what is wrong
[[noreturn]] void
Fail(const std::string& why)
{
    throw std::invalid_argument(why);
}

/// @return whether a node has an attribute that is a number  @param name of the attribute
bool
Has(const ChakraNode& node, const std::string& name)
{
    return node.numbers.count(name) > 0;
}

/// @return an attribute, or 0 if it is not there or negative  @param name of the attribute
uint64_t
GetOrZero(const ChakraNode& node, const std::string& name)
{
    const auto found = node.numbers.find(name);
    return found == node.numbers.end() ? 0
                                       : static_cast<uint64_t>(std::max<int64_t>(found->second, 0));
}

/**
 * @param name name of an attribute
 * @param least the least that is allowed
 * @return its value
 */
uint64_t
GetNumber(const ChakraNode& node, const std::string& name, uint64_t least, uint64_t most)
{
    const std::string range = " (" + std::to_string(least) + ".." + std::to_string(most) + ")";
    const auto found = node.numbers.find(name);
    if (found == node.numbers.end())
    {
        Fail("has no attribute " + name + range);
    }
    const auto value = static_cast<uint64_t>(found->second); // too large if it is negative
    if (value < least || value > most)
    {
        Fail(name + " is " + std::to_string(found->second) + range);
    }
    return value;
}

/// @return the size of a collective or message, in bytes
uint64_t
GetBytes(const ChakraNode& node, uint64_t most)
{
    const bool hasTensor = !Has(node, "comm_size") && Has(node, "tensor_size");
    return GetNumber(node, hasTensor ? "tensor_size" : "comm_size", 0, most);
}

/// @return whether the processor executes a node
bool
IsOnProcessor(const ChakraNode& node)
{
    return GetOrZero(node, "is_cpu_op") != 0;
}

/// @return whether a node is only the call by which the processor starts a collective or message
bool
IsLaunch(const ChakraNode& node)
{
    return IsOnProcessor(node) && !Has(node, "comm_type") && !Has(node, "comm_size") &&
           !Has(node, "comm_dst") && !Has(node, "comm_src");
}

/// @return a time in picoseconds  @param seconds the time
int64_t
ToPicoseconds(double seconds)
{
    const double ps = std::round(seconds * PS_PER_S);
    if (!(ps <= static_cast<double>(MAX_WORKLOAD_DELAY_PS)))
    {
        Fail("takes longer than 1000 s at this --peakPerf and --memoryBandwidth");
    }
    return static_cast<int64_t>(ps);
}

} // namespace

ChakraConverter::ChakraConverter(uint32_t rank,
                                 const ChakraOptions& options,
                                 ChakraCommunicators& communicators,
                                 ChakraOmissions& omissions)
    : m_rank(rank),
      m_options(options),
      m_communicators(communicators),
      m_omissions(omissions)
{
}

void
ChakraConverter::ReadGroups(const ChakraNode& node)
{
    if (node.type == ChakraNode::METADATA)
    {
        m_own.merge(ReadPyTorchGroups(node.inputs));
    }
}

WorkloadNode
ChakraConverter::Convert(const ChakraNode& node)
{
    WorkloadNode made;
    made.name = node.name.empty() ? std::to_string(node.id) : node.name;
    if (node.type > ChakraNode::CHECKPOINT)
    {
        Fail("type " + std::to_string(node.type) + " is not known (0..10)");
    }
    const bool isMessage = node.type == ChakraNode::SEND || node.type == ChakraNode::RECEIVE;
    const bool communicates = isMessage || node.type == ChakraNode::COLLECTIVE;
    if (communicates && Has(node, "comm_priority"))
    {
        const uint64_t priority = GetNumber(node, "comm_priority", 0, Flow::USUAL_CLASS - 1);
        made.trafficClass = static_cast<uint8_t>(priority);
    }
    if (!communicates || IsLaunch(node))
    {
        ConvertDelay(node, made);
    }
    else if (node.type == ChakraNode::COLLECTIVE)
    {
        ConvertCollective(node, made);
    }
    else if (node.type == ChakraNode::SEND)
    {
        made.kind = Kind::SEND;
        ConvertMessage(node, "comm_src", "comm_dst", made);
        SetUnit(node, Unit::SEND, NO_STREAM, made);
    }
    else
    {
        made.kind = Kind::RECEIVE; // occupies no stream
        ConvertMessage(node, "comm_dst", "comm_src", made);
    }
    return made;
}

void
ChakraConverter::ConvertDelay(const ChakraNode& node, WorkloadNode& made)
{
    if (node.type == ChakraNode::INVALID || node.type == ChakraNode::METADATA)
    {
        return; // takes no time
    }
    made.durationPs = DelayOf(node);
    const bool isCompute = node.type == ChakraNode::COMPUTE;
    const Unit device = isCompute ? Unit::COMPUTE : Unit::MEMORY;
    SetUnit(node, IsOnProcessor(node) ? Unit::PROCESSOR : device, NO_STREAM, made);
}

void
ChakraConverter::SetUnit(const ChakraNode& node,
                         Unit unit,
                         int64_t otherwise,
                         WorkloadNode& made) const
{
    if (!m_options.hasStreams)
    {
        return;
    }
    made.unit = unit;
    made.stream = otherwise;
    const auto found = node.numbers.find("stream");
    if (unit != Unit::PROCESSOR && found != node.numbers.end())
    {
        made.stream = found->second;
    }
}

int64_t
ChakraConverter::DelayOf(const ChakraNode& node)
{
    constexpr uint64_t MOST = MAX_WORKLOAD_DELAY_PS / PS_PER_US;
    const uint64_t micros =
        node.durationMicros > 0 ? node.durationMicros : GetOrZero(node, "runtime");
    if (micros > MOST)
    {
        Fail("its duration is " + std::to_string(micros) + " us (0.." + std::to_string(MOST) + ")");
    }
    if (micros > 0)
    {
        return static_cast<int64_t>(micros) * PS_PER_US;
    }
    const bool isCopy =
        node.type == ChakraNode::MEMORY_LOAD || node.type == ChakraNode::MEMORY_STORE;
    return isCopy ? CopyOf(node) : RooflineOf(node);
}

int64_t
ChakraConverter::RooflineOf(const ChakraNode& node) const
{
    const auto operations = static_cast<double>(GetOrZero(node, "num_ops"));
    const auto bytes = static_cast<double>(GetOrZero(node, "tensor_size"));
    const double peak = m_options.operationsPerSecond;
    const double memory = m_options.memoryBytesPerSecond;
    if (operations == 0)
    {
        return 0;
    }
    if (peak == 0)
    {
        Fail("has num_ops and no duration: --peakPerf says how long it takes");
    }
    return ToPicoseconds(std::max(operations / peak, memory == 0 ? 0 : bytes / memory));
}

int64_t
ChakraConverter::CopyOf(const ChakraNode& node)
{
    const auto bytes = static_cast<double>(GetOrZero(node, "tensor_size"));
    if (bytes > 0 && m_options.memoryBytesPerSecond == 0)
    {
        ++m_omissions.memory;
        return 0;
    }
    return bytes > 0 ? ToPicoseconds(bytes / m_options.memoryBytesPerSecond) : 0;
}

void
ChakraConverter::ConvertCollective(const ChakraNode& node, WorkloadNode& made)
{
    const uint64_t type = GetNumber(node, "comm_type", 0, BARRIER);
    const uint32_t group = GroupOf(node);
    const uint64_t ranks = m_communicators.RanksOf(group).size();
    if (node.leavesOutDimension)
    {
        Fail("involved_dim leaves out a dimension, and fabrics have none here: name a group by "
             "pg_name");
    }
    if (type == BARRIER)
    {
        made.bytes = ranks; // an all-reduce of a byte a rank: all wait for all
    }
    else
    {
        made.collective = KINDS.at(type);
        const bool isPart = made.collective == CollectiveKind::ALL_GATHER ||
                            made.collective == CollectiveKind::GATHER; // that of one rank
        made.bytes =
            GetBytes(node, MAX_WORKLOAD_BYTES / (isPart ? ranks : 1)) * (isPart ? ranks : 1);
    }
    if (ranks == 1)
    {
        ++m_omissions.alone;
        return; // there is no other rank: a delay of 0
    }
    if (made.collective == CollectiveKind::ALL_TO_ALL)
    {
        SetOwnParts(node, static_cast<uint32_t>(ranks), made);
    }
    else if (made.bytes == 0)
    {
        ++m_omissions.empty;
        return; // nothing is sent: a delay of 0
    }
    made.kind = Kind::COLLECTIVE;
    made.communicator = group;
    SetUnit(node, Unit::COLLECTIVE, NO_STREAM - group, made);
}

uint32_t
ChakraConverter::GroupOf(const ChakraNode& node)
{
    const auto named = node.texts.find("pg_name");
    const auto grouped = node.texts.find("comm_group");
    const std::string name = named != node.texts.end()     ? named->second
                             : grouped != node.texts.end() ? grouped->second
                                                           : "";
    const auto group = m_communicators.Find(name, m_own);
    if (!group)
    {
        const std::vector<std::string> known = m_communicators.ListNames(m_own);
        Fail("pg_name " + Quoted(name) + " is no group" +
             (known.empty() ? " (there is only the one of all ranks; --chakraGroups names others)"
                            : " (there are " + Listed(known) + ")"));
    }
    const std::vector<uint32_t>& ranks = m_communicators.RanksOf(*group);
    if (std::find(ranks.begin(), ranks.end(), m_rank) == ranks.end())
    {
        Fail("pg_name " + Quoted(name) + " is a group without this rank");
    }
    return *group;
}

void
ChakraConverter::ConvertMessage(const ChakraNode& node,
                                const std::string& own,
                                const std::string& other,
                                WorkloadNode& made)
{
    if (Has(node, own))
    {
        GetNumber(node, own, m_rank, m_rank);
    }
    const uint32_t peer = PeerOf(node, other);
    made.bytes = GetBytes(node, MAX_WORKLOAD_BYTES);
    if (Has(node, "comm_tag"))
    {
        made.tag = static_cast<uint32_t>(GetNumber(node, "comm_tag", 0, UINT32_MAX));
    }
    if (peer == m_rank)
    {
        Fail(other + " is this rank itself");
    }
    made.peer = m_communicators.HostOf(peer);
}

uint32_t
ChakraConverter::PeerOf(const ChakraNode& node, const std::string& other)
{
    constexpr std::size_t PAIR = 2; // ranks
    if (Has(node, other))
    {
        return static_cast<uint32_t>(GetNumber(node, other, 0, m_communicators.CountRanks() - 1));
    }
    const std::vector<uint32_t>& ranks = m_communicators.RanksOf(GroupOf(node));
    if (ranks.size() != PAIR)
    {
        Fail("has no attribute " + other + ", and its group has " + std::to_string(ranks.size()) +
             " ranks: only that of 2 says which is meant");
    }
    return ranks[0] == m_rank ? ranks[1] : ranks[0];
}

} // namespace aifabric
} // namespace ns3
