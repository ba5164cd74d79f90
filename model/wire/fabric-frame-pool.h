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
#include "ns3/worker-number.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ns3
{
namespace aifabric
{

class FabricFramePool;

/// Deletes a pool without references when it has no frame in use any more.
struct FabricFramePoolDeleter
{
    /**
     * Delete a pool, now or later.
     */
    static void Delete(FabricFramePool* pool);
};

/**
 * @ingroup ai-fabric
 *
 * The memory of a fabric's frames. The frame freed last is the next to be handed out, because it is
 * the one in the cache. The pool outlives its frames.
 *
 * Each thread of a run has a share of the free frames (WorkerNumber). A frame that one thread has
 * created and another one has freed belongs to that one's share; a share that is full gives a
 * bundle of frames to all.
 */
class FabricFramePool : public SimpleRefCount<FabricFramePool, NoBase, FabricFramePoolDeleter>
{
  public:
    FabricFramePool() = default;
    FabricFramePool(const FabricFramePool&) = delete;
    FabricFramePool& operator=(const FabricFramePool&) = delete;

    /// @return a new frame with all fields at their defaults
    Ptr<FabricFrame> Create();

    /// @return a frame that is as another one  @param frame the other one, of any pool
    Ptr<FabricFrame> Clone(const FabricFrame& frame);

    /// Let frames have third lines, and carry telemetry. To be called before there are any.
    void CarryTelemetry();

    /// @return whether frames can carry telemetry
    bool CarriesTelemetry() const
    {
        return m_carriesTelemetry;
    }

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
    std::size_t GetLive() const;

  private:
    friend struct FabricFrameDeleter;
    friend struct FabricFramePoolDeleter;

    /// Room for one cache line.
    struct alignas(FabricFrame::LINE_BYTES) Line
    {
        unsigned char bytes[FabricFrame::LINE_BYTES]; //!< the line, or the next free frame
    };

    /// Free frames of a thread.
    struct alignas(2 * FabricFrame::LINE_BYTES) Share
    {
        void* free{nullptr};   //!< the first free frame
        uint32_t count{0};     //!< how many there are, less than SLAB_FRAMES
        int64_t live{0};       //!< frames created less frames freed, here
        void* bundle{nullptr}; //!< SLAB_FRAMES more of them, or nullptr
    };

    /// @return the share of this thread
    Share& OwnShare()
    {
        const std::unique_ptr<Share>& share = m_shares[WorkerNumber::Get()];
        return share ? *share : MakeShare();
    }

    // What is seldom called: inlined, it would take registers from Create() and Recycle().

    /// @return the share of this thread, made
    [[gnu::noinline]] Share& MakeShare();

    /// Give free frames to a share that has none.
    [[gnu::noinline]] void Fill(Share& share);

    /// Take the free frames of a share that has SLAB_FRAMES of them.
    [[gnu::noinline]] void Bundle(Share& share);

    /// Delete this if no frame is in use any more.
    [[gnu::noinline]] void DeleteIfUnused();

    /// @return the first one of SLAB_FRAMES free frames
    void* Grow();

    /**
     * Take a destroyed frame's memory back.
     *
     * @param memory where the frame was
     */
    void Recycle(void* memory);

    std::array<std::unique_ptr<Share>, WorkerNumber::MOST> m_shares; //!< by thread
    std::mutex m_mutex;                                              //!< of what follows
    std::vector<void*> m_bundles;                 //!< free frames of no thread, SLAB_FRAMES each
    std::vector<std::unique_ptr<Line[]>> m_slabs; //!< all memory: first lines, second lines, third
                                                  //!< lines if there are any
    bool m_carriesTelemetry{false};               //!< frames have third lines
    bool m_isOrphan{false};                       //!< only its frames refer to it
    Ptr<const SourceRoutePlan> m_plan;            //!< of outer headers, or null
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_FRAME_POOL_H */
