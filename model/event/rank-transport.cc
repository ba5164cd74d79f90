/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-transport.h"

#include "ns3/abort.h"

#ifdef NS3_MPI
#include "ns3/global-value.h"
#include "ns3/mpi-interface.h"
#include "ns3/mpi-receiver.h"
#include "ns3/string.h"

#include <algorithm>
#include <mpi.h>
#include <unistd.h>
#endif

namespace ns3
{
namespace aifabric
{

#ifdef NS3_MPI

namespace
{

constexpr int LENGTH_TAG = 1; //!< of the length of a string
constexpr int STRING_TAG = 2; //!< of a piece of a string
/// A message has 2000 bytes, with its time and device.
constexpr uint32_t MOST_PACKET_BYTES = 1980;
constexpr uint64_t PIECE = uint64_t{1} << 30; //!< the most bytes of one

/// Send a string to rank 0.  @param text the string
void
SendString(const std::string& text)
{
    uint64_t length = text.size();
    MPI_Send(&length, 1, MPI_UINT64_T, 0, LENGTH_TAG, MpiInterface::GetCommunicator());
    for (uint64_t sent = 0; sent < length; sent += PIECE)
    {
        MPI_Send(text.data() + sent,
                 static_cast<int>(std::min(PIECE, length - sent)),
                 MPI_CHAR,
                 0,
                 STRING_TAG,
                 MpiInterface::GetCommunicator());
    }
}

/// @return a string  @param rank who sends it
std::string
ReceiveString(int rank)
{
    const MPI_Comm ranks = MpiInterface::GetCommunicator();
    uint64_t length = 0;
    MPI_Recv(&length, 1, MPI_UINT64_T, rank, LENGTH_TAG, ranks, MPI_STATUS_IGNORE);
    std::string text(length, '\0');
    for (uint64_t received = 0; received < length; received += PIECE)
    {
        MPI_Recv(text.data() + received,
                 static_cast<int>(std::min(PIECE, length - received)),
                 MPI_CHAR,
                 rank,
                 STRING_TAG,
                 ranks,
                 MPI_STATUS_IGNORE);
    }
    return text;
}

} // namespace

bool
RankTransport::IsAvailable()
{
    return true;
}

void
RankTransport::Enable(int* argc, char*** argv, const std::string& simulator)
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue(simulator));
    MpiInterface::Enable(argc, argv);
}

void
RankTransport::Disable()
{
    if (MpiInterface::IsEnabled())
    {
        MpiInterface::Disable();
    }
}

uint32_t
RankTransport::GetRank()
{
    return MpiInterface::IsEnabled() ? MpiInterface::GetSystemId() : 0;
}

uint32_t
RankTransport::GetRanks()
{
    return MpiInterface::IsEnabled() ? MpiInterface::GetSize() : 1;
}

void
RankTransport::Send(const Ptr<Packet>& packet, Time time, const Ptr<NetDevice>& device)
{
    NS_ABORT_MSG_IF(packet->GetSerializedSize() > MOST_PACKET_BYTES,
                    "RankTransport: "
                        << packet->GetSerializedSize()
                        << " bytes are too many for one message of ns-3's mpi module, "
                           "which takes "
                        << MOST_PACKET_BYTES);
    MpiInterface::SendPacket(packet, time, device->GetNode()->GetId(), device->GetIfIndex());
}

void
RankTransport::Receive(const Ptr<NetDevice>& device, const Receiver& receiver)
{
    const Ptr<MpiReceiver> mpiReceiver = CreateObject<MpiReceiver>();
    mpiReceiver->SetReceiveCallback(receiver);
    device->AggregateObject(mpiReceiver);
}

std::vector<std::string>
RankTransport::Gather(const std::string& mine)
{
    if (GetRank() > 0)
    {
        SendString(mine);
        return {};
    }
    std::vector<std::string> all{mine};
    for (uint32_t rank = 1; rank < GetRanks(); ++rank)
    {
        all.push_back(ReceiveString(rank));
    }
    return all;
}

uint64_t
RankTransport::Sum(uint64_t mine)
{
    if (GetRanks() == 1)
    {
        return mine;
    }
    uint64_t sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, MpiInterface::GetCommunicator());
    return sum;
}

void
RankTransport::SelectErrorReporter(bool isWrong)
{
    if (GetRanks() == 1)
    {
        return;
    }
    const uint32_t mine = isWrong ? GetRank() : GetRanks();
    uint32_t first = 0;
    MPI_Allreduce(&mine, &first, 1, MPI_UINT32_T, MPI_MIN, MpiInterface::GetCommunicator());
    while (first != mine)
    {
        pause(); // until Abort() ends this process
    }
}

void
RankTransport::Abort()
{
    if (GetRanks() > 1)
    {
        MPI_Abort(MpiInterface::GetCommunicator(), 1);
    }
}

#else

bool
RankTransport::IsAvailable()
{
    return false;
}

void
RankTransport::Enable(int*, char***, const std::string&)
{
    NS_ABORT_MSG("RankTransport::Enable: ns-3 was built without MPI");
}

void
RankTransport::Disable()
{
}

uint32_t
RankTransport::GetRank()
{
    return 0;
}

uint32_t
RankTransport::GetRanks()
{
    return 1;
}

void
RankTransport::Send(const Ptr<Packet>&, Time, const Ptr<NetDevice>&)
{
    NS_ABORT_MSG("RankTransport::Send: there is one rank");
}

void
RankTransport::Receive(const Ptr<NetDevice>&, const Receiver&)
{
}

std::vector<std::string>
RankTransport::Gather(const std::string& mine)
{
    return {mine};
}

uint64_t
RankTransport::Sum(uint64_t mine)
{
    return mine;
}

void
RankTransport::SelectErrorReporter(bool)
{
}

void
RankTransport::Abort()
{
}

#endif

bool
RankTransport::IsHere(const Ptr<Node>& node)
{
    return node->GetSystemId() == GetRank();
}

} // namespace aifabric
} // namespace ns3
