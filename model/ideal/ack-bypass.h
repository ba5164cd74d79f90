/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ACK_BYPASS_H
#define ACK_BYPASS_H

#include "ns3/answer-carrier.h"
#include "ns3/fabric-graph.h"
#include "ns3/frame-ferry.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/roce-net-device.h"

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
 * acknowledgement arrives as if it had crossed the links and switches of a shortest path and waited
 * nowhere. It takes no time of any port, cannot be lost, and no port counts it. The latency of the
 * NIC that receives it is that of any frame.
 */
class AckBypass : public Object, public AnswerCarrier, private FrameFerry::Receiver
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

    void Carry(const Ptr<FabricFrame>& ack) override;

    /// @return how many acknowledgements were carried
    uint64_t GetCarried() const;

  protected:
    void DoDispose() override;

  private:
    void Expect(const Ptr<FabricFrame>& ack, const FrameTrailer& trailer) override;

    /// What has arrived at a host by now is handed over.
    void Deliver(uint32_t host);

    /// Acknowledgements on their way to a host: by time of arrival in picoseconds, then by source,
    /// then as they were sent.
    using Pending = std::map<std::tuple<int64_t, uint32_t, uint64_t>, Ptr<FabricFrame>>;

    Time m_hopTime;                         //!< of a link
    Time m_switchTime;                      //!< of a switch
    const FabricGraph* m_graph{nullptr};    //!< the fabric
    std::vector<Ptr<RoceNetDevice>> m_nics; //!< by host index
    std::vector<Pending> m_pending;         //!< by host index
    uint64_t m_carried{0};                  //!< acknowledgements
    uint64_t m_expected{0};                 //!< those to hosts of this rank, from all ranks
    Ptr<FrameFerry> m_ferry;                //!< to other ranks
};

} // namespace aifabric
} // namespace ns3

#endif /* ACK_BYPASS_H */
