/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EVENT_LOG_H
#define EVENT_LOG_H

#include "csv-writer.h"
#include "port-catalog.h"

#include "ns3/roce-net-device.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Writes down what happened to links, ports and queue pairs, as it happens: cuts and repairs,
 * pauses, and timeouts.
 */
class EventLog
{
  public:
    /**
     * @param path the file
     * @throws std::runtime_error if it cannot be written
     */
    explicit EventLog(const std::string& path);

    /**
     * Watch the links and ports of a fabric. The log must outlive the simulation.
     *
     * @param catalog the ports
     */
    void Watch(const PortCatalog& catalog);

    /**
     * Watch the queue pairs of NICs, those to come included. The log must outlive the simulation.
     *
     * @param nics the NICs
     */
    void Watch(const std::vector<Ptr<RoceNetDevice>>& nics);

    /**
     * Write down something that happens now.
     *
     * @param event what happens
     * @param subject to whom
     * @param detail more about it
     */
    void Write(const std::string& event, const std::string& subject, const std::string& detail);

    /**
     * Finish the file.
     *
     * @throws std::runtime_error if not all could be written
     */
    void Close();

  private:
    CsvWriter m_csv; //!< the file
};

} // namespace aifabric
} // namespace ns3

#endif /* EVENT_LOG_H */
