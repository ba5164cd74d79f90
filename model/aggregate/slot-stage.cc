/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slot-stage.h"

#include "atp-framing.h"
#include "atp-memory.h"
#include "esa-memory.h"
#include "fixed-point.h"

#include "ns3/abort.h"
#include "ns3/atp-codec.h"
#include "ns3/boolean.h"
#include "ns3/enum-accessor.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-switch.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t MOST_SLOTS = 45535; // so that the slot of the second half has 16 bits

} // namespace

NS_OBJECT_ENSURE_REGISTERED(SlotStage);

TypeId
SlotStage::GetTypeId()
{
    static TypeId tid = // without a constructor: jobs have it, and --stage does not offer it
        TypeId("ns3::aifabric::SlotStage")
            .SetParent<AggregationStage>()
            .SetGroupName("AiFabric")
            .AddAttribute("Slots",
                          "Slots of the switch, for the values of one packet each.",
                          UintegerValue(20000),
                          MakeUintegerAccessor(&SlotStage::m_slots),
                          MakeUintegerChecker<uint32_t>(1, MOST_SLOTS))
            .AddAttribute("PortSlots",
                          "The most slots that packets of one port have claimed at a time, "
                          "counted by the port at which they came in (0: no limit).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SlotStage::m_portSlots),
                          MakeUintegerChecker<uint32_t>(0, MOST_SLOTS))
            .AddAttribute("FreePolicy",
                          "When a slot is free: when its sum is complete (usual "
                          "for ESA), or acknowledged (usual for ATP).",
                          EnumValue(USUAL),
                          MakeEnumMemberAccessor<FreePolicy>(&SlotStage::m_freePolicy),
                          MakeEnumChecker(USUAL,
                                          "usual",
                                          AT_COMPLETION,
                                          "completion",
                                          AT_ACKNOWLEDGEMENT,
                                          "acknowledgement"))
            .AddAttribute("MergePartials",
                          "Whether the switch adds packets that have collided in another switch "
                          "and partial sums of other switches, by the bitmaps of their workers; "
                          "otherwise they pass.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SlotStage::m_mergesPartials),
                          MakeBooleanChecker())
            .AddAttribute("Ageing",
                          "ESA: whether each collision halves the priority of the "
                          "slot.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SlotStage::m_ages),
                          MakeBooleanChecker())
            .AddAttribute("Refresh",
                          "ESA: whether a packet that is added raises the priority "
                          "of the slot to its own.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SlotStage::m_refreshes),
                          MakeBooleanChecker());
    return tid;
}

SlotStage::SlotStage()
    : AggregationStage(FrameKind::ATP)
{
}

SlotStage::~SlotStage() = default;

void
SlotStage::MakeMemory(bool preempts)
{
    const bool freesAtCompletion = m_freePolicy == USUAL ? preempts : m_freePolicy == AT_COMPLETION;
    if (preempts)
    {
        const EsaMemory::Options options{freesAtCompletion, m_ages, m_refreshes};
        m_memory = std::make_unique<EsaMemory>(m_slots, options);
    }
    else
    {
        m_memory = std::make_unique<AtpMemory>(m_slots, freesAtCompletion);
    }
    m_memory->SetPortSlots(m_portSlots);
}

const SlotMemory&
SlotStage::GetMemory() const
{
    return *m_memory;
}

void
SlotStage::EndJob(uint16_t number, int64_t ps)
{
    NoteUse(ps);
    m_memory->EndJob(number);
    AggregationStage::EndJob(number, ps);
}

uint32_t
SlotStage::GetFree() const
{
    return m_memory->GetFree();
}

uint32_t
SlotStage::GetSlots() const
{
    return m_memory->GetSlots();
}

void
SlotStage::Install(FabricSwitch& fabricSwitch)
{
    NS_ABORT_MSG_IF(!m_memory, "SlotStage: it has no memory");
    AggregationStage::Install(fabricSwitch);
}

bool
SlotStage::Process(const Ptr<FabricFrame>& frame, const AggregationJob& job, int64_t now)
{
    const GradientFields& fields = frame->GetExtra().gradients;
    NoteUse(now);
    if (fields.flags & AtpCodec::IS_ACKNOWLEDGED)
    {
        return Acknowledge(*frame, job, now);
    }
    if (fields.moreFlags & AtpCodec::IS_REMINDER)
    {
        return Remind(*frame, job, now);
    }
    if (fields.moreFlags & AtpCodec::IS_REQUEST || fields.flags & AtpCodec::IS_OVERFLOW ||
        IsPastSlots(fields))
    {
        return true;
    }
    return AddUp(*frame, job, now);
}

bool
SlotStage::IsPastSlots(const GradientFields& fields) const
{
    return !m_mergesPartials &&
           (fields.flags & AtpCodec::HAS_COLLIDED || fields.moreFlags & AtpCodec::IS_PARTIAL);
}

bool
SlotStage::AddUp(FabricFrame& frame, const AggregationJob& job, int64_t now)
{
    using Verdict = SlotMemory::Verdict;
    const AggregationPlan& plan = job.GetPlan();
    Fragment fragment = AtpFraming::Read(frame);
    fragment.expected =
        IsBelow(plan.server) ? job.GetAll() : job.GetRackBitmap(job.GetRack(frame.source));
    fragment.port = frame.ingress;
    const bool isOfOne = (fragment.bitmap & (fragment.bitmap - 1)) == 0 && !fragment.IsComplete();
    const Verdict verdict = m_memory->Receive(fragment);
    if (isOfOne)
    {
        CountPacket(plan.number,
                    verdict == Verdict::HELD || verdict == Verdict::DUPLICATE ||
                        verdict == Verdict::COMPLETES || verdict == Verdict::PREEMPTS);
    }
    switch (verdict)
    {
    case Verdict::HELD:
    case Verdict::DUPLICATE:
        return false;
    case Verdict::PASSES:
        SendIfComplete(frame, job, fragment, now); // a switch on its way has completed it
        return true;
    case Verdict::PORT_FULL:
        return true;
    case Verdict::COLLIDES:
        frame.Extra().gradients.flags |= AtpCodec::HAS_COLLIDED;
        return true;
    case Verdict::COMPLETES:
        SendIfComplete(frame, job, fragment, now);
        [[fallthrough]];
    case Verdict::FLUSHES:
        AtpFraming::Write(frame, job, std::move(fragment), 0);
        return true;
    default: {
        const AggregationJob* other = FindJob(fragment.GetJob());
        NS_ABORT_MSG_IF(!other, "SlotStage: a slot belongs to a job that has ended");
        frame.destination = other->GetPlan().server;
        AtpFraming::Write(frame,
                          *other,
                          std::move(fragment),
                          0,
                          AtpCodec::IS_PREEMPTED | AtpCodec::IS_PARTIAL);
        return true;
    }
    }
}

void
SlotStage::SendIfComplete(const FabricFrame& frame,
                          const AggregationJob& job,
                          const Fragment& sum,
                          int64_t now)
{
    const bool isSent = job.GetPlan().resultFromSwitch && IsBelow(job.GetPlan().server) &&
                        sum.bitmap == job.GetAll() && !sum.isResent &&
                        !FixedPoint::HasSaturated(sum.values);
    if (!isSent)
    {
        return;
    }
    const Ptr<FabricFrame> result = FabricFramePool::CloneInPool(frame);
    result->source = job.GetPlan().server; // a switch has no address
    result->destination = job.GetPlan().workers.front();
    result->ttl = FabricFrame::FIRST_TTL;
    result->SetTos((frame.GetTos() & ~ECN_CE) | ECN_ECT0);
    Fragment complete = sum;
    complete.hasCollided = false; // it names no other slot
    AtpFraming::Write(*result, job, std::move(complete), AtpCodec::IS_ACKNOWLEDGED);
    Acknowledge(*result, job, now);
}

void
SlotStage::NoteUse(int64_t now)
{
    AddUse(now, m_memory->GetSlots() - m_memory->GetFree(), m_memory->GetFilling());
}

bool
SlotStage::Acknowledge(const FabricFrame& frame, const AggregationJob& job, int64_t now)
{
    const GradientFields& fields = frame.GetExtra().gradients;
    m_memory->Acknowledge(Fragment::MakeKey(fields.job, AtpFraming::GetSequence(frame)),
                          fields.slot);
    if (fields.flags & AtpCodec::IS_RESENT)
    {
        return true;
    }
    for (const uint32_t host : job.GetPlan().workers)
    {
        if (IsBelow(host))
        {
            SendCopy(frame, frame.source, host, now);
        }
    }
    if (IsBelow(frame.source))
    {
        for (const uint32_t host : job.GetFirstOfRacks())
        {
            if (!IsBelow(host))
            {
                SendCopy(frame, frame.source, host, now);
            }
        }
    }
    return false;
}

bool
SlotStage::Remind(const FabricFrame& frame, const AggregationJob& job, int64_t now)
{
    const uint64_t key = Fragment::MakeKey(job.GetPlan().number, AtpFraming::GetSequence(frame));
    Fragment sum;
    if (m_memory->Flush(key, frame.GetExtra().gradients.slot, sum))
    {
        const Ptr<FabricFrame> partial = FabricFramePool::CloneInPool(frame);
        partial->source = frame.destination;
        partial->destination = frame.source;
        partial->ttl = FabricFrame::FIRST_TTL;
        AtpFraming::Write(*partial, job, std::move(sum), 0, AtpCodec::IS_PARTIAL);
        GetSwitch().Originate(partial, now);
    }
    return !IsBelow(frame.destination);
}

void
SlotStage::Count(PolicyCounters& counters) const
{
    using Verdict = SlotMemory::Verdict;
    AggregationStage::Count(counters);
    counters["aggregation_completed"] += m_memory->GetCount(Verdict::COMPLETES);
    counters["aggregation_collisions"] += m_memory->GetCount(Verdict::COLLIDES);
    counters["aggregation_preemptions"] += m_memory->GetCount(Verdict::PREEMPTS);
    counters["aggregation_flushed"] += m_memory->GetFlushed();
    if (m_portSlots > 0)
    {
        counters["aggregation_port_full"] += m_memory->GetCount(Verdict::PORT_FULL);
    }
}

} // namespace aifabric
} // namespace ns3
