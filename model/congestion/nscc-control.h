/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NSCC_CONTROL_H
#define NSCC_CONTROL_H

#include "congestion-control.h"
#include "nscc-window.h"

#include "ns3/nstime.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * NSCC, the sender's congestion control of Ultra Ethernet (NsccWindow): a window by queueing delay,
 * ECN marks and trimmed packets. It begins with the largest window, which follows from the rate of
 * all planes together and from the round-trip time of the fabric.
 *
 * Ultra Ethernet counts the bytes of packets with their headers. All laws are linear in bytes, so
 * this class counts payload, as queue pairs do, and scales the constants instead.
 */
class NsccControl : public CongestionControl
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
    bool WantsSent() const override;
    bool PacketSent(uint32_t bytes, int64_t start) override;
    bool Acknowledged(uint32_t bytes, const AckReport& report, int64_t now) override;
    void Lost(const LossSample& loss, int64_t now) override;
    std::optional<MarkingLaw> GetMarkingLaw(const FabricFacts& facts) const override;
    void Count(PolicyCounters& counters) const override;

    /// @return the law and its state, in payload bytes; after Start()
    const NsccWindow& GetState() const
    {
        return *m_window;
    }

  protected:
    /// @return the bandwidth-delay product of all planes and the base RTT, in payload bytes; after
    /// Start()
    double GetBdp() const;

    /// The receiver controls the load of the last hop; to be called before Start().
    void AssumeReceiverCredits();

  private:
    /// @return a type with attributes that describe the network
    static TypeId AddNetworkAttributes(TypeId type);
    /// @return a type with attributes of increases
    static TypeId AddIncreaseAttributes(TypeId type);
    /// @return a type with attributes of the average delay and decreases
    static TypeId AddDecreaseAttributes(TypeId type);
    /// @return a type with attributes of quick adapt
    static TypeId AddQuickAdaptAttributes(TypeId type);

    /// @return the parameters from the attributes; facts of the fabric replace those of value 0
    NsccWindow::Parameters GetParameters(const FabricFacts& facts) const;
    /// Abort if a value makes no sense in this fabric.  @param facts the fabric
    void CheckAttributes(const FabricFacts& facts) const;

    NsccWindow::Profile m_profile{NsccWindow::UE}; //!< whose rules apply
    Time m_networkRtt;                             //!< 0: FabricFacts::baseRtt
    Time m_targetDelay;                            //!< 0: a share of the network RTT
    uint32_t m_header{0};                          //!< headers of a packet, in bytes
    double m_maxWindowFactor{0};                   //!< in bandwidth-delay products
    bool m_receiverCredits{false};                 //!< the receiver controls the last hop
    bool m_samplesNacks{true};                     //!< NACKs lower the base RTT (profile UET)
    bool m_samplesProbes{false};                   //!< answers to probes give delays
    DataRate m_referenceRate;                      //!< of the network that the gains refer to
    Time m_referenceRtt;                           //!< of that network
    double m_proportionalIncrease{0};              //!< in packets
    double m_fairIncrease{0};                      //!< in packets
    double m_periodicIncrease{0};                  //!< in packets
    double m_fastIncrease{0};                      //!< share of the acknowledged bytes
    Time m_fastDelay;                              //!< fast increase needs a delay below this
    Time m_adjustPeriod;                           //!< 0: the network RTT
    uint32_t m_adjustPackets{0};                   //!< packets that end it earlier
    double m_gamma{0};                             //!< of the multiplicative decrease
    double m_maxDecrease{0};                       //!< largest share that a decrease takes
    double m_delayWeight{0};                       //!< of a sample in the average delay
    double m_lateShare{0};                         //!< of the base RTT
    bool m_gapDecreases{false};                    //!< losses inferred from gaps reduce the window
    double m_quickAdaptGate{0};                    //!< share of the largest window
    Time m_quickAdaptThreshold;                    //!< 0: by the profile
    double m_dropThreshold{0};                     //!< in bandwidth-delay products of a plane

    DataRate m_lineRate;                //!< the port's rate
    std::optional<NsccWindow> m_window; //!< the window, in payload bytes
    NsccWindow::Counters m_past;        //!< what it counted before it began anew
};

} // namespace aifabric
} // namespace ns3

#endif /* NSCC_CONTROL_H */
