/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_NET_DEVICE_H
#define FABRIC_NET_DEVICE_H

#include "fabric-port.h"

#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/watched-trace.h"

#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What the NIC and the switch port have in common as an ns-3 NetDevice: ports, addresses, link
 * state, and the trace sources that ns-3's devices share.
 *
 * Those trace sources carry ns3::Packets: the bytes of the Ethernet frame, which are made for each
 * observer and no other.
 */
class FabricNetDevice : public NetDevice
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FabricNetDevice();
    ~FabricNetDevice() override;

    /**
     * Add a port. The device must be on a node already.
     *
     * @param handler who receives what arrives there
     * @param index the port's index at the handler
     */
    void AddPort(Ptr<FabricPort> port, FrameHandler* handler, uint16_t index);

    /// @return the number of ports
    std::size_t GetPortCount() const;

    /// @return a port
    Ptr<FabricPort> GetPort(std::size_t index) const;

    /// The state of one of the links has changed.
    virtual void NotifyLinkChange();

    /// Priority flow control has paused classes of one of the ports, or lets them go on.
    virtual void NotifyPauseChange();

    /**
     * The nominal rate of a port has changed.
     *
     * @param index the index of the port at its switch or NIC
     */
    virtual void DataRateChanged(uint16_t index);

    /// @return whether an observer wants the frames that this device sends
    bool HasSendObserver() const;

    /// @return whether an observer wants the frames that this device receives
    bool HasReceiveObserver() const;

    /**
     * The transmission of a frame begins.
     *
     * @param port the port that sends it
     * @param duration how long it takes
     */
    void ObserveSending(const FabricPort& port, const FabricFrame& frame, Time duration);

    /**
     * A frame has arrived.
     *
     * @param port the port where it arrived
     */
    void ObserveReceiving(const FabricPort& port, const FabricFrame& frame);

    /**
     * A frame that this device sent was lost on the link.
     *
     * @param port the port that sent it
     */
    void ObserveLoss(const FabricPort& port, const FabricFrame& frame);

    // NetDevice
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address address) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

    /// @return the bytes of a frame as they cross a port's link
    /// @param sending whether the port sends it or receives it
    Ptr<Packet> MakeBytes(const FabricPort& port, const FabricFrame& frame, bool sending) const;

    /// @return the ports
    const std::vector<Ptr<FabricPort>>& GetPorts() const
    {
        return m_ports;
    }

    /// Hand a received IP packet up the stack.  @param protocol its EtherType
    void HandUp(const Ptr<Packet>& packet, uint16_t protocol);

    TracedCallback<Ptr<const Packet>> m_macTxTrace;     //!< packet accepted for sending
    TracedCallback<Ptr<const Packet>> m_macTxDropTrace; //!< packet dropped before sending
    TracedCallback<Ptr<const Packet>> m_macRxDropTrace; //!< received packet dropped

  private:
    /// @return a type with the trace sources at the top of the device, where IP packets enter and
    /// leave
    static TypeId AddPacketTraces(TypeId type);

    /// @return a type with the trace sources at the bottom of the device, where frames meet the
    /// wire, captures included
    static TypeId AddWireTraces(TypeId type);

    /// @return whether frames are captured
    bool HasSniffer() const;

    Ptr<Node> m_node;                                      //!< the node
    uint32_t m_ifIndex{0};                                 //!< interface index
    Mac48Address m_address;                                //!< MAC address
    uint16_t m_mtu{0};                                     //!< largest IP packet
    std::vector<Ptr<FabricPort>> m_ports;                  //!< the ports
    ReceiveCallback m_receive;                             //!< where received IP packets go
    PromiscReceiveCallback m_promiscReceive;               //!< where all received IP packets go
    TracedCallback<Ptr<const Packet>> m_macRxTrace;        //!< packet handed up
    TracedCallback<> m_linkChange;                         //!< who wants to know of link changes
    WatchedTrace<Ptr<const Packet>> m_phyTxBeginTrace;     //!< transmission begins
    WatchedTrace<Ptr<const Packet>> m_phyTxEndTrace;       //!< transmission ends
    TracedCallback<Ptr<const Packet>> m_phyTxDropTrace;    //!< lost on the link
    WatchedTrace<Ptr<const Packet>> m_phyRxEndTrace;       //!< frame arrived
    WatchedTrace<Ptr<const Packet>> m_snifferTrace;        //!< frames as on the wire, both ways
    WatchedTrace<Ptr<const Packet>> m_promiscSnifferTrace; //!< frames as on the wire, both ways
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_NET_DEVICE_H */
