/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_TRANSPORT_H
#define RANK_TRANSPORT_H

#include "ns3/callback.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The ranks of a run, each a process: all that the module knows of MPI, over ns-3's mpi module. In
 * a build without it there is one rank.
 */
class RankTransport
{
  public:
    /// What receives a packet.
    using Receiver = Callback<void, Ptr<Packet>>;

    /// @return whether this build can run on several ranks
    static bool IsAvailable();

    /**
     * Begin: to be called before anything is built.
     *
     * @param simulator TypeId of the simulator: one of the ns-3 mpi module
     */
    static void Enable(int* argc, char*** argv, const std::string& simulator);

    /// End, if Enable() was called.
    static void Disable();

    /// @return the rank of this process
    static uint32_t GetRank();

    /// @return whether this process simulates a node
    static bool IsHere(const Ptr<Node>& node);

    /// @return how many there are
    static uint32_t GetRanks();

    /**
     * Send a packet to a device of another rank.
     *
     * @param packet the packet: at most 1980 bytes as ns-3 serializes it
     * @param time when it is received there
     * @param device the device, as this rank knows it
     */
    static void Send(const Ptr<Packet>& packet, Time time, const Ptr<NetDevice>& device);

    /**
     * Have a device receive what other ranks send to it.
     *
     * @param receiver called when a packet is received
     */
    static void Receive(const Ptr<NetDevice>& device, const Receiver& receiver);

    /**
     * Bring strings together. All ranks have to call it, outside of Simulator::Run().
     *
     * @param mine that of this rank
     * @return on rank 0, those of all; elsewhere, nothing
     */
    static std::vector<std::string> Gather(const std::string& mine);

    /**
     * Take a sum over all ranks. All have to call it, outside of Simulator::Run().
     *
     * @param mine that of this rank
     * @return the sum
     */
    static uint64_t Sum(uint64_t mine);

    /**
     * Find the lowest rank that has an error. All ranks call it, outside of Simulator::Run(). It
     * returns on that rank, which prints its error and calls Abort(), and on all ranks if none has
     * an error; otherwise it does not return.
     *
     * @param isWrong whether this rank has an error
     */
    static void SelectErrorReporter(bool isWrong);

    /// End the processes of all ranks at once, if there are several.
    static void Abort();
};

} // namespace aifabric
} // namespace ns3

#endif /* RANK_TRANSPORT_H */
