/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOT_STAGE_H
#define SLOT_STAGE_H

#include "aggregation-stage.h"
#include "slot-memory.h"

#include <memory>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The ingress stage of a switch with hosts that adds up gradients as ATP or ESA: a SlotMemory and
 * what it does with frames.
 *
 * - Packets of workers are added. The switch of the parameter server waits for all workers, any
 *   other one for those below it; its sum continues to the server, and is added on the way there.
 *   A packet that has collided in another switch and a partial sum of another switch pass, so that
 *   the server gets to know of the fragment and can ask for the rest.
 * - The acknowledgement of the server frees the slot. The switch sends a copy to each worker below
 *   it; the switch of the server also sends one to the first worker of each other rack, whose
 * switch sends the copies there. An acknowledgement that answers a packet that was resent goes to
 * one worker.
 * - If the plan says so, the switch of the server sends a complete sum to all workers at once, and
 * a copy to the server. A sum that is saturated goes to the server only.
 * - A reminder takes the partial sum out of each switch on its way, and ends at the last one.
 * - Requests, floats, and frames of other jobs and kinds pass.
 */
class SlotStage : public AggregationStage
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// When a slot is free.
    enum FreePolicy : uint8_t
    {
        USUAL,              //!< of the system
        AT_COMPLETION,      //!< when its sum is complete: usual for ESA
        AT_ACKNOWLEDGEMENT, //!< when its sum is acknowledged: usual for ATP
    };

    SlotStage();
    ~SlotStage() override;

    /// Make the slots, by the attributes; before the simulation begins.
    /// @param preempts whether by priority (ESA), or not (ATP)
    void MakeMemory(bool preempts);

    /// @return the slots
    const SlotMemory& GetMemory() const;

    void EndJob(uint16_t number, int64_t ps) override;
    uint32_t GetFree() const override;
    uint32_t GetSlots() const override;
    void Install(FabricSwitch& fabricSwitch) override;
    void Count(PolicyCounters& counters) const override;

  protected:
    bool Process(const Ptr<FabricFrame>& frame, const AggregationJob& job, int64_t now) override;

  private:
    /// @return whether a packet of a worker, or of a switch below, continues
    /// @param frame the packet; then, what continues  @param now the current time, in picoseconds
    bool AddUp(FabricFrame& frame, const AggregationJob& job, int64_t now);

    /// @return whether a packet passes because another switch could not complete its sum
    bool IsPastSlots(const GradientFields& fields) const;

    /// Send a sum to all workers, as the acknowledgement of the server would, if it is complete and
    /// this is the switch that does so (AggregationPlan::resultFromSwitch).
    /// @param frame a packet of its fragment  @param now the current time, in picoseconds
    void SendIfComplete(const FabricFrame& frame,
                        const AggregationJob& job,
                        const Fragment& sum,
                        int64_t now);

    /// Add the time since the last packet to the use of slots.
    /// @param now the current time, in picoseconds
    void NoteUse(int64_t now);

    /// @return whether an acknowledgement continues  @param now the current time, in picoseconds
    bool Acknowledge(const FabricFrame& frame, const AggregationJob& job, int64_t now);

    /// @return whether a reminder continues  @param now the current time, in picoseconds
    bool Remind(const FabricFrame& frame, const AggregationJob& job, int64_t now);

    std::unique_ptr<SlotMemory> m_memory; //!< the slots
    uint32_t m_slots{0};                  //!< how many slots there are
    uint32_t m_portSlots{0};              //!< the most slots of a port; 0: no limit
    FreePolicy m_freePolicy{USUAL};       //!< when a slot is free
    bool m_mergesPartials{false};         //!< add what another switch could not
    bool m_ages{true};                    //!< collisions halve the priority of a slot (ESA)
    bool m_refreshes{false};              //!< a packet that is added raises it again (ESA)
};

} // namespace aifabric
} // namespace ns3

#endif /* SLOT_STAGE_H */
