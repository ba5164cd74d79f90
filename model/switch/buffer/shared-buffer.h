/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARED_BUFFER_H
#define SHARED_BUFFER_H

#include "frame-trimmer.h"
#include "lossless-ingress.h"
#include "queue-limit.h"
#include "shared-pool.h"

#include "ns3/buffer-admission.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricPort;

/**
 * @ingroup ai-fabric
 *
 * One memory for all ports of a switch, with dynamic thresholds and priority-based flow control.
 *
 * **The memory** is divided into a reserve and a headroom for each (port of ingress, lossless
 * class), and a shared part, which takes all the rest.
 *
 * **Lossy classes** live in the shared part. A frame is admitted if its queue then holds at most
 * Alpha times what is free (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory
 * packet switches", 1998), so that n queues that take all they get hold Alpha / (1 + n Alpha) of
 * the shared part each; and if its port then holds at most PortBytes.
 *
 * Victim concerns lossy classes. The last frame of a queue gives way only if the other one
 * then has room: not where the threshold has sunk below the queue.
 *
 * **Trimming classes** are lossy, and their queues may have a limit of their own, TrimmingBytes.
 * Instead of being dropped, their frames are trimmed (FrameTrimmer) and come again in the class of
 * TrimmedDscp or LastHopDscp.
 *
 * **Lossless classes** are counted where they come in: first in the reserve, then in the shared
 * part as long as what the (port, class) has there is at most IngressAlpha times what is free, then
 * in the headroom. A frame is dropped only if the headroom is full. When the headroom is in use or
 * the share is at its threshold, the class is paused: a PFC frame (IEEE 802.1Qbb) goes out by the
 * port of ingress, and again after half of its pause time, until the headroom is empty and the
 * share is ResumeOffset below its threshold. Frames leave the headroom first, the reserve last.
 *
 * The headroom covers what may still come after the decision to pause: while the PFC frame waits
 * for a frame in transmission, is sent, and crosses the link; while the peer responds; what is on
 * the link then; and the frame that the peer has just begun. One frame more is what made the
 * decision.
 *
 * **Time.** Transmitters decide their departures late. A frame that is admitted while some are
 * behind would be admitted anyway; otherwise the switch catches up first. While any class is
 * paused all transmitters of the switch are eager, because a departure may resume it. Pauses are
 * decided once all frames of the same instant have come.
 *
 * **Conservation**, at any time after FabricSwitch::CatchUp: in each class, bytes admitted = bytes
 * released + bytes waiting at the ports; in a lossless class, bytes waiting = bytes counted over
 * all ports of ingress; shared part = free + lossy bytes waiting + shares of lossless classes.
 */
class SharedBuffer : public BufferAdmission
{
  public:
    /// What has happened so far.
    struct Counters : LosslessIngress::Counters
    {
        uint64_t pauseFrames{0};  //!< PFC frames sent, refreshing and resuming ones included
        uint64_t maxOccupancy{0}; //!< the most bytes that the memory held
    };

    /// Bytes of a class since the start.
    struct ClassCounters
    {
        uint64_t admittedBytes{0}; //!< given room
        uint64_t releasedBytes{0}; //!< left
    };

    /// What a lossless class that came in by one port holds.
    using Ingress = LosslessIngress::Account;

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SharedBuffer();
    ~SharedBuffer() override;

    void Install(FabricSwitch& fabricSwitch) override;
    AdmissionVerdict Admit(const FabricFrame& frame,
                           FabricTransmitter& egress,
                           int64_t now) override;
    void Release(const FabricFrame& frame, int64_t start) override;
    bool WantsRelease() const override;
    void Trim(FabricFrame& frame, const FabricTransmitter& egress) override;
    bool Trims() const override;
    void Count(PolicyCounters& counters) const override;

    uint64_t GetLosslessDrops() const override
    {
        return m_ingress.GetCounters().losslessDrops;
    }

    uint64_t GetLeastBytes(const FabricSwitch& fabricSwitch) const override;
    void SetLeastFactor(double least) override;

    /// @return PortBytes; without that limit, the port's equal share of the memory, in bytes
    uint32_t GetPortBytes() const override;

    /// @return bytes of the shared part
    uint64_t GetSharedBytes() const
    {
        return m_pool.GetBytes();
    }

    /// @return bytes of the shared part that are free
    uint64_t GetFreeBytes() const
    {
        return m_pool.GetFree();
    }

    /// @return bytes held, in whatever part
    uint64_t GetOccupancy() const
    {
        return m_occupancy;
    }

    /// @return the headroom of each lossless class at a port, in bytes  @param port its number
    uint64_t GetHeadroomBytes(uint16_t port) const
    {
        return m_ingress.GetHeadroom(port);
    }

    /// @return the lossless classes (bit c set: class c)
    uint8_t GetLosslessClasses() const
    {
        return m_lossless;
    }

    /// @return PFC frames sent that concern a class  @param port by which port
    uint64_t GetPauseFrames(uint16_t port, uint8_t trafficClass) const
    {
        return m_ingress.GetSender().GetFrames(port, trafficClass);
    }

    /// @return the headroom that a port needs for the rate and the delay of its link, for MTU and
    /// ResponseTime, in bytes  @param fabricSwitch its switch, whose ports are connected
    uint64_t GetNeededHeadroom(const FabricSwitch& fabricSwitch, const FabricPort& port) const;

    /// @return HeadroomBytes: the headroom that was set, in bytes; 0: computed
    uint32_t GetSetHeadroom() const
    {
        return m_headroom;
    }

    /// @return what a lossless class holds  @param port where it came in
    const Ingress& GetIngress(uint16_t port, uint8_t trafficClass) const
    {
        return m_ingress.GetAccount(port, trafficClass);
    }

    /// @return what has happened
    Counters GetCounters() const
    {
        return {m_ingress.GetCounters(), m_ingress.GetSender().GetFrames(), m_maxOccupancy};
    }

    /// @return bytes of a class
    const ClassCounters& GetClassCounters(uint8_t trafficClass) const
    {
        return m_classes.at(trafficClass);
    }

    /**
     * Signature of the Pause trace source.
     *
     * @param port the port by which the frames come that are too many
     * @param paused whether the frame pauses the peer; otherwise, it resumes it
     */
    typedef void (*PauseTracedCallback)(uint16_t port, uint8_t trafficClass, bool paused);

  protected:
    void DoDispose() override;

  private:
    static constexpr uint8_t CLASSES = 8; //!< traffic classes

    /// @return a type with the attributes of lossless classes  @param tid the type
    static TypeId AddLosslessAttributes(TypeId tid);

    /// @return a type with the attributes of trimming classes  @param tid the type
    static TypeId AddTrimmingAttributes(TypeId tid);

    /// @return whether a frame of a lossy class exceeds a limit of its port or queue
    /// @param egress its port  @param spare bytes of its queue that make room for it
    [[gnu::noinline]] bool IsOverLimit(const FabricFrame& frame,
                                       const FabricTransmitter& egress,
                                       uint32_t spare) const;

    /// @return whether there is room for a frame of a lossy class  @param egress its port
    /// @param now the time, in picoseconds  @param spare bytes of its queue that make room for it
    bool HasRoom(const FabricFrame& frame,
                 const FabricTransmitter& egress,
                 int64_t now,
                 uint32_t spare) const;

    /// Drop or trim the last frame of a queue for another one, if the coin says so.
    /// @param egress its port  @param now the time, in picoseconds  @return whether there is room
    [[gnu::noinline]] bool MakeRoom(const FabricFrame& frame,
                                    FabricTransmitter& egress,
                                    int64_t now);

    /// @return the attributes of lossless classes
    LosslessIngress::Settings GetLosslessSettings() const;

    /// Admit or refuse a frame of a lossy class.  @param egress its port
    /// @param now the time, in picoseconds  @return whether it is admitted
    bool AdmitLossy(const FabricFrame& frame, FabricTransmitter& egress, int64_t now);

    uint64_t m_total{0};          //!< the memory, in bytes
    double m_alpha{0};            //!< factor of lossy queues
    double m_ingressAlpha{0};     //!< factor of lossless shares
    QueueLimit m_portLimit;       //!< most that a port may hold in lossy frames; 0: no limit
    uint8_t m_lossless{0};        //!< bit c set: class c is lossless
    bool m_hasLimits{false};      //!< lossy frames have a limit of their port or queue
    uint8_t m_trimmingClasses{0}; //!< bit c set: frames of class c are trimmed
    uint16_t m_trimmedBytes{0};   //!< of a trimmed frame, FCS included
    uint8_t m_trimmedDscp{0};     //!< of frames trimmed within the fabric
    uint8_t m_lastHopDscp{0};     //!< of frames trimmed before a link to a host
    QueueLimit m_trimmingLimit;   //!< of queues of trimming classes; 0: no limit
    FrameTrimmer m_trimmer;       //!< trims them
    uint32_t m_reserve{0};        //!< reserve of a (port, class), in bytes
    uint32_t m_offset{0};         //!< how far below the threshold to resume, in bytes
    uint32_t m_headroom{0};       //!< headroom of a (port, class), in bytes; 0: computed
    Time m_responseTime;          //!< what a peer takes to pause
    uint16_t m_quanta{0};         //!< pause time, in quanta

    int64_t m_lossyFactor{0};                             //!< m_alpha, as thresholds have it
    int64_t m_leastLossyFactor{0};                        //!< the least of a port
    SharedPool m_pool;                                    //!< the shared part
    uint64_t m_occupancy{0};                              //!< bytes held in all parts
    uint64_t m_maxOccupancy{0};                           //!< the most of these
    LosslessIngress m_ingress;                            //!< what lossless classes hold
    std::array<ClassCounters, CLASSES> m_classes{};       //!< bytes by class
    TracedCallback<uint16_t, uint8_t, bool> m_pauseTrace; //!< paused or resumed a class
};

} // namespace aifabric
} // namespace ns3

#endif /* SHARED_BUFFER_H */
