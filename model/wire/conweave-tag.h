/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONWEAVE_TAG_H
#define CONWEAVE_TAG_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the leaves of ConWeave write into packets between them, and into their control packets (Song
 * et al., SIGCOMM 2023, section 3). The authors' switch program has it in reserved bits of the BTH
 * (2 for the epoch) and in two times of 16 bits behind it.
 */
struct ConweaveTag
{
    static constexpr uint32_t UPLINKS = 256;   //!< uplinks of a leaf that have numbers
    static constexpr int64_t PS_PER_NS = 1000; //!< picoseconds of a nanosecond, of its times

    /// What the packet is to the other leaf.
    enum Kind : uint8_t
    {
        NONE,    //!< ConWeave does not know the packet
        DATA,    //!< a packet of a flow, and nothing else
        REQUEST, //!< the first packet of an epoch: the last leaf answers with a REPLY
        TAIL,    //!< the last one on the old path: the last leaf answers with a CLEAR
        REPLY,   //!< control: the REQUEST has arrived
        CLEAR,   //!< control: the TAIL has arrived
        NOTIFY,  //!< control: packets of that uplink are marked
    };

    uint32_t sentNs; //!< when its first leaf received it, in nanoseconds modulo 2^32 (TX_TSTAMP)
    uint32_t tailNs; //!< the same of the TAIL, on packets of the new path (TAIL_TX_TSTAMP)
    Kind kind;       //!< what the packet is
    uint8_t epoch;   //!< number of the epoch of its flow, modulo 2^8
    uint8_t uplink;  //!< of the first leaf, by which it goes or by which the marked packet came
    bool isRerouted; //!< it is behind the TAIL of its epoch, on the new path

    /// @return whether it stands on a packet of a flow
    bool IsOfFlow() const
    {
        return kind >= DATA && kind <= TAIL;
    }
};

static_assert(sizeof(ConweaveTag) == 12, "as FrameBundle writes it");

} // namespace aifabric
} // namespace ns3

#endif /* CONWEAVE_TAG_H */
