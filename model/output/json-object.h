/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_OBJECT_H
#define JSON_OBJECT_H

#include <cstdint>
#include <memory>
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
 * A JSON object (RFC 8259) to be written: members in the order in which they were first set; a
 * member that is set again has its last value. The module writes JSON and does not read it, which
 * is too little to depend on a library. Copies share what AddObject() made.
 */
class JsonObject
{
  public:
    /// @param key the member's name  @param value its value
    void Set(const std::string& key, const std::string& value);

    /// @copydoc Set
    void Set(const std::string& key, const char* value);

    /// @copydoc Set
    void Set(const std::string& key, bool value);

    /// @copydoc Set
    void Set(const std::string& key, int value);

    /// @copydoc Set
    void Set(const std::string& key, uint32_t value);

    /// @copydoc Set
    void Set(const std::string& key, int64_t value);

    /// @copydoc Set
    void Set(const std::string& key, uint64_t value);

    /// Set a number; one that is not finite becomes null.
    /// @param key the member's name  @param value its value
    void Set(const std::string& key, double value);

    /// Set a member that has no value.  @param key the member's name
    void SetNull(const std::string& key);

    /// Set an array of strings.  @param key the member's name  @param values the strings
    void Set(const std::string& key, const std::vector<std::string>& values);

    /// @return a new object that is a member of this one  @param key the member's name
    JsonObject& AddObject(const std::string& key);

    /**
     * Write the object, one member a line.
     *
     * @param os where
     * @param indent blanks in front of its closing brace
     */
    void Print(std::ostream& os, std::size_t indent = 0) const;

  private:
    /// A member.
    struct Member
    {
        std::string key;                    //!< its name
        std::string text;                   //!< its value as JSON, unless it is an object
        std::shared_ptr<JsonObject> object; //!< its value if it is an object
    };

    /// @return a string as JSON  @param value the string
    static std::string Quote(const std::string& value);

    /// Add or replace a member.  @param key its name  @param text its value as JSON
    void SetText(const std::string& key, const std::string& text);

    std::vector<Member> m_members; //!< in order
};

} // namespace aifabric
} // namespace ns3

#endif /* JSON_OBJECT_H */
