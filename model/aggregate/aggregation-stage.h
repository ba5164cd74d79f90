/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AGGREGATION_STAGE_H
#define AGGREGATION_STAGE_H

#include "aggregation-job.h"

#include "ns3/ingress-stage.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The ingress stage of a switch with hosts that adds up the packets of jobs. A subclass adds the
 * memory and the rules of a system.
 *
 * With a PacketRate, the pipeline of the switch processes so many packets of jobs per second. The
 * others wait in one queue, in the order of arrival; while they wait, they take no room of the
 * switch's buffer. A packet that comes when PacketQueue packets wait is dropped.
 *
 * **Conservation**: packets of jobs that came = processed + waiting + dropped.
 */
class AggregationStage : public IngressStage
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @param kind of the frames of the system
    explicit AggregationStage(FrameKind kind);

    /// Add up the packets of a job.  @return whether there is memory for it
    virtual bool AddJob(Ptr<const AggregationJob> job);

    /// A job has ended: free its slots. Its packets pass from now on.  @param ps when, in
    /// picoseconds
    virtual void EndJob(uint16_t number, int64_t ps);

    /// @return packets of one worker that came, and had to wait for others  @param number of the
    /// job
    uint64_t GetReceived(uint16_t number) const;

    /// @return of these, those that were added up  @param number of the job
    uint64_t GetAdded(uint16_t number) const;

    /// @return packets of jobs that wait for the pipeline
    uint32_t GetWaiting() const
    {
        return m_waiting;
    }

    /// @return packets of jobs for which the queue of the pipeline had no room
    uint64_t GetOverflows() const
    {
        return m_overflows;
    }

    /// @return slots that are free
    virtual uint32_t GetFree() const = 0;

    /// @return all slots
    virtual uint32_t GetSlots() const = 0;

    void Install(FabricSwitch& fabricSwitch) override;
    bool Passes(const Ptr<FabricFrame>& frame, int64_t now) override;
    void Count(PolicyCounters& counters) const override;

  protected:
    void DoDispose() override;

    /// @return whether a packet of a job continues  @param frame the packet; then, what continues
    /// @param now the current time, in picoseconds
    virtual bool Process(const Ptr<FabricFrame>& frame, const AggregationJob& job, int64_t now) = 0;

    /// @return the switch
    FabricSwitch& GetSwitch() const
    {
        return *m_switch;
    }

    /// @return the job, or nullptr: it is not added up here
    const AggregationJob* FindJob(uint16_t number) const
    {
        return number < m_jobs.size() ? PeekPointer(m_jobs[number].job) : nullptr;
    }

    /// @return bitmap of the workers below this switch
    uint32_t GetLocal(const AggregationJob& job) const;

    /// @return whether a host is below this switch  @param host its index
    bool IsBelow(uint32_t host) const;

    /// Send a copy of a packet, with a header of its own.  @param source host index of its sender
    /// @param host its receiver  @param now the current time, in picoseconds
    void SendCopy(const FabricFrame& frame, uint32_t source, uint32_t host, int64_t now) const;

    /// Add up what slots were used for since the last call.  @param now the current time, in
    /// picoseconds  @param held slots that belong to a fragment (SwitchML: sets of a job)
    /// @param filling of these, those whose sum is not complete; both before what happens now
    void AddUse(int64_t now, uint32_t held, uint32_t filling)
    {
        const double time = now - m_usedUntil;
        m_usedUntil = now;
        m_held += time * held;
        m_filling += time * filling;
    }

    /// A packet of one worker has come, and the switch has to wait for others.
    /// @param number of its job  @param isAdded whether its slot was its fragment's
    void CountPacket(uint16_t number, bool isAdded)
    {
        ++m_jobs[number].received;
        m_jobs[number].added += isAdded ? 1 : 0;
    }

  private:
    /// A job, and its packets.
    struct Entry
    {
        Ptr<const AggregationJob> job; //!< nullptr: it has ended, or is not added up here
        uint64_t received{0};          //!< packets of one worker
        uint64_t added{0};             //!< of these, added up
    };

    /// @return whether a packet continues at once, by the rate of the pipeline
    /// @param now the current time, in picoseconds
    [[gnu::noinline]] bool PassesInTurn(const Ptr<FabricFrame>& frame,
                                        const AggregationJob& job,
                                        int64_t now);

    /// It is the turn of a packet that has waited.
    void Serve(Ptr<FabricFrame> frame);

    FabricSwitch* m_switch{nullptr}; //!< the switch
    std::vector<Entry> m_jobs;       //!< by number
    FrameKind m_kind;                //!< of the frames of the system
    uint64_t m_rate{0};              //!< packets of jobs per second; 0: no limit
    uint32_t m_queue{0};             //!< the most packets that wait
    uint32_t m_waiting{0};           //!< packets that wait
    int64_t m_nextTurn{0};           //!< when the pipeline is free, in picoseconds
    uint64_t m_waited{0};            //!< packets that have waited
    uint64_t m_overflows{0};         //!< packets that were dropped
    int64_t m_usedUntil{0};          //!< up to here m_held and m_filling count, in picoseconds
    double m_held{0};                //!< time in which slots were held, summed up over slots
    double m_filling{0};             //!< the same, sums not complete
};

} // namespace aifabric
} // namespace ns3

#endif /* AGGREGATION_STAGE_H */
