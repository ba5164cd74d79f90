/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MRC_RESPONDER_H
#define MRC_RESPONDER_H

#include "ns3/callback.h"
#include "ns3/endpoint.h"
#include "ns3/mrc-codec.h"
#include "ns3/policy-counters.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>

namespace ns3
{
namespace aifabric
{

class FabricFrame;
class MrcQueuePair;
class QueuePair;

/**
 * @ingroup ai-fabric
 *
 * The half of an MRC queue pair that receives data (OCP MRC 1.0, sections 6.3 and 7.5): it places
 * each packet on arrival, whatever came before it, and answers with SACKs and NACKs. The recovery
 * keeps which packets have come, and MrcAckPolicy says when a SACK is due.
 *
 * Its memory is bounded, whatever arrives: it accepts packets of MaxPsnRange PSNs from the first
 * missing one on, and keeps immediates of these only. It refuses a packet beyond them
 * (OUT_OF_WINDOW), one that it has no memory to track (NO_BITMAP, TrackedPsnRange), and one that a
 * switch has trimmed. It ignores a packet far below them.
 */
class MrcResponder
{
  public:
    /// What happens when a message with an immediate has been received whole: the queue pair, and
    /// the immediate.
    using ImmediateCallback = Callback<void, Ptr<QueuePair>, uint32_t>;

    /// Create the responder of a queue pair, which must outlive it.
    explicit MrcResponder(MrcQueuePair& queuePair)
        : m_queuePair(queuePair)
    {
    }

    /// @param received called for each immediate that has come, in the order of the messages
    void SetImmediateCallback(ImmediateCallback received)
    {
        m_immediateReceived = received;
    }

    /// Ask senders for a smaller window with each SACK from now on.
    /// @param penalty the share of the window that they give up, in 1/128  @param restores whether
    /// they get back what they gave up
    void SetPenalty(uint8_t penalty, bool restores)
    {
        m_penalty = penalty;
        m_restores = restores;
    }

    /// A data packet has come.  @param outbox how to answer
    void ReceiveData(const FabricFrame& frame, const Outbox& outbox);

    /// A packet has come without its data.  @param outbox how to answer
    void ReceiveTrimmed(const FabricFrame& frame, const Outbox& outbox);

    /// A reliability probe has come.  @param frame the probe  @param now the time, in picoseconds
    void ReceiveProbe(const FabricFrame& frame, int64_t now);

    /// Add the SACKs it has sent, and the NACKs by reason.  @param counters where
    void Count(PolicyCounters& counters) const;

    /// @return data packets that it has refused: failed, outside its window, or not tracked
    uint64_t CountRefused() const
    {
        return m_refused;
    }

    /// @return packets and immediates that it keeps because an earlier packet is missing
    uint64_t CountKept() const;

  private:
    /// No packet.
    static constexpr uint64_t NO_PACKET = std::numeric_limits<uint64_t>::max();

    /// @return the packet that a PSN names
    int64_t ToNumber(uint32_t psn) const;

    /// @return whether a packet is refused or ignored; then it is answered
    /// @param number the packet  @param now the time, in picoseconds
    bool Refuses(const FabricFrame& frame, int64_t number, int64_t now);

    /// A data packet has come.  @param number the packet
    /// @return whether it needs a SACK of its own: the bitmap of a later one has no room for all
    /// packets that are not reported yet
    bool NoteArrival(const FabricFrame& frame, uint64_t number);

    /// A packet counts as 1 KiB at least.  @param payload of a packet, in bytes
    /// @return whether so many small packets have come that a SACK is due
    bool CountsEnough(uint32_t payload);

    /// Report the immediates of completely received messages.
    void CompleteImmediates();

    /// Refuse a packet.  @param code why
    void SendNack(const FabricFrame& frame, MrcCodec::NackCode code, int64_t now);

    /// Report what has come.  @param frame what triggers the report
    void SendSack(const FabricFrame& frame, int64_t now);

    /// @return what a SACK says of the path of a packet: a PathVerdict
    uint8_t GetVerdict(const FabricFrame& frame);

    /// @return the first packet of the bitmap of the next SACK
    uint64_t TakeBitmapBase();

    MrcQueuePair& m_queuePair;                       //!< its queue pair
    uint64_t m_lowestUnreported{NO_PACKET};          //!< that has come since the last SACK
    uint64_t m_arrivedEnd{0};                        //!< the number after the highest one that came
    uint64_t m_windowEnd{0};                         //!< the number after the last one it accepts
    uint32_t m_unreported{0};                        //!< payload since the last SACK, in bytes
    uint32_t m_rounding{0};                          //!< by which that counts as more
    uint8_t m_penalty{0};                            //!< share of windows that it takes, in 1/128
    bool m_restores{false};                          //!< it gives that back
    uint64_t m_sacks{0};                             //!< SACKs sent
    std::map<uint8_t, uint64_t> m_nacks;             //!< NACKs sent, by MrcCodec::NackCode
    uint64_t m_refused{0};                           //!< data packets refused
    std::map<uint64_t, uint32_t> m_immediates;       //!< that have come, by the last packet
    std::unordered_map<uint32_t, uint32_t> m_marked; //!< marks in a row, by EV
    ImmediateCallback m_immediateReceived;           //!< called with each immediate
};

} // namespace aifabric
} // namespace ns3

#endif /* MRC_RESPONDER_H */
