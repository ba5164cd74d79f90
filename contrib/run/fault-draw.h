/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAULT_DRAW_H
#define FAULT_DRAW_H

#include "fabric-scenario.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Draws what fails: cables, switches or optics, for `--fail=cables:4@10us`.
 */
class FaultDraw
{
  public:
    /// @param scenario the fabric; must outlive this
    explicit FaultDraw(const FabricScenario& scenario);

    /**
     * Draw links. If they are dead from the start for good, all hosts stay connected.
     *
     * @param item the item of `--fail`
     * @param where its place: what is drawn, and how many
     * @param fault what happens to them
     * @param faults what happens beside it
     * @return the links, ascending; nothing, if the place says nothing that can be drawn
     * @throws OptionError if so many cannot be drawn
     */
    std::optional<std::vector<uint32_t>> Draw(const std::string& item,
                                              const std::string& where,
                                              const FaultSpec& fault,
                                              const std::vector<FaultSpec>& faults);

  private:
    /// What may fail together: the links of a cable, a switch or an optic.
    using Groups = std::vector<std::vector<uint32_t>>;

    /// @return what a place may draw from; nothing, if it draws nothing  @param kind what it draws
    std::optional<Groups> GetGroups(const std::string& kind) const;

    /// @return the links between switches, each of them for itself
    Groups GetCables() const;

    /// @return the links of each switch above the lowest tier
    Groups GetSwitches() const;

    /// @return the links of each optic of a switch
    Groups GetOptics() const;

    /// @return how many are to be drawn  @param number the number or share
    static uint32_t ReadNumber(const std::string& item,
                               const std::string& number,
                               uint32_t candidates);

    /// @return so many groups' links, ascending
    /// @param [in,out] order the numbers of the groups; the first ones are those that were drawn
    std::vector<uint32_t> DrawOnce(const Groups& groups,
                                   std::vector<uint32_t>& order,
                                   uint32_t count) const;

    const FabricScenario& m_scenario;    //!< the fabric
    Ptr<UniformRandomVariable> m_random; //!< draws
};

} // namespace aifabric
} // namespace ns3

#endif /* FAULT_DRAW_H */
