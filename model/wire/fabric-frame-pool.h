/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_FRAME_POOL_H
#define FABRIC_FRAME_POOL_H

#include "fabric-frame.h"
#include "source-route-plan.h"

#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The memory of a fabric's frames. The frame freed last is the next to be handed out, because it is
 * the one in the cache.
 *
 * Each frame in use holds a reference to its pool, so the pool outlives its frames.
 */
class FabricFramePool : public SimpleRefCount<FabricFramePool>
{
  public:
    FabricFramePool() = default;
    FabricFramePool(const FabricFramePool&) = delete;
    FabricFramePool& operator=(const FabricFramePool&) = delete;

    /// @return a new frame with all fields at their defaults
    Ptr<FabricFrame> Create();

    /// @return a frame that is as another one  @param frame the other one, of any pool
    Ptr<FabricFrame> Clone(const FabricFrame& frame);

    /// @param plan what the outer headers of RoCE frames of this pool are; null: they have none
    void SetPlan(Ptr<const SourceRoutePlan> plan)
    {
        m_plan = plan;
    }

    /// @return what the outer headers of RoCE frames are, or null
    const Ptr<const SourceRoutePlan>& GetPlan() const
    {
        return m_plan;
    }

    /// @return the plan of the pool of a RoCE frame; null: the frame has no outer header
    static const SourceRoutePlan* FindPlan(const FabricFrame& frame)
    {
        return frame.kind == FrameKind::ROCE ? PeekPointer(frame.m_pool->m_plan) : nullptr;
    }

    /// @return a clone of a frame, of the same pool
    static Ptr<FabricFrame> CloneInPool(const FabricFrame& frame)
    {
        return frame.m_pool->Clone(frame);
    }

    /// @return the number of frames in use
    std::size_t GetLive() const
    {
        return m_live;
    }

  private:
    friend struct FabricFrameDeleter;

    /// Room for one cache line.
    struct alignas(FabricFrame::LINE_BYTES) Line
    {
        unsigned char bytes[FabricFrame::LINE_BYTES]; //!< the line, or the next free frame
    };

    /// The memory of one allocation.
    struct Slab
    {
        Line frames[FabricFrame::SLAB_FRAMES]; //!< first lines
        Line extras[FabricFrame::SLAB_FRAMES]; //!< second lines, each behind its first line at the
                                               //!< same distance
    };

    /// Allocate one more slab and put its frames on the free list.
    void Grow();

    /**
     * Take a destroyed frame's memory back.
     *
     * @param memory where the frame was
     */
    void Recycle(void* memory);

    std::vector<std::unique_ptr<Slab>> m_slabs; //!< all memory
    void* m_free{nullptr};                      //!< the first free frame
    std::size_t m_live{0};                      //!< frames in use
    Ptr<const SourceRoutePlan> m_plan;          //!< of outer headers, or null
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_FRAME_POOL_H */
