/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MRC_RECOVERY_H
#define MRC_RECOVERY_H

#include "plane-times.h"
#include "selective-repeat-recovery.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How a queue pair of MRC infers losses (MrcQueuePair). Congestion trims packets and NACKs report
 * them, so a packet that vanishes without a NACK shows a failed path. A SACK shows that a packet is
 * lost if
 *
 * - (a) a packet has arrived that took the same entropy value (EV) later: an EV is one path, and
 *   its packets stay in order; or
 * - (b) the transmission began before that of a packet of the same plane that has arrived, and more
 *   than the smoothed round-trip time of the plane, ReorderSlack, and VariationFactor mean
 *   variations of the round-trip time ago. If no such packet has arrived, but one of another plane,
 *   the time is twice as long, unless a probe was sent since then and is answered: then it is no
 *   shorter than the round-trip time of the probe and the slack. The plane may have failed, or its
 *   queue may be longer. Planes carry equal load, so the one with the fewest links has the longest
 *   queues. While nothing of a plane has come, the time is twice that of the slowest plane, and
 *   seven base RTTs at least. Each report is a sample of the round-trip time of its plane.
 *
 * The rule is not published; this is the reading of this module (OCP MRC 1.0 says only that the
 * bitmap distinguishes loss from reordering). NACKs and a timer of each packet
 * (SelectiveRepeatRecovery), which allows for the slowest plane, find the other losses. If nothing
 * is acknowledged for the smoothed round-trip time of the slowest plane and VariationFactor mean
 * variations (ReorderSlack while nothing is known of them), or half of AckTimeout if that is less
 * and no shorter than the round trip, SACKs may be lost or not due yet, and a reliability probe is
 * due; the interval doubles while probes are not answered.
 *
 * Retransmissions may travel in another traffic class than first transmissions, so (a) compares
 * transmissions of the same kind only.
 *
 * The sender sends no packet that is further ahead of the first unacknowledged one than the window
 * that the receiver tracks (SetRange()).
 *
 * SACKs take different ways, so an earlier one may come later. Rule (a) needs a packet that the
 * newest SACK shows to be missing: in its bitmap, as its first missing one, or because as many
 * packets are acknowledged as the receiver has.
 *
 * Rule (b) is wrong if a queue is longer than expected. If the acknowledgement of a packet that was
 * inferred to be lost is for its first transmission (the SACK names its time, or has come too soon
 * for the retransmission), the inference was false: the path returns into use at once
 * (TakeFalseLosses()), and ReorderSlack gets as long as the packet was late. Each inference that
 * was right takes back an eighth of what was added. Eifel detection and RACK adapt TCP in this way
 * (RFC 3522, RFC 8985).
 *
 * The attributes of SLEEK have no effect here.
 */
class MrcRecovery : public SelectiveRepeatRecovery
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<LossRecovery> Fork() const override;
    RecoveryTraits GetTraits() const override;
    bool Start(const FabricFacts& facts) override;
    bool HasNext(uint64_t posted) const override;
    Feedback AckReceived(const AckReport& report) override;
    int64_t GetLostStart(uint64_t number) const override;
    int64_t GetProbeDue(int64_t since, bool isLast) const override;
    uint8_t TakeProbe(int64_t now) override;
    std::vector<uint64_t> ExpireSentUntil(int64_t since) override;
    int64_t GetOldestStart() const override;
    std::vector<uint64_t> ProbeAnswered(const AckReport& report, int64_t now) override;
    double GetUsualTimeoutPs(double empty, double drain, double packets) const override;
    void Count(PolicyCounters& counters) const override;

    /// @param packets PSNs that the receiver tracks from the first missing one on (MPR)
    void SetRange(uint32_t packets)
    {
        m_range = packets;
    }

    /// @param time after which a packet's timer expires in the empty fabric, in picoseconds: half
    /// of it is the longest time without a SACK until a probe is due
    void SetTimeout(int64_t time)
    {
        m_mostPatience = time / 2;
    }

    /**
     * TakeNext() has given a packet, and this is its path.
     *
     * @param number the packet
     * @param entropy of its path
     * @param plane of the path
     * @param isAgain whether it was sent before
     * @param start when its transmission begins, in picoseconds
     */
    void NotePath(uint64_t number, uint32_t entropy, uint16_t plane, bool isAgain, int64_t start);

    /// A packet that was inferred to be lost, and has arrived after all.
    struct FalseLoss
    {
        uint32_t entropy;   //!< of the path that it took
        int64_t inferredAt; //!< when it was inferred to be lost, in picoseconds
    };

    /// @return the false losses that the last reports have shown
    std::vector<FalseLoss> TakeFalseLosses();

    /// @return the number of a probe that asks for a report, whatever the time since the last one
    uint8_t TakeRequest();

    /// TakeProbe() or TakeRequest() has given the number of a probe, and this is its plane.
    void NoteProbe(uint8_t number, uint16_t plane)
    {
        m_probePlanes[number % m_probePlanes.size()] = plane;
    }

    /// A plane that loses all packets.
    struct SilentPlane
    {
        uint16_t plane; //!< the plane
        int64_t start;  //!< when the transmission of the last one of them began, in picoseconds
    };

    /// @return planes that lose all packets, as the last reports have shown; another one does not
    std::vector<SilentPlane> TakeSilentPlanes()
    {
        return std::exchange(m_silentPlanes, {});
    }

    /// A report will be processed.  @param now the current time, in picoseconds
    /// @param plane of the path that the report names; none: that of the packet that it names
    void SetNow(int64_t now, std::optional<uint16_t> plane = std::nullopt)
    {
        m_now = now;
        m_plane = plane;
    }

    /// Probes may be answered again: the next one is due as if none had been sent.
    void ResumeProbes()
    {
        m_unanswered = 0;
        m_probedAt = -FAR;
    }

    /// @return the smoothed round-trip time of a plane, in picoseconds
    int64_t GetSmoothedRtt(uint16_t plane) const;

  private:
    /// The path of the last transmission of a packet: its entropy, and whether it was sent before
    /// in bit 0; above PLANE_SHIFT its plane.
    using Path = uint64_t;

    static constexpr uint32_t PLANE_SHIFT = 48; //!< position of the plane in a Path

    /// A packet that was inferred to be lost and is not acknowledged. Times are in picoseconds.
    struct Suspicion
    {
        uint64_t number;    //!< the packet
        uint32_t entropy;   //!< of the path that it took
        uint16_t plane;     //!< of that path
        int64_t start;      //!< its transmission began no later
        int64_t inferredAt; //!< when it was inferred to be lost
        int64_t again;      //!< when its retransmission began; FAR: it waits
    };

    /// @param factor attribute VariationFactor
    void SetVariationFactor(double factor)
    {
        m_times.SetVariationFactor(factor);
    }

    /// @return attribute VariationFactor
    double GetVariationFactor() const
    {
        return m_times.GetVariationFactor();
    }

    /// Packets are inferred to be lost.  @param lost the packets
    /// @param since the transmissions that have no timers any more began no later
    void Suspect(const std::vector<uint64_t>& lost, int64_t since, int64_t now);

    /// Make room for a suspicion of a packet that was lost often.  @param number the packet
    void ForgetOldest(uint64_t number);

    /// A report has come that may acknowledge packets that were inferred to be lost.
    void Review(const AckReport& report);

    /// Note which packets have arrived behind a gap, and by which paths.
    void NoteArrivals(const AckReport& report);

    /// Note the path of a packet that has arrived.  @param number the packet
    void NoteArrival(uint64_t number);

    /// @return whether no report that was sent later has come before
    bool IsNewest(const AckReport& report);

    /// @return packets that later packets of the same path have overtaken, and that were missing
    /// when a report was sent  @param report the newest one
    std::vector<uint64_t> FindOvertaken(const AckReport& report) const;

    /// @return packets that are late in their planes  @param report the report that has come
    std::vector<uint64_t> FindLate(const AckReport& report) const;

    /// Note which of these packets show that their planes lose all.  @param late the packets
    void NoteSilence(const std::vector<uint64_t>& late);

    /// @return the plane of an answered probe  @param report the answer
    uint16_t GetPlane(const AckReport& report) const
    {
        return m_probePlanes[report.probe % m_probePlanes.size()];
    }

    /// Take a sample of the round-trip time.  @param report of the packet that has come
    void NoteRtt(const AckReport& report);

    Time m_reorderSlack;             //!< attribute; 0: by the fabric
    uint32_t m_range{1024};          //!< packets that the receiver tracks
    int64_t m_mostPatience{FAR / 2}; //!< longest time without a SACK until a probe is due
    uint32_t m_unanswered{0};        //!< probes since the last report
    int64_t m_now{0};                //!< when the report has come that is processed
    std::optional<uint16_t> m_plane; //!< of the path that it names
    int64_t m_probedAt{-FAR};        //!< when the last probe was sent
    uint64_t m_probes{0};            //!< probes sent
    uint64_t m_inferred{0};          //!< packets that were inferred to be lost
    uint64_t m_late{0};              //!< of these, because they were late
    uint64_t m_false{0};             //!< of these, those that have arrived after all
    uint64_t m_reported{0};          //!< packets that the receiver has, by the newest report
    uint64_t m_highest{0};           //!< the number after the highest one that is acknowledged
    uint64_t m_pathsFirst{0};        //!< the packet of the first element of the next
    PlaneTimes m_times;              //!< round-trip times, and when packets are late
    GrowingRing<Path> m_paths;       //!< of packets that were sent and are not acknowledged
    std::unordered_map<Path, int64_t> m_latest; //!< the latest start that has arrived, by path
    std::vector<Suspicion> m_suspicions;        //!< packets inferred to be lost
    std::vector<FalseLoss> m_found;             //!< of these, those that have arrived after all
    std::array<uint16_t, 8> m_probePlanes{};    //!< of the last probes, by number
    std::vector<SilentPlane> m_silentPlanes;    //!< shown by the last reports
};

} // namespace aifabric
} // namespace ns3

#endif /* MRC_RECOVERY_H */
