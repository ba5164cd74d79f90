/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GO_BACK_N_RECOVERY_H
#define GO_BACK_N_RECOVERY_H

#include "loss-recovery.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Go-back-N, as InfiniBand's reliable connection (InfiniBand Architecture Specification, volume 1,
 * section 9.7): the receiver accepts packets in order only. It answers the first packet after a gap
 * with a NAK that names the packet it expects, and ignores what follows until that packet comes.
 * The sender then goes back to it. Acknowledgements are cumulative.
 */
class GoBackNRecovery : public LossRecovery
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<LossRecovery> Fork() const override;
    bool HasNext(uint64_t posted) const override;
    uint64_t GetNext() const override;
    Departure TakeNext(int64_t start) override;
    Feedback AckReceived(const AckReport& report) override;
    Feedback NackReceived(const NackReport& report) override;
    void TimerExpired() override;
    uint64_t GetOutstanding() const override;
    uint64_t GetUnacknowledged() const override;
    uint64_t GetSent() const override;
    Verdict PacketReceived(uint32_t psn) override;
    uint64_t GetExpected() const override;
    RecoveryTraits GetTraits() const override;

  private:
    /// Everything before a packet has come.  @param number the packet
    /// @return whether it was not acknowledged before
    uint64_t Acknowledge(int64_t number);

    uint64_t m_next{0};           //!< the packet to be sent next
    uint64_t m_sent{0};           //!< packets sent at least once
    uint64_t m_unacknowledged{0}; //!< the first packet not acknowledged
    uint64_t m_expected{0};       //!< the packet that the receiving end expects
    bool m_nakSent{false};        //!< a NAK for it is under way
};

} // namespace aifabric
} // namespace ns3

#endif /* GO_BACK_N_RECOVERY_H */
