/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCQCN_CONTROL_H
#define DCQCN_CONTROL_H

#include "cnp-listener.h"
#include "congestion-control.h"
#include "dcqcn-presets.h"
#include "dcqcn-rate.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * DCQCN (DcqcnRate): the congestion control of RoCE NICs, which follows the CNPs of the receiver
 * (NotificationPoint) and nothing else: neither marks in acknowledgements, nor delays, nor losses.
 * The constants are those of a preset; each has an attribute that overrides it.
 *
 * It schedules no event: timers are applied when a packet is sent or a CNP comes.
 */
class DcqcnControl : public CongestionControl, public CnpListener
{
  public:
    /// Which rules cut the rate.
    enum Form : uint8_t
    {
        BY_PRESET, //!< those of the preset
        PAPER,     //!< each CNP cuts
        NIC,       //!< a periodic check cuts if a CNP has come
    };

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
    Time GetCnpGap() const override;
    void CnpReceived(int64_t now) override;
    std::optional<MarkingLaw> GetMarkingLaw(const FabricFacts& facts) const override;
    void Count(PolicyCounters& counters) const override;

    /// @return the rate, alpha and the timers
    const DcqcnRate& GetReactionPoint() const
    {
        return *m_rate;
    }

  private:
    /// @return a type with the attributes of decreases
    static TypeId AddDecreaseAttributes(TypeId type);

    /// @return a type with the attributes of increases
    static TypeId AddIncreaseAttributes(TypeId type);

    /// @return the constants  @param lineRate rate of the port, in bit/s
    DcqcnRate::Parameters GetParameters(double lineRate) const;

    DcqcnPresets::Name m_preset{DcqcnPresets::NVIDIA_LIKE}; //!< whose constants
    Form m_form{BY_PRESET};                                 //!< which rules cut the rate
    bool m_clampsTarget{false};                             //!< each cut sets the target
    double m_gain{0};                                       //!< g
    double m_firstAlpha{0};                                 //!< alpha at the first CNP
    double m_firstRate{1};                                  //!< share that the first CNP leaves
    double m_maxDecrease{0.5};                              //!< the most that a cut takes
    Time m_alphaPeriod;                                     //!< Ta
    Time m_decreasePeriod;                                  //!< between checks for a cut
    Time m_ratePeriod;                                      //!< Tr
    uint64_t m_byteCounter{0};                              //!< Bc
    uint32_t m_fastSteps{0};                                //!< F
    DataRate m_additive{0};                                 //!< RAI
    DataRate m_hyper{0};                                    //!< RHAI
    DataRate m_leastRate{0};                                //!< Rmin
    uint64_t m_window{0};                                   //!< bytes; 0: unlimited
    double m_packetBits{0};                                 //!< of a full packet
    std::optional<DcqcnRate> m_rate;                        //!< the rate
    uint64_t m_pastCuts{0};                                 //!< before it began anew
};

} // namespace aifabric
} // namespace ns3

#endif /* DCQCN_CONTROL_H */
