/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_SCENARIO_H
#define FABRIC_SCENARIO_H

#include "ns3/background-source.h"
#include "ns3/cluster-jobs.h"
#include "ns3/fabric-graph.h"
#include "ns3/flow-list.h"
#include "ns3/flow.h"
#include "ns3/gpu-nodes.h"
#include "ns3/link-fault.h"
#include "ns3/rank-plan.h"
#include "ns3/type-id.h"
#include "ns3/workload-extent.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Something that happens to a link.
struct FaultSpec
{
    uint32_t link{0};              //!< the link's number
    int64_t startPs{0};            //!< when it begins, in picoseconds
    std::optional<int64_t> stopPs; //!< when it ends; never, if not given
    bool down{true};               //!< the link is cut
    double rateFactor{1};          //!< fraction of its rate that is left
    double queueFactor{1};         //!< fraction of the limits of its queues that is left
    double lossProbability{0};     //!< share of frames that are lost
    double lossBurst{0};           //!< mean length of bursts; 0: losses are independent
    FrameLoss::Kind lossFrames{FrameLoss::ALL};      //!< which frames may be lost
    int lossDscp{FrameLoss::ANY_DSCP};               //!< their DSCP
    int64_t periodPs{0};                             //!< from one begin to the next; 0: no flaps
    double duty{0.5};                                //!< part of the period for which it lasts
    int64_t count{0};                                //!< how often it begins; 0: until it ends
    LinkFault::Direction direction{LinkFault::BOTH}; //!< which direction suffers

    /// @return whether it lasts from the start for good
    bool Lasts() const
    {
        return startPs == 0 && !stopPs && periodPs == 0;
    }

    /// @return whether it cuts its link from the start for good
    bool IsDead() const
    {
        return down && Lasts();
    }

    /// @return whether it changes the rate of its link for the whole run, which bounds know
    bool IsInSpeed() const
    {
        return Lasts() && (down ? direction == LinkFault::BOTH : rateFactor < 1);
    }

    /// @return the part of its rate that it leaves to a direction, UP or DOWN; 0: it is cut. Both
    /// ends stop using a link that is cut in one direction.
    double GetSpeed(LinkFault::Direction one) const
    {
        const bool suffers = direction == LinkFault::BOTH || direction == one;
        return down ? 0 : suffers ? rateFactor : 1;
    }
};

/// A host whose NIC pauses its switch, whatever it has room for.
struct StormSpec
{
    uint32_t host{0};              //!< the host
    int64_t startPs{0};            //!< when it begins, in picoseconds
    std::optional<int64_t> stopPs; //!< when it ends; never, if not given
};

/// What the traffic is to a job: how often it is repeated, and what a failure does.
struct JobSpec
{
    /// What happens when a queue pair fails.
    enum class OnFailure
    {
        CONTINUE, //!< the other messages go on, and the run has results
        STOP,     //!< the run ends without results
        ABORT,    //!< the run ends with the results so far
        RESTART   //!< the iteration begins again
    };

    uint32_t iterations{1}; //!< how often the traffic is sent, one after the other
    OnFailure onFailure{OnFailure::CONTINUE}; //!< what happens when a queue pair fails
    int64_t restartCostPs{0};                 //!< from a failure until the iteration begins again
    uint32_t restartLimit{0};                 //!< restarts in a row without a completed iteration

    /// @return whether a failure ends an iteration before its other messages are through
    bool EndsIterations() const
    {
        return onFailure == OnFailure::ABORT || onFailure == OnFailure::RESTART;
    }

    /// @return whether there is more to say of it than of its messages
    bool IsReported() const
    {
        return iterations > 1 || EndsIterations();
    }
};

/// In-network aggregation.
struct AggregationSpec
{
    std::string algorithm;        //!< atp, switchml or esa
    uint32_t slots{0};            //!< of each switch that has hosts
    uint32_t window{0};           //!< fragments that a worker may have outstanding
    uint32_t reach{0};            //!< fragments it may send, from the first whose sum is missing
    uint64_t serviceRate{0};      //!< packets a parameter server processes per second; 0: no limit
    bool resultFromSwitch{false}; //!< switches send complete sums to workers, not servers
    bool hasDistinctSlots{true};  //!< fragments of a window have different slots, if possible
    double magnitude{1};          //!< gradients are between minus this and this
    bool roundsRandomly{false};   //!< gradients are rounded at random, with the exact mean
    std::vector<ClusterJob> jobs; //!< all jobs, with the hosts of their workers
    std::vector<uint32_t> groups; //!< their communicators in the training iteration, by job; empty:
                                  //!< jobs are all the traffic
    std::vector<uint32_t> servers; //!< hosts of the parameter servers, by job; SwitchML has none
};

/// Scenarios for which the results of rates were compared with those of packets.
struct FluidClass
{
    std::string name;       //!< of the class; empty: none was compared
    double median{0};       //!< error of the completion time, in percent
    double most{0};         //!< the largest error, in percent
    uint32_t scenarios{};   //!< how many were compared
    bool isHashed{false};   //!< switches choose paths by their hash
    bool isMixed{false};    //!< sprayed collectives that do not wait for each other meet
    bool hasQueues{false};  //!< packets that are spread over all paths wait in switches
    bool isUneven{false};   //!< messages to some hosts are larger than those to others
    bool hasChanges{false}; //!< faults begin or end
    bool hasLinks{false};   //!< loads of links are those of packets, but for a packet a message
    /// What faults that last leave of the rates of links, as FluidSplit has it.
    std::vector<double> speeds;
};

/// Ports whose frames are captured.
struct CaptureSpec
{
    bool isHost{false};           //!< of a NIC or of a switch
    uint32_t id{0};               //!< the host or the switch
    std::optional<uint16_t> port; //!< the port of the switch; all, if not given
};

/// A run of ai-fabric-run as its options describe it, checked as far as that is possible before
/// anything is built.
struct FabricScenario
{
    std::optional<FabricGraph> graph;         //!< the fabric; always there
    GpuNodes nodes;                           //!< which hosts are the GPUs of one node
    uint64_t rate{};                          //!< of the fastest link of a host, in bit/s
    uint64_t fabricRate{};                    //!< of the fastest link between switches, in bit/s
    uint64_t slowestRate{};                   //!< of the slowest link, in bit/s
    int64_t delayPs{};                        //!< of the shortest link, in picoseconds
    uint64_t bufferBytes{};                   //!< waiting room, a port of a leaf
    uint64_t spineBufferBytes{};              //!< waiting room, a port of a switch above the leaves
    TypeId forwarding;                        //!< how switches forward
    std::optional<TypeId> stage;              //!< what switches do before they forward, if anything
    uint32_t outerBytes{};                    //!< of outer headers, a packet of a queue pair
    bool telemetry{};                         //!< switches write telemetry into packets
    bool ipv6{};                              //!< queue pairs send IPv6 instead of IPv4
    uint32_t mtu{};                           //!< payload of a full packet, in bytes
    uint16_t deviceMtu{};                     //!< the largest IP packet, in bytes
    std::string workload;                     //!< the traffic's name
    uint64_t size{};                          //!< length of each message, in bytes; 0: from a file
    uint32_t senders{};                       //!< hosts that send in an incast; 0: it is none
    bool reads{};                             //!< flows are reads by their destinations
    bool queuePairPerFlow{};                  //!< flows between two hosts share no queue pair
    uint32_t ordered{};                       //!< each so many-th message keeps one path; 0: none
    std::vector<Flow> fileFlows;              //!< flows from a file, or that arrive at random
    BackgroundSpec background;                //!< flows for which the run does not wait
    std::optional<TrainingWorkload> training; //!< collectives and delays; or there are flows
    std::vector<ClusterJob> jobs;             //!< that share the fabric, if there are several
    CollectiveExtent extent;                  //!< how much its collectives move
    std::vector<std::string> notes;           //!< what a file says and is left out, a line each
    CollectiveDefaults collectives;           //!< how collectives go
    std::map<TypeId, std::string> algorithms; //!< how their algorithms are called
    std::optional<AggregationSpec> aggregation; //!< switches add up; or there are messages
    JobSpec job;                                //!< iterations and failures
    TypeId steering;                            //!< how messages are divided among queue pairs
    uint32_t receiverSlots{};       //!< slots of receivers that admit messages; 0: they do not
    int64_t jitterPs{};             //!< starts are delayed by less than this, in picoseconds
    bool acksInFabric{true};        //!< acknowledgements cross the fabric
    TypeId balancer;                //!< who spreads the traffic
    std::optional<TypeId> upgrade;  //!< the balancer of some switches, if it is another one
    std::vector<uint32_t> upgraded; //!< these switches, ascending
    TypeId rateControl;             //!< how much and how fast queue pairs send
    TypeId transport;               //!< of queue pairs
    TypeId recovery;                //!< how queue pairs survive loss
    TypeId ackPolicy;               //!< when accepted packets are acknowledged
    TypeId sendOrder;               //!< which queue pair of a NIC sends next
    TypeId admission;               //!< the buffer of switches
    uint8_t losslessClasses{};      //!< bit c set: class c is lossless
    std::string watchdog;           //!< what breaks endless pauses: drop, forward, or empty: none
    std::vector<StormSpec> storms;  //!< hosts that pause their switch
    std::optional<TypeId> marker;   //!< who marks congestion
    std::optional<uint32_t> markingThreshold; //!< of the marker, if the balancer says it, in bytes
    TypeId scheduler;                         //!< of events
    std::optional<RankPlan> plan;             //!< which rank simulates what, if there are several
    uint32_t opticPorts{};                    //!< ports of an optic
    std::vector<FaultSpec> faults;            //!< what happens to links
    std::map<uint32_t, int64_t> switchLatencies; //!< of some switches, in picoseconds, by number
    std::vector<bool> alive; //!< links that are not dead from the start for good, by id
    std::optional<int64_t> convergencePs; //!< until all switches know of a failure; or never
    std::optional<int64_t> detectionPs;   //!< until the switches at the link know; or never
    std::optional<double> rho;            //!< share of the line rate; nothing: the largest
    std::vector<CaptureSpec> captures;    //!< what is captured
    std::string out;                      //!< the folder for results
    bool hasNewFolder{};                  //!< it is made, if need be with a number behind its name
    int64_t samplePs{};                   //!< time between two samples of queues; 0: none
    int64_t proberPs{};                   //!< time between two probes of links; 0: none
    std::set<uint32_t> denied;            //!< links that the paths of MRC avoid, by id
    int64_t planeSeriesPs{};              //!< interval of the series of planes; 0: none
    int64_t linkSeriesPs{};               //!< interval of the series of links; 0: none
    bool nodeTimes{};                     //!< write what hosts did when, of an iteration
    bool nicCounters{};                   //!< write the counters of NICs
    int64_t nicSeriesPs{};                //!< interval of the series of NICs; 0: none
    bool queuePeaks{};                    //!< write the high-water marks of queues and buffers
    bool hopLatency{};                    //!< write how long frames stay in switches
    int64_t reachabilityPs{};             //!< time between two probes from rack to rack; 0: none
    std::vector<uint32_t> planeHosts;     //!< hosts that have series of their own, ascending
    std::optional<int64_t> periodPs;      //!< the sending period; not given: of the busiest NIC
    int64_t ackTimeoutPs{};               //!< after which a queue pair sends again
    int64_t stallPs{};                    //!< the longest time without an acknowledgement
    bool progress{};                      //!< say how far the run is
    bool quiet{};                         //!< print no summary
    bool json{};                          //!< print the summary as JSON
    bool isFluid{};                       //!< rates are computed instead of packets
    bool isUnchecked{};                   //!< also where it was not compared with packets
    FluidClass fluidClass;                //!< how closely, if so
    bool check{};                         //!< check and describe it, and do not run it
    std::string description;              //!< how large it is, a line or more
    std::map<std::string, std::string> attributes; //!< attribute defaults that were given
    nlohmann::ordered_json options;                //!< all options, for run.json
    nlohmann::ordered_json given;  //!< options and attributes as they were given, by name
    nlohmann::ordered_json inputs; //!< the files that were read, with their digests, by option
    std::string configPath;        //!< where the options are written as TOML; empty: nowhere
    std::string configText;        //!< what is written there

    /// @return whether the run is about sums of switches that belong to no training iteration
    bool HasSumJobs() const
    {
        return aggregation && aggregation->groups.empty();
    }

    /// @return whether all traffic is sums of switches, so that there are no queue pairs
    bool HasSumsAlone() const
    {
        return HasSumJobs() && background.kind == BackgroundSpec::Kind::NONE;
    }
};

/// @return whether some flows are reads
inline bool
FindReads(const FabricScenario& scenario)
{
    return scenario.reads || HasReads(scenario.fileFlows) || HasReads(scenario.background.flows);
}

/// @return the traffic classes that flows of files and nodes of traces name (bit c set: class c)
inline uint8_t
FindFlowClasses(const FabricScenario& scenario)
{
    return FindClasses(scenario.fileFlows) | FindClasses(scenario.background.flows) |
           (scenario.training ? scenario.training->FindClasses() : 0);
}

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_SCENARIO_H */
