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
#include <functional>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Sends a list of flows, or those of a source, which may have no end: each is handed to a
 * MessageService at its start.
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

    /// @return the next flow of a host, which starts no sooner than the one before; none: there is
    /// no more
    using Source = std::function<std::optional<Flow>(uint32_t host)>;

    /**
     * The same with flows that are made as time goes on, and of which there is no end.
     *
     * @param source makes them; called by no two threads at a time
     */
    void Install(Ptr<MessageService> service, const Source& source);

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

    /// Begin.  @param service carries the messages
    void SetService(Ptr<MessageService> service);

    /// Take the next flow of a host from the source, if there is one.
    void TakeNext(uint32_t host);

    /// Hand over what a host has to start now, and schedule the rest.
    void StartDue(uint32_t host);

    /// Schedule a host's next start.
    void ScheduleNext(uint32_t host);
    /// A host's next start is due: have it happen at the host.
    void EnterHost(uint32_t host);

    Ptr<MessageService> m_service; //!< carries the messages
    bool m_ownsService{false};     //!< this object disposes of it
    std::vector<Agenda> m_agendas; //!< by host
    Source m_source;               //!< of flows that are made as time goes on; or empty
};

} // namespace aifabric
} // namespace ns3

#endif /* FLOW_DRIVER_H */
