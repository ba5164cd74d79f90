/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_CHECKER_H
#define FABRIC_CHECKER_H

namespace ns3
{
namespace aifabric
{

class FabricGraph;

/**
 * @ingroup ai-fabric
 *
 * A policy whose attributes name parts of a fabric. They are checked before anything runs.
 */
class FabricChecker
{
  public:
    virtual ~FabricChecker() = default;

    /**
     * Check the attributes.
     *
     * @throws std::invalid_argument with one line, if it does not have what they name
     */
    virtual void CheckFabric(const FabricGraph& graph) const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_CHECKER_H */
