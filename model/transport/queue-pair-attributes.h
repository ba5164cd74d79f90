/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_PAIR_ATTRIBUTES_H
#define QUEUE_PAIR_ATTRIBUTES_H

#include "ns3/control-traces.h"
#include "ns3/type-id.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The attributes and trace sources that all transports have by QueuePair. Each transport registers
 * them for itself, so that they can be set for it alone: `Config::SetDefault()` takes the
 * attributes of a type, and not those of its parents.
 */
class QueuePairAttributes
{
  public:
    /// @return a type with all of them  @param type of a subclass of QueuePair
    /// @param dscp default of Dscp  @param ackDscp default of AckDscp
    static TypeId AddTo(TypeId type, uint8_t dscp = USUAL_DSCP, uint8_t ackDscp = USUAL_DSCP);

    static constexpr uint8_t USUAL_DSCP = 26;   //!< of RoCE: class 3
    static constexpr uint8_t CONTROL_DSCP = 48; //!< of control packets, as of CNPs: class 6

  private:
    /// @return a type with what headers need  @param dscp default of Dscp
    /// @param ackDscp default of AckDscp
    static TypeId AddConnection(TypeId type, uint8_t dscp, uint8_t ackDscp);

    /// @return the trace sources of a queue pair's control  @param object the queue pair
    static ControlTraces* FindControlTraces(ObjectBase* object);

    /// @return a type with the trace sources of queue pairs
    static TypeId AddTraceSources(TypeId type);

    /// @return a type with the attributes that say when to retransmit
    static TypeId AddTimeouts(TypeId type);

    /// @return a type with the attributes of queue pairs that choose policies
    static TypeId AddPolicies(TypeId type);
};

} // namespace aifabric
} // namespace ns3

#endif /* QUEUE_PAIR_ATTRIBUTES_H */
