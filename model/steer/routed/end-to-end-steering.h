/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef END_TO_END_STEERING_H
#define END_TO_END_STEERING_H

#include "source-routed-steering.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * An extension of ours, and not Ethereal: the flows that Ethereal would cut into equal pieces are
 * laid end to end and cut where the next path begins. The loads are the same, and queue pairs are
 * as few as may be (EtherealPlanner::Split::END_TO_END).
 */
class EndToEndSteering : public SourceRoutedSteering
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    EtherealPlanner::Split GetSplit() const override;
    std::vector<EtherealPlanner::Piece> Divide(const std::vector<uint64_t>& bytes,
                                               const std::vector<uint16_t>& paths) override;
};

} // namespace aifabric
} // namespace ns3

#endif /* END_TO_END_STEERING_H */
