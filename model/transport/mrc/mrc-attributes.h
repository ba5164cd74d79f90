/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MRC_ATTRIBUTES_H
#define MRC_ATTRIBUTES_H

#include "ns3/nstime.h"
#include "ns3/retransmission-timer.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The attributes that an MRC queue pair has beside those of all transports (QueuePairAttributes).
 * It gives windows in PSNs and retries as RetransmissionLimits.
 */
class MrcAttributes
{
  public:
    /// @return a type with all of them  @param type of MrcQueuePair
    static TypeId AddTo(TypeId type);

  protected:
    /// A queue pair has them; nothing else owns them.
    ~MrcAttributes() = default;

    /// @return PSNs that the responder accepts from the first missing one on
    uint32_t GetRange() const
    {
        return m_rangeUnits * RANGE_UNIT;
    }

    /// @return of these, PSNs that the responder can track; 0: all
    uint32_t GetTrackedRange() const
    {
        return m_trackedUnits * RANGE_UNIT;
    }

    /// Set how many timeouts in a row the queue pair survives.  @param [out] limits of the
    /// requestor
    void SetRetries(RetransmissionLimits& limits) const;

    static constexpr uint32_t RANGE_UNIT = 128; //!< of windows in attributes and SACKs, in PSNs

    uint8_t m_againDscp{0};           //!< DSCP of retransmitted packets
    uint8_t m_lastHopDscp{0};         //!< DSCP of frames trimmed before the link to this host
    bool m_dynamicRange{false};       //!< SACKs carry m_rangeUnits
    uint32_t m_rangeUnits{0};         //!< PSNs that the responder accepts, in units of 128
    uint32_t m_trackedUnits{0};       //!< of these, those that it can track; 0: all
    uint32_t m_alwaysSkipMarks{0};    //!< marks in a row after which it advises against a path
    uint32_t m_mostImmediates{0};     //!< immediates that may be unacknowledged
    uint32_t m_linearRetries{0};      //!< timeouts until the timeout doubles
    uint32_t m_exponentialRetries{0}; //!< timeouts after that
    uint32_t m_statusTries{0};        //!< how often a Port Status Update is sent
    Time m_statusInterval;            //!< between these
    Time m_remapDelay;                //!< until a change of ports has an effect
    Time m_reverseProbeInterval;      //!< between EV probe requests; 0: there are none

  private:
    /// @return a type with the attributes of retries and ports
    static TypeId AddLimits(TypeId type);

    /// @return a type with the attributes of the responder
    static TypeId AddReceiverAttributes(TypeId type);
};

} // namespace aifabric
} // namespace ns3

#endif /* MRC_ATTRIBUTES_H */
