/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_PLAN_H
#define TRAINING_PLAN_H

#include "training-workload.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * One step of a plan: what some hosts do, all of them the same, or two of them with each other.
 */
struct TrainingStep
{
    /// What it is.
    enum class Kind
    {
        COMPUTE,    //!< a delay on each host of the communicator
        COLLECTIVE, //!< a collective of the communicator
        MESSAGE,    //!< a message from a host to another
    };

    std::string name;                                      //!< what others call it in their after
    std::string where;                                     //!< place in the text, for messages
    Kind kind{Kind::COMPUTE};                              //!< what it is
    int64_t durationPs{0};                                 //!< of COMPUTE, in picoseconds
    CollectiveKind collective{CollectiveKind::ALL_REDUCE}; //!< of COLLECTIVE
    std::string algorithm;                                 //!< of COLLECTIVE; empty: as all others
    uint64_t bytes{0};                      //!< as WorkloadNode::bytes, of all but COMPUTE
    std::shared_ptr<const PartSizes> parts; //!< as WorkloadNode::parts
    /// In place of parts, if it is not empty: those of each repetition, of each round of the phase.
    std::vector<std::shared_ptr<const PartSizes>> drawn;
    bool isReturn{false};     //!< drawn are those of an earlier step, on the way back
    uint32_t communicator{0}; //!< index of the communicator, of all but MESSAGE
    uint32_t root{0};         //!< rank, of a broadcast
    uint32_t source{0};       //!< sending host, of MESSAGE
    uint32_t destination{0};  //!< receiving host, of MESSAGE
    uint32_t repeat{1};       //!< how often, one after the other
    /// Names of the steps that it waits for, each host for its own; without any list, the one
    /// before it.
    std::optional<std::vector<std::string>> after;
};

/**
 * @ingroup ai-fabric
 *
 * Steps that are repeated together.
 */
struct TrainingPhase
{
    std::string name;                //!< for messages
    uint32_t repeat{1};              //!< how often, one after the other
    std::vector<TrainingStep> steps; //!< in order
};

/**
 * @ingroup ai-fabric
 *
 * What is to be done, as a person writes it: phase after phase, step after step.
 */
struct TrainingPlan
{
    std::vector<Communicator> communicators; //!< by index
    std::vector<TrainingPhase> phases;       //!< in order
    bool barrier{false};                     //!< as TrainingWorkload::barrier
    /// Whether collectives of fewer bytes than their communicator has ranks are left out.
    bool skipBelowRanks{false};
};

/**
 * Write out what each host does. A step waits, on each host, for the one before it that the host
 * takes part in; or, of each name in its after, for the latest before it that the host takes part
 * in. A name of which the host has had none yet in the first round of a phase stands for the step
 * before it. So the receiver of a message that is sent after a computation of its sender waits for
 * the message alone. A collective that is left out becomes a delay of 0.
 *
 * @return the workload, checked; hosts that do the same share a program
 * @throws std::invalid_argument with one line that says what is wrong, and where
 */
TrainingWorkload MakeWorkload(const TrainingPlan& plan, uint32_t hosts);

} // namespace aifabric
} // namespace ns3

#endif /* TRAINING_PLAN_H */
