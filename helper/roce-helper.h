/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_HELPER_H
#define ROCE_HELPER_H

#include "ns3/object-factory.h"
#include "ns3/rc-queue-pair.h"
#include "ns3/roce-net-device.h"
#include "ns3/trace-helper.h"

#include <string>
#include <utility>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Opens connections between NICs, and captures what crosses them or any port of a switch.
 *
 * The captures are Ethernet (link type 1) with a clock of nanoseconds. To capture on a device costs
 * time at that device and nowhere else, and changes no result. Frames are written when their
 * transmission begins or when their last bit arrives. ASCII traces are not offered: a device has
 * several queues, and most frames of a NIC pass none.
 */
class RoceHelper : public PcapHelperForDevice
{
  public:
    /// The two ends of a connection.
    using Ends = std::pair<Ptr<QueuePair>, Ptr<QueuePair>>;

    RoceHelper();

    /// @param factory of the queue pairs: their transport and its attributes; RcQueuePair unless
    /// set
    void SetQueuePair(const ObjectFactory& factory);

    /**
     * Set an attribute of the queue pairs to come.
     *
     * @param name the attribute's name
     */
    void SetQueuePairAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set how connections survive loss and reordering. Default: as their NIC's RecoveryType.
     *
     * @param factory makes one for each end
     */
    void SetRecovery(const ObjectFactory& factory);

    /**
     * Set how much and how fast connections send. Default: as their NIC's ControlType.
     *
     * @param factory makes one for each end
     */
    void SetControl(const ObjectFactory& factory);

    /**
     * Set by which paths connections send. Default: as their NIC's BalancerType.
     *
     * @param factory makes one for each end
     */
    void SetBalancer(const ObjectFactory& factory);

    /**
     * Open a connection.
     *
     * @param a a NIC
     * @param b another NIC, or the same
     * @return its ends at a and at b; each can send to the other
     */
    Ends Connect(Ptr<RoceNetDevice> a, Ptr<RoceNetDevice> b) const;

  private:
    /// @return a new queue pair
    Ptr<QueuePair> Create(RoceNetDevice& nic) const;

    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;

    ObjectFactory m_queuePair; //!< makes queue pairs
    ObjectFactory m_recovery;  //!< makes recoveries, if it has a type
    ObjectFactory m_control;   //!< makes controls, if it has a type
    ObjectFactory m_balancer;  //!< makes balancers, if it has a type
};

} // namespace aifabric
} // namespace ns3

#endif /* ROCE_HELPER_H */
