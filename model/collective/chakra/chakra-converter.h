/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_CONVERTER_H
#define CHAKRA_CONVERTER_H

#include "chakra-communicators.h"
#include "chakra-options.h"
#include "chakra-trace.h"

#include "ns3/training-workload.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Converts the nodes of a rank's Chakra trace to nodes of a workload, one by one and without their
 * dependencies.
 */
class ChakraConverter
{
  public:
    /**
     * @param options how traces are read; must outlive this
     * @param communicators where groups become communicators; likewise
     * @param omissions where to count what is left out; likewise
     */
    ChakraConverter(uint32_t rank,
                    const ChakraOptions& options,
                    ChakraCommunicators& communicators,
                    ChakraOmissions& omissions);

    /// Take the groups that a node makes, if it is metadata that does.
    void ReadGroups(const ChakraNode& node);

    /**
     * @param node a node of the trace
     * @return the node of the workload
     * @throws std::invalid_argument that says what is wrong with it
     */
    WorkloadNode Convert(const ChakraNode& node);

  private:
    /// @return how long a node takes, in picoseconds
    int64_t DelayOf(const ChakraNode& node);

    /// @return how long a node takes by its num_ops and tensor_size, in picoseconds
    int64_t RooflineOf(const ChakraNode& node) const;

    /// @return how long a copy takes by its tensor_size, in picoseconds
    int64_t CopyOf(const ChakraNode& node);

    /// Convert a delay.  @param node of the trace  @param made of the workload
    void ConvertDelay(const ChakraNode& node, WorkloadNode& made);

    /// Convert a collective.  @param node of the trace  @param made of the workload
    void ConvertCollective(const ChakraNode& node, WorkloadNode& made);

    /**
     * Convert a send or receive.
     *
     * @param node of the trace
     * @param own attribute that names this rank, if it is there
     * @param other attribute that names the other rank
     * @param made of the workload
     */
    void ConvertMessage(const ChakraNode& node,
                        const std::string& own,
                        const std::string& other,
                        WorkloadNode& made);

    /// @return the other rank of a message  @param other attribute that names it
    uint32_t PeerOf(const ChakraNode& node, const std::string& other);

    /// @return the communicator of a node
    uint32_t GroupOf(const ChakraNode& node);

    /// Set the unit and the stream that execute a node.  @param node of the trace
    /// @param otherwise the stream, if the trace names none  @param made of the workload
    void SetUnit(const ChakraNode& node,
                 WorkloadNode::Unit unit,
                 int64_t otherwise,
                 WorkloadNode& made) const;

    uint32_t m_rank;                      //!< the rank
    const ChakraOptions& m_options;       //!< how traces are read
    ChakraCommunicators& m_communicators; //!< where groups become communicators
    ChakraOmissions& m_omissions;         //!< what is left out
    ChakraGroups m_own;                   //!< groups that the trace makes
};

} // namespace aifabric
} // namespace ns3

#endif /* CHAKRA_CONVERTER_H */
