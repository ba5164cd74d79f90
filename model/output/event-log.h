/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EVENT_LOG_H
#define EVENT_LOG_H

#include "event-table.h"

#include "ns3/port-catalog.h"
#include "ns3/roce-net-device.h"

#include <cstdint>
#include <mutex>
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
 * pauses, and timeouts. EventTable says in which order.
 */
class EventLog
{
  public:
    static constexpr int64_t LATENESS_PS =
        1'000'000'000; //!< a window of links of 1 ms is not longer

    /**
     * @param path the file
     * @param isFirst whether this is the log of the first part of a run, or of all of it. What
     *        happens to the fabric as a whole happens in each part, and is written by the first.
     * @param latenessPs as EventTable has it
     * @throws std::runtime_error if it cannot be written
     */
    explicit EventLog(const std::string& path,
                      bool isFirst = true,
                      int64_t latenessPs = LATENESS_PS);

    /**
     * Watch which links of a fabric are cut and repaired. The log and the catalog must outlive the
     * simulation.
     *
     * @param catalog the ports
     */
    void WatchLinks(const PortCatalog& catalog);

    /**
     * Watch the pauses of ports, which take 0.3 kB a port. The log and the catalog must outlive the
     * simulation.
     *
     * @param catalog the ports
     */
    void WatchPauses(const PortCatalog& catalog);

    /**
     * Watch the queue pairs of NICs, those to come included. The log must outlive the simulation.
     */
    void Watch(const std::vector<Ptr<RoceNetDevice>>& nics);

    /**
     * Write down something that happens now, and in this part of the run only.
     *
     * @param event what happens
     * @param subject to whom
     * @param detail more about it
     */
    void Write(const std::string& event, const std::string& subject, const std::string& detail);

    /**
     * Write down something that happens now, and in each part of the run: to links, or to routing.
     *
     * @param event what happens
     * @param subject to whom
     * @param detail more about it
     */
    void WriteGlobal(const std::string& event,
                     const std::string& subject,
                     const std::string& detail);

    /**
     * Finish the file.
     *
     * @throws std::runtime_error if not all could be written
     */
    void Close();

  private:
    std::mutex m_mutex; //!< of the file: any node may write
    EventTable m_table; //!< the file
    bool m_isFirst;     //!< what happens in each part is written here
};

} // namespace aifabric
} // namespace ns3

#endif /* EVENT_LOG_H */
