/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-frame-pool.h"

#include <new>

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

const FrameExtra FabricFrame::NOTHING;

void
FabricFrame::DestroyExtra()
{
    SecondLine()->~FrameExtra();
}

Ptr<FabricFrame>
FabricFramePool::Create()
{
    if (!m_free)
    {
        Grow();
    }
    void* memory = m_free;
    m_free = *static_cast<void**>(memory);
    ++m_live;
    Ref();
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
FabricFramePool::Grow()
{
    // Not value-initialized: a second line stays untouched until a frame uses it.
    m_slabs.emplace_back(new Slab);
    Line* frames = m_slabs.back()->frames;
    for (std::size_t i = FabricFrame::SLAB_FRAMES; i-- > 0;)
    {
        *reinterpret_cast<void**>(frames[i].bytes) = m_free;
        m_free = frames[i].bytes;
    }
}

void
FabricFramePool::Recycle(void* memory)
{
    *static_cast<void**>(memory) = m_free;
    m_free = memory;
    --m_live;
    Unref();
}

} // namespace aifabric
} // namespace ns3
