/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_H
#define FLOW_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * One message from a host to another: a write by its source, or a read by its destination.
 */
struct Flow
{
    /// A traffic class that is none: the DSCP is the attribute Dscp of the queue pair.
    static constexpr uint8_t USUAL_CLASS = 8;

    int64_t startPs{0};       //!< when GetStarter() begins, in picoseconds
    uint32_t source{0};       //!< the sending host
    uint32_t destination{0};  //!< the receiving host, not the source
    uint64_t bytes{0};        //!< payload of the message, in bytes; 0: EmptyMessages
    uint16_t channel{0};      //!< messages of other channels take other queue pairs
    bool ordered{false};      //!< it takes a queue pair that keeps one path for life
    bool inNode{false};       //!< the private fabric of a node carries it, and not the network
    bool isBackground{false}; //!< the run does not wait for it; has queue pairs of its own
    bool isRead{false};       //!< its destination asks for it; has queue pairs of its own
    bool isSum{false};        //!< if it is switched: the switch adds it up, and else copies it
    /// 0 to 7: it takes queue pairs whose DSCP is the class selector of the class
    uint8_t trafficClass{USUAL_CLASS};
    uint32_t pieces{1};   //!< RDMA writes that it is divided into, once its steering has done so
    uint16_t switched{0}; //!< GPUs of a node whose data its switch adds up, or copies; 0: none

    /// @return the host that starts it
    uint32_t GetStarter() const
    {
        return isRead ? destination : source;
    }

    /// @return what its source sends for it in the fabric of its node, in bytes (NodeSwitch)
    double GetUpBytes() const
    {
        return switched ? Share(isSum) : static_cast<double>(bytes);
    }

    /// @return what its destination receives for it in the fabric of its node, in bytes
    double GetDownBytes() const
    {
        return switched ? Share(!isSum) : static_cast<double>(bytes);
    }

  private:
    /// @return its share of what all messages of a sum or a copy move, which the switch also takes
    /// from, or gives to, the GPU that has it  @param isMany whether there are as many as GPUs
    double Share(bool isMany) const
    {
        const double part = static_cast<double>(bytes) / (switched - 1);
        return isMany ? part * switched : part;
    }
};

/// What became of a flow.
struct FlowRecord
{
    Flow flow;             //!< what was asked for
    bool started{false};   //!< its message was posted
    bool received{false};  //!< all of it has come
    bool completed{false}; //!< all of it is acknowledged
    Time receivedAt;       //!< when all of it had come
    Time completedAt;      //!< when all of it was acknowledged
};

} // namespace aifabric
} // namespace ns3

#endif /* FLOW_H */
