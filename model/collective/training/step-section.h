/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STEP_SECTION_H
#define STEP_SECTION_H

#include "part-draw.h"

#include "ns3/toml-section.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

constexpr uint32_t MAX_REPEAT = 1'000'000; //!< repetitions of a step or phase

/// Why an algorithm cannot do a kind of collective; empty: it can.  @param algorithm its name;
/// empty: the usual one
using AlgorithmCheck = std::function<std::string(const std::string& algorithm, CollectiveKind)>;

/// What the steps of a file may name.
struct StepNames
{
    uint32_t hosts{0};                       //!< number of hosts
    std::vector<Communicator> communicators; //!< by index; that of all hosts first
    /// Of each dimension, the communicators that are its groups; none: each host is one.
    std::map<std::string, std::vector<uint32_t>> dimensions;
    std::vector<std::string> algorithms; //!< of collectives; none: any name
    AlgorithmCheck check;                //!< what they do; null: all
    std::shared_ptr<PartDraw> draw;      //!< draws parts of all-to-alls
};

/// @return the names of dimensions, and then of communicators by index
std::vector<std::string> ListCommunicators(const StepNames& names);

/**
 * Read a step of a phase, and add it to the phase; of a dimension, that of each of its groups.
 *
 * @param section the step
 * @param names what it may name
 * @param phase the steps before it, and how often all are repeated
 * @throws std::invalid_argument as TomlSection does
 */
void ReadSteps(const TomlSection& section, const StepNames& names, TrainingPhase& phase);

} // namespace aifabric
} // namespace ns3

#endif /* STEP_SECTION_H */
