/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENDPOINT_TABLE_H
#define ENDPOINT_TABLE_H

#include "endpoint.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

class EndpointNic;

/**
 * @ingroup ai-fabric
 *
 * The endpoints of a NIC by their numbers, and members of in-network
 * aggregation also by their jobs. Each endpoint has a random stream of its own.
 */
class EndpointTable
{
  public:
    /// @return how many endpoints there are
    std::size_t GetEndpointCount() const
    {
        return m_endpoints.size();
    }

    /// @return an endpoint  @param index in the order of creation
    Ptr<Endpoint> GetEndpoint(std::size_t index) const
    {
        return m_endpoints.at(index);
    }

    /// @return the number of an endpoint  @param index in the order of creation
    static uint32_t GetNumber(std::size_t index)
    {
        return FIRST_NUMBER + index;
    }

    /**
     * Assign fixed random streams to the endpoints, those to come included.
     *
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream)
    {
        m_stream = stream;
        return STREAMS;
    }

  protected:
    /// The table holds no reference to the NIC.
    ~EndpointTable() = default;

    /// @return an endpoint, or nullptr
    Endpoint* FindEndpoint(uint32_t number) const
    {
        const std::size_t index = number - FIRST_NUMBER;
        return index < m_endpoints.size() ? PeekPointer(m_endpoints[index]) : nullptr;
    }

    /// @return the endpoint that receives a frame, or nullptr
    Endpoint* FindReceiver(const FabricFrame& frame) const
    {
        Endpoint* endpoint = FindEndpoint(frame.destinationQp);
        return endpoint ? endpoint : FindAddressee(frame);
    }

    /// @return the member of a job of in-network aggregation, or nullptr  @param job its number
    Endpoint* FindMember(uint16_t job) const;

    /// An endpoint receives the gradients of a job.  @param job its number
    void NameMember(uint16_t job, const Ptr<Endpoint>& endpoint);

    /// The simulation ends.
    void DisposeEndpoints();

    /// Install an endpoint.  @param nic the NIC, which has a port  @return its number
    uint32_t InstallEndpoint(const Ptr<Endpoint>& endpoint, EndpointNic* nic);

    /// Prefetch what an arriving frame will touch.  @param step the step, from 1 on
    void PrefetchEndpoint(const FabricFrame& frame, uint32_t step) const;

    std::vector<Ptr<Endpoint>> m_endpoints; //!< by number

  private:
    static constexpr uint32_t FIRST_NUMBER = 0x10; //!< numbers below are special
    static constexpr int64_t STREAMS = 1 << 16;    //!< random streams reserved for a NIC

    /// @return the member of the job of a packet of gradients, which names no endpoint; nullptr:
    /// the frame is none, or there is no member
    [[gnu::noinline]] Endpoint* FindAddressee(const FabricFrame& frame) const;

    std::vector<std::pair<uint16_t, Endpoint*>> m_members; //!< of in-network aggregation, by job

    int64_t m_stream{-1}; //!< first random stream; -1: not assigned
};

} // namespace aifabric
} // namespace ns3

#endif /* ENDPOINT_TABLE_H */
