/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include "given-option.h"
#include "option-row.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class CommandLine;

namespace aifabric
{

/// The options of a program, over ns3::CommandLine: `--PrintHelp` shows them with their defaults,
/// and ns-3's own options and attribute defaults work as in every ns-3 program. But an option that
/// cannot be accepted is an OptionError instead of a page of help or an abort, and it is known
/// which options were given.
class OptionTable
{
  public:
    /// An option.
    struct Option
    {
        OptionRow row;          //!< what is known of it beforehand
        std::string value;      //!< its value
        std::string noted;      //!< its value for run.json, if it is given
        bool isGiven{false};    //!< it was given
        bool isPresumed{false}; //!< it was not given, and is presumed

        /// @return whether it was given or is presumed
        bool IsSet() const
        {
            return isGiven || isPresumed;
        }
    };

    /// @param program the program's name  @param usage what it does, for the help
    OptionTable(const std::string& program, const std::string& usage);

    /// Add options, and refuse the attributes that they stand for.
    void Add(const std::vector<OptionRow>& rows);

    /// Refuse an attribute default, because an option sets it.  @param attribute the attribute's or
    /// global value's full name  @param option the option to use
    void Reserve(const std::string& attribute, const std::string& option);

    /// Read the command line, and set the attribute defaults and global values that it names. Those
    /// in the environment variables of ns-3 count like options of the command line, which overrule
    /// them. Does not return if one of ns-3's own options asks for help, or `--help=json` for all
    /// options as JSON.  @param arguments the command line, without the program's name
    /// @param configured what a file of --config gives beside it  @throws OptionError if an option
    /// cannot be accepted
    void Parse(const std::vector<std::string>& arguments,
               const std::vector<GivenOption>& configured);

    /// @return a message that begins with an option, and before it where that is from
    std::string NameOrigin(const std::string& message) const;

    /// Give an option, an attribute default or a global value a value, unless it was given one. An
    /// option is presumed then, which is not given: where it does not fit what was given, its
    /// default holds instead. An attribute default or a global value counts as given.
    void Presume(const std::string& name, const std::string& value);

    /// @return all options, in the order of their declaration
    const std::vector<Option>& GetOptions() const
    {
        return m_options;
    }

    /// @return an option that there is
    const Option& At(const std::string& name) const;

    /// @return the value of an option
    const std::string& Get(const std::string& name) const
    {
        return At(name).value;
    }

    /// @return attribute defaults and global values that were given, with their values
    const std::vector<std::pair<std::string, std::string>>& GetAttributes() const
    {
        return m_attributes;
    }

  private:
    /// @return an option, or nullptr
    Option* Find(const std::string& name);

    /// @return all options in the order of the help: the first ones, then each group
    std::vector<const OptionRow*> Sort() const;

    /// Print all options for other programs, as a list of JSON objects.
    void PrintJson() const;

    /// Print the help of ns-3 with the options in groups, each below its heading.
    void PrintHelp(const CommandLine& commandLine) const;

    /// Let ns-3 answer what it is asked.  @param arguments the command line
    void AskNs3(const std::vector<std::string>& arguments);

    /// Give an option or an attribute the value of a command line or file.
    void Take(const GivenOption& given);

    /// @return which option or attribute may have been meant  @param name what is none
    std::string HintAt(const std::string& name) const;

    /// @return whether an attribute default or a global value was given  @param name its full name
    bool IsAttributeGiven(const std::string& name) const;

    /// Set the attribute defaults and global values that environment variables of ns-3 name.
    void TakeEnvironment();

    /// Set an attribute default or a global value.  @param name its full name
    void SetAttribute(const std::string& name, const std::string& value);

    std::string m_program;                                         //!< the program's name
    std::string m_usage;                                           //!< what it does
    std::vector<Option> m_options;                                 //!< as they were declared
    std::map<std::string, std::string> m_reserved;                 //!< options by attribute
    std::vector<std::pair<std::string, std::string>> m_attributes; //!< attributes that were given
    std::string m_origin; //!< where the option that is looked at is from; empty: the command line
    std::map<std::string, std::string> m_origins; //!< where the options of a file are from
    std::set<std::string> m_overruled; //!< those of the environment which the command line may set
};

} // namespace aifabric
} // namespace ns3

#endif /* OPTION_TABLE_H */
