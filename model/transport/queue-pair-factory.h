/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_PAIR_FACTORY_H
#define QUEUE_PAIR_FACTORY_H

#include "queue-pair.h"

#include "ns3/type-id.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class RoceNetDevice;

/**
 * @ingroup ai-fabric
 *
 * Makes the queue pairs of a NIC, with policies of the types that attributes of the NIC name.
 */
class QueuePairFactory
{
  public:
    /**
     * Make a queue pair with the NIC's policies that does not belong to it: something to be forked
     * (RcQueuePair::Fork()).
     *
     * @return the queue pair
     */
    Ptr<QueuePair> MakeQueuePair() const;

    /// @return payload of a full packet of new queue pairs, in bytes
    uint32_t GetUsualMtu() const;

    /// @return bytes on the wire of a full packet of new queue pairs and its acknowledgement
    /// @param nic the NIC that sends them  @param mtu payload of the packet, in bytes
    uint32_t GetRoundTripBytes(const RoceNetDevice& nic, uint32_t mtu) const;

    /// Abort if policies of a queue pair do not suit its transport or each other.
    /// @param queuePair the queue pair, with all policies
    static void CheckPolicies(const QueuePair& queuePair);

  protected:
    /// The factory holds no reference to the NIC.
    ~QueuePairFactory() = default;

    /// @return a type with the attributes that choose types  @param type of a subclass
    static TypeId AddTypes(TypeId type);

    /// Give a queue pair the NIC's policies where it has none.
    void CreateMissingPolicies(const Ptr<QueuePair>& queuePair) const;

  private:
    TypeId m_queuePairType; //!< of new queue pairs
    TypeId m_recoveryType;  //!< of their recoveries
    TypeId m_ackPolicyType; //!< of their ACK policies
    TypeId m_controlType;   //!< of their congestion controls
    TypeId m_balancerType;  //!< of their balancers
};

} // namespace aifabric
} // namespace ns3

#endif /* QUEUE_PAIR_FACTORY_H */
