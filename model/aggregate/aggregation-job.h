/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AGGREGATION_JOB_H
#define AGGREGATION_JOB_H

#include "gradient-source.h"

#include "ns3/gradient-pool.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What all members of a job know of it.
struct AggregationPlan
{
    uint16_t number{0};            //!< number of the job
    std::vector<uint32_t> workers; //!< host index of each worker, at most 32
    uint32_t server{0};            //!< host index of the parameter server (ATP, ESA)
    uint32_t rackHosts{1};         //!< hosts below a switch: host h is in rack h / rackHosts
    uint32_t window{200};          //!< fragments that a worker may have outstanding
    uint32_t reach{0};             //!< fragments, from the first one whose sum is missing, that a
                                   //!< worker may send; 0: as many as the window
    uint32_t slots{20000};         //!< slots of a switch (ATP, ESA)
    bool hasDistinctSlots{true};   //!< fragments of a window have different slots, if possible
    bool resultFromSwitch{false};  //!< the switch of the server sends complete sums (ATP, ESA)
    bool hasPriority{false};       //!< packets have a priority (ESA)
    uint32_t values{62};           //!< in a packet
    GradientSource gradients;      //!< of the workers
};

/**
 * @ingroup ai-fabric
 *
 * A job of in-network aggregation: its plan, and the check of its results. Workers, parameter
 * server and ingress stages share it.
 */
class AggregationJob : public SimpleRefCount<AggregationJob>
{
  public:
    /// @param plan what all members know
    explicit AggregationJob(AggregationPlan plan);

    /// @return what all members know
    const AggregationPlan& GetPlan() const
    {
        return m_plan;
    }

    /// @return fragments, from the first one whose sum is missing, that a worker may send
    uint32_t GetReach() const
    {
        return m_plan.reach > 0 ? m_plan.reach : m_plan.window;
    }

    /// @return bitmap of all workers
    uint32_t GetAll() const
    {
        return m_all;
    }

    /// @return bitmap of the workers in a rack  @param rack number of the rack
    uint32_t GetRackBitmap(uint32_t rack) const;

    /// @return the rack of a host  @param host its index
    uint32_t GetRack(uint32_t host) const
    {
        return host / m_plan.rackHosts;
    }

    /// @return the host of the first worker of each rack that has workers
    const std::vector<uint32_t>& GetFirstOfRacks() const
    {
        return m_firsts;
    }

    /// @return number of the worker on a host; the number of workers: none is there
    /// @param host its index
    uint32_t FindWorker(uint32_t host) const;

    /// @return the values that a worker sends of a fragment; they are also added to the sum that
    /// Check() expects  @param sequence number of the fragment
    GradientVector TakeValues(uint32_t worker, uint32_t sequence);

    /// @return the bits of the same values as floats  @param sequence number of the fragment
    GradientVector GetFloats(uint32_t worker, uint32_t sequence) const;

    /**
     * Compare a result with the sum of the same numbers. Each worker does this once a fragment. The
     * result has to be the sum in fixed point. If a sum of some workers' values saturates, it may
     * be the sum in floats instead; if the sum of all does, it has to be.
     *
     * @param sequence number of the fragment
     * @param values the result
     */
    void Check(uint32_t sequence, const GradientVector& values);

    /// @return results that were checked
    uint64_t GetChecked() const
    {
        return m_checked;
    }

    /// @return results that were wrong
    uint64_t GetWrong() const
    {
        return m_wrong;
    }

  private:
    /// The sum of a fragment, computed beside all packets.
    struct Known
    {
        GradientVector sum;   //!< of the workers of the bitmap; then, what they may get, or empty
        GradientVector bits;  //!< of floats that they may get instead, or empty
        uint32_t sequence{0}; //!< number of the fragment
        uint32_t bitmap{0};   //!< workers whose values are in it
        bool isFinal{false};  //!< whether it is what they may get
    };

    /// @return the values that a worker sends of a fragment  @param sequence number of the fragment
    GradientVector ComputeValues(uint32_t worker, uint32_t sequence);

    /// @return where the sum of a fragment is, or that of an earlier or later one
    /// @param sequence number of the fragment
    Known& At(uint32_t sequence)
    {
        return m_known[sequence & (m_known.size() - 1)];
    }

    /// @return the sum of a fragment as far as it is known  @param sequence number of the fragment
    Known& FindKnown(uint32_t sequence);

    /// @return the place of the first value of a fragment  @param sequence number of the fragment
    uint64_t GetFirst(uint32_t sequence) const
    {
        return uint64_t{sequence} * m_plan.values;
    }

    AggregationPlan m_plan;         //!< what all members know
    Ptr<GradientPool> m_pool;       //!< of the values of its packets
    uint32_t m_all{0};              //!< bitmap of all workers
    bool m_sumsFit;                 //!< no sum of some workers' values saturates
    std::vector<uint32_t> m_firsts; //!< host of the first worker of each rack
    std::vector<Known> m_known;     //!< sums, at the number of the fragment modulo their number,
                                    //!< a power of two;
                                    //!< one that a later fragment has replaced is computed again
    uint64_t m_checked{0};          //!< results
    uint64_t m_wrong{0};            //!< of these
};

} // namespace aifabric
} // namespace ns3

#endif /* AGGREGATION_JOB_H */
