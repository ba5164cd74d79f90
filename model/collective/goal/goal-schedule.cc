/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "goal-schedule.h"

#include "ns3/workload-check.h"

#include <numeric>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr int64_t PS_OF_NS = 1000; //!< picoseconds of a nanosecond

/// @return a number, unless it is too large  @param what is counted
uint64_t
Checked(uint64_t number, uint64_t most, const std::string& what)
{
    if (number > most)
    {
        RefuseGoal(std::to_string(number) + " " + what + " (0.." + std::to_string(most) + ")");
    }
    return number;
}

/// @return a text for a rank or tag
std::string
TextOf(uint64_t number)
{
    return number == GoalOperation::ANY ? "-1" : std::to_string(number);
}

} // namespace

void
RefuseGoal(const std::string& why)
{
    throw std::invalid_argument(why);
}

std::string
NameOperation(GoalOperation::Kind kind)
{
    return kind == GoalOperation::Kind::SEND      ? "send"
           : kind == GoalOperation::Kind::RECEIVE ? "recv"
                                                  : "calc";
}

GoalSchedule::GoalSchedule(uint32_t hosts, std::vector<uint32_t> placement)
    : m_placement(std::move(placement))
{
    if (m_placement.empty())
    {
        m_placement.resize(hosts);
        std::iota(m_placement.begin(), m_placement.end(), 0);
    }
    m_workload.programOf.resize(hosts, TrainingWorkload::NO_PROGRAM);
}

void
GoalSchedule::SetRanks(uint64_t ranks)
{
    if (ranks == 0 || ranks > m_placement.size())
    {
        RefuseGoal("num_ranks " + std::to_string(ranks) + ": there are hosts for 1.." +
                   std::to_string(m_placement.size()) + " ranks");
    }
    m_placement.resize(ranks);
}

uint32_t
GoalSchedule::CountRanks() const
{
    return static_cast<uint32_t>(m_placement.size());
}

void
GoalSchedule::BeginRank(uint64_t rank)
{
    Checked(rank, CountRanks() - 1, "is no rank");
    m_rank = static_cast<uint32_t>(rank);
    uint32_t& program = m_workload.programOf[m_placement[m_rank]];
    if (program != TrainingWorkload::NO_PROGRAM)
    {
        RefuseGoal("rank " + std::to_string(rank) + " is there twice");
    }
    program = static_cast<uint32_t>(m_workload.programs.size());
    m_workload.programs.emplace_back();
}

void
GoalSchedule::CheckMessage(const GoalOperation& message) const
{
    const bool isSend = message.kind == GoalOperation::Kind::SEND;
    const std::string end = isSend ? "to " : "from ";
    const std::string ranks = " (0.." + std::to_string(CountRanks() - 1) + ")";
    if (message.peer == GoalOperation::ANY)
    {
        RefuseGoal(NameOperation(message.kind) + " " + end + "-1: any rank is not supported" +
                   ranks);
    }
    if (message.tag == GoalOperation::ANY)
    {
        RefuseGoal(NameOperation(message.kind) +
                   " with tag -1: any tag is not supported (0..4294967294)");
    }
    if (message.peer >= CountRanks() || message.peer == m_rank)
    {
        RefuseGoal(NameOperation(message.kind) + " " + end + TextOf(message.peer) + ": is " +
                   (message.peer == m_rank ? "the rank itself" : "no rank") + ranks);
    }
}

uint32_t
GoalSchedule::Add(const GoalOperation& operation, std::string name)
{
    WorkloadProgram& program = m_workload.programs.back();
    WorkloadNode node;
    node.name = std::move(name);
    if (operation.kind == GoalOperation::Kind::CALC)
    {
        const uint64_t ns =
            Checked(operation.size, MAX_WORKLOAD_DELAY_PS / PS_OF_NS, "ns are no time of a calc");
        node.durationPs = static_cast<int64_t>(ns) * PS_OF_NS;
        node.unit = WorkloadNode::Unit::PROCESSOR;
        node.stream = operation.cpu;
    }
    else
    {
        CheckMessage(operation);
        const bool isSend = operation.kind == GoalOperation::Kind::SEND;
        node.kind = isSend ? WorkloadNode::Kind::SEND : WorkloadNode::Kind::RECEIVE;
        node.bytes = Checked(operation.size, MAX_WORKLOAD_BYTES, "are no bytes of a message");
        node.peer = m_placement[operation.peer];
        node.tag = operation.tag;
        m_otherNics += operation.nic > 0;
    }
    if (++m_nodes > MAX_WORKLOAD_NODES)
    {
        RefuseGoal("more than " + std::to_string(MAX_WORKLOAD_NODES) + " operations");
    }
    program.push_back(std::move(node));
    return static_cast<uint32_t>(program.size() - 1);
}

void
GoalSchedule::Require(uint32_t node, uint32_t other, bool begins)
{
    if (node == other)
    {
        RefuseGoal("an operation waits for itself");
    }
    if (++m_dependencies > MAX_WORKLOAD_DEPENDENCIES)
    {
        RefuseGoal("more than " + std::to_string(MAX_WORKLOAD_DEPENDENCIES) + " dependencies");
    }
    WorkloadNode& waiting = m_workload.programs.back()[node];
    (begins ? waiting.startDependencies : waiting.dependencies).push_back(other);
}

GoalWorkload
GoalSchedule::Finish()
{
    if (m_nodes == 0)
    {
        RefuseGoal("there is no operation");
    }
    CheckWorkload(m_workload, static_cast<uint32_t>(m_workload.programOf.size()));
    std::vector<std::string> notes;
    if (m_otherNics > 0)
    {
        notes.push_back(std::to_string(m_otherNics) +
                        " messages name a nic above 0, and use the one of their host");
    }
    return {std::move(m_workload), CountRanks(), std::move(notes)};
}

} // namespace aifabric
} // namespace ns3
