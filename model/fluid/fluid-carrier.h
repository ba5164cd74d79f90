/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_CARRIER_H
#define FLUID_CARRIER_H

#include "fluid-backlog.h"
#include "fluid-delays.h"
#include "fluid-detours.h"
#include "fluid-paths.h"
#include "fluid-queues.h"
#include "fluid-routes.h"
#include "fluid-senders.h"
#include "fluid-split.h"
#include "fluid-times.h"
#include "fluid-traffic.h"

#include "ns3/bound-frames.h"
#include "ns3/event-id.h"
#include "ns3/message-carrier.h"
#include "ns3/message-service.h"
#include "ns3/message-steering.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Carries messages by rates instead of packets, where nothing is lost. If a balancer spreads the
 * packets equally over all paths, FluidSolver has the rates: max-min fair over the links of
 * FluidPaths, headers, gaps between frames and acknowledgements included. If links are dead or
 * slow (SprayUnevenly()), each of these links is the port of FluidSplit with the largest load. If
 * hosts have too few uplinks (SprayThroughQueues()), or if switches choose paths by a hash
 * (RouteByHash()), FluidQueues has the rates behind the NICs. The messages of a queue pair follow
 * one another; queue pairs of a NIC share its link equally. One that begins to
 * send waits until each of the others has sent a packet, as it does in a round robin: without that,
 * two messages that start together end together, and rings of two channels never get out of step.
 *
 * A message has come when its last packet has crossed the rest of the path, which takes the
 * propagation, the latencies and the serialization of one packet; it is complete when one
 * acknowledgement has crossed the path back.
 *
 * It needs the events simulator: messages of all hosts act on each other at once.
 */
class FluidCarrier : public MessageCarrier
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param graph the fabric; must outlive this
     * @param bound what is known of links, frames and NICs; each packet has an acknowledgement
     * @param speeds what is left of the rates of links, as FluidSplit has it
     * @throws std::invalid_argument as FluidPaths does
     */
    FluidCarrier(const FabricGraph& graph,
                 const BoundParameters& bound,
                 std::vector<double> speeds);
    ~FluidCarrier() override;

    /// Expect that links are cut, slow or restored while messages are carried (SetSpeed()). To be
    /// called first.
    void ExpectFaults()
    {
        m_speeds.assign(2 * m_graph.Links().size(), 1);
    }

    /// Something happens to a link, if faults are expected. It has an effect at the end of this
    /// picosecond, when switches know of it.
    /// @param link twice its id, and 1 more on the way down
    /// @param speed the part of its rate that is left from now on, beside what FluidSplit has; 0:
    /// it is cut
    void SetSpeed(uint32_t link, double speed);

    /// Have switches choose paths by their hash. To be called before Install().
    /// @param switches the switches, by id
    void RouteByHash(const std::vector<Ptr<FabricSwitch>>& switches);

    /// Have packets that are spread over all paths wait in switches. To be called before Install().
    void SprayThroughQueues()
    {
        MakeQueues(m_paths.GetPortRates());
    }

    /// Have messages that are spread over all paths load the port that they load most at each stage
    /// of them, because ports are not alike. To be called before Install().
    void SprayUnevenly();

    /// Have GetMostQueued() say how many bytes may have waited at the last port before a host,
    /// because messages to it are larger than others. To be called before Install().
    void WatchReceivers()
    {
        m_toward.resize(m_graph.HostCount());
    }

    /// Have a message that shares the port to its host with others end up to a packet earlier or
    /// later, by chance: rates never get out of step, packets do. To be called before Install().
    void ScatterEnds()
    {
        m_coming.resize(m_graph.HostCount());
    }

    /// @return the most bytes that have waited at a port of a switch at any time, by FluidQueues or
    /// FluidBacklog, or, with WatchReceivers(), the most bytes under way to a host; 0 if all
    /// messages are spread evenly
    double GetMostQueued() const
    {
        return m_queues    ? m_queues->GetMostQueued()
               : m_backlog ? m_backlog->GetMost()
                           : m_mostToward;
    }

    /// @return what has crossed the links, by twice their ids, and 1 more on the way down
    std::vector<FluidTraffic::Amount> GetTraffic() const;

    void Install(MessageService& service) override;
    void Open(const Flow& flow) override;
    void Carry(uint32_t message) override;
    void Abort() override;

    int64_t AssignStreams(int64_t) override
    {
        return 0;
    }

    void SetFailureCallback(const Callback<void>&) override
    {
        // no queue pair fails
    }

    void Count(PolicyCounters&) const override
    {
        // it has no policies
    }

    uint32_t GetMostActive() const override
    {
        return m_mostActive;
    }

    Ptr<MessageSteering> GetSteering(uint32_t) const override
    {
        return nullptr; // no queue pairs are there to steer to
    }

  protected:
    void DoDispose() override;

  private:
    /// The source, destination, channel, class and order of the messages of a queue pair.
    using Line = std::tuple<uint32_t, uint32_t, uint16_t, uint8_t, bool>;

    static constexpr uint32_t NONE = UINT32_MAX; //!< no message

    /// A queue pair.
    struct QueuePair
    {
        FluidRoute route;   //!< with queues, behind the ports of both hosts; spread evenly: none
        double ackLoad{0};  //!< of the port of the destination, for each byte of acknowledgements
        uint32_t source{0}; //!< the host that sends
        uint32_t destination{0}; //!< the host that receives
        uint64_t packets{0};     //!< that were sent
        uint64_t bytes{0};       //!< their payload
        uint32_t group{0};       //!< of the senders that take its links
        uint32_t links{0};       //!< of its path
        uint32_t first{NONE};    //!< the message that is sent
        uint32_t last{NONE};     //!< the last message that waits
    };

    /// A message.
    struct Message
    {
        uint32_t pair{0};    //!< number of its queue pair
        uint32_t next{NONE}; //!< the message behind it
        double back{0};      //!< bytes of acknowledgements for each of its bytes
        double acks{0};      //!< rate of its acknowledgements, in bytes a picosecond
        bool isAgain{false}; //!< it has left, and is sent again, in part
    };

    /// @return the number of the queue pair of a message, which is made if it is not there
    /// @param flow the message
    uint32_t FindPair(const Flow& flow);

    /// Have FluidQueues serve links.  @param rates of the links, in bytes a picosecond
    void MakeQueues(const std::vector<double>& rates);

    /// Faults begin or end: links and routes are others.
    void Review();

    /// Rates of links are others.
    void ReviewRates();

    /// Messages that are spread over all paths take other parts of their links.
    void ReviewSplit();

    /// Count what was sent until now by the routes that there were.
    void ReviewTraffic();

    /// @return what a queue pair takes of links, where a FluidSolver has the rates of all links
    std::vector<LinkShare> GetSolverShares(const QueuePair& pair) const;

    /// @return what the data or the acknowledgements of a message take of a link of their way now;
    /// none: they are lost  @param stream its number  @param way the links before
    std::optional<LinkShare> FindNext(uint32_t stream,
                                      const std::vector<LinkShare>& way,
                                      std::size_t index);

    /// Bytes of a message are lost, and sent again.  @param stream its number, or that of its
    /// acknowledgements, which are not
    void Resend(uint32_t stream, double bytes);

    /// Set the rate of a stream.  @param stream its number  @param links of the way, without that
    /// of its host  @param way the times
    void SetStreamRate(uint32_t stream,
                       const std::vector<LinkShare>& links,
                       const FluidWay& way,
                       double rate);

    /// A stream leaves the queues.  @param stream its number, or that of a part
    void PassQueues(uint32_t stream, double rate)
    {
        m_detours ? m_detours->Pass(stream, rate) : Pass(stream, rate);
    }

    /// Add what a queue pair has sent.  @param packets that were not  @param [out] traffic where it
    /// is added
    void CountTraffic(const QueuePair& pair, uint64_t packets, FluidTraffic& traffic) const;

    /// Find the route of a new queue pair, and its group.  @param flow its first message
    /// @param [out] pair the queue pair
    void FindRoute(const Flow& flow, QueuePair& pair);

    /// @return what a message that is spread over all paths takes of the port that it loads most at
    /// each stage of them
    std::vector<LinkShare> FindSplit(uint32_t source, uint32_t destination)
    {
        return m_paths.GetShares(source, destination, m_split.Find(source, destination));
    }

    /// @return the same of both ways
    FluidRoute FindSplitRoute(uint32_t source, uint32_t destination)
    {
        return {{}, FindSplit(source, destination), FindSplit(destination, source)};
    }

    /// Take the ports of hosts out, which FluidSenders has.  @param [in,out] route both ways
    static void LeaveHosts(FluidRoute& route);

    /// @return the number of the group of messages like one  @param flow the message
    /// @param shares what they take of links
    uint32_t FindGroup(const Flow& flow, const std::vector<LinkShare>& shares);

    /// @return how many ports of a host a message leaves by
    uint32_t CountPorts() const
    {
        return m_switches.empty() ? m_graph.Planes() : 1;
    }

    /// @return the number of a port of a host; if messages leave by all ports, they are one, 0
    uint32_t PortOf(uint32_t host, uint16_t plane) const
    {
        return host * m_graph.Planes() + plane;
    }

    /// @return the number of the stream of a message  @param message its number
    static uint32_t DataOf(uint32_t message)
    {
        return 2 * message;
    }

    /// @return the number of the stream of its acknowledgements  @param message its number
    static uint32_t AcksOf(uint32_t message)
    {
        return 2 * message + 1;
    }

    /// @return the paths that switches choose
    FluidRoutes& GetRoutes();

    /// Send a message, the first of its queue pair, when each other queue pair of its NIC has sent
    /// a packet.  @param message its number
    void Wait(uint32_t message);

    /// Send a message.  @param message its number
    void Begin(uint32_t message);

    /// A message is sent at another rate.  @param message its number
    /// @param rate in bytes a picosecond
    void ChangeRate(uint32_t message, double rate);

    /// A message has left its host.  @param message its number
    void Leave(uint32_t message);

    /// A stream leaves its last link at another rate.  @param stream its number
    /// @param rate in bytes a picosecond
    void Pass(uint32_t stream, double rate);

    /// Send acknowledgements.  @param message its number  @param rate at which it comes, in bytes a
    /// picosecond
    void Acknowledge(uint32_t message, double rate);

    /// More, or fewer, bytes are under way to the host of a message, if that is watched.
    /// @param message its number  @param sign 1: more; -1: fewer
    void CountToward(uint32_t message, double sign);

    /// @return by how much later a message comes because of single packets, in picoseconds
    double GetScatter(uint32_t message) const;

    /// Count a message that is under way to its host.  @param change 1: it begins; -1: it has come
    void CountComing(uint32_t message, int32_t change);

    /// A message has come.  @param message its number
    void Receive(uint32_t message);

    /// A message is acknowledged.  @param message its number
    void Complete(uint32_t message)
    {
        m_service->PartCompleted(message);
    }

    const FabricGraph& m_graph;                      //!< the fabric
    BoundParameters m_bound;                         //!< links, frames and NICs
    FluidTimes m_times;                              //!< what follows from them
    FluidPaths m_paths;                              //!< what messages load
    FluidSplit m_split;                              //!< the same, where links are dead or slow
    FluidSenders m_senders;                          //!< the messages that are sent
    FluidDelays<> m_waits;                           //!< messages that wait for their turn
    FluidDelays<> m_ways;                            //!< messages that have left
    FluidDelays<> m_acks;                            //!< messages that have come
    MessageService* m_service{nullptr};              //!< has the messages
    std::map<Line, uint32_t> m_pairOf;               //!< numbers of queue pairs
    std::unordered_map<uint64_t, uint32_t> m_groups; //!< numbers of groups, by the two hosts
    std::vector<Ptr<FabricSwitch>> m_switches;       //!< that choose by their hash; or none
    std::unique_ptr<FluidRoutes> m_routes;           //!< what they choose, or null
    std::unique_ptr<FluidQueues> m_queues;           //!< their ports, or null
    std::unique_ptr<FluidBacklog> m_backlog;         //!< of ports that are not alike, or null
    std::unique_ptr<FluidDetours> m_detours;         //!< through the queues, or null
    std::vector<double> m_lasting;                   //!< parts of rates, from the start for good
    std::vector<double> m_speeds;                    //!< of these, if faults are expected; or none
    std::vector<uint32_t> m_changed;                 //!< links whose speed is another one
    EventId m_review;                                //!< calls Review()
    std::vector<FluidTraffic::Amount> m_before;      //!< what crossed links before the last fault
    std::deque<QueuePair> m_pairs;                   //!< by number
    std::vector<Message> m_messages;                 //!< by number
    std::vector<uint32_t> m_active;                  //!< queue pairs that send, by host
    std::vector<int32_t> m_coming;                   //!< messages under way, by host; or none
    std::vector<double> m_rounds;                    //!< bytes of a packet of each of them, by port
    std::vector<double> m_toward;                    //!< bytes under way, by host; or none
    double m_mostToward{0};                          //!< the most of a host at any time
    uint32_t m_mostActive{0};                        //!< the most of a host at any time
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_CARRIER_H */
