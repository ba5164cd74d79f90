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

constexpr const char* COUNTERS_TAG = "NicCounters 1"; //!< the number is the version

/// @return what the queue pairs of a NIC have counted
NicCounters::Entry
MeasureNic(const RoceNetDevice& nic)
{
    NicCounters::Entry entry;
    PolicyCounters policies;
    for (std::size_t i = 0; i < nic.GetQueuePairCount(); ++i)
    {
        if (const Ptr<QueuePair> queuePair = nic.GetQueuePair(i))
        {
            const QueuePair::Counters counters = queuePair->GetCounters();
            entry.dataPackets += counters.dataPackets;
            entry.retransmissions += counters.retransmissions;
            entry.outOfSequence += counters.outOfSequence;
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

} // namespace

void
NicCounters::Merge(const NicCounters& other)
{
    if (nics.size() != other.nics.size())
    {
        throw std::invalid_argument("counters of different NICs cannot be merged");
    }
    for (std::size_t i = 0; i < nics.size(); ++i)
    {
        nics[i].dataPackets += other.nics[i].dataPackets;
        nics[i].retransmissions += other.nics[i].retransmissions;
        nics[i].outOfSequence += other.nics[i].outOfSequence;
        nics[i].packetSeqErr += other.nics[i].packetSeqErr;
        nics[i].localAckTimeoutErr += other.nics[i].localAckTimeoutErr;
        nics[i].cnpsSent += other.nics[i].cnpsSent;
        nics[i].cnpsHandled += other.nics[i].cnpsHandled;
        nics[i].discards += other.nics[i].discards;
        nics[i].trimmed += other.nics[i].trimmed;
        nics[i].pauseFrames += other.nics[i].pauseFrames;
        nics[i].pauses += other.nics[i].pauses;
        nics[i].pausedPs += other.nics[i].pausedPs;
        nics[i].pauseFramesSent += other.nics[i].pauseFramesSent;
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
            AddPauses(counters.nics.at(nic.GetHost()), *pauses, port);
        }
    }
    return counters;
}

} // namespace aifabric
} // namespace ns3
