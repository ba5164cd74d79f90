/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOAL_SCHEDULE_H
#define GOAL_SCHEDULE_H

#include "ns3/training-workload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Refuse a schedule.  @param why what is wrong, without the place
/// @throws std::invalid_argument with these words
[[noreturn]] void RefuseGoal(const std::string& why);

/// An operation of a rank, as a GOAL schedule has it.
struct GoalOperation
{
    static constexpr uint32_t ANY = UINT32_MAX; //!< stands for -1: any rank, any tag

    /// What it is; the numbers are those of the binary form.
    enum class Kind : uint8_t
    {
        SEND = 1,    //!< sends a message
        RECEIVE = 2, //!< receives one
        CALC = 3,    //!< computes
    };

    Kind kind{Kind::CALC}; //!< what it is
    uint64_t size{0};      //!< of CALC nanoseconds, else bytes
    uint64_t peer{0};      //!< the other rank, or ANY
    uint32_t tag{0};       //!< of a message, or ANY
    uint32_t cpu{0};       //!< which one of its rank does it
    uint32_t nic{0};       //!< likewise
};

/// @return what an operation is called in the text form
std::string NameOperation(GoalOperation::Kind kind);

/// What a GOAL schedule says.
struct GoalWorkload
{
    TrainingWorkload training;      //!< what all hosts do, checked
    uint32_t ranks{0};              //!< how many there are
    std::vector<std::string> notes; //!< what was ignored, a line each
};

/**
 * @ingroup ai-fabric
 *
 * Takes the operations of a GOAL schedule, rank after rank, and makes a workload of them. A rank is
 * a host. Its CPUs are streams, which do one calculation at a time. Messages are sent and received
 * by the NIC; they occupy no CPU and wait for none, as the parameters o and O of LogGOPS are 0.
 *
 * What is wrong throws std::invalid_argument without the place, which the readers know.
 */
class GoalSchedule
{
  public:
    /// @param placement host by rank; empty: rank r runs on host r
    GoalSchedule(uint32_t hosts, std::vector<uint32_t> placement);

    /// Set the number of ranks. To be called once, before all others.
    void SetRanks(uint64_t ranks);

    /// @return the number of ranks
    uint32_t CountRanks() const;

    /// The operations of a rank follow. To be called at most once for each.
    void BeginRank(uint64_t rank);

    /// Add an operation to the rank.  @param name what to call it in messages and results
    /// @return its index in the rank
    uint32_t Add(const GoalOperation& operation, std::string name);

    /**
     * Let an operation of the rank wait for another one.
     *
     * @param node index of the one that waits
     * @param other index of the one that it waits for
     * @param begins whether it waits for the begin, and not for the end
     */
    void Require(uint32_t node, uint32_t other, bool begins);

    /// @return all of it. To be called once, at last.
    GoalWorkload Finish();

  private:
    /// Refuse a message with a rank or tag that it cannot have.
    void CheckMessage(const GoalOperation& message) const;

    std::vector<uint32_t> m_placement; //!< host by rank
    TrainingWorkload m_workload;       //!< what was read
    uint32_t m_rank{0};                //!< whose operations follow
    uint64_t m_nodes{0};               //!< operations of all ranks
    uint64_t m_dependencies{0};        //!< for how many others they wait
    uint64_t m_otherNics{0};           //!< messages by another NIC than 0
};

} // namespace aifabric
} // namespace ns3

#endif /* GOAL_SCHEDULE_H */
