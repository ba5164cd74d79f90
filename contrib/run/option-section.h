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

/**
 * @ingroup ai-fabric
 *
 * What the sections of options have in common: how an option is read, and how it is refused. A
 * section declares its options in an OptionTable, and reads them into a FabricScenario. What it
 * cannot accept is an OptionError, or another std::invalid_argument with one line.
 */
class OptionSection
{
  public:
    /**
     * @param table the options; must outlive this
     * @param scenario what they say; must outlive this
     */
    OptionSection(const OptionTable& table, FabricScenario& scenario);

  protected:
    /// The value of an option whose default depends on others.
    static constexpr const char* AUTO = OptionTable::AUTO;
    /// The value of an option for what may be absent.
    static constexpr const char* NONE = OptionTable::NONE;
    /// The value of an option that asks for what there is.
    static constexpr const char* HELP = "help";

    /// @return picoseconds that a byte takes  @param rate the rate, in bit/s
    static uint64_t PsPerByte(uint64_t rate);

    /// @return picoseconds that a full packet and the gap behind it take  @param rate the rate, in
    /// bit/s
    uint64_t FullPacketPs(uint64_t rate) const;

    /// @return the latencies of switches and of a NIC on the longest path, in picoseconds
    uint64_t GetLatencyPs() const;

    /// @return the time to send a byte by the slowest link, in picoseconds
    double GetBytePs() const;

    /// @return the time to send a full packet and its ACK by all links of a path, in picoseconds
    double GetPacketsPs() const;

    /// @return the round-trip time of a full packet in an empty fabric, in picoseconds
    /// @param latencyPs the latencies of switches and of a NIC on a path
    double GetRoundTripPs(uint64_t latencyPs) const;

    /// @return the time between two probes, in picoseconds, at least two round-trip times
    /// @param name its option
    int64_t ReadProbeInterval(const std::string& name) const;

    /// @return one of some names, the value of an option  @param name the option
    /// @param known the names, but for auto and none where these are its default
    const std::string& ReadChoice(const std::string& name, std::vector<std::string> known) const;

    /// @return the items of a list  @param name its option
    std::vector<std::string> ReadList(const std::string& name) const;

    /// @return an integer, which may be written 8.0  @param name its option  @param low the least
    /// @param high the most  @param automatic what "auto" stands for
    int64_t ReadInteger(const std::string& name,
                        int64_t low,
                        int64_t high,
                        std::optional<int64_t> automatic = std::nullopt) const;

    /// @return a number of bytes  @param name its option  @param low the least
    /// @param automatic what "auto" stands for
    uint64_t ReadSize(const std::string& name,
                      uint64_t low,
                      std::optional<uint64_t> automatic = std::nullopt) const;

    /// @return a time in picoseconds  @param name its option  @param low the least
    int64_t ReadTime(const std::string& name, int64_t low) const;

    /// @return whether it is set, in the spelling of C++ or of Python  @param name its option
    bool ReadFlag(const std::string& name) const;

    /// @return the type of a policy
    TypeId ReadPolicy(const std::string& option) const;

    /// Note in the scenario that an option means nothing here.  @param name the option
    void NoteUnused(const std::string& name);

    /// Refuse options that mean nothing here.  @param names the options  @param why when they do
    void RefuseGiven(const std::vector<std::string>& names, const std::string& why);

    /// @return whether an option was given a value other than auto; the values that a preset
    /// presumes were not given
    bool IsGiven(const std::string& name) const;

    /// @return whether an option was given a value other than auto, or a preset presumes one
    bool IsSet(const std::string& name) const;

    /// @return whether an option says that there is nothing
    bool IsNone(const std::string& name) const;

    /// @return ", or auto" if an option may be auto; else nothing
    std::string OrAuto(const std::string& name) const;

    /// Refuse the value of an option, if it is wrong.  @param name the option
    /// @param allowed what is allowed
    void RefuseIf(bool isWrong, const std::string& name, const std::string& allowed) const;

    /// Refuse the value of an option.  @param name the option  @param allowed what is allowed
    [[noreturn]] void Refuse(const std::string& name, const std::string& allowed) const;

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
