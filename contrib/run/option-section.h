/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTION_SECTION_H
#define OPTION_SECTION_H

#include "fabric-scenario.h"
#include "option-table.h"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What the sections of options have in common: how an option is read, and how it is refused. A
/// section declares its options in an OptionTable, and reads them into a FabricScenario. What it
/// cannot accept is an OptionError, or another std::invalid_argument with one line.
class OptionSection
{
  public:
    /// @param table the options; must outlive this  @param scenario what they say; must outlive
    /// this
    OptionSection(const OptionTable& table, FabricScenario& scenario);

  protected:
    /// @return picoseconds that a byte takes  @param rate the rate, in bit/s
    static uint64_t PsPerByte(uint64_t rate);

    /// @return picoseconds that a full packet and the gap behind it take  @param rate the rate, in
    /// bit/s
    uint64_t FullPacketPs(uint64_t rate) const;

    /// @return the latencies of switches and of a NIC on the longest path, in picoseconds
    uint64_t GetLatencyPs() const;

    /// @return the time to send a byte by the slowest link, in picoseconds
    double GetBytePs() const;

    /// @return the time to send a byte by each link of the longest path, in picoseconds
    double GetPathBytePs() const;

    /// @return the propagation delay of the longest path, in picoseconds
    double GetPathDelayPs() const;

    /// @return the time to send a full packet and its ACK by all links of a path, in picoseconds
    double GetPacketsPs() const;

    /// @return the round-trip time of a full packet in an empty fabric, in picoseconds
    /// @param latencyPs the latencies of switches and of a NIC on a path
    double GetRoundTripPs(uint64_t latencyPs) const;

    /// @return the time between two probes, in picoseconds, at least two round-trip times
    /// @param name its option
    int64_t ReadProbeInterval(const std::string& name);

    /// Refuse options that have no meaning, and read the others, as their rows say: set their
    /// fields, and note their values for run.json.
    void ReadAll(const std::vector<std::string>& names);

    /// @return whether an option has a meaning, as its row says
    bool IsMeant(const std::string& name) const;

    /// Refuse options that have no meaning, as their rows say.
    void RefuseUnmeant(const std::vector<std::string>& names);

    /// Read an option as its row says.  @return its value; times are in picoseconds
    /// @param automatic what "auto" stands for, if the row does not say it
    nlohmann::ordered_json Read(const std::string& name,
                                const nlohmann::ordered_json& automatic = nullptr);

    /// Read an option whose range depends on the scenario.  @return its value
    nlohmann::ordered_json Read(const std::string& name, const OptionType& type);

    /// @return the value of an option, if it is allowed; it is not noted
    nlohmann::ordered_json Parse(const std::string& name, const OptionType& type) const;

    /// @return the items of a list  @param name its option
    std::vector<std::string> ReadList(const std::string& name) const;

    /// @return the type of a policy
    TypeId ReadPolicy(const std::string& option) const;

    /// Note in the scenario that an option means nothing here.  @param name the option
    void NoteUnused(const std::string& name);

    /// Refuse options that mean nothing here.  @param names the options  @param why when they do;
    /// empty: as their rows say
    void RefuseGiven(const std::vector<std::string>& names, const std::string& why = "");

    /// @return whether an option was given a value other than auto; the values that a preset
    /// presumes were not given
    bool IsGiven(const std::string& name) const;

    /// @return whether an option was given a value other than auto, or a preset presumes one
    bool IsSet(const std::string& name) const;

    /// @return whether an option says that there is nothing
    bool IsNone(const std::string& name) const;

    /// Refuse the value of an option, if it is wrong.  @param name the option
    /// @param allowed what is allowed
    void RefuseIf(bool isWrong, const std::string& name, const std::string& allowed) const;

    /// Refuse the value of an option.  @param name the option  @param allowed what is allowed
    [[noreturn]] void Refuse(const std::string& name, const std::string& allowed) const;

    /// Refuse a name, and say which one may have been meant.  @param known the allowed names
    [[noreturn]] void RefuseUnknown(const OptionRow& row,
                                    const std::vector<std::string>& known) const;

    /// @return whether an attribute default was given  @param name the attribute's full name
    bool IsAttributeGiven(const std::string& name) const;

    /// Refuse attributes of a class that takes no part.  @param type its name  @param why when it
    /// takes part
    void RefuseAttributes(const std::string& type, const std::string& why) const;

    /// Refuse some attributes of a class.  @param type its name  @param names of the attributes
    /// @param why when they have an effect
    void RefuseAttributes(const std::string& type,
                          const std::vector<std::string>& names,
                          const std::string& why) const;

    /// @return the default of an attribute, options included; none: the type has no such attribute
    /// @tparam V of the value, such as TimeValue  @param name of the attribute
    template <typename V>
    static std::optional<decltype(std::declval<V>().Get())> FindDefault(TypeId type,
                                                                        const std::string& name)
    {
        TypeId::AttributeInformation information;
        if (!type.LookupAttributeByName(name, &information))
        {
            return std::nullopt;
        }
        return dynamic_cast<const V&>(*information.initialValue).Get();
    }

    /// Read a file that an option names, and name the option if that throws.
    /// @return what the file says  @param read reads the file
    template <typename F>
    static auto ReadFile(const std::string& option, F read)
    {
        try
        {
            return read();
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument("--" + option + ": " + error.what());
        }
        catch (const std::ios_base::failure&) // a file that opens and cannot be read
        {
            throw std::invalid_argument("--" + option + ": cannot be read");
        }
    }

    const OptionTable& m_table; //!< the options
    FabricScenario& m_scenario; //!< what they say
};

} // namespace aifabric
} // namespace ns3

#endif /* OPTION_SECTION_H */
