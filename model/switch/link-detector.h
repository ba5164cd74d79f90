/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_DETECTOR_H
#define LINK_DETECTOR_H

#include "ns3/nstime.h"

#include <cstdint>
#include <map>

namespace ns3
{
namespace aifabric
{

class FabricSwitch;

/**
 * How a switch detects by itself that one of its links was cut or restored: when the link has been
 * so for a delay. Then it calls FabricSwitch::SetPortAlive().
 */
class LinkDetector
{
  public:
    /// @param fabricSwitch the switch, which lives as long
    explicit LinkDetector(FabricSwitch& fabricSwitch);

    /// @param delay how long a link has to be cut or restored; the longest time means for ever
    void SetDelay(Time delay);

    /// @return how long a link has to be cut or restored
    Time GetDelay() const;

    /// The link of a port was cut or restored.  @param port its number
    void LinkChanged(uint16_t port);

    /// What the link of a port is may be known now.  @param port its number
    void Detect(uint16_t port);

  private:
    FabricSwitch& m_switch;                  //!< the switch
    Time m_delay;                            //!< until a change is known
    std::map<uint16_t, int64_t> m_changedAt; //!< last changes of links, in ps, by port
};

} // namespace aifabric
} // namespace ns3

#endif /* LINK_DETECTOR_H */
