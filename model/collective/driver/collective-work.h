/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_WORK_H
#define COLLECTIVE_WORK_H

#include "ns3/collective-layout.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What became of a collective.
struct CollectiveRecord
{
    /// What became of the messages that ranks await in one step.
    struct Step
    {
        uint64_t messages{0};       //!< how many there are
        uint64_t bytes{0};          //!< their lengths
        int64_t firstStartPs{-1};   //!< the first was sent
        int64_t lastReceivedPs{-1}; //!< the last has come
    };

    CollectiveSpec spec;     //!< what was asked for
    int64_t startPs{-1};     //!< the first rank began
    int64_t endPs{-1};       //!< the last rank was done
    uint64_t messages{0};    //!< sent
    CollectiveExtent extent; //!< how much it is to move
    std::vector<Step> steps; //!< by step
};

/**
 * @ingroup ai-fabric
 *
 * One collective on its way, whatever carries it.
 */
class CollectiveWork
{
  public:
    /// Called when a rank is done.
    using RankDone = std::function<void(uint32_t rank)>;

    virtual ~CollectiveWork() = default;

    /// A rank begins.
    virtual void Start(uint32_t rank) = 0;

    /// @return what became of it so far; not while it runs on several threads
    virtual CollectiveRecord GetRecord() const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* COLLECTIVE_WORK_H */
