/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_LAYOUT_H
#define COLLECTIVE_LAYOUT_H

#include "collective-algorithm.h"
#include "collective-protocol.h"
#include "part-sizes.h"

#include "ns3/flow.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What a collective is.
struct CollectiveSpec
{
    std::string name;                                //!< for results
    CollectiveKind kind{CollectiveKind::ALL_REDUCE}; //!< what the ranks want to have
    uint64_t bytes{0};                               //!< its size, as CollectiveKind has it
    std::shared_ptr<const PartSizes> parts;          //!< of ALL_TO_ALL; null: all are alike
    uint32_t root{0};                                //!< the rank that it begins with, if any
    TypeId algorithm;                                //!< who sends what to whom
    uint32_t channels{1};                            //!< parts that go side by side
    /// Length of a chunk in bytes where chunks make it faster (CollectiveAlgorithm::IsChunked());
    /// without it, there are as many as the algorithm's attribute Chunks says.
    std::optional<uint64_t> chunkBytes;
    uint64_t nodeChunkBytes{0};     //!< at least so long where switches of nodes add up and copy
    std::optional<uint32_t> chunks; //!< number of chunks, in place of the attribute; at least 1
    std::vector<uint32_t> hosts;    //!< by rank
    std::vector<uint32_t> nodes;    //!< by rank: which ranks share a node; empty: none do
    std::vector<uint32_t> nics;     //!< by rank: which ranks share a NIC; empty: none do
    std::optional<TypeId> protocol; //!< how data are handed over; none: at no cost
    ProtocolTravel travel;          //!< what the simulated fabric takes of the protocol's latency
    uint8_t trafficClass{Flow::USUAL_CLASS}; //!< of its messages
};

/// How much a collective moves. What stays within a node is no payload and no packet of the
/// network.
struct CollectiveExtent
{
    uint64_t messages{0};       //!< of all ranks
    uint64_t pairs{0};          //!< pairs of sender and receiver, by channel and lane: queue pairs
    uint64_t packets{0};        //!< of all ranks
    uint64_t bytes{0};          //!< payload of all ranks
    uint64_t longestBytes{0};   //!< of the longest message, or with several channels a byte more
    uint64_t mostBytes{0};      //!< payload that one rank sends, or receives, at most
    uint64_t mostPackets{0};    //!< packets that one rank sends, or receives, at most
    uint64_t mostNicBytes{0};   //!< payload that one shared NIC sends, or receives, at most
    uint64_t mostNicPackets{0}; //!< packets that it sends, or receives, at most
    uint64_t mostNodeBytes{0};  //!< payload that one rank sends, or receives, within its node
};

/**
 * @ingroup ai-fabric
 *
 * A collective laid out in bytes. The data are cut into *slices*, channel by channel and lane by
 * lane (CollectiveAlgorithm), as even as bytes allow, and a slice into blocks. With PartSizes, each
 * part is cut into slices. A message has at least one byte; one whose parts have none is left out.
 */
class CollectiveLayout
{
  public:
    /// The most chunks that are made of what one lane has without any.
    static constexpr uint32_t MOST_CHUNKS = 4096;

    /**
     * @param spec what it is
     * @throws std::invalid_argument with one line if the algorithm cannot do it
     */
    explicit CollectiveLayout(const CollectiveSpec& spec);

    /// @return who sends what to whom
    const CollectiveAlgorithm& GetAlgorithm() const;

    /// @return number of slices
    uint32_t CountSlices() const;

    /// @return the lane of a slice
    uint32_t LaneOf(uint32_t slice) const;

    /// @return the channel of a slice
    uint32_t ChannelOf(uint32_t slice) const;

    /// @return what a rank does in a step of a slice
    CollectiveStep GetStep(uint32_t rank, uint32_t slice, uint32_t step) const;

    /// @return the time from the begin of a step until a message is sent, in picoseconds: its
    /// latency without what the simulated fabric takes, and once the base of the protocol. What
    /// switches of nodes take is such a base: chunks pass them one behind the other
    int64_t GetDelayPs(uint32_t rank,
                       uint32_t slice,
                       uint32_t step,
                       const CollectiveMessage& message) const;

    /// @return length of a message on links, in bytes: data and flags; 0 if it is left out
    uint64_t GetBytes(uint32_t slice, const CollectiveMessage& message) const;

    /// @return whether two ranks share a node  @param a a rank  @param b a rank
    bool IsInNode(uint32_t a, uint32_t b) const;

    /**
     * Add up what moves. Of several channels, which are alike but for a byte, the first stands for
     * all, which has no more than others.
     *
     * @param mtu payload of a full packet, in bytes
     * @return how much it is
     */
    CollectiveExtent Measure(uint32_t mtu) const;

  private:
    /// Note what the protocol costs.
    void ReadProtocol(const CollectiveSpec& spec);

    /// @return data of a message, in bytes; 0 if it is left out
    uint64_t GetDataBytes(uint32_t slice, const CollectiveMessage& message) const;

    /// @return data of a message of PartSizes, in bytes
    uint64_t GetPartBytes(uint32_t slice, const CollectiveMessage& message) const;

    /// Have the algorithm work in chunks.  @param bytes length of a chunk  @param nodeBytes the
    /// least that all lanes of one have together
    void Chunk(uint64_t bytes, uint64_t nodeBytes);

    Ptr<CollectiveAlgorithm> m_algorithm;     //!< who sends what to whom
    uint32_t m_channels;                      //!< parts that go side by side
    uint32_t m_lanes;                         //!< of the algorithm
    uint64_t m_blocks;                        //!< of a slice
    uint64_t m_bytes;                         //!< of all blocks of all slices
    std::shared_ptr<const PartSizes> m_parts; //!< of an all-to-all; null: all are alike
    std::vector<uint32_t> m_nics;             //!< by rank: which ranks share a NIC; empty: none do
    ProtocolCost m_cost;                      //!< without what the simulated fabric takes
};

} // namespace aifabric
} // namespace ns3

#endif /* COLLECTIVE_LAYOUT_H */
