/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEND_WINDOW_H
#define SEND_WINDOW_H

#include "connection.h"

#include "ns3/congestion-control.h"
#include "ns3/control-traces.h"
#include "ns3/pacing.h"
#include "ns3/policy-counters.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace ns3
{
namespace aifabric
{

class QueuePair;
class SharedControl;

/**
 * @ingroup ai-fabric
 *
 * Whether a requestor may send, and when: the window, the rate and the credit that its congestion
 * control allows. It copies window and rate from the congestion control when they change, so that
 * an ordinary packet costs no virtual call. Times are in picoseconds.
 */
class SendWindow
{
  public:
    SendWindow();
    ~SendWindow();

    /// One with a congestion control of the same kind.  @param other not in use
    SendWindow(const SendWindow& other);

    /// Begin.  @param facts for the congestion control
    void Start(const FabricFacts& facts, const Connection& connection);

    /// Begin anew: the congestion control forgets, and the next packet may be sent at once.
    /// @param facts for the congestion control
    void Renew(const FabricFacts& facts, const Connection& connection);

    /// @return whether a queue pair may send its next packet  @param recovery of the queue pair
    /// @param posted packets of all its messages
    bool MaySend(const LossRecovery& recovery, uint64_t posted) const
    {
        return m_isOrdinary ? recovery.HasNext(posted) && HasOwnRoom(recovery)
                            : MaySendSpecially(recovery, posted);
    }

    /// @return whether the window has room for a packet, whatever credit says
    /// @param recovery of the queue pair
    bool HasRoom(const LossRecovery& recovery) const;

    /// @return whether there is a packet to be sent, and credit alone is missing
    /// @param recovery of the queue pair  @param posted packets of all its messages
    bool IsStarved(const LossRecovery& recovery, uint64_t posted) const;

    /// @return the earliest time at which the rate allows the next packet
    int64_t GetNextTime() const
    {
        return m_nextTime;
    }

    /// @return whether GetNextTime() has moved since the last call
    bool TakeMoved()
    {
        return std::exchange(m_hasMoved, false);
    }

    /// A packet was made: the rate allows the next one later.  @param start of its transmission
    /// @param bytes on the wire, with the gap
    void Charge(int64_t start, uint32_t bytes)
    {
        m_nextTime = start + Pacing::Spread(bytes, m_stepsPerByte);
        m_charged = bytes;
    }

    /// A packet is sent.  @param bytes its payload  @param start when its transmission begins
    void PacketSent(uint32_t bytes, int64_t start, const Connection& connection)
    {
        if (m_wantsSent)
        {
            if (m_control->PacketSent(bytes, start) || m_traces)
            {
                Update(connection);
            }
        }
    }

    /// Bytes are acknowledged.  @return whether Update() is due
    bool Acknowledged(uint64_t bytes, const AckReport& report, int64_t now);

    /// The receiver gives credit.  @param credit all that it has given, in bytes
    /// @return whether it is new
    bool CreditReceived(uint64_t credit, const Connection& connection, int64_t now);

    /// A congestion notification packet has come.
    void CnpReceived(const Connection& connection, int64_t now);

    /// The rate of the port has changed.
    void LineRateChanged(DataRate lineRate, const Connection& connection);

    /// Take window and rate from the congestion control.
    void Update(const Connection& connection);

    /// @return packets that may be unacknowledged
    uint32_t GetPackets() const
    {
        return m_packets;
    }

    /// @param isFollowed whether the recovery uses the window
    void SetFollowed(bool isFollowed)
    {
        m_isFollowed = isFollowed;
    }

    /// @param hasFailed whether the queue pair has given up, and may send nothing
    void SetFailed(bool hasFailed)
    {
        m_hasFailed = hasFailed;
        UpdateIsOrdinary();
    }

    /// @return whether the queue pair has given up
    bool HasFailed() const
    {
        return m_hasFailed;
    }

    /// @return the congestion control
    const Ptr<CongestionControl>& GetControl() const
    {
        return m_control;
    }

    /// @param control the congestion control of this queue pair alone
    void SetControl(Ptr<CongestionControl> control)
    {
        m_control = control;
        m_isShared = false;
        UpdateIsOrdinary();
    }

    /// Share the control of all queue pairs to the same host, and leave the one shared before.
    /// @param queuePair the owner of this window  @param shared the control; null: there is none
    void Join(QueuePair* queuePair, const Ptr<SharedControl>& shared, const Connection& connection);

    /// Have a control of its own again, if it shares one.  @param queuePair its owner
    void Leave(QueuePair* queuePair);

    /// Its queue pair has got messages, or has failed: let those send that share its control.
    /// @param isAtOnce whether they may send more at once
    void NotifyShares(bool isAtOnce) const;

    /// @return the control that it shares, or nullptr
    SharedControl* GetShared() const;

    /// @return whether what the control counts is counted with this queue pair: one of those that
    /// share it stands for all  @param queuePair its owner
    bool StandsForControl(const QueuePair* queuePair) const;

    /// @return the trace sources of the congestion control, made if need be
    ControlTraces& Observe();

    /// Forget all: the simulation ends.
    void Dispose();

  private:
    /// @return HasRoom() if it does not share its control  @param recovery of the queue pair
    bool HasOwnRoom(const LossRecovery& recovery) const
    {
        return recovery.GetOutstanding() < m_packets || (m_isFollowed && recovery.IgnoresWindow());
    }

    /// @return MaySend() if it has failed, needs credit, or shares its control
    /// @param recovery of the queue pair  @param posted packets of all its messages
    bool MaySendSpecially(const LossRecovery& recovery, uint64_t posted) const;

    /// @return whether the congestion control needs credit, and has none
    bool LacksCredit() const
    {
        return m_usesCredits && m_control->GetCredit() == 0;
    }

    /// Note whether MaySend() is simple.
    void UpdateIsOrdinary()
    {
        m_isOrdinary = !m_hasFailed && !m_usesCredits && !m_isShared;
    }

    bool m_isOrdinary{true};                 //!< neither failed, with credits, nor shared
    bool m_hasFailed{false};                 //!< the queue pair has given up
    bool m_usesCredits{false};               //!< m_control needs credit of the receiver
    bool m_isFollowed{false};                //!< the recovery uses the window
    bool m_isShared{false};                  //!< m_control is a SharedControl
    bool m_wantsSent{false};                 //!< m_control wants to know of packets that are sent
    bool m_movesWaiting{false};              //!< a new rate moves m_nextTime
    bool m_hasMoved{false};                  //!< m_nextTime has moved, but for Charge()
    uint32_t m_packets{0};                   //!< packets that may be unacknowledged
    uint32_t m_charged{0};                   //!< bytes of the last packet, with the gap
    Ptr<CongestionControl> m_control;        //!< how much and how fast to send
    int64_t m_stepsPerByte{0};               //!< pacing: time a byte, times 2^16; 0: none
    int64_t m_nextTime{0};                   //!< the earliest start of the next packet
    std::unique_ptr<ControlTraces> m_traces; //!< once a sink connects to them
};

} // namespace aifabric
} // namespace ns3

#endif /* SEND_WINDOW_H */
