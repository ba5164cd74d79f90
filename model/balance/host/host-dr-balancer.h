/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_DR_BALANCER_H
#define HOST_DR_BALANCER_H

#include "path-balancer.h"
#include "path-rotation.h"

#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Destination-based rotation by the host (arXiv 2507.21372, "Host DR"; DRB, CoNEXT 2013): the
 * packets of a queue pair go round the shortest paths that are known to be alive (PathView), from a
 * random one on. The label of the path is the entropy, which the switches obey (PathLabelBalancer).
 *
 * An acknowledgement goes back with the label of the packet that it answers, so the rotation of the
 * acknowledgements is as even as that of the data, and neither shifts the other: that is what the
 * paper's bins of packet size are for.
 *
 * With several planes the packets go round the planes, and in each plane round its paths. A plane
 * has the weight of its number of paths, so that all paths of all planes have the same share.
 */
class HostDrBalancer : public PathBalancer
{
  public:
    /// In which order the paths are visited.
    enum Order
    {
        DIGIT_REVERSAL, //!< the uplink of the leaf changes every packet
        RANDOM          //!< a random order, each queue pair its own
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::optional<PathChoice> Choose(const PathRequest& request) override;
    TypeId GetSwitchBalancer() const override;

  private:
    void Rebuild(bool isFirst) override;

    /// @return the labels in the order of service, each path once a round
    std::vector<uint16_t> ScheduleLabels(const std::vector<LabelledPaths>& paths);

    Order m_order{DIGIT_REVERSAL};         //!< of the paths
    std::vector<PathRotation> m_rotations; //!< by plane
    PathRotation m_planes;                 //!< goes round the planes, by their paths
};

} // namespace aifabric
} // namespace ns3

#endif /* HOST_DR_BALANCER_H */
