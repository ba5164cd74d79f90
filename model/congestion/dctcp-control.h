/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCTCP_CONTROL_H
#define DCTCP_CONTROL_H

#include "congestion-control.h"
#include "dctcp-rate.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * DCTCP as a rate (DctcpRate): the congestion control of Ethereal's evaluation
 * (arXiv 2407.00550). It begins at line rate, has no window unless one is set, and goes back to
 * line rate at a gap and when the retransmission timer of the queue pair expires. The timer of a
 * packet changes nothing, as in Ethereal's transport with such timers. A NACK of a trimmed packet
 * counts as an acknowledgement with a mark: the packet met a full queue.
 */
class DctcpControl : public CongestionControl
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<CongestionControl> Fork() const override;
    void Start(const FabricFacts& facts) override;
    void LineRateChanged(DataRate lineRate) override;
    uint64_t GetWindow() const override;
    DataRate GetRate() const override;
    bool Acknowledged(uint32_t bytes, const AckReport& report, int64_t now) override;
    void Lost(const LossSample& loss, int64_t now) override;
    std::optional<MarkingLaw> GetMarkingLaw(const FabricFacts& facts) const override;
    void Count(PolicyCounters& counters) const override;

  private:
    double m_gain{0};                //!< weight of the last round in alpha
    double m_firstAlpha{0};          //!< alpha at the begin
    DataRate m_increase;             //!< what a round without a cut adds
    DataRate m_leastRate;            //!< the least rate
    uint64_t m_window{0};            //!< bytes; 0: unlimited
    bool m_resetsOnLoss{true};       //!< a gap leads back to line rate
    std::optional<DctcpRate> m_rate; //!< the rate, in bits a second, and picoseconds
    uint64_t m_pastMarks{0};         //!< marks before it began anew
    uint64_t m_pastCuts{0};          //!< cuts before it began anew
};

} // namespace aifabric
} // namespace ns3

#endif /* DCTCP_CONTROL_H */
