/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAULT_READER_H
#define FAULT_READER_H

#include "fabric-scenario.h"
#include "fault-draw.h"

#include <cstdint>
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
 * place as LinkFinder takes it, or what FaultDraw draws. Behind %P stand the kind of frames that
 * are lost and the length of bursts; behind the times stands how the fault flaps.
 */
class FaultReader
{
  public:
    /// @param scenario the fabric and its rates; must outlive this
    explicit FaultReader(const FabricScenario& scenario);

    /**
     * Add the faults that an item describes, one for each of its links.
     *
     * @param [out] faults where they are added; those that are there count as happening too
     * @throws OptionError if it cannot be accepted
     */
    void Read(const std::string& item, std::vector<FaultSpec>& faults);

    /// @return whether a fault cuts its link from the start for good
    static bool IsDead(const FaultSpec& fault);

  private:
    /// Read how long a fault lasts.  @param times its start and stop
    /// @return whether they make sense
    static bool ReadTimes(FaultSpec& fault, const std::string& times);

    /// Read a part of how a fault flaps.  @param name of the part  @param value of the part
    /// @return whether it makes sense
    static bool ReadFlap(FaultSpec& fault, const std::string& name, const std::string& value);

    /// @return whether a fault begins and ends in each of its periods
    static bool Flaps(const FaultSpec& fault);

    /// Read which frames are lost.  @param name of a part  @param value of the part
    /// @return whether it makes sense
    static bool ReadLoss(FaultSpec& fault, const std::string& name, const std::string& value);

    /// Read what happens.  @param what what stands behind the place: *F, ~F, %P or nothing
    void ReadChange(FaultSpec& fault, const std::string& item, const std::string& what) const;

    /// Read which direction suffers, and cut that off the place.  @param [in,out] where the place
    static void ReadDirection(FaultSpec& fault, const std::string& item, std::string& where);

    /// @return the links of a place  @param where the place  @param fault what happens there
    /// @param faults what happens beside it
    std::vector<uint32_t> FindLinks(const std::string& item,
                                    const std::string& where,
                                    const FaultSpec& fault,
                                    const std::vector<FaultSpec>& faults);

    const FabricScenario& m_scenario; //!< the fabric and its rates
    FaultDraw m_draw;                 //!< draws cables, switches and optics
};

} // namespace aifabric
} // namespace ns3

#endif /* FAULT_READER_H */
