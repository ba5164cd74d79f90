/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Reads a JSON text from its begin to its end, value by value. It keeps nothing of what it has
 * read, so that a text may be of any depth and size.
 *
 * What is no JSON, or is not what was asked for, throws std::invalid_argument with one line that
 * names the line of the text.
 */
class JsonText
{
  public:
    /// @param text the text; must outlive this
    explicit JsonText(std::string_view text);

    /// @return whether the next value is an object
    bool IsObject();

    /// @return whether the next value is a list
    bool IsList();

    /// @return whether the next value is a text
    bool IsText();

    /// The next value begins, and has to be a list.
    void BeginList();

    /// @return whether another value of the list comes; if none does, the list has ended
    bool NextValue();

    /// The next value begins, and has to be an object.
    void BeginObject();

    /// @return the key of the next value of the object; if none comes, the object has ended
    std::optional<std::string> NextKey();

    /// @return the next value, a text
    std::string ReadText();

    /// @return the next value, a whole number of 0 to 2^63 - 1
    uint64_t ReadNumber();

    /// Go past the next value, whatever it is.
    void Skip();

    /// Refuse the text, unless all of it has been read.
    void End();

    /// Refuse the text.  @param why what is wrong
    [[noreturn]] void Fail(const std::string& why) const;

  private:
    /// @return the next character after blanks, or 0 at the end
    char Peek();

    /// Refuse the text, unless a character comes next.  @param c the character
    void Expect(char c);

    /// @return whether a value comes, or the end  @param end what ends it
    bool Next(char end);

    /// Go past a number or a word such as true.
    void SkipWord();

    /// Add the character that an escape stands for.  @param text where to add it
    void ReadEscape(std::string& text);

    std::string_view m_text; //!< the text
    std::size_t m_at{0};     //!< how far it is read
    bool m_isFirst{false};   //!< a list or object has just begun
};

} // namespace aifabric
} // namespace ns3

#endif /* JSON_TEXT_H */
