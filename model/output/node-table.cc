/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-table.h"

#include "ns3/csv-writer.h"

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the name of what a node is
const char*
NameKind(WorkloadNode::Kind kind)
{
    switch (kind)
    {
    case WorkloadNode::Kind::COMPUTE:
        return "compute";
    case WorkloadNode::Kind::COLLECTIVE:
        return "collective";
    case WorkloadNode::Kind::SEND:
        return "send";
    default:
        return "receive";
    }
}

/// @return the name of what of a host does a node; empty if nothing does that others need
const char*
NameUnit(WorkloadNode::Unit unit)
{
    switch (unit)
    {
    case WorkloadNode::Unit::NONE:
        return "";
    case WorkloadNode::Unit::PROCESSOR:
        return "processor";
    case WorkloadNode::Unit::COMPUTE:
        return "compute";
    case WorkloadNode::Unit::MEMORY:
        return "memory";
    case WorkloadNode::Unit::COLLECTIVE:
        return "collective";
    default:
        return "send";
    }
}

} // namespace

void
NodeTable::Write(const std::string& path) const
{
    CsvWriter csv(path,
                  {"host",
                   "name",
                   "kind",
                   "unit",
                   "stream",
                   "communicator",
                   "bytes",
                   "peer",
                   "start_ns",
                   "end_ns"});
    for (const NodeRecord& record : m_records)
    {
        const bool isMessage =
            record.kind == WorkloadNode::Kind::SEND || record.kind == WorkloadNode::Kind::RECEIVE;
        const bool isNumbered = record.unit != WorkloadNode::Unit::NONE && record.stream >= 0;
        csv.Write(record.host,
                  record.name,
                  NameKind(record.kind),
                  NameUnit(record.unit),
                  isNumbered ? std::to_string(record.stream) : "",
                  record.communicator,
                  record.bytes,
                  isMessage ? std::to_string(record.peer) : "",
                  FormatNs(record.startPs),
                  FormatNs(record.endPs));
    }
    csv.Close();
}

} // namespace aifabric
} // namespace ns3
