/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PART_SECTION_H
#define PART_SECTION_H

#include "part-draw.h"

#include "ns3/part-sizes.h"
#include "ns3/toml-section.h"

#include <cstdint>
#include <memory>

namespace ns3
{
namespace aifabric
{

/**
 * @param section an all-to-all, whose keys parts, skew and combine say how its parts differ
 * @param bytes its size, where it has no parts
 * @return its parts; null: all are alike
 * @throws std::invalid_argument as TomlSection does
 */
std::shared_ptr<const PartSizes> GetPartSizes(const TomlSection& section,
                                              uint32_t ranks,
                                              uint64_t bytes);

/// @return whether the parts of an all-to-all are drawn for each step  @param section the
/// all-to-all
/// @throws std::invalid_argument as TomlSection does, if keys do not go together
bool IsDrawn(const TomlSection& section);

/**
 * @param section an all-to-all whose parts are drawn
 * @param bytes its size
 * @param draw who draws
 * @return the parts of a step; those of another step are drawn anew
 * @throws std::invalid_argument as TomlSection does
 */
std::shared_ptr<const PartSizes> DrawPartSizes(const TomlSection& section,
                                               uint32_t ranks,
                                               uint64_t bytes,
                                               PartDraw& draw);

/**
 * @param section an all-to-all with combine
 * @param sent parts that were drawn for an earlier one
 * @param to its own bytes
 * @param from the bytes of the earlier one
 * @return the parts on the way back, to its own bytes
 * @throws std::invalid_argument with one line, if a rank has too many bytes
 */
std::shared_ptr<const PartSizes> ReturnPartSizes(const TomlSection& section,
                                                 const PartSizes& sent,
                                                 uint64_t to,
                                                 uint64_t from);

} // namespace aifabric
} // namespace ns3

#endif /* PART_SECTION_H */
