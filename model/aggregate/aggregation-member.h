/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AGGREGATION_MEMBER_H
#define AGGREGATION_MEMBER_H

#include "aggregation-job.h"

#include "ns3/endpoint.h"

namespace ns3
{
namespace aifabric
{

class RoceNetDevice;

/**
 * @ingroup ai-fabric
 *
 * An endpoint that takes part in a job of in-network aggregation: a worker or a parameter server.
 */
class AggregationMember : public Endpoint
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// Join a job, once, before the endpoint is added to its NIC.
    virtual void Join(Ptr<AggregationJob> job);

    void Install(EndpointNic* nic, uint32_t number, int64_t stream) override;
    int64_t GetNextTime() const override;
    uint8_t GetClass() const override;
    uint64_t GetTurn() const override;
    uint32_t GetPacketBytes() const override;
    bool HasFailed() const override;

    /// @return the NIC
    RoceNetDevice& GetNic() const
    {
        return *m_nic;
    }

  protected:
    void DoDispose() override;

    /// @return the time of a frame on the line, with what is between frames, in picoseconds
    /// @param bytes of the frame
    int64_t GetLineTimeOf(uint32_t bytes) const;

    /// @return the job
    AggregationJob& GetJob() const
    {
        return *m_job;
    }

    /// @return its plan
    const AggregationPlan& GetPlan() const
    {
        return m_job->GetPlan();
    }

    /// Set what all frames of the endpoint have.  @param [in,out] frame the frame, new
    /// @param destination host index of the receiver  @param start when its transmission begins
    void Address(FabricFrame& frame, uint32_t destination, int64_t start) const;

  private:
    Ptr<AggregationJob> m_job;     //!< the job
    RoceNetDevice* m_nic{nullptr}; //!< the NIC
    uint64_t m_turn{0};            //!< its place at the NIC
    uint8_t m_dscp{0};             //!< of its frames
    uint8_t m_class{0};            //!< traffic class of its frames
};

} // namespace aifabric
} // namespace ns3

#endif /* AGGREGATION_MEMBER_H */
