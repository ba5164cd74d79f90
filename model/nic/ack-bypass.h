/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ACK_BYPASS_H
#define ACK_BYPASS_H

#include "roce-net-device.h"

#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rank-messenger.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Carries acknowledgements past the fabric, for experiments that want data packets alone in its
 * queues, as the theory of the load-balancing study has them (arXiv 2507.21372v2, section 6). An
 * acknowledgement arrives as if it had crossed the links of a shortest path and waited nowhere. It
 * takes no time of any port, cannot be lost, and no port counts it.
 */
class AckBypass : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    AckBypass();
    ~AckBypass() override;

    /**
     * Make all NICs of a fabric hand over their acknowledgements.
     *
     * @param graph the fabric; must outlive this object
     * @param nics the NICs, by host index
     */
    void Install(const FabricGraph& graph, const std::vector<Ptr<RoceNetDevice>>& nics);

    /**
     * Carry an acknowledgement to its destination.
     *
     * @param ack the acknowledgement
     */
    void Carry(const Ptr<FabricFrame>& ack);

    /// @return how many acknowledgements were carried
    uint64_t GetCarried() const;

  protected:
    void DoDispose() override;

  private:
    /// An acknowledgement is on its way to a host of this rank.  @param ack the acknowledgement
    /// @param number how many its source sent before it  @param due when it arrives, in picoseconds
    void Expect(const Ptr<FabricFrame>& ack, uint64_t number, int64_t due);

    /// An acknowledgement comes from another rank.  @param bytes the acknowledgement
    void Hear(Ptr<Packet> bytes);

    /// What has arrived at a host by now is handed over.  @param host the host
    void Deliver(uint32_t host);

    /// Acknowledgements on their way to a host: by time of arrival in picoseconds, then by source,
    /// then as they were sent, since those of one time may come from another rank in any order.
    using Pending = std::map<std::tuple<int64_t, uint32_t, uint64_t>, Ptr<FabricFrame>>;

    Time m_hopTime;                         //!< of a link
    const FabricGraph* m_graph{nullptr};    //!< the fabric
    std::vector<Ptr<RoceNetDevice>> m_nics; //!< by host index
    std::vector<Pending> m_pending;         //!< by host index
    uint64_t m_carried{0};                  //!< acknowledgements
    std::vector<uint64_t> m_sent;           //!< acknowledgements, by index of the source
    Ptr<RankMessenger> m_messenger;         //!< to other ranks
    FabricFramePool m_pool;                 //!< of acknowledgements from there
};

} // namespace aifabric
} // namespace ns3

#endif /* ACK_BYPASS_H */
