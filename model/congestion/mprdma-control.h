/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPRDMA_CONTROL_H
#define MPRDMA_CONTROL_H

#include "congestion-control.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The window by ECN marks of the evaluation of REPS (arXiv 2407.21625), which follows MP-RDMA (Lu
 * et al., "Multi-Path Transport for RDMA in Datacenters", NSDI 2018). Each acknowledgement changes
 * the window by itself, without a round and without an average: D bytes that are acknowledged
 * without a mark add Increase * packet * D / window, which is Increase packets a round trip, and D
 * bytes with a mark take Decrease * D. Lost bytes are taken from the window, whatever showed the
 * loss. It does not pace.
 *
 * The laws are linear in bytes, so this class counts payload, as queue pairs do.
 */
class MprdmaControl : public CongestionControl
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
    /// Make the window smaller, but leave the smallest one.  @param bytes by how much
    void Reduce(double bytes);

    /// @return the first window, in packets  @param facts what the NIC knows of the fabric
    double DeriveFirst(const FabricFacts& facts) const;

    double m_firstPackets{0}; //!< first window, in packets; 0: by the fabric
    double m_mostPackets{0};  //!< largest window, in packets; 0: the first one
    double m_most{0};         //!< largest window, in payload bytes
    double m_leastPackets{0}; //!< smallest window, in packets
    double m_increase{0};     //!< packets that a window of unmarked bytes adds
    double m_decrease{0};     //!< share of marked bytes that is taken from the window
    DataRate m_lineRate;      //!< the port's rate
    double m_mtu{0};          //!< payload bytes of a full packet
    double m_window{0};       //!< in payload bytes
    uint64_t m_marks{0};      //!< acknowledgements with a mark
    uint64_t m_lossBytes{0};  //!< lost bytes that were reported to the control
};

} // namespace aifabric
} // namespace ns3

#endif /* MPRDMA_CONTROL_H */
