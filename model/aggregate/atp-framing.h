/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ATP_FRAMING_H
#define ATP_FRAMING_H

#include "aggregation-job.h"
#include "fragment.h"

#include "ns3/fabric-frame.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Translates between fragments and frames of FrameKind::ATP. The upper bits of a fragment's number,
 * for which the header has no room, are the number of its tensor.
 */
class AtpFraming
{
  public:
    static constexpr uint16_t FIRST_PORT = 0xC000; //!< UDP source port of job 0

    /// @return the number of a frame's fragment
    static uint32_t GetSequence(const FabricFrame& frame);

    /// @return what a frame carries, which shares its values
    static Fragment Read(const FabricFrame& frame);

    /**
     * Set all header fields and values of a frame, its size and its flow; the hosts are set.
     *
     * @param job the job of the fragment
     * @param fragment what it carries; without values for a reminder or a request
     * @param flags AtpCodec::Flag bits besides those of the fragment
     * @param moreFlags AtpCodec::MoreFlag bits; if there are some, the frame has a priority
     */
    static void Write(FabricFrame& frame,
                      const AggregationJob& job,
                      Fragment&& fragment,
                      uint8_t flags,
                      uint8_t moreFlags = 0);
};

} // namespace aifabric
} // namespace ns3

#endif /* ATP_FRAMING_H */
