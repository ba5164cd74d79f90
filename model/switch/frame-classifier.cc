/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-classifier.h"

#include "ns3/frame-handler.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

void
FrameClassifier::Install(const std::vector<Ptr<FabricPort>>& ports)
{
    const bool isNeeded = std::any_of(ports.begin(), ports.end(), [](const Ptr<FabricPort>& port) {
        const FabricPort* peer = port->GetTransmitter().GetPeer();
        return !port->GetDscpTable()->IsUsual() || (peer && peer->GetHandler()->SetsClasses());
    });
    m_tables.clear();
    for (std::size_t i = 0; isNeeded && i < ports.size(); ++i)
    {
        m_tables.push_back(ports[i]->GetDscpTable());
    }
}

} // namespace aifabric
} // namespace ns3
