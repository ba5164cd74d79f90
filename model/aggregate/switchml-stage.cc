/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switchml-stage.h"

#include "switchml-framing.h"

#include "ns3/abort.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-switch.h"
#include "ns3/switchml-codec.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SwitchMlStage);

TypeId
SwitchMlStage::GetTypeId()
{
    // without a constructor: jobs have it, and --stage does not offer it
    static TypeId tid = TypeId("ns3::aifabric::SwitchMlStage")
                            .SetParent<AggregationStage>()
                            .SetGroupName("AiFabric")
                            .AddAttribute("Slots",
                                          "Slots of the switch, with two sets each.",
                                          UintegerValue(10000),
                                          MakeUintegerAccessor(&SwitchMlStage::m_slots),
                                          MakeUintegerChecker<uint32_t>(1, 32768));
    return tid;
}

SwitchMlStage::SwitchMlStage()
    : AggregationStage(FrameKind::SWITCHML)
{
}

SwitchMlStage::~SwitchMlStage() = default;

void
SwitchMlStage::MakeMemory()
{
    m_memory = std::make_unique<SwitchMlMemory>(m_slots);
}

const SwitchMlMemory&
SwitchMlStage::GetMemory() const
{
    return *m_memory;
}

bool
SwitchMlStage::AddJob(Ptr<const AggregationJob> job)
{
    return AggregationStage::AddJob(job) &&
           m_memory->AddJob(job->GetPlan().number, job->GetPlan().window);
}

void
SwitchMlStage::EndJob(uint16_t number, int64_t ps)
{
    NoteUse(ps);
    m_memory->EndJob(number);
    AggregationStage::EndJob(number, ps);
}

uint32_t
SwitchMlStage::GetFree() const
{
    return m_memory->GetFree();
}

uint32_t
SwitchMlStage::GetSlots() const
{
    return m_memory->GetSlots();
}

void
SwitchMlStage::Install(FabricSwitch& fabricSwitch)
{
    NS_ABORT_MSG_IF(!m_memory, "SwitchMlStage: it has no slots");
    AggregationStage::Install(fabricSwitch);
}

bool
SwitchMlStage::Process(const Ptr<FabricFrame>& frame, const AggregationJob& job, int64_t now)
{
    NoteUse(now);
    if (frame->opcode == SwitchMlCodec::CONSUME)
    {
        return AddUp(*frame, job, now);
    }
    const Fragment sum = SwitchMlFraming::Read(*frame);
    if (m_memory->StoreFinal(sum, SwitchMlFraming::GetSet(*frame)))
    {
        Spread(*frame, job, sum, GetLocal(job), now);
    }
    return false;
}

bool
SwitchMlStage::AddUp(FabricFrame& frame, const AggregationJob& job, int64_t now)
{
    using Verdict = SwitchMlMemory::Verdict;
    const std::vector<uint32_t>& workers = job.GetPlan().workers;
    const bool isRoot = IsBelow(workers.front());
    const bool isFromHost = IsBelow(frame.source);
    const uint32_t senders = isFromHost ? 1U << job.FindWorker(frame.source)
                                        : job.GetRackBitmap(job.GetRack(frame.source));
    if (isFromHost)
    {
        CountPacket(job.GetPlan().number, true);
    }
    Fragment fragment = SwitchMlFraming::Read(frame);
    fragment.bitmap = senders;
    fragment.expected = isRoot ? job.GetAll() : GetLocal(job);
    const Verdict verdict = m_memory->Receive(fragment, SwitchMlFraming::GetSet(frame), isRoot);
    if (verdict == Verdict::REPEATS)
    {
        Spread(frame, job, fragment, senders, now);
    }
    else if (verdict == Verdict::COMPLETES && isRoot)
    {
        Spread(frame, job, fragment, job.GetAll(), now);
    }
    else if (verdict == Verdict::COMPLETES)
    {
        const uint32_t first = __builtin_ctz(GetLocal(job));
        frame.source = workers[first];
        frame.destination = workers.front();
        SwitchMlFraming::Write(frame, job, std::move(fragment), SwitchMlCodec::CONSUME);
        return true;
    }
    return false;
}

void
SwitchMlStage::Spread(const FabricFrame& frame,
                      const AggregationJob& job,
                      const Fragment& sum,
                      uint32_t workers,
                      int64_t now)
{
    const std::vector<uint32_t>& hosts = job.GetPlan().workers;
    std::vector<uint32_t> receivers;
    for (std::size_t w = 0; w < hosts.size(); ++w)
    {
        if (workers >> w & 1 && IsBelow(hosts[w]))
        {
            receivers.push_back(hosts[w]);
        }
    }
    for (const uint32_t host : job.GetFirstOfRacks())
    {
        if (!IsBelow(host) && workers & job.GetRackBitmap(job.GetRack(host)))
        {
            receivers.push_back(host);
        }
    }
    const Ptr<FabricFrame> first = FabricFramePool::CloneInPool(frame);
    first->ttl = FabricFrame::FIRST_TTL;
    first->SetTos((frame.GetTos() & ~ECN_CE) | ECN_ECT0);
    SwitchMlFraming::Write(*first, job, sum, SwitchMlCodec::HARVEST);
    for (const uint32_t host : receivers)
    {
        // A switch has no address: another worker is the sender.
        SendCopy(*first, host != hosts.front() ? hosts.front() : hosts.back(), host, now);
    }
}

void
SwitchMlStage::NoteUse(int64_t now)
{
    constexpr uint32_t SETS = 2;
    AddUse(now, SETS * (m_memory->GetSlots() - m_memory->GetFree()), m_memory->GetFilling());
}

void
SwitchMlStage::Count(PolicyCounters& counters) const
{
    using Verdict = SwitchMlMemory::Verdict;
    AggregationStage::Count(counters);
    counters["aggregation_completed"] += m_memory->GetCount(Verdict::COMPLETES);
    counters["aggregation_repeated"] += m_memory->GetCount(Verdict::REPEATS);
}

} // namespace aifabric
} // namespace ns3
