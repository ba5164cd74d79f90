/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NVLS_TREE_ALGORITHM_H
#define NVLS_TREE_ALGORITHM_H

#include "nvls-algorithm.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * An all-reduce by NvlsAlgorithm within nodes and by DoubleBinaryTreeAlgorithm between them, as
 * NVLSTree of NCCL.
 */
class NvlsTreeAlgorithm : public NvlsAlgorithm
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Supports(CollectiveKind kind) const override;

  private:
    TypeId GetInnerType() const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* NVLS_TREE_ALGORITHM_H */
