/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-frame-pool.h"

#include "ns3/abort.h"

#include <new>
#include <utility>

namespace ns3
{
namespace aifabric
{

void
FabricFrameDeleter::Delete(FabricFrame* frame)
{
    FabricFramePool* pool = frame->m_pool;
    frame->~FabricFrame();
    pool->Recycle(frame);
}

void
FabricFramePoolDeleter::Delete(FabricFramePool* pool)
{
    pool->m_isOrphan = true;
    pool->DeleteIfUnused();
}

const FrameExtra FabricFrame::NOTHING;

void
FabricFrame::DestroyExtra()
{
    SecondLine()->~FrameExtra();
}

PathTelemetry&
FabricFrame::AddTelemetry()
{
    NS_ABORT_MSG_IF(!m_pool->CarriesTelemetry(), "FabricFrame: its pool carries no telemetry");
    flags |= FRAME_TELEMETRY;
    return *new (ThirdLine()) PathTelemetry;
}

Ptr<FabricFrame>
FabricFramePool::Create()
{
    Share& share = OwnShare();
    if (!share.free)
    {
        Fill(share);
    }
    void* memory = share.free;
    share.free = *static_cast<void**>(memory);
    --share.count;
    ++share.live;
    return Ptr<FabricFrame>(new (memory) FabricFrame(this), false);
}

Ptr<FabricFrame>
FabricFramePool::Clone(const FabricFrame& frame)
{
    Ptr<FabricFrame> copy = Create();
    copy->destination = frame.destination;
    copy->flowHash = frame.flowHash;
    copy->wireBytes = frame.wireBytes;
    copy->payload = frame.payload;
    copy->ingress = frame.ingress;
    copy->m_tos = frame.m_tos;
    copy->m_class = frame.m_class;
    copy->ttl = frame.ttl;
    copy->kind = frame.kind;
    copy->flags = frame.flags;
    copy->entropy = frame.entropy;
    copy->destinationQp = frame.destinationQp;
    copy->opcode = frame.opcode;
    copy->psn = frame.psn;
    copy->syndrome = frame.syndrome;
    copy->source = frame.source;
    copy->msn = frame.msn;
    copy->offset = frame.offset;
    copy->sentAt = frame.sentAt;
    if (const PathTelemetry* telemetry = frame.FindTelemetry())
    {
        copy->AddTelemetry() = *telemetry;
    }
    if (frame.m_hasExtra)
    {
        copy->m_hasExtra = true;
        FrameExtra* extra = new (copy->SecondLine()) FrameExtra(*frame.SecondLine());
        if (extra->packet)
        {
            extra->packet = extra->packet->Copy();
        }
    }
    return copy;
}

void
FabricFramePool::CarryTelemetry()
{
    NS_ABORT_MSG_IF(!m_carriesTelemetry && !m_slabs.empty(),
                    "FabricFramePool: there are frames without room for telemetry");
    m_carriesTelemetry = true;
}

std::size_t
FabricFramePool::GetLive() const
{
    int64_t live = 0;
    for (const std::unique_ptr<Share>& share : m_shares)
    {
        live += share ? share->live : 0;
    }
    return live;
}

void
FabricFramePool::DeleteIfUnused()
{
    if (GetLive() == 0)
    {
        delete this;
    }
}

FabricFramePool::Share&
FabricFramePool::MakeShare()
{
    return *(m_shares[WorkerNumber::Get()] = std::make_unique<Share>());
}

void
FabricFramePool::Fill(Share& share)
{
    share.count = FabricFrame::SLAB_FRAMES;
    share.free = std::exchange(share.bundle, nullptr);
    if (share.free)
    {
        return;
    }
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_bundles.empty())
    {
        share.free = Grow();
        return;
    }
    share.free = m_bundles.back();
    m_bundles.pop_back();
}

void
FabricFramePool::Bundle(Share& share)
{
    if (share.bundle)
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_bundles.push_back(share.bundle);
    }
    share.bundle = std::exchange(share.free, nullptr);
    share.count = 0;
}

[[gnu::noinline]] void*
FabricFramePool::Grow()
{
    // Not value-initialized: a second line stays untouched until a frame uses it.
    m_slabs.emplace_back(new Line[(m_carriesTelemetry ? 3 : 2) * FabricFrame::SLAB_FRAMES]);
    Line* frames = m_slabs.back().get();
    void* next = nullptr;
    for (std::size_t i = FabricFrame::SLAB_FRAMES; i-- > 0;)
    {
        *reinterpret_cast<void**>(frames[i].bytes) = next;
        next = frames[i].bytes;
    }
    return next;
}

void
FabricFramePool::Recycle(void* memory)
{
    Share& share = OwnShare();
    if (share.count == FabricFrame::SLAB_FRAMES)
    {
        Bundle(share);
    }
    *static_cast<void**>(memory) = share.free;
    share.free = memory;
    ++share.count;
    --share.live;
    if (m_isOrphan)
    {
        DeleteIfUnused();
    }
}

} // namespace aifabric
} // namespace ns3
