/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAUSE_SENDER_H
#define PAUSE_SENDER_H

#include "ns3/event-id.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-port.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Sends the PFC frames (IEEE 802.1Qbb) of a switch, which pause classes of its peers or let them
 * resume. A pause is refreshed after half of its time.
 */
class PauseSender
{
  public:
    /// @return the largest frame that a port sends, in bytes, FCS included
    static uint32_t GetLargestFrame(const FabricPort& port);

    PauseSender();

    /// Prepare for ports.  @param quanta pause time in a frame, in quanta
    /// @param owner the class with the attribute PauseQuanta, for messages
    void Install(std::size_t ports, uint16_t quanta, const std::string& owner);

    /// Prepare for a port that has a peer.  @param index its number
    void InstallPort(uint16_t index, FabricPort& port);

    /// Pause a class, or let it resume, in the next frame of a port.  @param index the port
    void Toggle(uint16_t index, uint8_t trafficClass);

    /// Send a frame if a class is to pause or to resume.  @param index number of the port
    void SendChanges(uint16_t index);

    /// @return frames sent, refreshing and resuming ones included
    uint64_t GetFrames() const
    {
        return m_frames;
    }

    /// @return the same, of one port that concern a class  @param index number of the port
    uint64_t GetFrames(uint16_t index, uint8_t trafficClass) const
    {
        return m_ports.at(index).frames.at(trafficClass);
    }

    /// Send no more: the simulation ends.
    void Dispose();

  private:
    /// What a port sends.
    struct Port
    {
        FabricTransmitter* transmitter{nullptr}; //!< sends the frames
        uint8_t paused{0};                       //!< bit c set: class c is paused
        uint8_t changed{0};                      //!< bit c set: class c changes at this instant
        int64_t refresh{0};                      //!< time between two frames, in picoseconds
        EventId refreshEvent;                    //!< the next
        std::array<uint64_t, 8> frames{};        //!< frames sent, by class
    };

    /// Send a frame with the classes that are paused or have changed.  @param index the port
    void Send(uint16_t index);

    std::string m_owner;         //!< the class with the attribute PauseQuanta
    uint16_t m_quanta{0};        //!< pause time, in quanta
    uint64_t m_frames{0};        //!< frames sent
    std::vector<Port> m_ports;   //!< the ports
    Ptr<FabricFramePool> m_pool; //!< of the frames
};

} // namespace aifabric
} // namespace ns3

#endif /* PAUSE_SENDER_H */
