/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ATP_WORKER_H
#define ATP_WORKER_H

#include "gradient-worker.h"
#include "slot-ring.h"

#include <memory>
#include <set>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A worker of ATP or ESA. Its window grows by 1500 bytes with each acknowledgement, and a marked
 * one halves it (AIMD, as in ATP's public code, which has it switched off).
 *
 * A fragment is sent again when the sum of one has come that was sent ReorderThreshold packets
 * later.
 * The timer of the first sum of an iteration is FirstTimeout, because other workers may still
 * compute (both as in ATP). A request of the parameter server that shows that they do not ends it.
 *
 * After a collision the acknowledgement names another slot for later fragments. A fragment of
 * which the parameter server says that the sum is saturated is sent again as floats.
 */
class AtpWorker : public GradientWorker
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Join(Ptr<AggregationJob> job) override;
    Reception Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox) override;

  protected:
    void Write(FabricFrame& frame,
               uint32_t sequence,
               uint8_t priority,
               bool isResent,
               int64_t start) override;

  private:
    /// A sum was acknowledged: adjust the window.  @param isMarked whether a packet was marked
    void Adjust(bool isMarked);

    std::unique_ptr<SlotRing> m_ring; //!< slots of the window
    std::set<uint32_t> m_floats;      //!< fragments that are sent as floats
    bool m_reacts{true};              //!< to marks
    uint32_t m_reorderThreshold{3};   //!< packets later that overtake a fragment
    double m_reorderRtts{0};          //!< round trips to wait for a sum that is overtaken
    Time m_firstTimeout;              //!< until the first sum of an iteration has come
    double m_exactWindow{0};          //!< in packets
    double m_growth{0};               //!< of the window by an unmarked acknowledgement, in packets
};

} // namespace aifabric
} // namespace ns3

#endif /* ATP_WORKER_H */
