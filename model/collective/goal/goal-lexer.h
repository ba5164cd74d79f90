/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOAL_LEXER_H
#define GOAL_LEXER_H

#include <cstdint>
#include <istream>
#include <streambuf>
#include <string>
#include <string_view>

namespace ns3
{
namespace aifabric
{

/// A word, number or sign of a GOAL text.
struct GoalToken
{
    /// What it is.
    enum class Kind
    {
        END,    //!< the end of the text
        WORD,   //!< letters, digits and _
        NUMBER, //!< digits, perhaps after -
        SIGN,   //!< one character
    };

    Kind kind{Kind::END}; //!< what it is
    std::string text;     //!< how it is written
    uint64_t line{1};     //!< where it stands, from 1

    /// @return whether it is a word or sign  @param what how it is written
    bool Is(std::string_view what) const;

    /// @return what to call it in a message
    std::string Describe() const;
};

/**
 * @ingroup ai-fabric
 *
 * Parts a GOAL text into tokens, without blanks and comments. What is no token throws
 * std::invalid_argument without the place.
 */
class GoalLexer
{
  public:
    /// @param input the text; must outlive this
    explicit GoalLexer(std::istream& input);

    /// Find the first token. To be called once, before all others.
    void Begin();

    /// @return the next token, which stays
    const GoalToken& Peek() const;

    /// @return the next token, which is taken
    GoalToken Take();

    /// @return the line that is read, from 1
    uint64_t GetLine() const;

  private:
    static constexpr int NOTHING = std::streambuf::traits_type::eof(); //!< after the last character

    /// Find the next token.
    void Advance();

    /// Skip blanks, new lines and comments.
    void SkipBlanks();

    /// Skip a comment, of which the first character is next; the last one is next then.
    void SkipComment();

    std::streambuf& m_input; //!< the text
    uint64_t m_line{1};      //!< the line of the next character
    GoalToken m_token;       //!< the next token
};

} // namespace aifabric
} // namespace ns3

#endif /* GOAL_LEXER_H */
