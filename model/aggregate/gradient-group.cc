/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-group.h"

#include "ns3/abort.h"
#include "ns3/aggregation-codec.h"
#include "ns3/fabric-clock.h"
#include "ns3/node.h"
#include "ns3/roce-net-device.h"
#include "ns3/simulator.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

/// An all-reduce of a group.
class GradientGroup::Sum : public CollectiveWork
{
  public:
    /// @param group the group, which lasts as long  @param fragments of each rank
    Sum(GradientGroup& group, const CollectiveSpec& spec, uint32_t fragments, RankDone done)
        : m_group(group),
          m_fragments(fragments),
          m_done(std::move(done)),
          m_ranks(spec.hosts.size())
    {
        m_record.spec = spec;
        m_record.extent.mostBytes = spec.bytes;
    }

    void Start(uint32_t rank) override
    {
        m_ranks[rank].startPs = FabricClock::Now();
        m_group.Serve(rank);
    }

    CollectiveRecord GetRecord() const override
    {
        CollectiveRecord record = m_record;
        bool isDone = true;
        for (const Times& times : m_ranks)
        {
            const bool isFirst = record.startPs < 0 || times.startPs < record.startPs;
            record.startPs = times.startPs >= 0 && isFirst ? times.startPs : record.startPs;
            record.endPs = std::max(record.endPs, times.endPs);
            isDone = isDone && times.endPs >= 0;
        }
        record.endPs = isDone ? record.endPs : -1;
        return record;
    }

    /// @return whether a rank has begun
    bool HasStarted(uint32_t rank) const
    {
        return m_ranks[rank].startPs >= 0;
    }

    /// @return fragments of each rank
    uint32_t GetFragments() const
    {
        return m_fragments;
    }

    /// A rank has all sums.
    void End(uint32_t rank)
    {
        m_ranks[rank].endPs = FabricClock::Now();
        m_done(rank);
    }

  private:
    /// When a rank did its part.
    struct Times
    {
        int64_t startPs{-1}; //!< it began; negative: it has not
        int64_t endPs{-1};   //!< it had all sums; negative: it has not
    };

    GradientGroup& m_group;     //!< the group
    uint32_t m_fragments;       //!< of each rank
    RankDone m_done;            //!< called when a rank has all sums
    std::vector<Times> m_ranks; //!< by rank
    CollectiveRecord m_record;  //!< what it is
};

NS_OBJECT_ENSURE_REGISTERED(GradientGroup);

TypeId
GradientGroup::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::GradientGroup")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<GradientGroup>();
    return tid;
}

void
GradientGroup::Install(Ptr<AggregationJob> job,
                       const std::vector<Ptr<GradientWorker>>& workers,
                       uint32_t layers)
{
    WindowSimulator::RequireOneThread("GradientGroup"); // the check of sums is of all workers
    NS_ABORT_MSG_IF(layers == 0, "GradientGroup: an iteration without an all-reduce");
    m_job = job;
    m_workers = workers;
    m_layers = layers;
    m_turns.resize(workers.size());
    for (const Ptr<GradientWorker>& worker : m_workers)
    {
        worker->SetCompleted(MakeCallback(&GradientGroup::Finish, this));
    }
}

uint64_t
GradientGroup::CountFragments(uint64_t bytes, uint32_t values)
{
    const uint64_t room = uint64_t{values} * AggregationCodec::WORD;
    return (bytes + room - 1) / room;
}

std::shared_ptr<CollectiveWork>
GradientGroup::Add(const CollectiveSpec& spec, CollectiveWork::RankDone done)
{
    NS_ABORT_MSG_IF(spec.kind != CollectiveKind::ALL_REDUCE ||
                        spec.hosts != m_job->GetPlan().workers,
                    "GradientGroup: " << spec.name << " is no all-reduce of its workers");
    const uint64_t fragments = CountFragments(spec.bytes, m_job->GetPlan().values);
    m_sums.push_back(
        std::make_shared<Sum>(*this, spec, static_cast<uint32_t>(fragments), std::move(done)));
    return m_sums.back();
}

void
GradientGroup::Serve(uint32_t rank)
{
    constexpr uint32_t MOST = 255; // of a priority
    Turn& turn = m_turns[rank];
    if (m_workers.empty() || turn.isBusy || turn.next == m_sums.size() ||
        !m_sums[turn.next]->HasStarted(rank))
    {
        return;
    }
    turn.isBusy = true;
    const auto layer = static_cast<uint32_t>(m_layers - turn.next % m_layers);
    m_workers[rank]->Post(m_sums[turn.next]->GetFragments(), static_cast<uint8_t>(MOST / layer));
}

void
GradientGroup::Finish(uint32_t rank)
{
    Turn& turn = m_turns[rank];
    turn.isBusy = false;
    m_sums[turn.next++]->End(rank);
    Simulator::ScheduleNow(&GradientGroup::Serve, this, rank);
}

void
GradientGroup::DoDispose()
{
    m_workers.clear();
    m_sums.clear();
    m_job = nullptr;
    Object::DoDispose();
}

} // namespace aifabric
} // namespace ns3
