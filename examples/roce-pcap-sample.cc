/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ai-fabric
 *
 * Writes a capture file with one frame of each type that the fabric knows, to look at with
 * Wireshark or `tshark -V -r FILE`:
 *
 *     roce-pcap-sample --out=sample.pcap
 *
 * In IPv4 and then in IPv6: each RoCE opcode, acknowledgements of each type, and an UDP packet of
 * an ordinary IP stack; at last PAUSE and PFC. Host 0 (10.0.0.1, fd00::1) sends to host 1. Frame n,
 * from 0, begins at n * 100 ns; a RoCE frame has destination queue pair 0x100 + n, PSN 0x1000 + n
 * and UDP source port 0xC000 + n. No simulation runs.
 */

#include "ns3/address-plan.h"
#include "ns3/boolean.h"
#include "ns3/command-line.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-frame.h"
#include "ns3/frame-codec.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/pcap-file-wrapper.h"
#include "ns3/rc-codec.h"
#include "ns3/roce-aeth-header.h"
#include "ns3/udp-header.h"

#include <cstdint>
#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::aifabric;

namespace
{

constexpr uint32_t SOURCE = 0;      //!< index of the sending host
constexpr uint32_t DESTINATION = 1; //!< index of the receiving host

/// A capture file that frames are appended to.
class Sample
{
  public:
    /**
     * @param name name of the file
     */
    explicit Sample(const std::string& name)
    {
        constexpr uint32_t ETHERNET = 1;
        m_file->SetAttribute("NanosecMode", BooleanValue(true));
        m_file->Open(name, std::ios::out);
        if (IsOk())
        {
            m_file->Init(ETHERNET);
        }
    }

    /// @return whether all could be written so far
    bool IsOk() const
    {
        return !m_file->Fail();
    }

    /// @return the number of frames written
    uint32_t GetCount() const
    {
        return m_count;
    }

    /// @return a new frame
    Ptr<FabricFrame> Create()
    {
        return m_pool->Create();
    }

    /**
     * Append a frame.
     *
     * @param frame the frame
     */
    void Append(Ptr<FabricFrame> frame)
    {
        const Mac48Address source = ToMac(addressplan::HostMac(SOURCE, 0));
        const Mac48Address destination = ToMac(addressplan::HostMac(DESTINATION, 0));
        m_file->Write(NanoSeconds(100 * m_count),
                      FrameCodec::Serialize(*frame, source, destination));
        ++m_count;
    }

    /**
     * Append a RoCE frame.
     *
     * @param opcode the operation
     * @param ipv6 whether in IPv6
     * @param payload bytes of the message
     * @param syndrome of an acknowledgement
     */
    void AppendRoce(uint8_t opcode, bool ipv6, uint16_t payload, uint8_t syndrome = 0)
    {
        constexpr uint8_t DATA_TOS = 26 << 2 | ECN_ECT0;
        constexpr uint8_t CONTROL_TOS = 48 << 2;
        constexpr uint32_t FLOW_LABEL = 0xABCD; // IPv6 has one
        const bool data = RcCodec::HasPayload(opcode);
        Ptr<FabricFrame> frame = Create();
        frame->kind = FrameKind::ROCE;
        frame->source = SOURCE;
        frame->destination = DESTINATION;
        frame->SetTos(data ? DATA_TOS : CONTROL_TOS);
        frame->flags = ipv6 ? FRAME_IPV6 : 0;
        frame->flags |= BTH_MIG_REQ | (opcode == ROCE_CNP ? BTH_BECN : 0);
        FrameCodec::SetFlow(*frame, FLOW_LABEL << 16 | (0xC000 + m_count));
        frame->destinationQp = 0x100 + m_count;
        frame->opcode = opcode;
        frame->psn = opcode == ROCE_CNP ? 0 : 0x1000 + m_count;
        frame->payload = payload;
        frame->Extra().reth = {0x7F0000200000, 0x1234, 10000};
        frame->Extra().immediate = 0x01020304;
        frame->syndrome = syndrome;
        frame->msn = 3;
        Append(frame);
    }

    /**
     * Append the packet of an ordinary IP stack.
     *
     * @param ipv6 whether in IPv6
     */
    void AppendUdp(bool ipv6)
    {
        constexpr uint8_t DISCARD_PORT = 9;
        Ptr<Packet> packet = ns3::Create<Packet>(100);
        UdpHeader udp;
        udp.SetSourcePort(49152);
        udp.SetDestinationPort(DISCARD_PORT);
        if (ipv6)
        {
            addressplan::Ipv6Bytes source = addressplan::HostIpv6(SOURCE);
            addressplan::Ipv6Bytes destination = addressplan::HostIpv6(DESTINATION);
            Ipv6Header ip;
            ip.SetSource(Ipv6Address(source.data()));
            ip.SetDestination(Ipv6Address(destination.data()));
            udp.EnableChecksums();
            udp.InitializeChecksum(ip.GetSource(), ip.GetDestination(), FrameCodec::UDP_PROTOCOL);
            packet->AddHeader(udp);
            ip.SetNextHeader(FrameCodec::UDP_PROTOCOL);
            ip.SetHopLimit(64);
            ip.SetPayloadLength(packet->GetSize());
            packet->AddHeader(ip);
        }
        else
        {
            packet->AddHeader(udp);
            Ipv4Header ip;
            ip.EnableChecksum();
            ip.SetSource(Ipv4Address(addressplan::HostIpv4(SOURCE)));
            ip.SetDestination(Ipv4Address(addressplan::HostIpv4(DESTINATION)));
            ip.SetProtocol(FrameCodec::UDP_PROTOCOL);
            ip.SetTtl(64);
            ip.SetPayloadSize(packet->GetSize());
            packet->AddHeader(ip);
        }
        Append(FrameCodec::MakeIpFrame(packet, *m_pool));
    }

  private:
    /**
     * @param bytes a MAC address of the address plan
     * @return the same as ns-3 has it
     */
    static Mac48Address ToMac(const addressplan::MacBytes& bytes)
    {
        Mac48Address address;
        address.CopyFrom(bytes.data());
        return address;
    }

    Ptr<FabricFramePool> m_pool{ns3::Create<FabricFramePool>()};  //!< where frames live
    Ptr<PcapFileWrapper> m_file{CreateObject<PcapFileWrapper>()}; //!< the file
    uint32_t m_count{0};                                          //!< frames written
};

} // namespace

int
main(int argc, char* argv[])
{
    std::string out = "roce-sample.pcap";
    CommandLine cmd(__FILE__);
    cmd.AddValue("out", "Name of the capture file to write", out);
    cmd.Parse(argc, argv);

    Sample sample(out);
    if (!sample.IsOk())
    {
        std::cerr << "--out=" << out << ": cannot write the capture file" << std::endl;
        return 1;
    }
    for (const bool ipv6 : {false, true})
    {
        sample.AppendRoce(RC_SEND_FIRST, ipv6, 4096);
        sample.AppendRoce(RC_SEND_MIDDLE, ipv6, 4096);
        sample.AppendRoce(RC_SEND_LAST, ipv6, 997);
        sample.AppendRoce(RC_SEND_LAST_IMM, ipv6, 998);
        sample.AppendRoce(RC_SEND_ONLY, ipv6, 999);
        sample.AppendRoce(RC_SEND_ONLY_IMM, ipv6, 1000);
        sample.AppendRoce(RC_WRITE_FIRST, ipv6, 4096);
        sample.AppendRoce(RC_WRITE_MIDDLE, ipv6, 4096);
        sample.AppendRoce(RC_WRITE_LAST, ipv6, 1);
        sample.AppendRoce(RC_WRITE_LAST_IMM, ipv6, 1807);
        sample.AppendRoce(RC_WRITE_ONLY, ipv6, 64);
        sample.AppendRoce(RC_WRITE_ONLY_IMM, ipv6, 0);
        sample.AppendRoce(RC_ACK, ipv6, 0, AETH_ACK);
        sample.AppendRoce(RC_ACK, ipv6, 0, AETH_RNR_NAK | 12);
        sample.AppendRoce(RC_ACK, ipv6, 0, AETH_NAK_PSN_SEQUENCE);
        sample.AppendRoce(ROCE_CNP, ipv6, 0);
        sample.AppendUdp(ipv6);
    }

    Ptr<FabricFrame> pause = sample.Create();
    pause->kind = FrameKind::PAUSE;
    pause->Extra().pause.quanta[0] = 0xFFFF;
    sample.Append(pause);
    Ptr<FabricFrame> pfc = sample.Create();
    pfc->kind = FrameKind::PFC;
    pfc->Extra().pause.classes = 1 << 3 | 1 << 5;
    pfc->Extra().pause.quanta[3] = 0xFFFF;
    sample.Append(pfc);

    if (!sample.IsOk())
    {
        std::cerr << "--out=" << out << ": cannot write the capture file" << std::endl;
        return 1;
    }
    std::cout << sample.GetCount() << " frames in " << out << std::endl;
    return 0;
}
