/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINKED_NODE_H
#define LINKED_NODE_H

#include "port-set.h"
#include "wire-end.h"

#include "ns3/fabric-clock.h"
#include "ns3/fabric-frame.h"
#include "ns3/ptr.h"
#include "ns3/window-node.h"
#include "ns3/window-simulator.h"
#include "ns3/window-worker.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * A node with links, in windows (WindowSimulator): the frames in flight to it, side by side, and
 * its ports that may have frames to send. In a window it receives what arrives, in the order of
 * time and ports, and then has its ports decide what they have sent by the window's end. Nodes that
 * share a room do so together.
 */
class LinkedNode final : public WindowNode
{
  public:
    /// @return that of a node, which is made if there is none  @param node its number
    static LinkedNode& Of(WindowSimulator& windows, uint32_t node);

    /// @param windows the simulator  @param node number of the node
    LinkedNode(WindowSimulator& windows, uint32_t node);
    ~LinkedNode() override;

    /// Have nodes share a room, before the run, as they act on each other without a delay.
    /// @param nodes their numbers, each in one room only; the first one gives the room its number
    static void Join(WindowSimulator& windows, const std::vector<uint32_t>& nodes);

    /// A port of the node sends on a link.  @return its number here
    uint32_t AddSender(FabricTransmitter* sender);

    /// A link ends here.  @param sender who sends on it  @param ingress the port's index here
    void AddLink(FabricTransmitter* sender, uint16_t ingress);

    /// A port may have something to send.  @param sender what AddSender() returned
    /// @return whether the node is running: its ports settle at the end
    bool Touch(uint32_t sender)
    {
        m_touched.Add(sender);
        return m_windows.Touch(m_room);
    }

    /// Frames of a touched port may be in flight since.
    void Wake()
    {
        m_windows.Touch(m_room);
    }

    /// The delay of a link has changed.
    void ChangeLinks()
    {
        m_windows.SetUnprepared();
    }

    /// A port sends no more.  @param sender what AddSender() returned
    void RemoveSender(uint32_t sender);

    /// Nothing comes by a link any more.  @param ingress index of the port here
    void RemoveLink(uint16_t ingress);

    // Inherited
    uint64_t Prepare() override;
    std::vector<uint32_t> GetNeighbours() const override;
    void Prefetch(uint32_t step) const override;
    void TakeOver(uint32_t place) override;
    uint64_t Run(WindowWorker& worker, uint64_t end) override;

  private:
    static constexpr uint32_t PORT_BITS = 16;                 //!< of a place
    static constexpr int64_t STEPS = FabricClock::MOST_STEPS; //!< time steps of a picosecond

    /// A frame that arrives in the present window, with a reference; its place: picoseconds since
    /// the first one, then PORT_BITS of the port
    using Arrival = WindowWorker::Arrival;

    /// Run with others in this room what has arrived.  @param worker who runs it
    void RunRoom(WindowWorker& worker);
    /// Receive a frame.
    void Receive(const Arrival& arrival, WindowWorker& worker);

    /// @return when a frame arrives, in time steps
    uint64_t GetTs(const Arrival& arrival) const
    {
        return (m_begin + (arrival.place >> PORT_BITS)) * STEPS +
               FabricClock::FinestTurnOfPort(arrival.place & ((1 << PORT_BITS) - 1));
    }

    /// Take what arrives before the end of the window.  @param begin of the window, in picoseconds
    /// @param end of the window, in time steps
    void Collect(int64_t begin, uint64_t end);
    /// Take what arrives by a port.  @param port its number
    /// @param until before when, in picoseconds
    void CollectFrom(uint32_t port, int64_t until);
    /// Sort what arrives.  @param most the last place
    void Sort(uint64_t most);
    /// Have the ports send up to the end of the window.  @param worker who runs them
    /// @return when the next one has to
    uint64_t Settle(WindowWorker& worker, uint64_t end);

    /// Frames are in flight by a port.  @param ingress the port
    void Announce(uint16_t ingress)
    {
        m_inboxes[ingress].SetAnnounced(true);
        m_arriving.Add(ingress);
        m_windows.Wake(m_room, m_inboxes[ingress].GetArrival() * STEPS);
    }

    WindowSimulator& m_windows;                //!< the simulator
    const uint32_t m_node;                     //!< number of the node
    uint32_t m_room;                           //!< number of its room
    std::vector<LinkedNode*> m_others;         //!< others in the room that has its number
    int64_t m_begin{0};                        //!< when the window began, in picoseconds
    uint64_t m_next{0};                        //!< when the next frame arrives, in time steps
    PortSet m_arriving;                        //!< ports by which frames are in flight
    PortSet m_touched;                         //!< senders that may have something to send
    std::vector<WireEnd> m_inboxes;            //!< frames in flight, by port
    std::vector<FabricTransmitter*> m_links;   //!< who sends them, by port
    std::vector<FabricTransmitter*> m_senders; //!< ports that send
    std::size_t m_arrived{0};                  //!< frames that arrive in the present window
    std::vector<Arrival> m_arrivals;           //!< they, and room for more, while it runs
    std::vector<Arrival> m_scattered;          //!< the same, while they are sorted
};

} // namespace aifabric
} // namespace ns3

#endif /* LINKED_NODE_H */
