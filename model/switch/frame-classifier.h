/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_CLASSIFIER_H
#define FRAME_CLASSIFIER_H

#include "ns3/fabric-port.h"

#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Gives the frames that come into a switch the traffic class of their DSCP, by the DscpTable of
 * their port of ingress. This is not needed where all tables along the way are the usual one.
 */
class FrameClassifier
{
  public:
    /// @param ports the ports of the switch, which are all connected
    void Install(const std::vector<Ptr<FabricPort>>& ports);

    /// @return whether frames may come with a class that is not that of the table of their port
    bool IsNeeded() const
    {
        return !m_tables.empty();
    }

    /// Set the class of a frame, where that is needed.
    void Classify(FabricFrame& frame) const
    {
        if (IsNeeded())
        {
            frame.SetClass(m_tables.at(frame.ingress)->GetClass(frame.GetTos() >> 2));
        }
    }

  private:
    std::vector<Ptr<DscpTable>> m_tables; //!< by port; none: frames have their classes already
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_CLASSIFIER_H */
