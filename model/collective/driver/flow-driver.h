/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_DRIVER_H
#define FLOW_DRIVER_H

#include "ns3/message-service.h"
#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Sends a list of flows: each is handed to a MessageService at its start.
 */
class FlowDriver : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FlowDriver();
    ~FlowDriver() override;

    /**
     * Take the flows and schedule their starts. To be called once, before the simulation runs.
     *
     * @param service carries the messages
     */
    void Install(Ptr<MessageService> service, const std::vector<Flow>& flows);

    /**
     * The same, with a service of its own.
     *
     * @param nics the NICs, by host index
     */
    void Install(const std::vector<Ptr<RoceNetDevice>>& nics, const std::vector<Flow>& flows);

    /// @return who carries the messages
    const Ptr<MessageService>& GetService() const;

  protected:
    void DoDispose() override;

  private:
    /// The messages of one host that are still to be started.
    struct Agenda
    {
        std::vector<uint32_t> messages; //!< by start
        std::size_t next{0};            //!< index of the next
    };

    /// Hand over what a host has to start now, and schedule the rest.
    void StartDue(uint32_t host);

    /// Schedule a host's next start.
    void ScheduleNext(uint32_t host);
    /// A host's next start is due: have it happen at the host.
    void EnterHost(uint32_t host);

    Ptr<MessageService> m_service; //!< carries the messages
    bool m_ownsService{false};     //!< this object disposes of it
    std::vector<Agenda> m_agendas; //!< by host
};

} // namespace aifabric
} // namespace ns3

#endif /* FLOW_DRIVER_H */
