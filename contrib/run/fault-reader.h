/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAULT_READER_H
#define FAULT_READER_H

#include "fabric-scenario.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Reads what `--fail` says: WHERE[/up|/down][*F|~F|%P]@START[-STOP], one item a call. WHERE is a
 * place as FailureHelper::FindLinks() takes it, or a number of cables or switches that are drawn.
 */
class FaultReader
{
  public:
    /// @param scenario the fabric and its rates; must outlive this
    explicit FaultReader(const FabricScenario& scenario);

    /**
     * Add the faults that an item describes, one for each of its links.
     *
     * @param item the item
     * @param [out] faults where they are added; those that are there count as happening too
     * @throws OptionError if it cannot be accepted
     */
    void Read(const std::string& item, std::vector<FaultSpec>& faults);

    /// @return whether a fault cuts its link from the start for good  @param fault the fault
    static bool IsDead(const FaultSpec& fault);

    /// Explain what an item may be.  @param os where
    static void Explain(std::ostream& os);

  private:
    /// What may be drawn.
    enum class Kind
    {
        CABLES,  //!< links between switches
        SWITCHES //!< switches above the lowest tier
    };

    /// Read how long a fault lasts.  @param fault the fault  @param times its start and stop
    /// @return whether they make sense
    static bool ReadTimes(FaultSpec& fault, const std::string& times);

    /// Read what happens.  @param fault the fault  @param item the item  @param what what stands
    /// behind the place: *F, ~F, %P or nothing
    void ReadChange(FaultSpec& fault, const std::string& item, const std::string& what) const;

    /// Read which direction suffers, and cut that off the place.  @param fault the fault
    /// @param item the item  @param [in,out] where the place
    static void ReadDirection(FaultSpec& fault, const std::string& item, std::string& where);

    /// @return the links of a place  @param item the item  @param where the place
    /// @param fault what happens there  @param faults what happens beside it
    std::vector<uint32_t> FindLinks(const std::string& item,
                                    const std::string& where,
                                    const FaultSpec& fault,
                                    const std::vector<FaultSpec>& faults);

    /// @return how many are to be drawn  @param item the item  @param number the number or share
    /// @param candidates how many there are
    static uint32_t ReadNumber(const std::string& item,
                               const std::string& number,
                               uint32_t candidates);

    /// @return ids of what may be drawn  @param kind what
    std::vector<uint32_t> GetCandidates(Kind kind) const;

    /// @return the links, ascending, of what was drawn  @param kind what  @param ids its ids,
    /// ascending
    std::vector<uint32_t> GetLinks(Kind kind, const std::vector<uint32_t>& ids) const;

    /**
     * Draw links. If they are dead from the start for good, all hosts stay connected.
     *
     * @param item the item
     * @param kind what is drawn
     * @param number how many, as a text
     * @param fault what happens to them
     * @param faults what happens beside it
     * @return the links, ascending
     */
    std::vector<uint32_t> Draw(const std::string& item,
                               Kind kind,
                               const std::string& number,
                               const FaultSpec& fault,
                               const std::vector<FaultSpec>& faults);

    const FabricScenario& m_scenario;    //!< the fabric and its rates
    Ptr<UniformRandomVariable> m_random; //!< draws cables and switches
};

} // namespace aifabric
} // namespace ns3

#endif /* FAULT_READER_H */
