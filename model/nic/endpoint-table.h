/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENDPOINT_TABLE_H
#define ENDPOINT_TABLE_H

#include "endpoint-maker.h"
#include "endpoint.h"

#include <cstdint>
#include <optional>
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
     * Reserve numbers, so that who sends to an endpoint knows its number before the endpoint is
     * made.
     *
     * @param maker makes an endpoint when the first frame comes for it; nullptr: another rank
     * simulates the NIC
     * @param bits CountReserved() numbers, as in all calls
     * @return the first of them, from which GetReserved() counts
     */
    uint32_t ReserveNumbers(EndpointMaker* maker, uint32_t bits);

    /// @return how many numbers a call of ReserveNumbers() reserves  @param bits as there
    static uint32_t CountReserved(uint32_t bits)
    {
        return ROUNDS << bits;
    }

    /// @return a reserved number  @param first of which call  @param place below CountReserved()
    static uint32_t GetReserved(uint32_t first, uint32_t place, uint32_t bits)
    {
        const uint32_t round = place >> bits;
        // Of a lower round this is below 0, and the sum, modulo 2^32, below first.
        const uint32_t distance = round < UPPER_ROUNDS ? round : UPPER_ROUNDS - 1 - round;
        return first + distance * ROUND_NUMBERS + (place & ((1U << bits) - 1));
    }

    /// @return the place of a reserved number, of which GetReserved() made it
    static uint32_t GetPlace(uint32_t number, uint32_t bits)
    {
        const uint32_t part = number / ROUND_NUMBERS;
        const uint32_t round = part < UPPER_ROUNDS ? ROUNDS - part : part - UPPER_ROUNDS;
        return (round << bits) + (number & ((1U << bits) - 1));
    }

    /// Make no more endpoints of such numbers.  @param first what ReserveNumbers() returned
    void ReleaseNumbers(uint32_t first);

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
        return index < m_endpoints.size() ? PeekPointer(m_endpoints[index]) : FindReserved(number);
    }

    /// @return the endpoint that receives a frame, or nullptr
    Endpoint* FindReceiver(const FabricFrame& frame)
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

    /// Install an endpoint.  @param nic the NIC, which has a port
    /// @param reserved its number; nothing: the next one that is not reserved  @return its number
    uint32_t InstallEndpoint(const Ptr<Endpoint>& endpoint,
                             EndpointNic* nic,
                             std::optional<uint32_t> reserved = std::nullopt);

    /// Prefetch what an arriving frame will touch.  @param step the step, from 1 on
    void PrefetchEndpoint(const FabricFrame& frame, uint32_t step) const;

    std::vector<Ptr<Endpoint>> m_endpoints; //!< in the order of creation

  private:
    static constexpr uint32_t FIRST_NUMBER = 0x10;          //!< numbers below are special
    static constexpr uint32_t NUMBERS = 1 << 24;            //!< those of queue pairs have 24 bits
    static constexpr uint32_t FIRST_RESERVED = NUMBERS / 2; //!< what ReserveNumbers() begins with
    /// The numbers of each call of ReserveNumbers() are as many runs of 2^bits numbers: a first one
    /// behind those of the calls before, and one at the same place of each further round. The upper
    /// rounds go up from FIRST_RESERVED, the others down from there. Below them are the numbers of
    /// endpoints for which none was reserved.
    static constexpr uint32_t UPPER_ROUNDS = 4;
    static constexpr uint32_t ROUNDS = 2 * UPPER_ROUNDS - 1;
    static constexpr uint32_t ROUND_NUMBERS = FIRST_RESERVED / UPPER_ROUNDS; //!< of a round
    static constexpr int64_t STREAMS = 1 << 16; //!< random streams reserved for a NIC

    /// Endpoints of numbers that were reserved.
    struct Range
    {
        EndpointMaker* maker;        //!< makes them; null: it makes no more
        std::vector<Endpoint*> made; //!< by place; null: not made
    };

    /// @return where an endpoint is that is found by neither its place nor its number: one that
    /// has to be made, or the member of the job of a packet of gradients, which names no endpoint;
    /// nullptr: there is none
    [[gnu::noinline]] Endpoint* FindAddressee(const FabricFrame& frame);

    /// @return of which call of ReserveNumbers() a number is
    std::size_t CallOf(uint32_t number) const
    {
        return number % ROUND_NUMBERS >> m_rangeBits;
    }

    /// @return the endpoint of a number that was reserved; nullptr: it was not made
    [[gnu::noinline]] Endpoint* FindReserved(uint32_t number) const;

    std::vector<std::pair<uint16_t, Endpoint*>> m_members; //!< of in-network aggregation, by job
    std::vector<Range> m_ranges;                           //!< by call of ReserveNumbers()
    uint32_t m_rangeBits{0};                               //!< as given to ReserveNumbers()

    int64_t m_stream{-1}; //!< first random stream; -1: not assigned
};

} // namespace aifabric
} // namespace ns3

#endif /* ENDPOINT_TABLE_H */
