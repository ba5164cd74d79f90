/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTION_SECTIONS_H
#define OPTION_SECTIONS_H

#include "fabric-scenario.h"
#include "option-section.h"
#include "option-table.h"
#include "run-config.h"

#include "ns3/chakra-reader.h"
#include "ns3/training-file.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// @return all options, each with the heading of its group
std::vector<OptionRow> ListRows();

/// Read a command line. Attribute defaults that it names are set. To be called once.
/// @param arguments the command line, without the program's name
/// @param config what a file gives beside it
/// @return the scenario; nothing, if the user only asked for help and was answered
/// @throws std::invalid_argument with one line that says which option cannot be accepted and why
std::optional<FabricScenario> ReadScenario(const std::vector<std::string>& arguments,
                                           const RunConfig& config);

// The options by section. A section has its rows, and functions that read them into a scenario, in
// the order in which ScenarioReader calls them.

extern const OptionGroup SET_ROWS, TOPOLOGY_ROWS, LINK_ROWS, WORKLOAD_ROWS, CHAKRA_ROWS,
    COLLECTIVE_ROWS, ALGORITHM_ROWS, AGGREGATION_ROWS, TRAFFIC_ROWS, BACKGROUND_ROWS,
    FORWARDING_ROWS, BALANCING_ROWS, TRANSPORT_ROWS, FAILURE_ROWS, JOB_ROWS, RUN_ROWS, PAUSE_ROWS,
    OBSERVATION_ROWS;

/// Reads options into a scenario, and refuses what does not go with the options read before.
using SectionReader = void(const OptionTable& table, FabricScenario& scenario);

SectionReader ReadShape;       //!< the shape of the fabric, and its nodes
SectionReader ReadLinks;       //!< how switches forward, and links, ports and packets
SectionReader ReadTraffic;     //!< what is sent, and when
SectionReader ReadAggregation; //!< the jobs of in-network aggregation
SectionReader ReadBackground;  //!< what is sent beside it
SectionReader ReadTransport;   //!< how queue pairs send
SectionReader ReadBuffers;     //!< the buffers of switches
SectionReader ReadBalancing;   //!< who spreads the traffic
SectionReader ReadMarking;     //!< who marks congestion
SectionReader ReadFailures;    //!< what fails, and what follows
SectionReader ReadTimeout;     //!< when a queue pair without an acknowledgement sends again
SectionReader ReadObservation; //!< what is recorded of the run
SectionReader ReadRun;         //!< how the run is computed
SectionReader CheckShape;      //!< whether all of it works in a fabric that is no Clos network
SectionReader CheckFluid;      //!< whether --fidelity=fluid computes all of it
SectionReader FindFluidClass;  //!< how closely it does
SectionReader ReadSimulator;   //!< who runs what happens
SectionReader ReadJob;         //!< the iterations of the traffic, and what a failure does
SectionReader CheckReads;      //!< whether reads go with all of it
SectionReader CheckBackground; //!< whether what is sent beside goes with all of it
SectionReader ReadExtent;      //!< how large the run is; it has to fit into memory

/// Refuse a balancer that needs a Clos network, in a fabric that is none.  @param option what names
/// the balancer
void CheckBalancerShape(const OptionTable& table,
                        FabricScenario& scenario,
                        const std::string& option,
                        TypeId balancer);

/// @return about how many packet-hops a run without in-network aggregation has
uint64_t CountPacketHops(const OptionTable& table, FabricScenario& scenario);

/// Options that name a file with what hosts do, each of which is a workload of this name.
extern const std::vector<std::string> PROGRAM_FILES;

/// Bytes from each rank to each other in an all-to-all, by default.
constexpr uint64_t ALL_TO_ALL_SIZE = 65536;

/// Start MPI, if the command line asks for several ranks. To be called before all else.
void EnableRanks(int* argc, char*** argv);

/// Load the shared libraries that a command line names. To be called before policies are listed.
/// @throws OptionError if one cannot be loaded
void LoadPolicies(const std::vector<std::string>& arguments, const RunConfig& config);

/// Refuse attributes of policies that options stand for.
void ReservePolicyAttributes(OptionTable& table);

/// Print the named sets of options, if that was asked for.  @return whether it was
bool PrintSets(const OptionTable& table, std::ostream& os);

/// Give options the values of the preset and the stack that were asked for.
/// @throws OptionError if there is no such set, or an option contradicts it
void ApplySets(OptionTable& table);

/// @return the stack that a scenario has, or own; null with in-network aggregation
nlohmann::ordered_json FindStack(const FabricScenario& scenario);

/// @return the stack of a scenario and its policies, in a line
std::string DescribeStack(const FabricScenario& scenario);

/// Print where something may fail, if that was asked for.  @return whether it was
bool PrintsLinks(const OptionTable& table, FabricScenario& scenario);

/// Read collectives, training iterations and jobs, or refuse their options.
/// @return whether the traffic is one of them
bool ReadCollectives(const OptionTable& table, FabricScenario& scenario);

/// @return what Chakra traces say  @param prefix how their names begin
TrainingWorkload ReadTraces(const OptionTable& table,
                            FabricScenario& scenario,
                            const std::string& prefix);

/// @return what the traces of a job of --cluster say  @param prefix how their names begin
/// @param ranks of the job
ChakraWorkload ReadJobTraces(const OptionTable& table,
                             FabricScenario& scenario,
                             const std::string& prefix,
                             uint32_t ranks);

/// The options that say how Chakra traces are read.
extern const std::vector<std::string> TRACE_OPTIONS;

/// @return what a schedule in GOAL says  @param path its file
TrainingWorkload ReadGoal(const OptionTable& table,
                          FabricScenario& scenario,
                          const std::string& path);

/// Read how the collectives of the scenario go.  @param blamed the option that is wrong if they
/// cannot go so
void ReadAlgorithm(const OptionTable& table, FabricScenario& scenario, const std::string& blamed);

/// @return what the algorithms of a file's steps do, and the usual one if it is given
AlgorithmCheck MakeAlgorithmCheck(const OptionTable& table, FabricScenario& scenario);

/// @return the hosts of the ranks, by rank
std::vector<uint32_t> ReadPlacement(const OptionTable& table, FabricScenario& scenario);

/// @return whether an algorithm adds up in switches  @param algorithm its name for --algorithm
bool IsInNetwork(const std::string& algorithm);

/// @return whether a run is about sums of switches: there is no iteration with other collectives
bool HasSumJobs(const OptionTable& table);

/// @return whether all traffic is sums of switches, so that there are no queue pairs
bool HasSumsAlone(const OptionTable& table);

/// Have switches add up the gradients of the scenario's iteration, if --algorithm says so.
/// @param blamed the option that names the iteration
void OffloadGradients(const OptionTable& table,
                      FabricScenario& scenario,
                      const std::string& blamed);

/// @return whether --jobs names a file
bool HasJobFile(const OptionTable& table);

/// @return the jobs of the file of --jobs, without their hosts
std::vector<ClusterJob> ReadJobFile(const OptionTable& table, FabricScenario& scenario);

/// @return the admission that a transport expects of switches; none: any
/// @param transport a type of queue pairs
std::optional<TypeId> FindUsualAdmission(TypeId transport);

/// @return faults of links, one for each link of each item of --fail
/// @throws OptionError if an item cannot be accepted
std::vector<FaultSpec> ReadFaults(const FabricScenario& scenario,
                                  const std::vector<std::string>& items);

/// Print the places of a fabric at which something may fail, and what a fault may be. Lines of
/// links have nothing in front; all others begin with #.
void PrintFaultHelp(const FabricScenario& scenario, std::ostream& os);

/// @return a bit for each lossless class  @param admission the buffer of switches
uint8_t FindLosslessClasses(TypeId admission);

/// Refuse a fabric that does not fit into memory.
void RefuseMemory(const OptionTable& table,
                  FabricScenario& scenario,
                  uint64_t hosts,
                  uint64_t links);

/// Refuse a number of messages of collectives that does not fit into memory.
/// @param blamed the option that the line names; "": that of the size of the fabric
void CheckMessages(const OptionTable& table,
                   FabricScenario& scenario,
                   uint64_t messages,
                   const std::string& blamed);

} // namespace aifabric
} // namespace ns3

#endif /* OPTION_SECTIONS_H */
