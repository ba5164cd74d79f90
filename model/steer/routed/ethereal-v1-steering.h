/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHEREAL_V1_STEERING_H
#define ETHEREAL_V1_STEERING_H

#include "least-outstanding.h"
#include "source-routed-steering.h"

#include <list>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The first version of Ethereal (arXiv 2407.00550, version 1, and the authors' simulator for it):
 * messages are split as in the second, but a piece takes the path on which this host has least
 * bytes to send, to whatever leaf they go (LeastOutstanding). So uplinks are balanced, and the
 * links down to a leaf need not be.
 */
class EtherealV1Steering : public SourceRoutedSteering
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    void DoDispose() override;

  private:
    /// A piece of which not everything has been sent.
    struct Sending
    {
        Ptr<QueuePair> queuePair; //!< where
        uint64_t end;             //!< the number after its last packet
        uint64_t left;            //!< bytes of it that count as unsent
        uint16_t path;            //!< its path
    };

    std::vector<EtherealPlanner::Piece> Divide(const std::vector<uint64_t>& bytes,
                                               const std::vector<uint16_t>& paths) override;
    void Posted(const Order& order, const Ptr<QueuePair>& queuePair) override;
    void Rerouted(const Ptr<QueuePair>& queuePair, uint16_t to) override;

    /// Take note of what has been sent meanwhile.
    void Refresh();

    LeastOutstanding m_unsent;    //!< bytes by path
    std::list<Sending> m_sending; //!< the pieces
};

} // namespace aifabric
} // namespace ns3

#endif /* ETHEREAL_V1_STEERING_H */
