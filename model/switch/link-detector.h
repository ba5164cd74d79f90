/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_DETECTOR_H
#define LINK_DETECTOR_H

#include "ns3/ptr.h"

#include <cstdint>
#include <map>

namespace ns3
{
namespace aifabric
{

class FabricSwitch;

/**
 * How a switch detects by itself that one of its links was cut or restored: when the link has been
 * so for FabricSwitch::GetDetectionDelay(). Then it calls FabricSwitch::SetPortAlive().
 */
class LinkDetector
{
  public:
    /// @param fabricSwitch the switch, which lives as long
    explicit LinkDetector(FabricSwitch& fabricSwitch);

    /// The link of a port was cut or restored.  @param port its number
    void LinkChanged(uint16_t port);

  private:
    /// What the link of a port is may be known now.  @param port its number
    static void Detect(Ptr<FabricSwitch> fabricSwitch, uint16_t port);

    FabricSwitch& m_switch;                  //!< the switch
    std::map<uint16_t, int64_t> m_changedAt; //!< last changes of links, in ps, by port
};

} // namespace aifabric
} // namespace ns3

#endif /* LINK_DETECTOR_H */
