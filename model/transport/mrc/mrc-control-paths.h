/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MRC_CONTROL_PATHS_H
#define MRC_CONTROL_PATHS_H

#include "port-status.h"
#include "reverse-paths.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/path-choice.h"
#include "ns3/ptr.h"

#include <array>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricFrame;
class MrcQueuePair;

/**
 * @ingroup ai-fabric
 *
 * By which planes and paths the control packets of an MRC queue pair travel, and what it knows of
 * the ports at both ends (OCP MRC 1.0, sections 7.4 and 7.5.6).
 *
 * SACKs, NACKs and answers take the planes in turn, and in each plane one path (ReversePaths): that
 * of the last packet of the other end. With ReverseProbeInterval, an end that receives data and
 * sends none probes random paths of its own (EV probe requests), and takes those that are answered.
 *
 * When a port of the NIC fails, its paths are not used any more, and a Port Status Update reports
 * it to the other end; it is sent until it is answered, or too often. If no port is left for as
 * long as the retries of the queue pair last, the queue pair fails.
 */
class MrcControlPaths
{
  public:
    /// Create the control paths of a queue pair, which must outlive them.
    explicit MrcControlPaths(MrcQueuePair& queuePair)
        : m_queuePair(queuePair)
    {
    }

    /// The queue pair gets its place: some ports of its NIC may have no links.
    void Start();

    /// A packet of the other end has arrived.  @param port of this NIC  @param entropy of its path
    void NoteArrival(uint16_t port, uint32_t entropy);

    /// Data has arrived: an EV probe may be due.  @param now the time, in picoseconds
    void NoteData(int64_t now);

    /// A path of this end has brought data to the other one.
    void Confirm(const PathChoice& path);

    /// Ports of this NIC have lost or regained their links. This end avoids ports without links at
    /// once; the other end is notified after PortRemapDelay.
    /// @param local bit p set: port p has a link
    void PortsChanged(uint32_t local);

    /// The queue pair has something to send, and had nothing before.
    void WorkBegins();

    /// The other end says which of its ports have links, or probes a path.  @param frame its
    /// request
    /// @param now the time, in picoseconds
    void ReceiveRequest(const FabricFrame& frame, int64_t now);

    /// A request is answered.  @param frame the answer
    void ReceiveResponse(const FabricFrame& frame);

    /// Send a control packet.  @param frame the packet, with what it alone has
    /// @param now the time, in picoseconds
    void Send(Ptr<FabricFrame> frame, int64_t now);

    /// @return the path of a packet that the balancer chooses: paths that it has retired are not
    /// used  @param now the time, in picoseconds
    PathChoice Choose(int64_t now);

    /// @return Port Status Updates sent
    uint64_t CountUpdates() const
    {
        return m_updates;
    }

    /// @return EV probe requests sent
    uint64_t CountProbes() const
    {
        return m_probes;
    }

    /// Forget all: the simulation ends.
    void Dispose();

  private:
    /// An EV probe request that is not answered.
    struct Probe
    {
        uint16_t id{0};  //!< its id; 0: none
        PathChoice path; //!< its path
    };

    /// Ports of this NIC have changed: notify the other end; the queue pair fails if there is no
    /// port for too long.
    void ScheduleUpdate();

    /// This NIC has had no port for too long: the queue pair fails as soon as it has anything to
    /// send.
    void GiveUp();

    /// @return whether no port of this NIC has a link
    bool HasNoPort() const;

    /// @return bit p set: this NIC has a port p
    uint32_t GetAllPorts() const;

    /// Have the balancer use the ports that have links at both ends.
    /// @param returned bit p set: port p of this NIC or of the other one has its link again
    void UpdatePorts(uint32_t returned);

    /// Send the state of this NIC's ports to the other end, until it answers.
    void SendPortStatus();

    /// Send an EV probe request.  @param now the time, in picoseconds
    void SendProbe(int64_t now);

    MrcQueuePair& m_queuePair;            //!< its queue pair
    PortStatus m_ports;                   //!< of both NICs
    ReversePaths m_reverse;               //!< of control packets
    EventId m_statusTimer;                //!< when SendPortStatus runs next
    EventId m_cutOffTimer;                //!< when GiveUp runs
    bool m_hasGivenUp{false};             //!< it has run, and no port has a link since then
    uint64_t m_updates{0};                //!< Port Status Updates sent
    uint64_t m_probes{0};                 //!< EV probe requests sent
    int64_t m_nextProbe{0};               //!< when the next one is due, in picoseconds
    std::array<Probe, 8> m_outstanding{}; //!< the last ones, by id
};

} // namespace aifabric
} // namespace ns3

#endif /* MRC_CONTROL_PATHS_H */
