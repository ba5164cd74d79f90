/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_APPLICATION_HELPER_H
#define MESSAGE_APPLICATION_HELPER_H

#include "roce-helper.h"

#include "ns3/application-container.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Installs a MessageApplication on hosts, each with a queue pair to one destination. Install()
 * aborts with one line in a run on several ranks.
 */
class MessageApplicationHelper
{
  public:
    /// @param destination the node of the destination, which has a RoceNetDevice
    explicit MessageApplicationHelper(Ptr<Node> destination);

    /**
     * Set an attribute of the applications.
     *
     * @param name the attribute's name
     */
    void SetAttribute(const std::string& name, const AttributeValue& value);

    /// @param roce opens the queue pairs; the default has the policies of the NICs
    void SetRoce(const RoceHelper& roce);

    /**
     * Install an application on each host except the destination.
     *
     * @param hosts the nodes of the hosts, each with a RoceNetDevice
     * @return the applications
     */
    ApplicationContainer Install(const NodeContainer& hosts) const;

    /**
     * Assign fixed random streams to the applications.
     *
     * @param applications the applications, made by a helper of this class
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    static int64_t AssignStreams(const ApplicationContainer& applications, int64_t stream);

  private:
    /// @return the RoCE NIC of a node
    static Ptr<RoceNetDevice> FindNic(const Ptr<Node>& node);

    Ptr<Node> m_destination; //!< the node of the destination
    ObjectFactory m_factory; //!< makes applications
    RoceHelper m_roce;       //!< opens queue pairs
};

} // namespace aifabric
} // namespace ns3

#endif /* MESSAGE_APPLICATION_HELPER_H */
