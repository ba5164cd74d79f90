/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RESULTS_HELPER_H
#define RESULTS_HELPER_H

#include "fabric.h"

#include "ns3/bound-frames.h"
#include "ns3/event-log.h"
#include "ns3/heartbeat.h"
#include "ns3/message-service.h"
#include "ns3/output-folder.h"
#include "ns3/port-catalog.h"
#include "ns3/queue-sampler.h"

#include <memory>
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
 * Writes the results of a script into a folder, in the files of ai-fabric-run: run.json, flows.csv,
 * links.csv, layers.csv, queues.csv and events.csv. <tt>./fabric plot FOLDER</tt> reads them.
 *
 * Make it when the fabric and the NICs are built, before Simulator::Run(), and call Write() after
 * it, before anything is disposed of. The messages are those of a MessageService; bytes of other
 * traffic count on links only. Without Write() the folder stays as it was. Looking at the queues
 * changes nothing but the time at which Simulator::Run() returns, by up to a microsecond.
 * The run of the files ends with the last message, though timers may go on. Simulations on several
 * ranks are not supported.
 *
 * The bounds of run.json take all NICs to be as that of host-0, and hosts to send at line rate.
 */
class ResultsHelper
{
  public:
    /**
     * Watch links, queue pairs and queues from now on.
     *
     * @param folder where the files go; it is made if there is none
     * @param fabric a fabric that is built
     * @param service carries the messages
     */
    ResultsHelper(const std::string& folder, Ptr<Fabric> fabric, Ptr<MessageService> service);

    ~ResultsHelper();

    /**
     * Say what kind of run it is: plots name it by its "balancer" ("script" if nothing is said),
     * the fabric by its "topology" ("fabric") and the traffic by its "workload" ("flows").
     *
     * @param name the name of an entry of "scenario" in run.json
     * @param value what it says
     */
    void Describe(const std::string& name, const std::string& value);

    /**
     * Measure, and write the files in place of those of an earlier run.
     *
     * @throws std::runtime_error if a file cannot be written
     */
    void Write();

  private:
    /// @return what the bounds know of the fabric; the defaults if there is no queue pair
    BoundParameters GetBoundParameters() const;

    Ptr<Fabric> m_fabric;                                        //!< the fabric
    Ptr<MessageService> m_service;                               //!< carries the messages
    PortCatalog m_catalog;                                       //!< the ports
    std::unique_ptr<OutputFolder> m_folder;                      //!< where the files go
    std::unique_ptr<EventLog> m_events;                          //!< what happens
    QueueSampler m_sampler;                                      //!< looks at the queues
    Heartbeat m_heartbeat;                                       //!< calls the sampler
    std::vector<std::pair<std::string, std::string>> m_scenario; //!< entries of Describe()
};

} // namespace aifabric
} // namespace ns3

#endif /* RESULTS_HELPER_H */
