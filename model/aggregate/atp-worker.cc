/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "atp-worker.h"

#include "atp-framing.h"

#include "ns3/atp-codec.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/roce-net-device.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(AtpWorker);

TypeId
AtpWorker::GetTypeId()
{
    static TypeId tid =
        AddTimeout(TypeId("ns3::aifabric::AtpWorker")
                       .SetParent<GradientWorker>()
                       .SetGroupName("AiFabric")
                       .AddConstructor<AtpWorker>()
                       .AddAttribute("ReactToMarks",
                                     "Whether marked acknowledgements halve the window.",
                                     BooleanValue(true),
                                     MakeBooleanAccessor(&AtpWorker::m_reacts),
                                     MakeBooleanChecker())
                       .AddAttribute("ReorderThreshold",
                                     "A fragment without its sum is sent again when that of a "
                                     "fragment has come that was sent so many packets later (0: "
                                     "never).",
                                     UintegerValue(3),
                                     MakeUintegerAccessor(&AtpWorker::m_reorderThreshold),
                                     MakeUintegerChecker<uint32_t>(0, 1000))
                       .AddAttribute("ReorderRtts",
                                     "How long a worker then waits for the sum, before it sends "
                                     "the fragment again, while a quarter of these sums come "
                                     "meanwhile (mean round trips).",
                                     DoubleValue(0),
                                     MakeDoubleAccessor(&AtpWorker::m_reorderRtts),
                                     MakeDoubleChecker<double>(0, 1000))
                       .AddAttribute("FirstTimeout",
                                     "The same as Timeout until the first sum of an iteration has "
                                     "come, if it is longer: other workers may still compute. A "
                                     "Timeout of 0 switches it off as well.",
                                     TimeValue(MilliSeconds(50)),
                                     MakeTimeAccessor(&AtpWorker::m_firstTimeout),
                                     MakeTimeChecker(Time(0), Seconds(100))),
                   MicroSeconds(200),
                   1);
    return tid;
}

void
AtpWorker::Join(Ptr<AggregationJob> job)
{
    GradientWorker::Join(job);
    const AggregationPlan& plan = GetPlan();
    m_ring =
        std::make_unique<SlotRing>(plan.number, plan.window, plan.slots, plan.hasDistinctSlots);
    constexpr double STEP = 1500; // bytes
    m_exactWindow = plan.window;
    m_growth = STEP / GetPacketBytes();
    WatchOrder(m_reorderThreshold, m_reorderRtts);
    SetFirstTimeout(m_firstTimeout);
}

void
AtpWorker::Write(FabricFrame& frame,
                 uint32_t sequence,
                 uint8_t priority,
                 bool isResent,
                 int64_t start)
{
    Fragment fragment;
    fragment.key = Fragment::MakeKey(GetPlan().number, sequence);
    fragment.bitmap = 1U << GetNumber();
    fragment.slot = m_ring->Get(sequence);
    fragment.priority = priority;
    fragment.isResent = isResent;
    const bool hasFloats = !m_floats.empty() && m_floats.count(sequence);
    fragment.values = hasFloats ? GetJob().GetFloats(GetNumber(), sequence)
                                : GetJob().TakeValues(GetNumber(), sequence);
    Address(frame, GetPlan().server, start);
    AtpFraming::Write(frame, GetJob(), std::move(fragment), hasFloats ? AtpCodec::IS_OVERFLOW : 0);
}

Endpoint::Reception
AtpWorker::Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox)
{
    const FrameExtra& extra = frame->GetExtra();
    const GradientFields& fields = extra.gradients;
    const uint32_t sequence = AtpFraming::GetSequence(*frame);
    if (fields.moreFlags & AtpCodec::IS_REQUEST)
    {
        if (fields.flags & AtpCodec::IS_OVERFLOW && IsOutstanding(sequence))
        {
            m_floats.insert(sequence);
        }
        NoteRequest(sequence, fields.bitmap, outbox.GetNow());
        Resend(sequence, outbox.GetNow());
        if (GetPlan().resultFromSwitch)
        {
            Repeat(sequence, outbox.GetNow());
        }
        return Reception::REPORT;
    }
    if (!(fields.flags & AtpCodec::IS_ACKNOWLEDGED) || extra.values.IsEmpty())
    {
        return Reception::UNKNOWN;
    }
    if (IsOutstanding(sequence))
    {
        GetNic().BeginChange(outbox.GetNow());
        if (!m_floats.empty())
        {
            m_floats.erase(sequence);
        }
        if (fields.flags & AtpCodec::HAS_COLLIDED)
        {
            m_ring->Move(sequence, fields.length);
        }
        Adjust(fields.flags & AtpCodec::HAS_MARK || frame->GetEcn() == ECN_CE);
        TakeSum(sequence, extra.values, outbox.GetNow());
    }
    return Reception::REPORT;
}

void
AtpWorker::Adjust(bool isMarked)
{
    if (m_reacts)
    {
        const double grown = isMarked ? m_exactWindow / 2 : m_exactWindow + m_growth;
        m_exactWindow = std::min<double>(std::max(grown, 1.0), GetPlan().window);
        SetWindow(static_cast<uint32_t>(m_exactWindow));
    }
}

} // namespace aifabric
} // namespace ns3
