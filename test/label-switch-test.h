/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LABEL_SWITCH_TEST_H
#define LABEL_SWITCH_TEST_H

#include "fabric-test.h"

namespace fabrictest
{

/// @return the label of the next packet
inline uint32_t
TakeLabel(HostBalancer& balancer)
{
    return ChoosePath(balancer).entropy - PathChoice::FIRST_PORT;
}

/// @return the labels of the next packets
inline std::vector<uint32_t>
TakeLabels(HostBalancer& balancer, uint32_t count)
{
    std::vector<uint32_t> labels;
    while (labels.size() < count)
    {
        labels.push_back(TakeLabel(balancer));
    }
    return labels;
}

/// Balancers of a switch that read labels of frames.
struct LabelSwitchTestCase : FabricTestCase
{
    static constexpr uint16_t FIRST_UP = 4; //!< lowest port that leads up
    static constexpr uint16_t UPLINKS = 5;  //!< of a switch

    /// @return a balancer that knows where it stands  @tparam T its type  @param tier its tier
    /// @param stream of its randomness
    template <typename T>
    Ptr<T> MakeBalancer(uint8_t tier, int64_t stream)
    {
        SwitchSite site;
        site.tier = tier;
        site.firstUp = FIRST_UP;
        site.upCount = UPLINKS;
        site.leafUplinks = UPLINKS;
        site.firstHost = 100;
        site.hostCount = 10;
        Ptr<T> balancer = CreateObject<T>();
        balancer->SetSite(site);
        balancer->AssignStreams(stream);
        balancer->Initialize();
        return balancer;
    }

    Ptr<FabricFrame> MakeFrame(uint32_t label, uint32_t destination)
    {
        Ptr<FabricFrame> frame = m_pool->Create();
        frame->source = 1;
        frame->destination = destination;
        FrameCodec::SetFlow(*frame, PathChoice::FIRST_PORT + label);
        return frame;
    }

    Ptr<FabricFramePool> m_pool{Create<FabricFramePool>()}; //!< where frames come from
};

} // namespace fabrictest

#endif /* LABEL_SWITCH_TEST_H */
