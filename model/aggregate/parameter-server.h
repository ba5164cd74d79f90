/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARAMETER_SERVER_H
#define PARAMETER_SERVER_H

#include "aggregation-member.h"
#include "slot-ring.h"
#include "sum-ledger.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <map>
#include <memory>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The parameter server of a job of ATP or ESA: it adds up what switches could not, stores the sums,
 * and acknowledges each complete one to all workers. It keeps the last two windows of sums, to
 * answer packets that are sent again.
 *
 * A packet that overlaps the sum cannot be added. Those of its workers whose values are missing are
 * asked to send again, once. A fragment without progress for ReminderTime makes it ask switches for
 * what they hold (a reminder); after two reminders it asks the workers that are missing to send
 * again. Each of these doubles the time until the next one, up to 16 times.
 *
 * If a complete sum is saturated, it asks all workers for floats and adds these in double
 * precision.
 */
class ParameterServer : public AggregationMember
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ParameterServer();

    /// What it has counted.
    struct Counters
    {
        uint64_t packets{0};   //!< packets with values
        uint64_t overlaps{0};  //!< of these, not added
        uint64_t reminders{0}; //!< sent
        uint64_t requests{0};  //!< sent
        uint64_t sums{0};      //!< complete
        uint64_t floats{0};    //!< of these, computed in floats
    };

    /// @return what it has counted
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    void Join(Ptr<AggregationJob> job) override;
    void Install(EndpointNic* nic, uint32_t number, int64_t stream) override;
    bool CanSend() const override;
    void Fill(FabricFrame& frame, int64_t start) override;
    Reception Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox) override;
    bool IsPending() const override;
    uint64_t GetProgress() const override;
    void Describe(std::ostream& os) const override;

  protected:
    void DoDispose() override;

  private:
    /// A fragment whose sum is not complete.
    struct Open
    {
        int64_t progress{0}; //!< when something was added, in picoseconds
        uint32_t asked{0};   //!< reminders and requests since then
        uint32_t dropped{0}; //!< workers that were asked because what had their values overlapped
        std::map<uint32_t, GradientVector> floats; //!< by worker, if the sum is saturated
    };

    /// When a fragment may need a reminder, and its number; the earliest first.
    using Due = std::pair<int64_t, uint32_t>;

    /// @return when the server has processed a packet that comes
    int64_t Serve(int64_t now);

    /// @return whether the sum of a fragment is no longer stored  @param sequence its number
    bool IsForgotten(uint32_t sequence) const;

    /// A packet of integers has come.
    void ReceiveIntegers(const FabricFrame& frame, int64_t now);

    /// A packet of floats has come.
    void ReceiveFloats(const FabricFrame& frame, int64_t now);

    /// Something of a fragment was added.  @param sequence its number
    void NoteProgress(uint32_t sequence, int64_t now);

    /// The sum of a fragment is complete.  @param sequence its number
    /// @param isSent whether a switch has sent it to the workers
    void Complete(uint32_t sequence, int64_t now, bool isSent);

    /// Name another slot for a fragment that has collided.  @param sequence its number
    void Rehash(uint32_t sequence);

    /// Acknowledge a sum.  @param sequence number of the fragment
    /// @param receiver host index of the only receiver; the server itself: all workers
    void Acknowledge(uint32_t sequence, uint32_t receiver);

    /// Ask for what is missing of fragments that are due.
    void CheckReminders();

    /// Request the missing values of a fragment.  @param sequence its number  @param open the
    /// fragment
    void RequestMissing(uint32_t sequence, Open& open);

    /// A packet overlaps the sum and is dropped: ask for those of its values that are missing,
    /// once.
    /// @param sequence number of the fragment  @param bitmap workers whose values it had
    void RequestDropped(uint32_t sequence, uint32_t bitmap);

    /// Ask workers to send again.  @param sequence number of the fragment  @param bitmap of workers
    /// @param flags AtpCodec::Flag bits
    void Request(uint32_t sequence, uint32_t bitmap, uint8_t flags);

    /// Ask the switches of workers for what they hold.  @param sequence number of the fragment
    /// @param bitmap of workers
    void Remind(uint32_t sequence, uint32_t bitmap);

    /// Send a packet without values.  @param sequence number of the fragment
    /// @param host index of the receiver  @param flags AtpCodec::Flag bits
    /// @param moreFlags AtpCodec::MoreFlag bits
    void SendControl(uint32_t sequence, uint32_t host, uint8_t flags, uint8_t moreFlags);

    /// @return workers whose values are missing  @param sequence number of the fragment
    /// @param open the fragment
    uint32_t FindMissing(uint32_t sequence, const Open& open);

    /// @return the time until a fragment without progress makes the server ask
    /// @param open the fragment
    int64_t GetWait(const Open& open) const;

    /// @return the key of a fragment  @param sequence its number
    uint64_t KeyOf(uint32_t sequence) const;

    SumLedger m_ledger;                             //!< sums
    std::unordered_map<uint32_t, Open> m_open;      //!< by number
    std::unordered_map<uint32_t, uint16_t> m_moved; //!< slots named, by fragment
    std::unordered_set<uint32_t> m_inFloats;        //!< complete sums that are floats
    std::priority_queue<Due, std::vector<Due>, std::greater<Due>> m_dues; //!< of open fragments
    std::unique_ptr<SlotRing> m_ring;                                     //!< slots of the window
    std::vector<uint16_t> m_candidates;  //!< slots in the order of re-hashing
    std::size_t m_candidate{0};          //!< the next of these
    Ptr<UniformRandomVariable> m_random; //!< shuffles them
    uint64_t m_rate{0};                  //!< packets per second; 0: no limit
    Time m_latency;                      //!< of a packet
    int64_t m_controlTime{0};            //!< of a reminder or request on the line
    Time m_reminderTime;                 //!< without progress
    bool m_reminds{true};                //!< asks at all
    bool m_rehashes{true};               //!< names other slots
    int64_t m_busyUntil{0};              //!< processing ends
    uint32_t m_highest{0};               //!< number behind the highest complete sum
    EventId m_timer;                     //!< CheckReminders
    Counters m_counters;                 //!< what it has counted
};

} // namespace aifabric
} // namespace ns3

#endif /* PARAMETER_SERVER_H */
