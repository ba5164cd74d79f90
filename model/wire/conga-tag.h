/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONGA_TAG_H
#define CONGA_TAG_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the leaves of CONGA write into a packet between them (Alizadeh et al., SIGCOMM 2014, section
 * 3.1). The paper has it in reserved bits of the overlay's header (VXLAN): 4 bits for a number of
 * an uplink, 3 for a metric. Here there is room for more uplinks and finer metrics.
 */
struct CongaTag
{
    static constexpr uint32_t UPLINKS = 256; //!< uplinks of a leaf that have numbers
    static constexpr uint32_t BITS = 7;      //!< of a metric

    uint8_t uplink{0};         //!< by which the packet has left its first leaf (LBTag)
    uint8_t feedbackUplink{0}; //!< of the leaf that it goes to, which the feedback is about
                               //!< (FB_LBTag)
    uint8_t metric : BITS;     //!< utilization of the busiest link that it has passed (CE)
    uint8_t isSet : 1;         //!< a leaf has written the tag
    uint8_t feedback : BITS;   //!< metric of the path from there (FB_Metric)
    uint8_t hasFeedback : 1;   //!< there is feedback

    CongaTag()
        : metric(0),
          isSet(0),
          feedback(0),
          hasFeedback(0)
    {
    }
};

static_assert(sizeof(CongaTag) == 4, "as FrameBundle writes it");

} // namespace aifabric
} // namespace ns3

#endif /* CONGA_TAG_H */
