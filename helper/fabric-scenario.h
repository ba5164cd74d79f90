/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_SCENARIO_H
#define FABRIC_SCENARIO_H

#include "option-table.h"

#include "ns3/fabric-graph.h"
#include "ns3/flow.h"
#include "ns3/rank-plan.h"
#include "ns3/type-id.h"
#include "ns3/workload-extent.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
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
    double lossProbability{0};     //!< of each frame
};

/// Ports whose frames are captured.
struct CaptureSpec
{
    bool isHost{false};           //!< of a NIC or of a switch
    uint32_t id{0};               //!< the host or the switch
    std::optional<uint16_t> port; //!< the port of the switch; all, if not given
};

/**
 * @ingroup ai-fabric
 *
 * A run of ai-fabric-run as its options describe it, checked as far as that is possible before
 * anything is built.
 */
struct FabricScenario
{
    std::optional<FabricGraph> graph;         //!< the fabric; always there
    uint64_t rate{};                          //!< of each link of a host, in bit/s
    uint64_t fabricRate{};                    //!< of each link between switches, in bit/s
    int64_t delayPs{};                        //!< of each link, in picoseconds
    uint64_t bufferBytes{};                   //!< waiting room, a switch port
    uint32_t mtu{};                           //!< payload of a full packet, in bytes
    uint16_t deviceMtu{};                     //!< the largest IP packet, in bytes
    std::string workload;                     //!< the traffic's name
    uint64_t size{};                          //!< length of each message, in bytes; 0: from a file
    uint32_t senders{};                       //!< hosts that send in an incast; 0: it is none
    std::vector<Flow> fileFlows;              //!< flows from a file
    std::optional<TrainingWorkload> training; //!< collectives and delays; or there are flows
    std::vector<std::string> notes;           //!< what a file says and is left out, a line each
    CollectiveDefaults collectives;           //!< how collectives go
    std::map<TypeId, std::string> algorithms; //!< how their algorithms are called
    TypeId steering;                          //!< how messages are divided among queue pairs
    int64_t jitterPs{};             //!< starts are delayed by less than this, in picoseconds
    bool acksInFabric{true};        //!< acknowledgements cross the fabric
    TypeId balancer;                //!< who spreads the traffic
    std::optional<TypeId> upgrade;  //!< the balancer of some switches, if it is another one
    std::vector<uint32_t> upgraded; //!< these switches, ascending
    TypeId rateControl;             //!< how much and how fast queue pairs send
    TypeId recovery;                //!< how queue pairs survive loss
    TypeId ackPolicy;               //!< when accepted packets are acknowledged
    TypeId sendOrder;               //!< which queue pair of a NIC sends next
    TypeId admission;               //!< the buffer of switches
    std::optional<TypeId> marker;   //!< who marks congestion
    std::optional<uint32_t> markingThreshold; //!< of the marker, if the balancer says it, in bytes
    TypeId scheduler;                         //!< of events
    std::optional<RankPlan> plan;             //!< which rank simulates what, if there are several
    std::vector<FaultSpec> faults;            //!< what happens to links
    std::vector<bool> alive; //!< links that are not dead from the start for good, by id
    std::optional<int64_t> convergencePs; //!< until all switches know of a failure; or never
    std::optional<int64_t> detectionPs;   //!< until the switches at the link know; or never
    std::optional<double> rho;            //!< share of the line rate; nothing: the largest
    std::vector<CaptureSpec> captures;    //!< what is captured
    std::string out;                      //!< the folder for results
    int64_t samplePs{};                   //!< time between two samples of queues; 0: none
    std::optional<int64_t> periodPs;      //!< the sending period; not given: of the busiest NIC
    int64_t ackTimeoutPs{};               //!< after which a queue pair sends again
    int64_t stallPs{};                    //!< the longest time without an acknowledgement
    bool progress{};                      //!< say how far the run is
    bool check{};                         //!< check and describe it, and do not run it
    std::string extent;                   //!< how large it is, a line or more
    std::map<std::string, std::string> attributes; //!< attribute defaults that were given
    nlohmann::ordered_json options;                //!< all options, for run.json
};

/**
 * @ingroup ai-fabric
 *
 * Makes a FabricScenario of a command line.
 */
class ScenarioReader
{
  public:
    ScenarioReader();

    /**
     * Read a command line. Attribute defaults that it names are set. To be called once.
     *
     * @param argc number of arguments
     * @param argv the arguments, the program's name first
     * @return the scenario; nothing, if the user only asked for help and was answered
     * @throws std::invalid_argument with one line that says which option cannot be accepted and why
     */
    std::optional<FabricScenario> Read(int argc, char* argv[]);

  private:
    /// Declare all options, section by section.
    void DeclareOptions();

    /// Declare the options of the fabric's shape and links.
    void DeclareFabric();

    /// Declare the options that say what is sent.
    void DeclareTraffic();

    /// Declare the options of collectives.
    void DeclareCollectives();

    /// Declare the options that say when and how messages are sent.
    void DeclareFlows();

    /// Declare the options of balancers, rates, recovery, buffers and marks.
    void DeclarePolicies();

    /// Declare the options of failures and of what follows them.
    void DeclareFailures();

    /// Declare the options of the simulation and of its results.
    void DeclareRun();

    /// Refuse attributes that an option sets.
    void ReserveAttributes();

    /// @return whether a list of policies was asked for; it has been printed then
    bool PrintsPolicies() const;

    /// @return whether a list of links was asked for; it has been printed then
    bool PrintsLinks() const;

    /// Read the shape of the fabric.
    void ReadTopology();

    /// @return the fat-tree that was asked for
    FabricGraph ReadFatTree();

    /// @return the leaf-spine fabric that was asked for
    FabricGraph ReadLeafSpine();

    /// @return the three-tier fabric that was asked for
    FabricGraph ReadThreeTier();

    /// @return a rate, in bit/s  @param option its option
    uint64_t ReadRate(const std::string& option) const;

    /// Read what links, ports and packets are like.
    void ReadLinks();

    /// Read how long packets are.
    void ReadMtu();

    /// Read who sends what.
    void ReadTraffic();

    /// @return whether an option was given that only collectives have
    bool IsCollectiveGiven() const;

    /// Refuse options of collectives, where they mean nothing.  @param names their names
    void RefuseCollective(const std::set<std::string>& names);

    /// Read flows that start by themselves.
    void ReadMessages();

    /// Read the flows of a file.
    void ReadFlows();

    /// Read collectives.  @param kind their kind
    void ReadCollective(CollectiveKind kind);

    /// @return the hosts of the ranks, by rank
    std::vector<uint32_t> ReadPlacement() const;

    /// @return who does a collective together  @param placement the hosts of the ranks
    std::vector<Communicator> ReadCommunicators(const std::vector<uint32_t>& placement);

    /// @return the ranks of each communicator  @param ranks number of ranks
    std::vector<std::vector<uint32_t>> ReadRankGroups(uint32_t ranks) const;

    /// Read a training iteration.  @param option the option that names its file
    void ReadTraining(const std::string& option);

    /// @return what a file of steps says  @param path the file
    TrainingWorkload ReadTrainingPlan(const std::string& path) const;

    /// @return what Chakra traces say  @param prefix how their names begin
    TrainingWorkload ReadChakra(const std::string& prefix);

    /// Read how collectives go.  @param blamed the option that is wrong if they cannot go so
    void ReadAlgorithm(const std::string& blamed);

    /// Read in how many chunks collectives go.
    void ReadChunks();

    /// @return how many bytes a host sends in the time that a packet takes to the farthest one, in
    /// full packets
    uint64_t ChooseChunkBytes() const;

    /// Name the algorithm of those collectives that the usual one does not do.
    /// @return the algorithm of all others
    TypeId ChooseAlgorithms();

    /// Read how messages are divided among queue pairs.
    void ReadSteering();

    /// Read which switches have another balancer.
    void ReadUpgrade();

    /// Draw them.  @param share the share of the switches that choose
    void DrawUpgrade(double share);

    /// Read when messages start.
    void ReadJitter();

    /// Read the policies.
    void ReadPolicies();

    /// Read who marks congestion.
    void ReadMarker();

    /// Read what happens to links.
    void ReadFaults();

    /// Draw links that fail before the start.
    void DrawFaults();

    /// Refuse links that are dead from the start and leave hosts without a way.
    void CheckFaults() const;

    /// Read when failures are known, and how fast hosts send then.
    void ReadReaction();

    /// @return a time in picoseconds, or nothing for never  @param name its option
    std::optional<int64_t> ReadTimeOrNever(const std::string& name) const;

    /// @return a fault  @param item its description
    FaultSpec ReadFault(const std::string& item) const;

    /// Read how long a fault lasts.  @param fault the fault  @param times its start and stop
    /// @return whether they make sense
    static bool ReadFaultTimes(FaultSpec& fault, const std::string& times);

    /// Read what is captured.
    void ReadCaptures();

    /// @return ports  @param item their name
    CaptureSpec ReadCapture(const std::string& item) const;

    /// Read on which ranks the run is.
    void ReadRanks();

    /// Read how the run is observed.
    void ReadObservation();

    /// Read how long queue pairs and the run wait.
    void ReadPatience();

    /// @return after which time without an acknowledgement a queue pair sends again, in picoseconds
    int64_t ChooseTimeout() const;

    /// Refuse seeds that ns-3's generator cannot take, and simulators that are none.
    static void CheckGlobals();

    /// @return how many messages there are
    uint64_t CountMessages() const;

    /// @return how large the run is: a line, and what files say and is left out
    std::string DescribeExtent() const;

    /// Refuse what does not fit into the machine's memory.
    void CheckMemory() const;

    /// Refuse what needs more memory than there is.  @param hosts hosts  @param links links
    /// @param others what else there is  @param bytes what that needs
    void RefuseMemory(uint64_t hosts,
                      uint64_t links,
                      const std::string& others = "",
                      double bytes = 0) const;

    /// Refuse a policy of acknowledgements that the recovery cannot live with.
    void CheckAckPolicy() const;

    /// Refuse a recovery that would hold acknowledgements back for ever.
    void CheckAckClass() const;

    /// @return the policies that take part: those chosen, and those that they name
    std::vector<TypeId> FindUsedPolicies() const;

    /// @return the algorithms of the collectives
    std::set<TypeId> FindUsedAlgorithms() const;

    /// Refuse attributes of policies that do not take part.
    void CheckAttributes() const;

    /// @return a link's number  @param item the fault, for messages  @param name the link
    uint32_t FindLink(const std::string& item, const std::string& name) const;

    /// @return the items of a list  @param name its option
    std::vector<std::string> ReadList(const std::string& name) const;

    /// @return an integer, which may be written 8.0  @param name its option  @param low the least
    /// @param high the most  @param automatic what "auto" stands for
    int64_t ReadInteger(const std::string& name,
                        int64_t low,
                        int64_t high,
                        std::optional<int64_t> automatic = std::nullopt) const;

    /// @return a number of bytes  @param name its option  @param low the least
    /// @param automatic what "auto" stands for
    uint64_t ReadSize(const std::string& name,
                      uint64_t low,
                      std::optional<uint64_t> automatic = std::nullopt) const;

    /// @return a time in picoseconds  @param name its option  @param low the least
    int64_t ReadTime(const std::string& name, int64_t low) const;

    /// @return whether it is set, in the spelling of C++ or of Python  @param name its option
    bool ReadFlag(const std::string& name) const;

    /// @return the type of a policy  @param option its option
    TypeId ReadPolicy(const std::string& option) const;

    /// Refuse options that mean nothing here.  @param names the options  @param why when they do
    void RefuseGiven(const std::vector<std::string>& names, const std::string& why);

    /// @return whether an option was given a value other than auto  @param name its name
    bool IsGiven(const std::string& name) const;

    /// @return whether an option says that there is nothing  @param name its name
    bool IsNone(const std::string& name) const;

    /// @return ", or auto" if an option may be auto; else nothing  @param name its name
    std::string OrAuto(const std::string& name) const;

    /// Refuse the value of an option.  @param name the option  @param allowed what is allowed
    [[noreturn]] void Refuse(const std::string& name, const std::string& allowed) const;

    OptionTable m_table;       //!< the options
    FabricScenario m_scenario; //!< what they say
    CollectiveExtent m_extent; //!< how much its collectives move
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_SCENARIO_H */
