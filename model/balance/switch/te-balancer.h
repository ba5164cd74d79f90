/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TE_BALANCER_H
#define TE_BALANCER_H

#include "e-ecmp-balancer.h"

#include <string>
#include <unordered_map>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The switch's part of central traffic engineering: a table of exact-match entries, by source and
 * destination host, each with a port. A frame whose entry names a live next hop takes it. All other
 * frames are spread by E-ECMP: those without an entry, and those whose next hop is known to be
 * dead, until TrafficEngineer programs another one.
 */
class TeBalancer : public EEcmpBalancer
{
  public:
    /// Ports, by source host (upper 32 bits) and destination host.
    using Table = std::unordered_map<uint64_t, uint16_t>;

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return the key of an entry  @param source the sending host
    /// @param destination the receiving host
    static uint64_t KeyOf(uint32_t source, uint32_t destination)
    {
        return uint64_t{source} << 32 | destination;
    }

    std::string GetClosNeed() const override;
    void SetSite(const SwitchSite& site) override;
    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    int Predict(const FabricFrame& frame, const EgressGroup& group) const override;
    void Count(PolicyCounters& counters) const override;
    TypeId GetHostBalancer() const override;
    bool IsCentral() const override;

    /// @return how many entries the table has room for
    uint32_t GetRoom() const;

    /**
     * Replace the table.
     *
     * @param table the entries, at most GetRoom()
     * @return how many entries were added, removed or changed
     */
    uint32_t Program(Table table);

    /// @return the entries
    const Table& GetTable() const;

  private:
    /// @return the place of a frame's entry in a group; the size of the group: there is no entry,
    /// or its port is not in the group
    uint32_t Find(const FabricFrame& frame, const EgressGroup& group) const;

    uint32_t m_room{0};      //!< entries that there is room for
    uint16_t m_firstUp{0};   //!< lowest port that leads up
    Table m_table;           //!< the entries
    uint64_t m_hits{0};      //!< frames that took the port of an entry
    uint64_t m_fallbacks{0}; //!< frames that E-ECMP has spread
};

} // namespace aifabric
} // namespace ns3

#endif /* TE_BALANCER_H */
