/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOML_SECTION_H
#define TOML_SECTION_H

#include "toml-text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * A table of a TOML text, of which every key is asked for and whose values are checked. What is not
 * allowed is refused by std::invalid_argument with one line that names the text, the line, the key
 * and what is allowed.
 */
class TomlSection
{
  public:
    /// What stands for all hosts.
    static constexpr const char* ALL = "all";

    /**
     * @param table the table; must outlive the section
     * @param name name of the text
     * @param what what the table is, such as "a step"
     */
    TomlSection(const TomlValue& table, std::string name, std::string what);

    /// @return where the table stands, such as "gpt.toml:12"
    std::string Where() const;

    /// Refuse the table.  @param why what is wrong
    [[noreturn]] void Fail(const std::string& why) const;

    /// Refuse the value of a key.  @param key the key, which is there  @param why what is wrong
    [[noreturn]] void Fail(const std::string& key, const std::string& why) const;

    /// Refuse keys that are not known.  @param known those that are
    void CheckKeys(const std::vector<std::string>& known) const;

    /// @return whether there is a key
    bool Has(const std::string& key) const;

    /// @return whether there is a text
    bool IsText(const std::string& key) const;

    /// @return a value, if it is there
    bool GetBool(const std::string& key) const;

    /// @return a value, empty if it is not there
    std::string GetText(const std::string& key) const;

    /**
     * @param least the least that is allowed
     * @param otherwise the value if it is not there
     * @return a whole number
     */
    uint32_t GetNumber(const std::string& key,
                       uint32_t least,
                       uint32_t most,
                       uint32_t otherwise) const;

    /// @return a number of bytes  @param key its key, which is there
    uint64_t GetBytes(const std::string& key, uint64_t most) const;

    /// @return numbers of bytes: the lists of a list, or one list  @param key their key, which is
    /// there
    std::vector<std::vector<uint64_t>> GetByteLists(const std::string& key, uint64_t most) const;

    /// @return a time in picoseconds, at most MAX_WORKLOAD_DELAY_PS  @param key its key, which is
    /// there
    int64_t GetDuration(const std::string& key) const;

    /// @return texts  @param key their key, which is there
    std::vector<std::string> GetTexts(const std::string& key) const;

    /// @return a table  @param key its key, which is there
    TomlSection GetSection(const std::string& key, const std::string& what) const;

    /// @return the tables of a list, none if it is not there
    std::vector<TomlSection> GetSections(const std::string& key, const std::string& what) const;

    /// @return host numbers  @param key their key, which is there
    std::vector<uint32_t> GetHosts(const std::string& key, uint32_t hosts) const;

  private:
    /// @return a line of the text, such as "gpt.toml:12"
    std::string Where(std::size_t line) const;

    /// @return the value of a key, or nullptr
    const TomlValue* Find(const std::string& key) const;

    /// @return the value of a key, or nullptr if it is not there or of another type
    template <typename T>
    const T* Get(const std::string& key) const;

    /// @return a number of bytes, none if a value is not one of at most so many
    static std::optional<uint64_t> BytesOf(const TomlValue& value, uint64_t most);

    /**
     * Add the hosts of a text such as 0-7,12.
     *
     * @param list where to add them
     */
    void AddRanges(std::string_view text,
                   const std::string& key,
                   uint32_t hosts,
                   std::vector<uint32_t>& list) const;

    /// Refuse hosts, unless they are allowed.  @param ok whether they are
    void Require(bool ok, const std::string& key, uint32_t hosts) const;

    const TomlValue& m_table; //!< the table
    std::string m_name;       //!< name of the text
    std::string m_what;       //!< what the table is
};

} // namespace aifabric
} // namespace ns3

#endif /* TOML_SECTION_H */
