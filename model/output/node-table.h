/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NODE_TABLE_H
#define NODE_TABLE_H

#include "ns3/node-log.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The table nodes.csv: what each host computed, waited for and sent in a training iteration, and
 * when.
 */
class NodeTable
{
  public:
    /// @param records the nodes that have ended
    explicit NodeTable(std::vector<NodeRecord> records)
        : m_records(std::move(records))
    {
    }

    /**
     * Write the table.
     *
     * @param path the file
     * @throws std::runtime_error if it cannot be written
     */
    void Write(const std::string& path) const;

  private:
    std::vector<NodeRecord> m_records; //!< by host
};

} // namespace aifabric
} // namespace ns3

#endif /* NODE_TABLE_H */
