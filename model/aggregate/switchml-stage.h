/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCHML_STAGE_H
#define SWITCHML_STAGE_H

#include "aggregation-stage.h"
#include "switchml-memory.h"

#include <memory>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The ingress stage of a switch with hosts that adds up gradients as SwitchML. The switch of a
 * job's first worker is the root: its sums are those of all workers. A switch of other workers
 * sends its sum to the root, in the name of the first worker below it, and gets the final sum back.
 * Each switch sends the final sum to each worker below it. The pool of a job is as large as its
 * window.
 */
class SwitchMlStage : public AggregationStage
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SwitchMlStage();
    ~SwitchMlStage() override;

    /// Make the slots, by the attributes; before the simulation begins.
    void MakeMemory();

    /// @return the slots
    const SwitchMlMemory& GetMemory() const;

    bool AddJob(Ptr<const AggregationJob> job) override;
    void EndJob(uint16_t number, int64_t ps) override;
    uint32_t GetFree() const override;
    uint32_t GetSlots() const override;
    void Install(FabricSwitch& fabricSwitch) override;
    void Count(PolicyCounters& counters) const override;

  protected:
    bool Process(const Ptr<FabricFrame>& frame, const AggregationJob& job, int64_t now) override;

  private:
    /// @return whether a packet to be added up continues
    /// @param frame the packet; then, what continues  @param now the current time, in picoseconds
    bool AddUp(FabricFrame& frame, const AggregationJob& job, int64_t now);

    /// Add the time since the last packet to the use of slots, of which each has two sets.
    /// @param now the current time, in picoseconds
    void NoteUse(int64_t now);

    /// Send a final sum.  @param workers bitmap of the workers to which it goes
    /// @param now the current time, in picoseconds
    void Spread(const FabricFrame& frame,
                const AggregationJob& job,
                const Fragment& sum,
                uint32_t workers,
                int64_t now);

    std::unique_ptr<SwitchMlMemory> m_memory; //!< the slots
    uint32_t m_slots{0};                      //!< how many there are
};

} // namespace aifabric
} // namespace ns3

#endif /* SWITCHML_STAGE_H */
