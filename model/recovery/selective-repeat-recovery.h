/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SELECTIVE_REPEAT_RECOVERY_H
#define SELECTIVE_REPEAT_RECOVERY_H

#include "selective-recovery.h"

#include "ns3/growing-ring.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Selective repeat by reports with a cumulative PSN and a bitmap (SprayQueuePair): what a report
 * covers is acknowledged, what a NACK names is lost, and so is a transmission that nothing has
 * acknowledged for AckTimeout, which doubles with each expiration until something is acknowledged
 * (Ultra Ethernet specification 1.0: RTO, five retries).
 *
 * Where switches do not trim, it infers losses as SLEEK does (Ultra Ethernet's simulator,
 * uet-htsim), in two ways:
 *
 * - a report counts at least 1.5 windows of packets that have arrived out of order;
 * - a probe is answered with little delay. The sender sends probes while no report comes.
 *
 * Then the packets are lost that no report has acknowledged, from the first missing one on, at most
 * a window of them, and further ones as the cumulative PSN advances, until it passes the packets
 * that had been sent. These retransmissions ignore the window.
 *
 * With OutOfOrderLimit the number of packets is constant: the sender infers losses where switches
 * trim, too, and two thirds of the limit replace the window.
 *
 * An acknowledgement names packets, not transmissions. The timer of a packet is that of its last
 * transmission.
 */
class SelectiveRepeatRecovery : public SelectiveRecovery
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// When the rules of SLEEK apply.
    enum Mode : uint8_t
    {
        AUTO,   //!< if switches do not trim
        ALWAYS, //!< always
        NEVER,  //!< never
    };

    Ptr<LossRecovery> Fork() const override;
    bool Start(const FabricFacts& facts) override;
    void WindowChanged(uint32_t packets) override;
    bool IgnoresWindow() const override;
    int64_t GetProbeDue(int64_t since, bool isLast) const override;
    uint8_t TakeProbe(int64_t now) override;
    std::vector<uint64_t> ProbeAnswered(const AckReport& report, int64_t now) override;
    Departure TakeNext(int64_t start) override;
    Feedback AckReceived(const AckReport& report) override;
    Feedback NackReceived(const NackReport& report) override;
    std::vector<uint64_t> ExpireSentUntil(int64_t since) override;

    int64_t GetOldestStart() const override
    {
        return m_order.empty() ? SelectiveRecovery::GetOldestStart() : m_order.front().start;
    }

    uint64_t GetOldest() const override;

    void TimerExpired() override
    {
    }

    RecoveryTraits GetTraits() const override;
    double GetUsualTimeoutPs(double empty, double drain, double packets) const override;
    Verdict TrimmedReceived(uint32_t psn) override;
    void FillReport(AckReport& report, uint64_t wanted) const override;
    void Count(PolicyCounters& counters) const override;

  protected:
    static constexpr int64_t FAR = INT64_MAX / 2; //!< a time that is far away, in picoseconds

    /// @return when the last transmission of a packet began, in picoseconds; none: it is known to
    /// be lost  @param number the packet, which was sent and is not acknowledged
    std::optional<int64_t> FindStart(uint64_t number) const;

    /**
     * Find transmissions that nothing has acknowledged and that are not known to be lost, the
     * oldest first.
     *
     * @param since the last start of those wanted, in picoseconds
     * @param isWanted says of a packet and its start whether it is wanted
     * @return the packets
     */
    template <typename Predicate>
    std::vector<uint64_t> FindSentUntil(int64_t since, const Predicate& isWanted) const
    {
        std::vector<uint64_t> found;
        for (std::size_t i = 0; i < m_order.size() && m_order[i].start <= since; ++i)
        {
            if (IsOutstanding(m_order[i]) && isWanted(m_order[i].number, m_order[i].start))
            {
                found.push_back(m_order[i].number);
            }
        }
        return found;
    }

    /// Send packets again, without timers until then.  @param numbers the packets, none of which is
    /// acknowledged or known to be lost
    void DeclareLost(const std::vector<uint64_t>& numbers);

  private:
    /// A transmission.
    struct Transmission
    {
        uint64_t number; //!< the packet's number
        int64_t start;   //!< when it began, in picoseconds
    };

    /// @return whether a transmission is the last one of its packet, and the packet is neither
    /// acknowledged nor lost
    bool IsOutstanding(const Transmission& transmission) const;

    /// Send a packet again, without a timer until then.  @param number the packet, which was sent
    /// and is not acknowledged  @return whether that is not under way already
    bool MarkLost(uint64_t number);

    /// Forget the oldest transmissions that need no timer any more.
    void Sweep();

    /// Add attributes.  @return the same
    static TypeId AddSleekAttributes(TypeId type);

    /// @return packets that have arrived out of order which show a loss
    double GetLimit() const;

    /// Infer losses from reordering.  @param outOfOrder packets that have come before a missing one
    /// @return the packets that are lost
    std::vector<uint64_t> InferLosses(uint64_t outOfOrder);

    /// @return a time in picoseconds  @param rtts the time in base RTTs
    int64_t ToPicoseconds(float rtts) const;

    /// All packets that no report has acknowledged may be lost.
    /// @param until if their transmission began until then, in picoseconds
    void Suspect(int64_t until);

    /// Declare suspect packets lost, as many as may be at a time.  @return the packets
    std::vector<uint64_t> LoseSuspects();

    // Together with its queue pair, 1 KiB.

    bool m_backsOff{true};         //!< the timeout doubles
    Mode m_mode{AUTO};             //!< when the rules of SLEEK apply
    bool m_isSleek{false};         //!< they do
    uint8_t m_probe{0};            //!< number of the last probe
    uint32_t m_outOfOrderLimit{0}; //!< packets before a missing one that show a loss; 0: by window
    float m_outOfOrderFactor{0};   //!< the same in windows
    float m_probeAfter{0};         //!< time without a report until a probe, in base RTTs; 0: none
    float m_probeInterval{0};      //!< time between probes, in base RTTs
    float m_probeDelay{0};         //!< delay of a probe that shows losses, in base RTTs
    uint32_t m_inferred{0};        //!< packets that were inferred to be lost
    uint32_t m_probes{0};          //!< probes sent
    uint32_t m_window{1};          //!< of the congestion control, in packets
    uint32_t m_largestWindow{1};   //!< that it has had, in packets
    int64_t m_baseRtt{0};          //!< of the fabric, in picoseconds; 0: not known
    int64_t m_probedAt{-FAR};      //!< when the last probe was sent, in picoseconds
    int64_t m_suspectUntil{0};     //!< start of the last transmission that is suspect
    uint64_t m_suspectEnd{0};      //!< end of the packets that a loss was inferred among
    uint64_t m_inferredEnd{0};     //!< end of those of them that were looked at
    GrowingRing<Transmission> m_order; //!< transmissions, the oldest first
    GrowingRing<int64_t> m_starts;     //!< last start of each packet; LOST: it is lost
    uint64_t m_startsFirst{0};         //!< the number of the first of these packets
};

} // namespace aifabric
} // namespace ns3

#endif /* SELECTIVE_REPEAT_RECOVERY_H */
