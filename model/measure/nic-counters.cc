/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nic-counters.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"

#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* COUNTERS_TAG = "NicCounters 2"; //!< the number is the version

/// @return what the queue pairs of a NIC have counted
NicCounters::Entry
MeasureNic(const RoceNetDevice& nic)
{
    NicCounters::Entry entry;
    PolicyCounters policies;
    for (std::size_t i = 0; i < nic.GetEndpointCount(); ++i)
    {
        if (const Ptr<QueuePair> queuePair = nic.GetQueuePair(i))
        {
            const QueuePair::Counters counters = queuePair->GetCounters();
            entry.dataPackets += counters.dataPackets;
            entry.retransmissions += counters.retransmissions;
            entry.outOfSequence += counters.outOfSequence;
            entry.duplicateRequests += counters.duplicates;
            entry.markedPackets += counters.marked;
            entry.packetSeqErr += counters.naksReceived;
            entry.localAckTimeoutErr += counters.timeouts;
            queuePair->CountPolicies(policies);
        }
    }
    entry.cnpsSent = policies["cnps"];
    entry.cnpsHandled = policies["cnps_received"];
    entry.discards = nic.GetCounters().dropped;
    entry.trimmed = nic.GetCounters().trimmed;
    return entry;
}

/// Add PFC frames and pauses.  @param [in,out] entry where  @param pauses of all ports
/// @param port the index of a port of the NIC
void
AddPauses(NicCounters::Entry& entry, const PauseCounts& pauses, std::size_t port)
{
    for (std::size_t i = 0; i < pauses.classes.size(); ++i)
    {
        const PauseCounts::Entry& counted = pauses.At(port, i);
        entry.pauseFrames += counted.received;
        entry.pauses += counted.pauses;
        entry.pausedPs += counted.pausedPs;
        entry.pauseFramesSent += counted.sent;
    }
}

/// Add pauses of the port at the other end.  @param [in,out] entry where
/// @param pauses of all ports  @param port the index of the port at the other end
void
AddPeerPauses(NicCounters::Entry& entry, const PauseCounts& pauses, std::size_t port)
{
    for (std::size_t i = 0; i < pauses.classes.size(); ++i)
    {
        const PauseCounts::Entry& counted = pauses.At(port, i);
        entry.peerPauses += counted.pauses;
        entry.peerPausedPs += counted.pausedPs;
        entry.stormWarnings += counted.storms;
    }
}

} // namespace

const std::vector<NicCounters::Field>&
NicCounters::GetFields()
{
    constexpr double PS_PER_US = 1e6;
    static const std::vector<Field> FIELDS{
        {"data_packets", &Entry::dataPackets, 1},
        {"retransmissions", &Entry::retransmissions, 1},
        {"out_of_sequence", &Entry::outOfSequence, 1},
        {"duplicate_request", &Entry::duplicateRequests, 1},
        {"packet_seq_err", &Entry::packetSeqErr, 1},
        {"local_ack_timeout_err", &Entry::localAckTimeoutErr, 1},
        {"np_ecn_marked_roce_packets", &Entry::markedPackets, 1},
        {"np_cnp_sent", &Entry::cnpsSent, 1},
        {"rp_cnp_handled", &Entry::cnpsHandled, 1},
        {"rx_discards", &Entry::discards, 1},
        {"rx_trimmed", &Entry::trimmed, 1},
        {"rx_pause", &Entry::pauseFrames, 1},
        {"rx_pause_transition", &Entry::pauses, 1},
        {"rx_pause_duration_us", &Entry::pausedPs, PS_PER_US},
        {"tx_pause", &Entry::pauseFramesSent, 1},
        {"tx_pause_transition", &Entry::peerPauses, 1},
        {"tx_pause_duration_us", &Entry::peerPausedPs, PS_PER_US},
        {"tx_pause_storm_warning_events", &Entry::stormWarnings, 1},
    };
    return FIELDS;
}

void
NicCounters::Merge(const NicCounters& other)
{
    if (nics.size() != other.nics.size())
    {
        throw std::invalid_argument("counters of different NICs cannot be merged");
    }
    for (std::size_t i = 0; i < nics.size(); ++i)
    {
        for (const Field& field : GetFields())
        {
            nics[i].*field.counter += other.nics[i].*field.counter;
        }
    }
}

std::string
NicCounters::Write() const
{
    ByteWriter writer(COUNTERS_TAG);
    writer.WriteRecords(nics);
    return writer.Finish();
}

NicCounters
NicCounters::Read(const std::string& bytes)
{
    ByteReader reader(COUNTERS_TAG, bytes);
    NicCounters counters;
    counters.nics = reader.ReadRecords<Entry>();
    reader.Finish();
    return counters;
}

NicCounters
MeasureNics(const std::vector<Ptr<RoceNetDevice>>& nics,
            const PortCatalog& catalog,
            const PauseCounts* pauses)
{
    NicCounters counters;
    for (const Ptr<RoceNetDevice>& nic : nics)
    {
        counters.nics.push_back(MeasureNic(*nic));
    }
    for (std::size_t port = 0; pauses && port < catalog.GetPorts().size(); ++port)
    {
        const PortCatalog::Entry& entry = catalog.GetPorts()[port];
        if (!PortCatalog::IsOfSwitches(entry.layer))
        {
            const auto& nic = dynamic_cast<const RoceNetDevice&>(*entry.port->GetDevice());
            NicCounters::Entry& counted = counters.nics.at(nic.GetHost());
            AddPauses(counted, *pauses, port);
            AddPeerPauses(counted, *pauses, port + 1); // the upper end of the same link
        }
    }
    return counters;
}

} // namespace aifabric
} // namespace ns3
