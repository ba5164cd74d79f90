/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTION_H
#define CONNECTION_H

#include "ns3/ack-report.h"
#include "ns3/fabric-frame.h"
#include "ns3/host-balancer.h"
#include "ns3/loss-recovery.h"
#include "ns3/psn-window.h"
#include "ns3/ptr.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

class RoceNetDevice;

/**
 * @ingroup ai-fabric
 *
 * What both halves of a queue pair stand on, and the header fields that all its packets share.
 */
struct Connection
{
    Connection()
        : peerNumber(0),
          trafficClass(3),
          firstPsn(0),
          immediate(0),
          reads(0)
    {
    }

    RoceNetDevice* nic{nullptr}; //!< the NIC
    Ptr<LossRecovery> recovery;  //!< how it survives loss
    uint32_t peerHost{0};        //!< the other end's host index
    uint32_t peerNumber : 24;    //!< the other end's queue pair number
    uint32_t trafficClass : 8;   //!< of data, by its DSCP
    uint32_t firstPsn : 24;      //!< PSN of packet number 0
    uint32_t immediate : 4;      //!< 1: the last packet of a write has immediate data
    uint32_t reads : 4;          //!< 1: its messages are requests of reads, and what answers them
    uint16_t mtu{4096};          //!< payload bytes of a full packet
    uint8_t dscp{26};            //!< DSCP of data
    uint8_t ackDscp{26};         //!< DSCP of acknowledgements

    /// @return the traffic class of data
    uint8_t GetClass() const
    {
        return trafficClass;
    }

    /// @return how many packets a message has  @param bytes its length
    uint64_t CountPackets(uint64_t bytes) const
    {
        return std::max<uint64_t>(1, (bytes + mtu - 1) / mtu);
    }

    /// @return the PSN of a packet, as headers have it  @param number the packet's number
    uint32_t ToPsn(uint64_t number) const
    {
        return (number + firstPsn) & PsnWindow::PSN_MASK;
    }

    /// @return the UDP source port that Linux gives a queue pair (rdma_calc_flow_label and
    /// rdma_flow_label_to_udp_sport of its InfiniBand headers), from 0xC000 on
    /// @param number of the queue pair at this end
    uint16_t GetLinuxPort(uint32_t number) const;

    /// @return a path, on a port that has a link, for a frame that must not change the order of the
    /// balancer's paths and has to take another one than that before it, which may be lost
    /// @param number of the queue pair at this end  @param turn how many such frames it has sent
    PathChoice GetControlPath(uint32_t number, uint32_t turn) const;

    /// Fill in what all packets of the connection have in common, and the flow.
    /// @param frame the packet, with its flags  @param entropy chooses its path
    void Address(FabricFrame& frame, uint32_t entropy) const;

    /// @return what all answers to packets have in common  @param frame the answer
    ResponderReport ReadReport(const FabricFrame& frame) const
    {
        return {FromFirst(frame.psn),
                frame.msn,
                frame.entropy,
                (frame.flags & BTH_BECN) != 0,
                frame.sentAt,
                frame.GetExtra().heldFor,
                frame.GetHops()};
    }

    /// @return a PSN counted from the first one, 24 bits  @param psn the PSN of a header
    uint32_t FromFirst(uint32_t psn) const
    {
        return (psn - firstPsn) & PsnWindow::PSN_MASK;
    }

    /**
     * Refuse packets that the other end cannot have sent.
     *
     * @param number the packet's number
     * @param psn its PSN, counted from the first one
     */
    void CheckNumber(int64_t number, uint32_t psn) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* CONNECTION_H */
