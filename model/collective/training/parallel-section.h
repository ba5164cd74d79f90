/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARALLEL_SECTION_H
#define PARALLEL_SECTION_H

#include "parallel-plan.h"

#include "ns3/toml-section.h"
#include "ns3/uniform-integer.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * Read how the hosts of phases are grouped.
 *
 * @param section [parallelism] of a file without [model]
 * @param hosts number of hosts of the fabric, each of which has a place
 * @throws std::invalid_argument as TomlSection does
 */
ParallelLayout ReadParallelLayout(const TomlSection& section, uint32_t hosts);

/**
 * Read [parallelism] and [model] of a TOML text, as doc/parallelism.rst explains them.
 *
 * @param file the whole text, with [model]
 * @param hosts number of hosts of the fabric
 * @param uniform draws what goes to experts; null: a text that draws it is refused
 * @return the plan, which fits the hosts
 * @throws std::invalid_argument with one line that names the text, the line and what is allowed,
 * such as "gpt.toml:3: tp: 3 * pp = 4 ranks do not divide the 64 hosts"
 */
ParallelPlan ReadParallelPlan(const TomlSection& file,
                              uint32_t hosts,
                              const UniformInteger& uniform = nullptr);

} // namespace aifabric
} // namespace ns3

#endif /* PARALLEL_SECTION_H */
