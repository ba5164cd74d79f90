/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_SWITCH_H
#define FABRIC_SWITCH_H

#include "frame-classifier.h"
#include "link-detector.h"
#include "next-hop-groups.h"
#include "next-hops.h"
#include "switch-policies.h"

#include "ns3/departure-hook.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-port.h"
#include "ns3/frame-delay-line.h"
#include "ns3/frame-handler.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

class ReorderQueues;

/**
 * @ingroup ai-fabric
 *
 * A switch of the fabric: it shows a frame to its ingress stage, finds the next hops of its
 * destination, lets its balancer choose one, asks its buffer for room, trims the frame if the
 * buffer says so, marks congestion, and hands the frame to the port.
 *
 * It forwards by the rule of a Clos network (ForwardingRule): hosts below are a contiguous range,
 * everything else is up. The next hops of a group are those that the switch knows to be alive.
 *
 * A switch learns that one of its own links was cut or restored when the link has been so for the
 * DetectionDelay; what it forwards there before is lost. By itself it learns nothing of the links
 * of other switches: where those behind a next hop are dead, frames are dropped there (NO_ROUTE) or
 * lost, until RouteConvergence sets other weights.
 *
 * With a Latency, a frame is received so long after its last bit has arrived, and until then the
 * switch holds it: it takes no room of the buffer, and no policy sees it. PAUSE and PFC frames are
 * obeyed when they arrive.
 *
 * **Conservation**: frames that arrived = received + held; received + originated = forwarded +
 * dropped, for any reason, + consumed + reordering (in ReorderQueues); forwarded = accepted by the
 * transmitters of its ports, and not taken back.
 */
class alignas(64) FabricSwitch : public Object, public DepartureHook, public FrameHandler
{
  public:
    /// Why a frame was dropped.
    enum DropReason : uint8_t
    {
        NO_ROUTE,    //!< the destination is unknown, or all next hops are dead
        TTL,         //!< the frame has made too many hops
        NO_BUFFER,   //!< no room
        FLUSHED,     //!< its queue was emptied
        DROP_REASONS //!< how many reasons there are
    };

    /**
     * @return its name in results
     */
    static const char* GetReasonName(DropReason reason);

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FabricSwitch();
    ~FabricSwitch() override;

    /**
     * Add a port. Ports are numbered in the order of addition.
     *
     * @param port the port, attached to this switch
     */
    void AddPort(Ptr<FabricPort> port);

    /// @return the number of ports
    std::size_t GetPortCount() const
    {
        return m_ports.size();
    }

    /// @return a port  @param index its number
    const Ptr<FabricPort>& GetPort(std::size_t index) const
    {
        return m_ports.at(index);
    }

    /**
     * Set where frames go. To be called after the ports have been added.
     *
     * @param rule the rule, in port numbers
     */
    void SetForwarding(const ForwardingRule& rule)
    {
        m_groups.SetRule(rule);
    }

    /**
     * Set where the switch stands; its balancer gets it when the simulation begins.
     */
    void SetSite(const SwitchSite& site)
    {
        m_site = site;
    }

    /// @return where the switch stands
    const SwitchSite& GetSite() const
    {
        return m_site;
    }

    /**
     * A port is known to be alive or dead: groups contain live ports only.
     *
     * @param port its number
     * @param alive whether frames may be sent there
     */
    void SetPortAlive(uint16_t port, bool alive);

    /**
     * Set how frames to a waypoint (SwitchSite::WaypointOf) are split over the uplinks. Waypoints
     * of equal weights share a group of next hops, in which each live uplink stands as often as its
     * weight says, interleaved in a random order (iwrr-schedule.h).
     *
     * @param weights by uplink, in port order; if all are zero, frames are dropped; empty: the
     *        default, which is an even split over all uplinks
     */
    void SetWeights(uint32_t waypoint, const std::vector<uint32_t>& weights)
    {
        m_groups.SetWeights(waypoint, weights);
    }

    /// @return how frames to a waypoint are split; empty: by default
    const std::vector<uint32_t>& GetWeights(uint32_t waypoint) const
    {
        return m_groups.GetWeights(waypoint);
    }

    /// @return the next hops of frames to a host, without those that are known to be dead
    const EgressGroup& FindNextHops(uint32_t host) const
    {
        return m_hops.FindGroup(host, m_site);
    }

    /// @param balancer how the switch chooses; this switch's own
    void SetBalancer(Ptr<SwitchBalancer> balancer)
    {
        m_policies.balancer = balancer;
        m_balancer = PeekPointer(balancer);
    }

    /// @return how the switch chooses
    Ptr<SwitchBalancer> GetBalancer() const
    {
        return m_policies.balancer;
    }

    /// @param admission the buffer; this switch's own
    void SetAdmission(Ptr<BufferAdmission> admission)
    {
        m_policies.admission = admission;
        m_admission = PeekPointer(admission);
    }

    /// @return the buffer
    Ptr<BufferAdmission> GetAdmission() const
    {
        return m_policies.admission;
    }

    /// @param marker the marker, this switch's own, or nullptr
    void SetMarker(Ptr<EcnMarker> marker)
    {
        m_policies.congestion.SetMarker(marker);
    }

    /// @return the marker, or nullptr
    Ptr<EcnMarker> GetMarker() const
    {
        return m_policies.congestion.GetMarker();
    }

    /// @param stage what looks at frames that arrive, this switch's own, or nullptr
    void SetStage(Ptr<IngressStage> stage)
    {
        m_policies.stage = stage;
    }

    /// @return what looks at frames that arrive, or nullptr
    Ptr<IngressStage> GetStage() const
    {
        return m_policies.stage;
    }

    /// @param stage what sees frames whose transmission begins, this switch's own, or nullptr
    void SetEgressStage(Ptr<EgressStage> stage)
    {
        m_policies.egressStage = stage;
    }

    /// @return what sees frames whose transmission begins, or nullptr
    Ptr<EgressStage> GetEgressStage() const
    {
        return m_policies.egressStage;
    }

    /// @param forwarder what forwards instead of the rule of a Clos network, this switch's own and
    /// installed; nullptr: nothing
    void SetForwarder(Ptr<SwitchForwarder> forwarder)
    {
        m_policies.forwarder = forwarder;
    }

    /// @return what forwards instead of the rule of a Clos network, or nullptr
    Ptr<SwitchForwarder> GetForwarder() const
    {
        return m_policies.forwarder;
    }

    /**
     * Send a frame that begins here: it is forwarded as one that has come in by the port of
     * FabricFrame::ingress, whose DscpTable gives the class. This port is 0 unless it is set.
     *
     * @param frame the frame, complete
     * @param now the current time, in picoseconds
     */
    void Originate(const Ptr<FabricFrame>& frame, int64_t now);

    /**
     * Send a frame that begins here by a given port, for example a copy of another one.
     *
     * @param frame the frame, complete
     * @param port the port's number
     * @param now the current time, in picoseconds
     */
    void SendBy(const Ptr<FabricFrame>& frame, uint16_t port, int64_t now);

    /**
     * Send on a frame that has waited in a reorder queue, and was admitted before.
     *
     * @param egress the port
     * @param now the current time, in picoseconds
     */
    void SendHeld(const Ptr<FabricFrame>& frame, FabricTransmitter& egress, int64_t now);

    /**
     * Take back the last frame of a queue, trim it, and send it on. For the buffer.
     *
     * @param egress the port
     * @param trafficClass the class of the queue, which is not empty
     * @param now the current time, in picoseconds
     */
    void TrimLast(FabricTransmitter& egress, uint8_t trafficClass, int64_t now);

    /**
     * Take back the last frame of a queue and drop it (NO_BUFFER). For the buffer.
     *
     * @param egress the port
     * @param trafficClass the class of the queue, which is not empty
     * @param now the current time, in picoseconds
     */
    void DropLast(FabricTransmitter& egress, uint8_t trafficClass, int64_t now);

    /**
     * Empty a queue: its frames are dropped (FLUSHED).
     *
     * @param port the port's number
     * @param trafficClass the class of the queue
     * @param now the current time, in picoseconds
     */
    void Flush(uint16_t port, uint8_t trafficClass, int64_t now);

    /**
     * Bring all ports up to date, for who needs the switch's exact occupancy.
     *
     * @param now the current time, in picoseconds
     */
    void CatchUp(int64_t now);

    /**
     * Assign fixed random streams to the policies of the switch.
     *
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /// @return time between the last bit of a frame and its being offered to the queue of a port
    Time GetLatency() const
    {
        return m_latency;
    }

    /// @return frames received
    uint64_t GetReceived() const
    {
        return m_received;
    }

    /// @return frames that have arrived, and are received when the latency is over
    uint32_t GetHeld() const
    {
        return m_held ? m_held->GetFrames() : 0;
    }

    /// @return frames that begin here
    uint64_t GetOriginated() const
    {
        return m_originated;
    }

    /// @return frames that wait in reorder queues
    uint32_t GetReordering() const;

    /// @return frames that the ingress stage or the balancer consumed
    uint64_t GetConsumed() const
    {
        return m_consumed;
    }

    /// @return frames handed to ports
    uint64_t GetForwarded() const
    {
        return m_forwarded;
    }

    /// @return how long a link has to be cut or restored until the switch knows
    Time GetDetectionDelay() const
    {
        return m_detectionDelay;
    }

    /// @return frames dropped  @param reason for this reason
    uint64_t GetDropped(DropReason reason) const
    {
        return m_dropped.at(reason);
    }

    /// Add the frames dropped for each reason, by its name.  @param counters where
    void CountDrops(PolicyCounters& counters) const;

    void ReceiveFrame(const Ptr<FabricFrame>& frame, uint16_t ingress, int64_t now) override;

    void PrefetchFrame(const FabricFrame& frame, uint32_t step) const override
    {
        m_hops.Prefetch(frame, step, m_site, *m_balancer);
    }

    bool SetsClasses() const override
    {
        return m_setsClasses;
    }

    bool NeedsPrefetch() const override
    {
        return false;
    }

    bool IsHost() const override
    {
        return false;
    }

    void QueueFactorChanged() override;
    void FrameDeparts(FabricTransmitter& transmitter, FabricFrame& frame, int64_t start) override;

    /**
     * Signature of the Drop trace source.
     *
     * @param reason why it was dropped
     */
    typedef void (*DropTracedCallback)(Ptr<const FabricFrame> frame, DropReason reason);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    friend class LinkDetector; // which events find by the switch

    /**
     * @param target the host towards which it is sent
     * @param now the current time, in picoseconds
     * @return the port to send it by, or nullptr: there is none
     */
    FabricTransmitter* ChooseEgress(const FabricFrame& frame, uint32_t target, int64_t now);

    /// @return the same, where a forwarder finds the port or the host  @param now the time, in
    /// picoseconds
    [[gnu::noinline]] FabricTransmitter* AskForwarder(SwitchForwarder& forwarder,
                                                      const FabricFrame& frame,
                                                      int64_t now);

    /// Show a frame that has come in to the balancer, look up its class, show it to the stage, and
    /// do what the balancer says.
    /// @return whether it is to be forwarded
    [[gnu::noinline]] bool Inspect(const Ptr<FabricFrame>& frame, int64_t now);

    /// @return the port to send a frame by, or nullptr  @param now the time, in picoseconds
    FabricTransmitter* FindEgress(const FabricFrame& frame, int64_t now);

    /// Find the port of a frame, admit the frame, and hold it.  @param queue its reorder queue
    /// @param now the time, in picoseconds
    void Hold(const Ptr<FabricFrame>& frame, uint32_t queue, int64_t now);

    /// Find the way of a frame, and send it.  @param forwarder finds it; nullptr: the rule of a
    /// Clos network and the balancer do
    void Forward(const Ptr<FabricFrame>& frame, SwitchForwarder* forwarder, int64_t now);

    /// Admit a frame to a port, mark it, and queue it there; or trim or drop it.
    /// @param egress the port  @param now the time, in picoseconds
    void Send(const Ptr<FabricFrame>& frame, FabricTransmitter& egress, int64_t now);

    /// Send a frame that was admitted.  @param egress the port, which has caught up
    /// @param now the time, in picoseconds
    void Queue(const Ptr<FabricFrame>& frame, FabricTransmitter& egress, int64_t now);

    /// Trim a frame and send the rest.  @param egress the port  @param now the time, in picoseconds
    [[gnu::noinline]] void Trim(const Ptr<FabricFrame>& frame,
                                FabricTransmitter& egress,
                                int64_t now);

    /// Drop a frame for which a port has no room.  @param egress the port
    void Refuse(const Ptr<FabricFrame>& frame, FabricTransmitter& egress);

    /// @return the last frame of a queue, taken back; null if none waits  @param egress the port
    /// @param trafficClass the class of the queue  @param now the time, in picoseconds
    Ptr<FabricFrame> TakeBack(FabricTransmitter& egress, uint8_t trafficClass, int64_t now);

    /// Mark a frame that leaves its queue, and show it to the stage.  @param egress the port
    /// @param start when its transmission begins, in picoseconds
    [[gnu::noinline]] void ActAtDequeue(FabricFrame& frame,
                                        FabricTransmitter& egress,
                                        int64_t start);

    /// Drop a frame.  @param reason why
    void Drop(const Ptr<FabricFrame>& frame, DropReason reason);

    // What each frame needs; with the FrameHandler in front of it, a cache line.

    bool m_inspects{false};                //!< not all frames that come are just forwarded by rule
    bool m_marksAtEnqueue{false};          //!< the marker looks at frames that come
    bool m_actsAtDequeue{false};           //!< the marker or a stage looks at frames that leave
    bool m_showsFrames{false};             //!< the balancer sees frames that come and leave
    uint64_t m_received{0};                //!< frames received
    uint64_t m_forwarded{0};               //!< frames handed to ports
    BufferAdmission* m_admission{nullptr}; //!< who has room; of m_policies
    SwitchBalancer* m_balancer{nullptr};   //!< how to choose; of m_policies
    NextHops m_hops;                       //!< where frames may go

    // What some frames need.

    SwitchPolicies m_policies; //!< what it does with frames
    uint64_t m_originated{0};  //!< frames that begin here
    uint64_t m_consumed{0};    //!< frames that the stage or the balancer consumed

    // The rest

    std::vector<Ptr<FabricPort>> m_ports;           //!< all ports
    NextHopGroups m_groups;                         //!< keeps the next hops up to date
    FrameClassifier m_classifier;                   //!< gives frames their classes
    bool m_setsClasses{false};                      //!< a port has a table of its own
    LinkDetector m_detector;                        //!< which links are cut
    Time m_detectionDelay;                          //!< until a change of a link is known
    Time m_latency;                                 //!< until a frame that arrives is received
    Ptr<FrameDelayLine> m_held;                     //!< frames until then; null: no latency
    std::unique_ptr<ReorderQueues> m_reorder;       //!< frames that the balancer holds, or null
    SwitchSite m_site;                              //!< where it stands
    std::array<uint64_t, DROP_REASONS> m_dropped{}; //!< frames dropped, by reason
    TracedCallback<Ptr<const FabricFrame>, DropReason> m_dropTrace; //!< frame dropped
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_SWITCH_H */
