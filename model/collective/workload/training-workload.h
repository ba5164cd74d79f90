/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_WORKLOAD_H
#define TRAINING_WORKLOAD_H

#include "ns3/collective-kind.h"
#include "ns3/flow.h"
#include "ns3/part-sizes.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Hosts that communicate together. A host's rank is its place in the list.
 */
struct Communicator
{
    std::string name;            //!< for messages
    std::vector<uint32_t> hosts; //!< by rank; none twice; two or more for collectives
};

/**
 * @ingroup ai-fabric
 *
 * One thing that a host does. It begins when all nodes that it depends on have ended, and those
 * whose begin it awaits have begun.
 */
struct WorkloadNode
{
    /// What it is.
    enum class Kind
    {
        COMPUTE,    //!< a delay
        COLLECTIVE, //!< this host's part in a collective
        SEND,       //!< a message to another host
        RECEIVE,    //!< the wait for a message from another host
    };

    /// What of a host does it.
    enum class Unit : uint8_t
    {
        NONE,       //!< nothing that others need: it begins whatever else goes on
        PROCESSOR,  //!< the processor
        COMPUTE,    //!< a stream of kernels
        MEMORY,     //!< a stream of copies
        COLLECTIVE, //!< a stream of collectives, which it does in the order of the program
        SEND,       //!< a stream of messages; numbers of 0 or more are streams that units share
    };

    std::string name;         //!< for messages and results
    Kind kind{Kind::COMPUTE}; //!< what it is
    int64_t durationPs{0};    //!< how long it takes, in picoseconds, if it is COMPUTE
    CollectiveKind collective{CollectiveKind::ALL_REDUCE}; //!< which, if it is COLLECTIVE
    bool sumsActivations{false}; //!< an ALL_REDUCE of activations, and so of no gradients
    std::string algorithm;       //!< how, if it is COLLECTIVE; empty: as all others
    std::string protocol;        //!< its protocol, if it is COLLECTIVE; empty: as all others
    /**
     * Size in bytes, of all but COMPUTE. That of a collective is as NCCL's tests count it: the
     * vector of all-reduce, broadcast, send-receive, reduce and sendrecv; the parts of all ranks
     * together of all-gather, reduce-scatter, all-to-all, gather and scatter.
     */
    uint64_t bytes{0};
    std::shared_ptr<const PartSizes> parts;  //!< of ALL_TO_ALL; null: all are alike
    uint32_t communicator{0};                //!< index of the communicator, if it is COLLECTIVE
    uint32_t root{0};                        //!< rank of the root, if the collective has one
    uint32_t peer{0};                        //!< the other host, if it is SEND or RECEIVE
    uint32_t tag{0};                         //!< distinguishes messages between two hosts
    uint8_t trafficClass{Flow::USUAL_CLASS}; //!< of its messages, if it is COLLECTIVE or SEND
    Unit unit{Unit::NONE};                   //!< what does it; one node at a time of a stream
    int64_t stream{0};                       //!< which stream of the unit
    bool isBegin{false};                     //!< the host's job begins when it has ended
    bool isEnd{false};                       //!< the host's job ends with it
    std::vector<uint32_t> dependencies;      //!< indices of nodes of the same program
    std::vector<uint32_t> startDependencies; //!< likewise, of those whose begin it awaits
};

/// What a host does: in what order it issues collectives and messages is the order of the list.
using WorkloadProgram = std::vector<WorkloadNode>;

/**
 * @ingroup ai-fabric
 *
 * What all hosts do, as a training iteration does: compute and communicate. The collectives of a
 * communicator match by their order in the programs of its hosts; sends and receives match by hosts
 * and tag, and those that have these in common by their order.
 */
struct TrainingWorkload
{
    static constexpr uint32_t NO_PROGRAM = UINT32_MAX; //!< of a host that does nothing

    std::vector<Communicator> communicators; //!< by index
    std::vector<WorkloadProgram> programs;   //!< hosts that do the same share one
    std::vector<uint32_t> programOf;         //!< by host: index of its program, or NO_PROGRAM
    /// Whether a collective begins only when all of its hosts have reached it.
    bool barrier{false};
    std::vector<std::string> notes; //!< what its author may not mean, a line each

    /// @return the traffic classes that nodes name (bit c set: class c)
    uint8_t FindClasses() const
    {
        uint32_t classes = 0;
        for (const WorkloadProgram& program : programs)
        {
            for (const WorkloadNode& node : program)
            {
                classes |= 1U << node.trafficClass;
            }
        }
        return classes & ((1U << Flow::USUAL_CLASS) - 1);
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* TRAINING_WORKLOAD_H */
