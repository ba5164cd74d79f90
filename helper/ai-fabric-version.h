/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AI_FABRIC_VERSION_H
#define AI_FABRIC_VERSION_H

namespace ns3
{
namespace aifabric
{

/// The version of this module.
constexpr const char* AI_FABRIC_VERSION = "0.1.0";

} // namespace aifabric
} // namespace ns3

#endif /* AI_FABRIC_VERSION_H */
