/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_H
#define FABRIC_H

#include "ns3/fabric-channel.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-switch.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/path-view.h"
#include "ns3/roce-net-device.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A fabric that was built: its parts, numbered as in its FabricGraph.
 */
class Fabric : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Fabric();
    ~Fabric() override;

    /// @return the description
    const FabricGraph& GetGraph() const;

    /// @return the paths that hosts take to be alive; routing updates it when a link changes
    const std::shared_ptr<PathView>& GetPaths() const;

    /// @return the nodes of the hosts, by host index
    const NodeContainer& GetHosts() const;

    /// @return a host's NIC  @param host its index
    const Ptr<RoceNetDevice>& GetNic(uint32_t host) const;

    /// @return the NICs of all hosts, by host index
    NetDeviceContainer GetNics() const;

    /// @return the same, for who needs more than NetDevices
    const std::vector<Ptr<RoceNetDevice>>& GetNicList() const
    {
        return m_nics;
    }

    /// @return the nodes of the switches, by switch number
    const NodeContainer& GetSwitchNodes() const;

    /// @return the number of switches
    std::size_t GetSwitchCount() const;

    /// @return a switch  @param id its number
    const Ptr<FabricSwitch>& GetSwitch(uint32_t id) const;

    /// @return the switches, by their numbers
    const std::vector<Ptr<FabricSwitch>>& GetSwitchList() const
    {
        return m_switches;
    }

    /// @return the number of channels
    std::size_t GetChannelCount() const;

    /// @return a link's channel  @param link the link's number
    const Ptr<FabricChannel>& GetChannel(uint32_t link) const;

    /// @return the channels of all links, by link number
    const std::vector<Ptr<FabricChannel>>& GetChannelList() const
    {
        return m_channels;
    }

    /**
     * Name the nodes (ns3::Names), so that Config paths such as
     * `/Names/leaf-0/$ns3::aifabric::FabricSwitch/PortList/1` reach them: hosts are host-0, host-1,
     * ..., and switches have the names of FabricGraph::SwitchName(). A simulation with several
     * fabrics needs a prefix for each. Names outlast Simulator::Destroy(); a program that builds
     * fabrics one after another calls Names::Clear() after it.
     *
     * @param prefix what each name begins with
     */
    void AddNames(const std::string& prefix = "") const;

    /**
     * @param mtu payload of a packet, in bytes
     * @return time between a packet and its acknowledgement on the longest path, where nothing
     * waits: propagation and transmission over FabricGraph::LongestPathLinks() links, there and
     * back, and the latencies of switches and NICs
     */
    Time GetRoundTripTime(uint32_t mtu) const;

    /// @return the part of GetRoundTripTime() that is latency of switches and NICs, the largest of
    /// which count
    Time GetRoundTripLatency() const;

    /// @return the port at an end of a link
    Ptr<FabricPort> GetPort(const FabricEnd& end) const;

    /// @return the pool of all frames
    const Ptr<FabricFramePool>& GetPool() const;

    /**
     * Bring all ports up to date, as PortCatalog::CatchUp() does. To be called before counters are
     * read.
     */
    void CatchUp() const;

    /// @return frames delivered over all links: packet-hops
    uint64_t GetPacketHops() const;

    /**
     * Assign fixed random streams to all parts.
     *
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream) const;

    // For ClosHelper

    /// @param graph the description
    void SetGraph(const FabricGraph& graph);

    /// @param node a host's node
    void AddHost(Ptr<Node> node, Ptr<RoceNetDevice> nic);

    /// @param node a switch's node
    void AddSwitch(Ptr<Node> node, Ptr<FabricSwitch> fabricSwitch);

    /// @param channel the channel of the next link
    void AddChannel(Ptr<FabricChannel> channel);

  protected:
    void DoDispose() override;

  private:
    std::optional<FabricGraph> m_graph;         //!< the description
    std::shared_ptr<PathView> m_paths;          //!< what hosts take to be alive
    Ptr<FabricFramePool> m_pool;                //!< of all frames
    NodeContainer m_hosts;                      //!< nodes of the hosts
    NodeContainer m_switchNodes;                //!< nodes of the switches
    std::vector<Ptr<RoceNetDevice>> m_nics;     //!< by host index
    std::vector<Ptr<FabricSwitch>> m_switches;  //!< by switch number
    std::vector<Ptr<FabricChannel>> m_channels; //!< by link number
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_H */
