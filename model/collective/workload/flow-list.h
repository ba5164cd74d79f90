/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_LIST_H
#define FLOW_LIST_H

#include "size-distribution.h"

#include "ns3/flow.h"
#include "ns3/uniform-integer.h"

#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Most bytes of one message: 1 TiB.
constexpr uint64_t MAX_FLOW_BYTES = uint64_t{1} << 40;
/// Latest start in a flow file, in nanoseconds: 1000 s.
constexpr uint64_t MAX_FLOW_START_NS = 1'000'000'000'000;

/**
 * Each host sends one message to another, and each host receives one: a permutation without fixed
 * points, all equally likely. All start at 0.
 *
 * @param hosts number of hosts, at least 2
 * @param bytes size of each message, in bytes
 * @param uniform randomness
 * @return one flow a host, by source
 * @throws std::invalid_argument if there are too few hosts
 */
std::vector<Flow> RandomPermutation(uint32_t hosts, uint64_t bytes, const UniformInteger& uniform);

/**
 * Each host sends one message to each other host. All start at 0. The flows of one host stand
 * together, the destinations in cyclic order from a place of its own that is drawn at random.
 *
 * @param hosts number of hosts, at least 2
 * @param bytes size of each message, in bytes
 * @param uniform randomness
 * @return hosts * (hosts - 1) flows, by source
 * @throws std::invalid_argument if there are too few hosts
 */
std::vector<Flow> AllToAll(uint32_t hosts, uint64_t bytes, const UniformInteger& uniform);

/**
 * Each host i sends one message to host i + hosts / 2, where the highest host is followed by host
 * 0: a tornado. All start at 0.
 *
 * @param hosts number of hosts, at least 2
 * @param bytes size of each message, in bytes
 * @return one flow a host, by source
 * @throws std::invalid_argument if there are too few hosts
 */
std::vector<Flow> Tornado(uint32_t hosts, uint64_t bytes);

/**
 * Messages that arrive at random: at each host a Poisson process, each message for another host,
 * all equally likely, with a length of its own. The flows of one host stand together, by start.
 *
 * @param hosts number of hosts, at least 2
 * @param sizes the lengths
 * @param meanGapPs mean time between two messages of a host, in picoseconds, above 0
 * @param durationPs time within which messages arrive, in picoseconds
 * @param random draws a number, uniform in [0, 1)
 * @return the flows, by source
 * @throws std::invalid_argument if there are too few hosts
 */
std::vector<Flow> PoissonArrivals(uint32_t hosts,
                                  const SizeDistribution& sizes,
                                  double meanGapPs,
                                  int64_t durationPs,
                                  const std::function<double()>& random);

/// @return when the next message of a host of PoissonArrivals() arrives, in picoseconds
/// @param startPs when the one before did, 0 at first  @param meanGapPs as there
/// @param random draws as there
double DrawArrival(double startPs, double meanGapPs, const std::function<double()>& random);

/// @return a message of PoissonArrivals()  @param source its host  @param startPs its arrival
/// @param random draws as there
Flow DrawMessage(uint32_t hosts,
                 uint32_t source,
                 double startPs,
                 const SizeDistribution& sizes,
                 const std::function<double()>& random);

/**
 * Make each n-th message ordered (Flow::ordered), in the order of the list.
 *
 * @param [in,out] flows the messages
 * @param every n, at least 1
 */
void OrderEach(std::vector<Flow>& flows, uint32_t every);

/**
 * Give each message between two hosts, in either direction, a channel of its own (Flow::channel).
 *
 * @param [in,out] flows the messages
 * @throws std::invalid_argument with one line if there are not enough channels
 */
void PartQueuePairs(std::vector<Flow>& flows);

/// Make all messages reads by their destinations (Flow::isRead).  @param [in,out] flows the
/// messages
void MakeReads(std::vector<Flow>& flows);

/// @return whether some messages are reads
bool HasReads(const std::vector<Flow>& flows);

/// @return the traffic classes that some messages name (bit c set: class c)
uint8_t FindClasses(const std::vector<Flow>& flows);

/**
 * Several hosts, drawn at random, send one message each to the same host. All start at 0.
 *
 * @param senders number of senders, 1..hosts-1
 * @param receiver the receiving host
 * @param bytes size of each message, in bytes
 * @param uniform randomness
 * @return one flow a sender
 * @throws std::invalid_argument if there is no such host or are too few hosts
 */
std::vector<Flow> Incast(uint32_t hosts,
                         uint32_t senders,
                         uint32_t receiver,
                         uint64_t bytes,
                         const UniformInteger& uniform);

/**
 * Read flows from a CSV text. Its first line names the columns `start_ns`, `source`, `destination`
 * and `bytes`, in any order, and perhaps `class`, a traffic class (0..7) or nothing, and
 * `operation`, `write`, `read` or nothing (a write); the other columns of a run's flows.csv may be
 * there, and are skipped. Each further line is one flow. The
 * start, 0..MAX_FLOW_START_NS, may have up to three decimals; hosts are numbered from 0; bytes are
 * 0..MAX_FLOW_BYTES. Blank lines, lines that begin with '#', blanks around fields and carriage
 * returns are skipped. Flows keep the order of the file.
 *
 * @param input the text
 * @param name what to call the text in messages, such as the file's name
 * @return the flows, at least one
 * @throws std::invalid_argument with one line that names the text, line, column, value and what is
 *         allowed, such as "flows.csv:3: column destination: '99' is not a host (0..15)"
 */
std::vector<Flow> ReadFlowCsv(std::istream& input, const std::string& name, uint32_t hosts);

/**
 * Read flows from a CSV file.
 *
 * @param path the file
 * @return the flows, at least one
 * @throws std::invalid_argument as ReadFlowCsv(), and if it is no file that can be read
 */
std::vector<Flow> ReadFlowCsvFile(const std::string& path, uint32_t hosts);

} // namespace aifabric
} // namespace ns3

#endif /* FLOW_LIST_H */
