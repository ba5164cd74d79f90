/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STEP_SECTION_H
#define STEP_SECTION_H

#include "ns3/toml-section.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <functional>
#include <map>
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
};

/// @return the names of dimensions, and then of communicators by index
std::vector<std::string> ListCommunicators(const StepNames& names);

/**
 * @param section a step of a phase
 * @param names what it may name
 * @return the step; of a dimension, that of each of its groups
 * @throws std::invalid_argument as TomlSection does
 */
std::vector<TrainingStep> ReadSteps(const TomlSection& section, const StepNames& names);

} // namespace aifabric
} // namespace ns3

#endif /* STEP_SECTION_H */
