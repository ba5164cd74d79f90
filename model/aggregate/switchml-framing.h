/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCHML_FRAMING_H
#define SWITCHML_FRAMING_H

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
 * Translates between fragments and frames of FrameKind::SWITCHML. The slot of a fragment is its
 * number modulo the window of its job, which is the pool; the set is the quotient modulo 2.
 */
class SwitchMlFraming
{
  public:
    static constexpr uint16_t FIRST_PORT = 0xC000; //!< UDP source port of job 0

    /// @return what a frame carries; the bitmap is 0
    static Fragment Read(const FabricFrame& frame);

    /// @return the set of a frame
    static uint8_t GetSet(const FabricFrame& frame);

    /**
     * Set all header fields and values of a frame, its size and its flow; the hosts are set.
     *
     * @param job the job of the fragment
     * @param fragment what it carries
     * @param type a SwitchMlCodec::MessageType
     */
    static void Write(FabricFrame& frame,
                      const AggregationJob& job,
                      Fragment fragment,
                      uint8_t type);
};

} // namespace aifabric
} // namespace ns3

#endif /* SWITCHML_FRAMING_H */
