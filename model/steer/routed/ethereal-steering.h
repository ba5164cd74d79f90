/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHEREAL_STEERING_H
#define ETHEREAL_STEERING_H

#include "source-routed-steering.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Ethereal (arXiv 2407.00550, version 2): the rule of EtherealPlanner, batch by batch. The bytes of
 * a group are the same on each of its paths.
 */
class EtherealSteering : public SourceRoutedSteering
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    std::vector<EtherealPlanner::Piece> Divide(const std::vector<uint64_t>& bytes,
                                               const std::vector<uint16_t>& paths) override;
};

} // namespace aifabric
} // namespace ns3

#endif /* ETHEREAL_STEERING_H */
