/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-job.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

AggregationJob::AggregationJob(AggregationPlan plan)
    : m_plan(std::move(plan)),
      m_sumsFit(m_plan.gradients.FitsSums(m_plan.workers.size())),
      m_known(2 * std::max(1U, GetReach())) // the first worker may be ahead of the last one by one
{
    NS_ABORT_MSG_IF(m_plan.workers.empty() || m_plan.workers.size() > 32,
                    "AggregationJob: a job has 1 to 32 workers, not " << m_plan.workers.size());
    for (const uint32_t host : m_plan.workers)
    {
        const bool isNew = std::none_of(m_firsts.begin(), m_firsts.end(), [&](uint32_t first) {
            return GetRack(first) == GetRack(host);
        });
        if (isNew)
        {
            m_firsts.push_back(host);
        }
    }
}

uint32_t
AggregationJob::GetAll() const
{
    return UINT32_MAX >> (32 - m_plan.workers.size());
}

uint32_t
AggregationJob::GetRackBitmap(uint32_t rack) const
{
    uint32_t bitmap = 0;
    for (std::size_t w = 0; w < m_plan.workers.size(); ++w)
    {
        bitmap |= GetRack(m_plan.workers[w]) == rack ? 1U << w : 0;
    }
    return bitmap;
}

uint32_t
AggregationJob::FindWorker(uint32_t host) const
{
    return std::find(m_plan.workers.begin(), m_plan.workers.end(), host) - m_plan.workers.begin();
}

std::vector<int32_t>
AggregationJob::TakeValues(uint32_t worker, uint32_t sequence)
{
    std::vector<int32_t> values =
        m_plan.gradients.GetFixed(worker, uint64_t{sequence} * m_plan.values, m_plan.values);
    Known& known = FindKnown(sequence);
    if (m_sumsFit && !known.isFinal && !(known.bitmap >> worker & 1))
    {
        if (known.bitmap == 0)
        {
            known.sums.fixed = values;
        }
        else
        {
            FixedPoint::AddFitting(known.sums.fixed, values);
        }
        known.bitmap |= 1U << worker;
    }
    return values;
}

std::vector<int32_t>
AggregationJob::GetFloats(uint32_t worker, uint32_t sequence) const
{
    return m_plan.gradients.GetFloats(worker, uint64_t{sequence} * m_plan.values, m_plan.values);
}

void
AggregationJob::Check(uint32_t sequence, const std::vector<int32_t>& values)
{
    Known& known = FindKnown(sequence);
    if (!known.isFinal && known.bitmap != GetAll())
    {
        const uint64_t first = uint64_t{sequence} * m_plan.values;
        known.sums = m_plan.gradients.GetSums(m_plan.workers.size(), first, m_plan.values);
    }
    known.isFinal = true;
    ++m_checked;
    const bool isRight =
        !values.empty() && (values == known.sums.fixed || values == known.sums.bits);
    m_wrong += isRight ? 0 : 1;
}

AggregationJob::Known&
AggregationJob::FindKnown(uint32_t sequence)
{
    Known& known = m_known[sequence % m_known.size()];
    if (known.sequence != sequence)
    {
        known.sums.bits.clear();
        known.sequence = sequence;
        known.bitmap = 0;
        known.isFinal = false;
    }
    return known;
}

} // namespace aifabric
} // namespace ns3
