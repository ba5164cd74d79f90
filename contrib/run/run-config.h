/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_CONFIG_H
#define RUN_CONFIG_H

#include "given-option.h"
#include "option-row.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

struct TomlEntry;

/// The file of --config: a run.json, whose run is repeated, or a TOML scenario. In a scenario a key
/// is an option, and the table [attributes] has attributes of ns-3. Paths are relative to the
/// folder of the file. The command line wins.
class RunConfig
{
  public:
    /// @param arguments the command line, which may name a file  @param rows all options
    /// @throws std::invalid_argument with one line that names the file, the key and what is allowed
    RunConfig(const std::vector<std::string>& arguments, const std::vector<OptionRow>& rows);

    /// @return what the file gives and the command line does not
    const std::vector<GivenOption>& GetOptions() const
    {
        return m_options;
    }

    /// @return what the user has to know of the file, in one line, if there is something
    const std::string& GetNote() const
    {
        return m_note;
    }

  private:
    /// @return the text of the file
    std::string ReadText() const;

    /// Read what a run has left.  @param text JSON
    void ReadRun(const std::string& text);

    /// Read a scenario.  @param text TOML
    void ReadScenario(const std::string& text);

    /// Read the attributes of a scenario.
    void ReadAttributes(const TomlEntry& table);

    /// @return a value of a scenario as on a command line  @param row of the option; null: it is an
    /// attribute
    std::string ReadValue(const TomlEntry& entry, const OptionRow* row) const;

    /// Note what the file gives, unless the command line does.  @param seen a value whose paths are
    /// relative to the file, if it is not the one for run.json
    void Give(const std::string& origin,
              const std::string& name,
              const std::string& noted,
              const std::string& seen);

    /// Refuse input files that are not those of the run.  @param name of the option that names them
    /// @param input its entry of "inputs"
    void CheckInput(const std::string& name, const nlohmann::json& input) const;

    /// Note whether another program has written the file.  @param run run.json
    void CompareVersions(const nlohmann::json& run);

    /// @return an option, or null
    const OptionRow* Find(const std::string& name) const;

    /// @return whether the command line gives an option
    bool IsOnCommandLine(const std::string& name) const;

    /// @return a path that is relative to the folder of the file, as the program opens it
    std::string Open(const std::string& path) const;

    /// @param where the line or key of the file; may be empty
    [[noreturn]] void Fail(const std::string& where, const std::string& why) const;

    const std::vector<OptionRow>& m_rows; //!< all options
    std::vector<GivenOption> m_arguments; //!< the command line
    std::string m_path;                   //!< the file
    std::vector<GivenOption> m_options;   //!< what it gives
    std::string m_note;                   //!< what the user has to know of it
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_CONFIG_H */
