/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCIE_READER_H
#define PCIE_READER_H

#include "ns3/data-rate.h"
#include "ns3/frame-source.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class EndpointNic;

/**
 * @ingroup ai-fabric
 *
 * Reads what a NIC sends from the memory of its host over PCIe. It stands between the endpoints of
 * the NIC and its port, and lets a data packet begin as soon as its payload can have been read.
 *
 * Reads give a byte a time of max(1 / Rate, Latency / (ReadCredits ReadBytes)): the bus has a rate,
 * and only so many requests may be without an answer. If packets follow each other, the NIC reads
 * ahead: the time between two of them is no less than that of the payload of the first. If the NIC
 * had nothing to send, a packet begins Latency and the time of a full packet after an endpoint
 * has it.
 *
 * A NIC that PCIe does not limit has no reader. It reads for one port.
 */
class PcieReader : public Object, public FrameSource
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Put a reader in front of the port of a NIC, if the attributes limit anything. The reader
     * belongs to the NIC (GetObject). A NIC that has one cannot have more ports.
     *
     * @param nic the NIC, with its port
     * @param line the endpoints in front of its port, which outlive the simulation
     */
    static void Insert(const Ptr<EndpointNic>& nic, FrameSource& line);

    /// @return whether something limits its NIC
    bool IsLimited() const;

    /// @return time that reads give to a byte (Pacing), 0: none
    int64_t GetPacing() const;

    int64_t GetNextTime(uint8_t open) override;
    int GetReadyClass(uint8_t open, int64_t start) override;
    Ptr<FabricFrame> Pull(uint8_t trafficClass, int64_t start) override;
    void Prefetch(uint32_t step) const override;

  protected:
    void DoDispose() override;

  private:
    /// @return whether all attributes have the values of GetTypeId(), which limit nothing
    static bool HasDefaults();

    /// @return time from when an endpoint has a packet until it is read, if nothing was read ahead,
    /// in picoseconds
    int64_t GetFirstTime();

    DataRate m_rate{0};        //!< of the bus; 0: no limit
    Time m_latency;            //!< from a request to its answer
    uint32_t m_credits{0};     //!< requests without an answer; 0: any number
    uint32_t m_readBytes{512}; //!< of a request

    EndpointNic* m_nic{nullptr};  //!< whose data it reads
    FrameSource* m_line{nullptr}; //!< the endpoints in front of its port
    int64_t m_latencyPs{0};       //!< the latency, in picoseconds
    int64_t m_pacing{0};          //!< time for a byte (Pacing)
    int64_t m_readAt{0};          //!< when the next packet can have been read, if read ahead
    int64_t m_known{NEVER};       //!< since when the next packet is known, which is read ahead
    std::size_t m_endpoints{0};   //!< how many of the NIC's endpoints it has seen
    uint32_t m_fullBytes{0};      //!< of the largest full packet of these
};

} // namespace aifabric
} // namespace ns3

#endif /* PCIE_READER_H */
