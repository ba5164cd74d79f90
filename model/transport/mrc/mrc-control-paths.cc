/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-control-paths.h"

#include "mrc-queue-pair.h"

#include "ns3/fabric-clock.h"
#include "ns3/function-callback.h"
#include "ns3/mrc-balancer.h"
#include "ns3/nic-change.h"
#include "ns3/node.h"
#include "ns3/roce-net-device.h"
#include "ns3/simulator.h"

#include <optional>
#include <utility>

namespace ns3
{
namespace aifabric
{

void
MrcControlPaths::NoteArrival(uint16_t port, uint32_t entropy)
{
    if (m_queuePair.m_reverseProbeInterval.IsZero() || m_reverse.IsEmpty(uint32_t{1} << port))
    {
        m_reverse.Note(port, entropy);
    }
}

void
MrcControlPaths::NoteData(int64_t now)
{
    const Time interval = m_queuePair.m_reverseProbeInterval;
    if (!interval.IsZero() && now >= m_nextProbe)
    {
        m_nextProbe = now + interval.GetPicoSeconds();
        if (m_queuePair.GetRecovery().GetOutstanding() == 0)
        {
            SendProbe(now);
        }
    }
}

void
MrcControlPaths::Confirm(const PathChoice& path)
{
    if (!m_queuePair.m_reverseProbeInterval.IsZero())
    {
        m_reverse.Note(path.plane, path.entropy);
    }
}

void
MrcControlPaths::SendProbe(int64_t now)
{
    const PathChoice path = Choose(now);
    ++m_probes;
    const auto id = static_cast<uint16_t>(1 + m_probes % UINT16_MAX);
    m_outstanding[id % m_outstanding.size()] = {id, path};
    const Connection& connection = m_queuePair.GetConnection();
    Ptr<FabricFrame> request = connection.nic->CreateFrame();
    request->opcode = MRC_REQUEST;
    request->syndrome = MrcCodec::EV_PROBE;
    request->psn = id;
    request->msn = 0;
    request->sentAt = now;
    request->flags = connection.nic->GetIpFlags();
    request->wireBytes = connection.nic->GetWireBytes(MRC_REQUEST, 0);
    m_queuePair.Address(*request, connection.dscp, ECN_ECT0, path.entropy);
    connection.nic->SendAnswer(std::move(request), path.plane, now);
}

void
MrcControlPaths::ReceiveResponse(const FabricFrame& frame)
{
    if (frame.syndrome != MrcCodec::EV_PROBE)
    {
        m_ports.Answered(frame.psn);
        return;
    }
    Probe& probe = m_outstanding[frame.psn % m_outstanding.size()];
    if (probe.id != 0 && probe.id == frame.psn)
    {
        probe.id = 0;
        m_reverse.Note(probe.path.plane, probe.path.entropy);
    }
}

void
MrcControlPaths::Start()
{
    const RoceNetDevice& nic = *m_queuePair.GetConnection().nic;
    const uint32_t alive = nic.FindAlivePorts() | ~GetAllPorts();
    if (alive != PortStatus::ALL)
    {
        m_ports.SetLocal(alive);
        m_queuePair.m_isCutOff = HasNoPort();
        m_queuePair.GetBalancer()->PortsChanged(alive, PortStatus::ALL);
        // The peer may have opened the connection: timers are to be those of this host.
        ScheduleFunctionWithContext(nic.GetNode()->GetId(),
                                    Time(0),
                                    [this, kept = Ptr<MrcQueuePair>(&m_queuePair)]() {
                                        if (kept->GetConnection().nic) // or else disposed of
                                        {
                                            ScheduleUpdate();
                                        }
                                    });
    }
}

void
MrcControlPaths::PortsChanged(uint32_t local)
{
    const uint32_t ports = local | ~GetAllPorts();
    if (ports == m_ports.GetLocal())
    {
        return; // the other direction of a link has changed, too
    }
    const uint32_t returned = ports & ~m_ports.GetLocal();
    m_ports.SetLocal(ports);
    UpdatePorts(returned);
    ScheduleUpdate();
    if (returned != 0)
    {
        m_queuePair.ResumeProbes();
    }
}

void
MrcControlPaths::ScheduleUpdate()
{
    m_cutOffTimer.Cancel();
    m_hasGivenUp = false;
    const Time timeout = PicoSeconds(m_queuePair.GetRequestor().limits.timeout);
    const std::optional<Time> budget =
        m_queuePair.GetRetryBudget(timeout, m_queuePair.GetRecovery().GetTraits().backsOff);
    if (budget && HasNoPort())
    {
        m_cutOffTimer = Simulator::Schedule(*budget, &MrcControlPaths::GiveUp, this);
    }
    m_statusTimer.Cancel();
    if (!HasNoPort()) // otherwise it is not known
    {
        m_statusTimer =
            Simulator::Schedule(m_queuePair.m_remapDelay, &MrcControlPaths::SendPortStatus, this);
    }
}

void
MrcControlPaths::WorkBegins()
{
    if (m_hasGivenUp && HasNoPort())
    {
        m_cutOffTimer = Simulator::ScheduleNow(&MrcControlPaths::GiveUp, this);
    }
}

bool
MrcControlPaths::HasNoPort() const
{
    return (m_ports.GetLocal() & GetAllPorts()) == 0;
}

void
MrcControlPaths::GiveUp()
{
    m_hasGivenUp = true;
    if (m_queuePair.IsPending() && !m_queuePair.HasFailed())
    {
        m_queuePair.Fail();
    }
}

uint32_t
MrcControlPaths::GetAllPorts() const
{
    return PortStatus::ALL >> (32 - m_queuePair.GetConnection().nic->GetPortCount());
}

void
MrcControlPaths::UpdatePorts(uint32_t returned)
{
    const NicChange change(*m_queuePair.GetConnection().nic, &m_queuePair, FabricClock::Now());
    const uint32_t local = m_ports.GetLocal();
    m_queuePair.m_isCutOff = HasNoPort();
    // If no plane is left, timeouts decide.
    const bool isCutOff = (local & m_ports.GetPeer() & GetAllPorts()) == 0;
    m_queuePair.GetBalancer()->PortsChanged(local, isCutOff ? PortStatus::ALL : m_ports.GetPeer());
    if (m_queuePair.m_evs)
    {
        m_queuePair.m_evs->PortsReturned(returned & GetAllPorts(), FabricClock::Now());
    }
}

void
MrcControlPaths::SendPortStatus()
{
    m_statusTimer.Cancel();
    if (!m_ports.IsDue(m_queuePair.m_statusTries) || m_queuePair.HasFailed() ||
        m_queuePair.GetPeerNumber() == 0)
    {
        return;
    }
    ++m_updates;
    Ptr<FabricFrame> request = m_queuePair.GetConnection().nic->CreateFrame();
    request->opcode = MRC_REQUEST;
    request->syndrome = MrcCodec::PORT_STATUS;
    request->psn = m_ports.Take();
    request->msn = m_ports.GetLocal() & GetAllPorts();
    const int64_t now = FabricClock::Now();
    request->sentAt = now;
    Send(std::move(request), now);
    m_statusTimer =
        Simulator::Schedule(m_queuePair.m_statusInterval, &MrcControlPaths::SendPortStatus, this);
}

void
MrcControlPaths::ReceiveRequest(const FabricFrame& frame, int64_t now)
{
    const auto returned = frame.syndrome == MrcCodec::PORT_STATUS
                              ? m_ports.SetPeer(frame.psn, frame.msn | ~GetAllPorts())
                              : std::nullopt;
    if (returned)
    {
        UpdatePorts(*returned);
        m_queuePair.ResumeProbes(); // the update that said that ports failed may be lost
    }
    Ptr<FabricFrame> response = m_queuePair.GetConnection().nic->CreateFrame();
    response->opcode = MRC_RESPONSE;
    response->syndrome = frame.syndrome;
    response->psn = frame.psn;
    response->sentAt = frame.sentAt;
    Send(std::move(response), now);
}

PathChoice
MrcControlPaths::Choose(int64_t now)
{
    const Connection& connection = m_queuePair.GetConnection();
    const uint64_t number = connection.recovery->GetUnacknowledged();
    const uint32_t planes = connection.nic->GetPortCount();
    const PathRequest request{planes, GetAllPorts(), 0, connection.GetClass(), number, 0, now};
    const std::optional<PathChoice> path = m_queuePair.m_evs
                                               ? m_queuePair.m_evs->ChooseControl(request)
                                               : m_queuePair.GetBalancer()->Choose(request);
    return path ? *path : connection.GetControlPath(m_queuePair.GetNumber(), number);
}

void
MrcControlPaths::Send(Ptr<FabricFrame> frame, int64_t now)
{
    const Connection& connection = m_queuePair.GetConnection();
    const uint32_t alive = m_ports.GetLocal() & m_ports.GetPeer();
    ReversePaths::Way way{};
    if (m_reverse.IsEmpty(alive))
    {
        const PathChoice path = Choose(now);
        way = {path.plane, path.entropy};
    }
    else
    {
        way = m_reverse.Take(alive);
    }
    frame->flags = connection.nic->GetIpFlags();
    frame->wireBytes = connection.nic->GetWireBytes(frame->opcode, 0);
    m_queuePair.Address(*frame, connection.ackDscp, ECN_NOT_ECT, way.entropy);
    connection.nic->SendAnswer(std::move(frame), way.plane, now);
}

void
MrcControlPaths::Dispose()
{
    m_statusTimer.Cancel();
    m_cutOffTimer.Cancel();
}

} // namespace aifabric
} // namespace ns3
