/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOSS_ORACLE_H
#define LOSS_ORACLE_H

#include "ns3/fabric-channel.h"
#include "ns3/fabric-switch.h"
#include "ns3/loss-reporter.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rank-messenger.h"
#include "ns3/roce-net-device.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Reports lost packets to their senders, at the time at which the missing acknowledgement would
 * have come had nothing waited: a round trip after the packet was sent, or, if that is later, half
 * a round trip after the loss. A lost acknowledgement counts as a loss of the packet that it
 * answers. OracleRecovery needs it; other recoveries ignore it.
 *
 * ClosHelper prepares one for each fabric, which starts when the first queue pair needs it. A
 * script that installs its own replaces the prepared one: each NIC accepts reports of its last one
 * only. One that has started lasts until Simulator::Destroy().
 */
class LossOracle : public LossReporter
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    LossOracle();
    ~LossOracle() override;

    /**
     * Watch a fabric.
     *
     * @param nics the NICs, by host index
     */
    void Install(const std::vector<Ptr<RoceNetDevice>>& nics,
                 const std::vector<Ptr<FabricSwitch>>& switches,
                 const std::vector<Ptr<FabricChannel>>& channels);

    /**
     * Watch a fabric from the call of Start() on, which the NICs make when a queue pair needs it.
     *
     * @param nics the NICs, by host index
     */
    void Prepare(const std::vector<Ptr<RoceNetDevice>>& nics,
                 const std::vector<Ptr<FabricSwitch>>& switches,
                 const std::vector<Ptr<FabricChannel>>& channels);

    void Start() override;

    /// @return whether it watches the fabric
    bool IsStarted() const;

  protected:
    void DoDispose() override;

  private:
    /// A loss that is reported to a sender. Losses are reported in the order of their content, so
    /// that it does not matter which of two that are due at once was noticed first.
    struct Loss
    {
        int64_t due{0};      //!< when, in picoseconds
        bool isAck{false};   //!< an acknowledgement was lost
        uint32_t peer{0};    //!< the host at the other end
        uint32_t number{0};  //!< the queue pair to which the lost frame was sent
        uint32_t psn{0};     //!< of the packet
        uint32_t entropy{0}; //!< of the frame

        /// @return the order in which losses are reported  @param other another
        bool operator<(const Loss& other) const;
    };

    /// The queue pairs of a host, by the other end.
    struct PeerTable
    {
        std::size_t known{0};                                //!< queue pairs that are in it
        std::unordered_map<uint64_t, uint32_t> numberOfPeer; //!< number, by host and number there
    };

    /// A switch dropped a frame.  @param reason why
    void FrameDropped(Ptr<const FabricFrame> frame, FabricSwitch::DropReason reason);

    /// A NIC dropped a trimmed frame.
    void FrameTrimmed(Ptr<const FabricFrame> frame);

    /// A frame was lost.  @param when its port or its receiver lost it
    void FrameLost(Ptr<const FabricFrame> frame, Time when);

    /// @return the message to another rank  @param host the host of the sender
    static Ptr<Packet> MakeLossMessage(uint32_t host, const Loss& loss);

    /// Have a loss reported to a sender of this rank.
    void ScheduleReport(uint32_t host, const Loss& loss);

    /// Receive a loss that occurred on another rank.  @param message host and loss
    void ReceiveLoss(Ptr<Packet> message);

    /// Report to the senders of a host the losses that are due.
    void ReportLosses(uint32_t host);

    /// @return the first loss of a host that is due, removed  @param now the time, in picoseconds
    std::optional<Loss> TakeDue(uint32_t host, int64_t now);

    /// @return the queue pair of a host that sent what was lost, or nullptr
    QueuePair* FindSender(uint32_t host, const Loss& loss);

    Time m_roundTrip;                           //!< between a packet and its acknowledgement
    bool m_isStarted{false};                    //!< it watches the fabric
    std::vector<Ptr<RoceNetDevice>> m_nics;     //!< by host index
    std::vector<uint32_t> m_nodes;              //!< numbers of their nodes
    std::vector<Ptr<FabricSwitch>> m_switches;  //!< until it watches them
    std::vector<Ptr<FabricChannel>> m_channels; //!< until it watches them
    std::mutex m_mutex;                         //!< of m_pending: any node may lose a frame
    std::vector<std::multiset<Loss>> m_pending; //!< what senders do not know yet, by host
    Ptr<RankMessenger> m_messenger;             //!< to other ranks
    std::vector<PeerTable> m_peers;             //!< by host index
};

} // namespace aifabric
} // namespace ns3

#endif /* LOSS_ORACLE_H */
