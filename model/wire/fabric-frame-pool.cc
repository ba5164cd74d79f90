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
    copy->tos = frame.tos;
    copy->ttl = frame.ttl;
    copy->kind = frame.kind;
    copy->flags = frame.flags;
    copy->sourcePort = frame.sourcePort;
    copy->destinationQp = frame.destinationQp;
    copy->opcode = frame.opcode;
    copy->psn = frame.psn;
    copy->syndrome = frame.syndrome;
    copy->source = frame.source;
    copy->msn = frame.msn;
    copy->sentAt = frame.sentAt;
    if (frame.m_extra)
    {
        copy->Extra() = *frame.m_extra;
        if (frame.m_extra->packet)
        {
            copy->Extra().packet = frame.m_extra->packet->Copy();
        }
    }
    return copy;
}

void
FabricFramePool::Grow()
{
    m_slabs.push_back(std::make_unique<Slot[]>(SLAB_FRAMES));
    Slot* slots = m_slabs.back().get();
    for (std::size_t i = SLAB_FRAMES; i-- > 0;)
    {
        *reinterpret_cast<void**>(slots[i].bytes) = m_free;
        m_free = slots[i].bytes;
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
