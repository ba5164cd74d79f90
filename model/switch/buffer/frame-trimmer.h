/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_TRIMMER_H
#define FRAME_TRIMMER_H

#include "ns3/fabric-frame.h"
#include "ns3/policy-counters.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace aifabric
{

class FabricSwitch;
class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * How a buffer trims frames: which ones, to how many bytes, and with which DSCP they go on. Part of
 * TrimmingBuffer and of SharedBuffer.
 */
class FrameTrimmer
{
  public:
    /// How frames are trimmed.
    struct Settings
    {
        uint8_t classes{0};      //!< bit c set: frames of class c may be trimmed
        uint16_t bytes{64};      //!< of a trimmed frame in IPv4, FCS included
        uint8_t dscp{50};        //!< of frames trimmed within the fabric
        uint8_t lastHopDscp{52}; //!< of frames trimmed before a link to a host
    };

    /**
     * Prepare for a switch. Ends the program if its ports give trimmed frames a class that is
     * trimmed again.
     *
     * @param settings how frames are trimmed
     * @param owner name of the buffer, for the message
     */
    void Install(const Settings& settings,
                 const FabricSwitch& fabricSwitch,
                 const std::string& owner);

    /// @return whether a frame may be trimmed
    bool MayTrim(const FabricFrame& frame) const;

    /// Trim a frame.  @param egress the port that is to send it
    void Trim(FabricFrame& frame, const FabricTransmitter& egress);

    /// Add what was counted.  @param counters by name
    void Count(PolicyCounters& counters) const;

    /// @return frames trimmed
    uint64_t GetTrimmed() const
    {
        return m_trimmed;
    }

    /// @return of these, frames trimmed before a link to a host
    uint64_t GetTrimmedAtLastHop() const
    {
        return m_trimmedAtLastHop;
    }

    /// @return bytes cut off
    uint64_t GetCutBytes() const
    {
        return m_cutBytes;
    }

  private:
    /// @return bytes that are left of a frame that is trimmed
    uint16_t GetTrimmedBytes(const FabricFrame& frame) const;

    Settings m_settings;            //!< how frames are trimmed
    uint64_t m_trimmed{0};          //!< frames trimmed
    uint64_t m_trimmedAtLastHop{0}; //!< of these, before a link to a host
    uint64_t m_cutBytes{0};         //!< bytes cut off
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_TRIMMER_H */
