/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-job.h"

#include "ns3/abort.h"
#include "ns3/power-of-two.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

AggregationJob::AggregationJob(AggregationPlan plan)
    : m_plan(std::move(plan)),
      m_pool(Create<GradientPool>()),
      m_sumsFit(m_plan.gradients.FitsSums(m_plan.workers.size())),
      m_known(PowerOfTwo(
          2 * std::max(1U, GetReach()))) // the first worker may be ahead of the last one by one
{
    NS_ABORT_MSG_IF(m_plan.workers.empty() || m_plan.workers.size() > 32,
                    "AggregationJob: a job has 1 to 32 workers, not " << m_plan.workers.size());
    m_all = UINT32_MAX >> (32 - m_plan.workers.size());
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

GradientVector
AggregationJob::TakeValues(uint32_t worker, uint32_t sequence)
{
    if (!m_sumsFit || At(sequence).sequence > sequence)
    {
        return ComputeValues(worker, sequence); // the sum is not expected, or not any longer
    }
    Known& known = FindKnown(sequence);
    if (known.isFinal || known.bitmap >> worker & 1)
    {
        return ComputeValues(worker, sequence);
    }
    if (known.bitmap == 0)
    {
        known.sum = known.sum.IsEmpty() ? m_pool->Create(m_plan.values) : known.sum;
        std::fill_n(known.sum.Edit(), known.sum.GetRoom(), 0);
    }
    known.bitmap |= 1U << worker;
    GradientVector values = m_pool->Create(m_plan.values);
    m_plan.gradients.ComputeFixed(worker, GetFirst(sequence), values, known.sum);
    return values;
}

GradientVector
AggregationJob::ComputeValues(uint32_t worker, uint32_t sequence)
{
    GradientVector values = m_pool->Create(m_plan.values);
    m_plan.gradients.ComputeFixed(worker, GetFirst(sequence), values);
    return values;
}

GradientVector
AggregationJob::GetFloats(uint32_t worker, uint32_t sequence) const
{
    return m_plan.gradients.GetFloats(worker, GetFirst(sequence), m_plan.values);
}

void
AggregationJob::Check(uint32_t sequence, const GradientVector& values)
{
    Known& known = FindKnown(sequence);
    if (!known.isFinal && known.bitmap != GetAll())
    {
        const GradientSource::Sums sums =
            m_plan.gradients.GetSums(m_plan.workers.size(), GetFirst(sequence), m_plan.values);
        known.sum = sums.fixed;
        known.bits = sums.bits;
    }
    known.isFinal = true;
    ++m_checked;
    const bool isRight = !values.IsEmpty() && (values == known.sum || values == known.bits);
    m_wrong += isRight ? 0 : 1;
}

AggregationJob::Known&
AggregationJob::FindKnown(uint32_t sequence)
{
    Known& known = At(sequence);
    if (known.sequence != sequence)
    {
        known.bits = GradientVector();
        known.sequence = sequence;
        known.bitmap = 0;
        known.isFinal = false;
    }
    return known;
}

} // namespace aifabric
} // namespace ns3
