/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_FILE_H
#define TRAINING_FILE_H

#include "step-section.h"

#include "ns3/training-plan.h"
#include "ns3/training-workload.h"
#include "ns3/uniform-integer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Read a training iteration from a TOML text, as doc/training.rst explains it.
 *
 * @param name what to call the text in messages, such as the file's name
 * @param hosts number of hosts, at least 2
 * @param algorithms names that a collective's algorithm may have; none: any name
 * @param check whether an algorithm does a kind of collective; null: any does
 * @param uniform draws parts of all-to-alls; null: a text that draws them is refused
 * @return the plan, with at least one step
 * @throws std::invalid_argument with one line that names the text, the line and what is allowed,
 * such as "gpt.toml:12: 'repeet' is not a key of a step (did you mean 'repeat'?)"; without toml++,
 * one line that says so
 */
TrainingPlan ReadTrainingText(const std::string& text,
                              const std::string& name,
                              uint32_t hosts,
                              const std::vector<std::string>& algorithms = {},
                              const AlgorithmCheck& check = nullptr,
                              const UniformInteger& uniform = nullptr);

/**
 * Read a training iteration from a TOML text, which has phases or [parallelism] and [model], and
 * write out what each host does.
 *
 * @param text the text; the others as ReadTrainingText() has them
 * @return the workload, checked
 * @throws std::invalid_argument as ReadTrainingText(), ReadParallelPlan() and MakeWorkload() do
 */
TrainingWorkload ReadTrainingWorkload(const std::string& text,
                                      const std::string& name,
                                      uint32_t hosts,
                                      const std::vector<std::string>& algorithms = {},
                                      const AlgorithmCheck& check = nullptr,
                                      const UniformInteger& uniform = nullptr);

/**
 * Read a training iteration from a TOML file and write out what each host does.
 *
 * @param path the file
 * @param hosts number of hosts, at least 2
 * @param algorithms as ReadTrainingText() has them
 * @param check as ReadTrainingText() has it
 * @param uniform as ReadTrainingText() has it
 * @return the workload, checked
 * @throws std::invalid_argument as ReadTrainingWorkload() does, and if it is no file that can be
 * read
 */
TrainingWorkload ReadTrainingFile(const std::string& path,
                                  uint32_t hosts,
                                  const std::vector<std::string>& algorithms = {},
                                  const AlgorithmCheck& check = nullptr,
                                  const UniformInteger& uniform = nullptr);

} // namespace aifabric
} // namespace ns3

#endif /* TRAINING_FILE_H */
