/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORKLOAD_TEXT_H
#define WORKLOAD_TEXT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @param text a number of bytes, with B, kB, KB, MB, GB or TB (powers of 1000) or KiB, MiB, GiB or
 * TiB (powers of 1024), or without a unit; it may have decimals if that makes a whole number of
 * bytes
 * @return the number of bytes, if the text is one and less than 2^63
 */
std::optional<uint64_t> ParseBytes(std::string_view text);

/**
 * @param text a time with its unit: ps, ns, us, ms or s; only 0 needs none
 * @return the time in picoseconds, if the text is a whole number of them and less than 2^63
 */
std::optional<int64_t> ParseDuration(std::string_view text);

} // namespace aifabric
} // namespace ns3

#endif /* WORKLOAD_TEXT_H */
