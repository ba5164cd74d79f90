/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_SECTION_H
#define FLUID_SECTION_H

#include "option-section.h"
#include "option-table.h"
#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/message-text.h"
#include "ns3/pinned-balancer.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What --fidelity=fluid refuses: it denies what it does not compute, and doubts, unless it is
/// fluid-unchecked, what it may not compute closely enough.
class FluidSection : public OptionSection
{
  public:
    /// @param table the options; must outlive this  @param scenario what they say; must outlive
    /// this
    FluidSection(const OptionTable& table, FabricScenario& scenario)
        : OptionSection(table, scenario),
          m_isHashed(scenario.balancer == PinnedBalancer::GetTypeId() ||
                     IsHash(Registry("balancer").NameOf(scenario.balancer)))
    {
    }

  protected:
    static constexpr const char* WITH = " with --fidelity=fluid"; //!< after what is allowed

    /// Balancers whose paths a hash decides.
    static inline const std::vector<std::string> HASHED = {"ecmp", "e-ecmp"};

    /// Refuse what was not compared, unless that does not matter.  @param isDoubtful whether it was
    /// not  @param why what was
    void DoubtIf(bool isDoubtful, const std::string& option, const std::string& why) const
    {
        DenyIf(isDoubtful && !m_scenario.isUnchecked,
               option,
               why + ", unless it is fluid-unchecked");
    }

    /// Refuse a name that is none of some, in the same way.  @param option that has it
    /// @param names those that were compared
    /// @param where no others were; empty: nowhere
    void DoubtUnless(const std::string& option,
                     const std::string& given,
                     const std::vector<std::string>& names,
                     const std::string& where = "") const
    {
        if (!m_scenario.isUnchecked)
        {
            DenyUnless(option, given, names, where + ", unless it is fluid-unchecked");
        }
    }

    /// Refuse a name that is none of some.  @param option that has it
    /// @param names those that are computed  @param where no others are, behind the names
    void DenyUnless(const std::string& option,
                    const std::string& given,
                    const std::vector<std::string>& names,
                    const std::string& where = "") const
    {
        if (std::find(names.begin(), names.end(), given) == names.end())
        {
            const std::string known = "one of " + Listed(names, names.size());
            throw OptionError(option, given, known + WITH + where);
        }
    }

    /// Refuse all policies of a kind but one.  @param option that names the policy
    /// @param name of the one that is computed
    void DenyUnless(const std::string& option, TypeId type, const std::string& name) const
    {
        const std::string given = Registry(option).NameOf(type);
        DenyIf(given != name && !IsGiven(option) && IsGiven("stack"),
               "stack",
               option + " is " + name + ", not " + given);
        RefuseIf(given != name, option, name + WITH);
    }

    /// Refuse an option.  @param isDenied whether to  @param why what fluid computes
    void DenyIf(bool isDenied, const std::string& option, const std::string& why) const
    {
        if (isDenied)
        {
            Deny(option, why);
        }
    }

    /// Refuse an option.  @param why what fluid computes
    [[noreturn]] void Deny(const std::string& option, const std::string& why) const
    {
        Refuse(option, std::string("another one") + WITH + ": " + why);
    }

    /// @return whether ranks are neighbours
    bool IsPacked() const
    {
        return IsNone("placement") || m_table.Get("placement") == "packed";
    }

    /// @return whether switches choose paths by their hash with a balancer
    static bool IsHash(const std::string& balancer)
    {
        return std::find(HASHED.begin(), HASHED.end(), balancer) != HASHED.end();
    }

    const bool m_isHashed; //!< switches choose paths by their hash
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_SECTION_H */
