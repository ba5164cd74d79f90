/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRADIENT_CARRIER_H
#define GRADIENT_CARRIER_H

#include "gradient-group.h"

#include "ns3/collective-carrier.h"

#include <map>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Carries the all-reduces of a training iteration that switches add up: each communicator that has
 * some is a GradientGroup.
 */
class GradientCarrier : public CollectiveCarrier
{
  public:
    /// Add a group, before the TrainingDriver is installed.
    /// @param communicator index of its communicator
    void AddGroup(uint32_t communicator, Ptr<GradientGroup> group);

    /// Take the groups down.
    void Dispose();

    std::shared_ptr<CollectiveWork> Add(const CollectiveSpec& spec,
                                        uint32_t communicator,
                                        CollectiveWork::RankDone done) override;

  private:
    std::map<uint32_t, Ptr<GradientGroup>> m_groups; //!< by communicator
};

} // namespace aifabric
} // namespace ns3

#endif /* GRADIENT_CARRIER_H */
