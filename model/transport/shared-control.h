/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARED_CONTROL_H
#define SHARED_CONTROL_H

#include "ns3/congestion-control.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

class LossRecovery;
class QueuePair;
class RoceNetDevice;

/**
 * @ingroup ai-fabric
 *
 * One congestion control for all queue pairs of a NIC to one host (RoceNetDevice::SharesControl).
 * It passes on to the control of the first queue pair what any of them reports. The window holds
 * for the packets of all of them together; MaySend() divides it equally among those that have
 * packets to send, and GetRate() divides the rate in the same way. Queue pairs that have failed do
 * not count. A report to one queue pair may let another one send. So an event of its own follows
 * each report, at the same time, which lets them send in turn.
 *
 * It has no attributes, and is never chosen by name.
 */
class SharedControl : public CongestionControl
{
  public:
    /// @param nic the NIC of the queue pairs
    explicit SharedControl(RoceNetDevice& nic);

    /// A queue pair joins, the first one with its control. All have the same Mtu.
    void Add(QueuePair* queuePair);

    /// A queue pair leaves, and has a control of its own again, which has not started.
    void Remove(QueuePair* queuePair);

    /// A queue pair has got messages, or has failed, so that the shares of the others change.
    /// @param isAtOnce whether the others may send more at once
    void SharesChanged(bool isAtOnce);

    /// @return whether a queue pair is the first of those that share it, which counts for all
    bool IsFirst(const QueuePair* queuePair) const;

    /// @return whether the window has room for a packet of a queue pair, which has one to send, and
    /// the packet is within its share  @param recovery of the queue pair
    bool MaySend(const LossRecovery& recovery) const;

    void LineRateChanged(DataRate lineRate) override;
    uint64_t GetWindow() const override;
    /// @return the rate of one queue pair of those that have packets to send
    DataRate GetRate() const override;
    bool WantsSent() const override;
    bool PacketSent(uint32_t bytes, int64_t start) override;
    bool Acknowledged(uint32_t bytes, const AckReport& report, int64_t now) override;
    void Lost(const LossSample& loss, int64_t now) override;
    void CnpReceived(int64_t now) override;
    bool Adapts() const override;
    void Count(PolicyCounters& counters) const override;

  private:
    void DoDispose() override;

    /// The control has changed by itself.
    void ControlChanged();

    /// @return whether a queue pair has packets to send
    static bool IsWaiting(const QueuePair& queuePair);

    /// Schedule Wake(), unless it is, or there is but one queue pair.
    void ScheduleWake();

    /// Let queue pairs send that may.
    void Wake();

    RoceNetDevice& m_nic;                       //!< of the queue pairs
    Ptr<CongestionControl> m_control;           //!< what it stands for
    std::vector<Ptr<CongestionControl>> m_idle; //!< of the queue pairs but the first: not in use
    std::vector<QueuePair*> m_queuePairs;       //!< who shares it
    uint64_t m_turn{0};                         //!< which of them is woken first the next time
    bool m_isWaking{false};                     //!< Wake() is scheduled
};

} // namespace aifabric
} // namespace ns3

#endif /* SHARED_CONTROL_H */
