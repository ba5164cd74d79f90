/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pause-sender.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-net-device.h"
#include "ns3/frame-codec.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t QUANTUM_BYTES = 64; //!< bytes sent in a pause quantum (512 bits)

} // namespace

uint32_t
PauseSender::GetLargestFrame(const FabricPort& port)
{
    return port.GetDevice()->GetMtu() + FrameCodec::ETHERNET_SIZE + FrameCodec::FCS_SIZE;
}

PauseSender::PauseSender()
    : m_pool(Create<FabricFramePool>())
{
}

void
PauseSender::Install(std::size_t ports, uint16_t quanta, const std::string& owner)
{
    m_owner = owner;
    m_ports.resize(ports);
    m_quanta = quanta;
}

void
PauseSender::InstallPort(uint16_t index, FabricPort& port)
{
    FabricTransmitter& transmitter = port.GetTransmitter();
    const FabricTransmitter& paused = transmitter.GetPeer()->GetTransmitter();
    const int64_t half = m_quanta * paused.GetTransmissionTime(QUANTUM_BYTES) / 2;
    NS_ABORT_MSG_IF(half <= 2 * transmitter.GetTransmissionTime(GetLargestFrame(port)),
                    m_owner << "::PauseQuanta is " << m_quanta
                            << ": a pause has to last longer than four of the largest "
                            << "frames, or it ends before it is refreshed");
    m_ports[index].transmitter = &transmitter;
    m_ports[index].refresh = half;
}

void
PauseSender::Toggle(uint16_t index, uint8_t trafficClass)
{
    m_ports[index].paused ^= 1 << trafficClass;
    m_ports[index].changed |= 1 << trafficClass;
}

void
PauseSender::SendChanges(uint16_t index)
{
    if (m_ports[index].changed)
    {
        Send(index);
    }
}

void
PauseSender::Send(uint16_t index)
{
    Port& port = m_ports[index];
    Ptr<FabricFrame> frame = m_pool->Create();
    frame->kind = FrameKind::PFC;
    PauseVector& vector = frame->Extra().pause;
    vector.classes = port.paused | port.changed;
    for (uint8_t c = 0; c < vector.quanta.size(); ++c)
    {
        vector.quanta[c] = port.paused >> c & 1 ? m_quanta : 0;
        port.frames[c] += vector.classes >> c & 1;
    }
    frame->wireBytes = FrameCodec::WireBytes(*frame);
    frame->sentAt = FabricClock::Now();
    port.changed = 0;
    port.refreshEvent.Cancel();
    if (port.paused)
    {
        const Time wait = FabricClock::Until(frame->sentAt + port.refresh);
        port.refreshEvent = Simulator::Schedule(wait, &PauseSender::Send, this, index);
    }
    ++m_frames;
    port.transmitter->SendControl(frame, frame->sentAt);
}

void
PauseSender::Dispose()
{
    for (Port& port : m_ports)
    {
        port.refreshEvent.Cancel();
    }
    m_ports.clear();
}

} // namespace aifabric
} // namespace ns3
