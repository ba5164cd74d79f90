/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTION_OPENER_H
#define CONNECTION_OPENER_H

#include "ns3/collective-layout.h"
#include "ns3/message-service.h"
#include "ns3/workload-extent.h"

#include <cstdint>
#include <set>
#include <tuple>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Opens the connections of a workload before it begins: so the numbers of queue pairs do not depend
 * on which host is the first to send. They are opened in the order of programs, and of a collective
 * step by step, rank by rank.
 */
class ConnectionOpener
{
  public:
    /// All must outlive this.  @param workload the workload, checked
    /// @param extent how much it moves  @param service carries its messages
    ConnectionOpener(const TrainingWorkload& workload,
                     WorkloadExtent& extent,
                     MessageService& service);

    /// Open them.
    void Open();

  private:
    /// Open what a node of a host's program needs.
    void OpenNode(uint32_t host, const WorkloadNode& node);

    /// Open what a step of a collective needs.  @return whether any rank has such a step
    bool OpenStep(const CollectiveLayout& layout, const CollectiveSpec& spec, uint32_t step);

    const TrainingWorkload& m_workload; //!< the workload
    WorkloadExtent& m_extent;           //!< its collectives
    MessageService& m_service;          //!< carries the messages
    /// Collectives whose connections are open, by communicator and traffic class.
    std::set<std::tuple<uint32_t, uint8_t, const CollectiveExtent*>> m_open;
};

} // namespace aifabric
} // namespace ns3

#endif /* CONNECTION_OPENER_H */
