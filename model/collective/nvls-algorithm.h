/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NVLS_ALGORITHM_H
#define NVLS_ALGORITHM_H

#include "two-level-algorithm.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * TwoLevelAlgorithm whose steps within a node the switch of the node takes over, as NVLink SHARP
 * does: it adds up rail l for rank l, and copies it from rank l to all. Of an all-reduce of S bytes
 * each of G ranks sends S + S / G up, and receives as much, where a ring moves 2 S (G - 1) / G. So
 * nccl::NVLS in one node; among several with a ring or another algorithm (Inner), as NVLSTree with
 * a tree.
 *
 * Chunks pass one behind the other: a rank begins one when the first message of the one before the
 * last has arrived. Thus the sum of one and the copy of another share the links.
 */
class NvlsAlgorithm : public TwoLevelAlgorithm
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Supports(CollectiveKind kind) const override;
    bool UsesNodeSwitch() const override;
    bool IsChunked() const override;
    uint32_t GetMostChunks() const override;
    uint32_t GetWindow() const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* NVLS_ALGORITHM_H */
