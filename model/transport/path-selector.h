/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_SELECTOR_H
#define PATH_SELECTOR_H

#include "connection.h"
#include "packet-timers.h"
#include "path-log.h"

#include "ns3/ack-deaggregator.h"
#include "ns3/congestion-control.h"
#include "ns3/event-id.h"
#include "ns3/host-balancer.h"
#include "ns3/policy-counters.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The paths of a requestor's packets. It asks the host balancer for the path of each packet, notes
 * the paths of the packets that are not acknowledged, and reports to the balancer what became of
 * them: what acknowledgements say of the packets that triggered them, with AckDeaggregation of
 * all packets that they cover, which packets are lost, and with PacketTimeout which ones no
 * acknowledgement has answered in time. Times are in picoseconds.
 */
class PathSelector
{
  public:
    PathSelector();
    ~PathSelector();

    /// One with the same attributes, and a balancer of the same kind.  @param other not in use
    PathSelector(const PathSelector& other);

    /// The queue pair gets its place.  @param facts for the balancer  @param stream its random
    /// stream
    void Start(const FabricFacts& facts, int64_t stream);

    /// The other end is known.  @param sourcePort the UDP source port of an ordinary NIC
    void Connect(const Connection& connection, uint16_t sourcePort);

    /// Begin anew: the balancer forgets.  @param facts for the balancer
    /// @param sourcePort the UDP source port of an ordinary NIC
    void Renew(const FabricFacts& facts, const Connection& connection, uint16_t sourcePort);

    // Ports

    /// Ports of the NIC have failed or work again.  @param local bit p set: port p has a link
    void PortsChanged(uint32_t local, const Connection& connection);

    /// Report to the balancer what the NIC has learned of the other end's ports since the last
    /// call; to be called only if there are several.
    void UpdatePeerPorts(const Connection& connection);

    // Choice

    /// Choose the path of the next packet.  @param request the packet
    /// @return whether there is one
    bool Choose(const PathRequest& request);

    /// @return whether the path of the next packet is chosen
    bool HasPath() const
    {
        return m_hasPath;
    }

    /// @return the path that was chosen last
    const PathChoice& GetPath() const
    {
        return m_path;
    }

    /// The next packet takes the path that was chosen.  @return its entropy
    uint32_t Take()
    {
        m_hasPath = false;
        return m_path.entropy;
    }

    /// Note the path of a packet.  @param number the packet  @param entropy of its path
    void Note(uint64_t number, uint32_t entropy)
    {
        m_log.Note(number, entropy);
    }

    // Feedback

    /// Packets have come.
    /// @param last the last packet that it acknowledges, -1 for none: the report answers a probe
    /// @param recovery of the queue pair
    void Acknowledged(const AckReport& report,
                      int64_t last,
                      const LossRecovery& recovery,
                      int64_t now);

    /// A packet was refused, which acknowledges others.  @param recovery of the queue pair
    void Refused(const ResponderReport& report, const LossRecovery& recovery, int64_t now);

    /// Packets are lost.  @param lost the packets  @param reason how that was found out
    /// @param marked whether they were marked (ECN) before a switch trimmed them
    /// @param recovery of the queue pair
    void Lost(const std::vector<uint64_t>& lost,
              LossReason reason,
              bool marked,
              const LossRecovery& recovery,
              int64_t now);

    /// Something has become of a packet that was not acknowledged.  @param entropy of its path
    /// @param event what
    void Report(uint32_t entropy, PathEvent event, int64_t now)
    {
        m_balancer->Feedback(entropy, event, 0, now);
    }

    /// @return entropy of the first packet that is not acknowledged; 0 if none was sent
    uint32_t GetOldestEntropy() const
    {
        return m_log.GetOldest();
    }

    /// Packets are acknowledged.  @param acknowledged the first that is not
    void ForgetBefore(uint64_t acknowledged)
    {
        m_log.ForgetBefore(acknowledged);
    }

    // Timers of packets

    /// Start the timer of a packet, if packets have timers.  @param start of its transmission
    /// @param entropy of its path  @param number the packet
    void StartTimer(int64_t start, uint32_t entropy, uint64_t number)
    {
        if (m_timeouts)
        {
            m_timeouts->timers.Start(start, entropy, number);
        }
    }

    /// Schedule the check of the next timer that expires, unless it is scheduled already.
    /// @param nic of the queue pair
    void ScheduleCheck(RoceNetDevice* nic)
    {
        if (m_timeouts)
        {
            DoScheduleCheck(nic);
        }
    }

    /// All packets are acknowledged: stop their timers.
    void StopTimers();

    // Set-up and state

    /// @return the balancer
    const Ptr<HostBalancer>& GetBalancer() const
    {
        return m_balancer;
    }

    /// Select paths with a balancer.
    void SetBalancer(Ptr<HostBalancer> balancer)
    {
        m_balancer = balancer;
    }

    /// Add what balancer and timers have counted.  @param counters where
    void Count(PolicyCounters& counters) const;

    /// Forget all: the simulation ends.
    void Dispose();

  private:
    /// Report what an acknowledgement says of the packet that triggered it.
    void ReportTrigger(const AckReport& report, int64_t now);

    /// The same, and the other packets that it covers.  @param last the last of them
    /// @param recovery of the queue pair
    void ReportCovered(const AckReport& report,
                       uint64_t last,
                       const LossRecovery& recovery,
                       int64_t now);

    /// Timers of packets, if there are any.
    struct Timeouts
    {
        /// @param timeout until the timer of a packet expires
        explicit Timeouts(int64_t timeout)
            : timers(timeout)
        {
        }

        PacketTimers timers; //!< of the packets that are not acknowledged
        EventId check;       //!< when CheckTimers() runs next
    };

    /// ScheduleCheck(), if packets have timers.  @param nic of the queue pair
    void DoScheduleCheck(RoceNetDevice* nic);

    /// Report packets to the balancer whose timers have expired.  @param nic of the queue pair
    void CheckTimers(RoceNetDevice* nic);

    /// Stop the timers of acknowledged packets.  @param recovery of the queue pair
    void StopAcknowledged(const ResponderReport& report, const LossRecovery& recovery);

    /// Report that packets have come without a mark.  @param numbers the packets
    void ReportGood(const std::vector<uint64_t>& numbers, int64_t now);

  public:
    int64_t packetTimeout{0};     //!< until a packet is reported; 0: never; set before Start()
    bool deaggregatesAcks{false}; //!< each acknowledged packet is reported; set before Start()
    bool knowsPeerPorts{true};    //!< what RoceNetDevice::GetPaths() says of the other end's ports
                                  //!< counts; false: the transport learns of them by frames

  private:
    bool m_hasPath{false};                           //!< m_path is for the next packet
    uint64_t m_viewVersion{0};                       //!< of RoceNetDevice::GetPaths(), as reported
    Ptr<HostBalancer> m_balancer;                    //!< chooses the paths
    PathLog m_log;                                   //!< of the packets that are not acknowledged
    PathChoice m_path{};                             //!< of the packet before or of the next one
    std::unique_ptr<Timeouts> m_timeouts;            //!< null: packets have no timers
    std::unique_ptr<AckDeaggregator> m_deaggregator; //!< finds what an acknowledgement covers
    int64_t m_stream{-1};                            //!< the random stream of the balancer
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_SELECTOR_H */
