/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "goal-lexer.h"

#include "goal-schedule.h"

#include "ns3/message-text.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr std::size_t MAX_LENGTH = 255; //!< characters of a word or number

/// @return whether a character may be in a word
bool
IsLetter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// @return whether a character is a digit
bool
IsDigit(int c)
{
    return c >= '0' && c <= '9';
}

} // namespace

bool
GoalToken::Is(std::string_view what) const
{
    return kind != Kind::NUMBER && kind != Kind::END && text == what;
}

std::string
GoalToken::Describe() const
{
    return kind == Kind::END ? "the end of the file" : Quoted(text);
}

GoalLexer::GoalLexer(std::istream& input)
    : m_input(*input.rdbuf())
{
}

void
GoalLexer::Begin()
{
    Advance();
}

const GoalToken&
GoalLexer::Peek() const
{
    return m_token;
}

GoalToken
GoalLexer::Take()
{
    GoalToken taken = std::move(m_token);
    Advance();
    return taken;
}

uint64_t
GoalLexer::GetLine() const
{
    return m_line;
}

void
GoalLexer::Advance()
{
    SkipBlanks();
    m_token.text.clear();
    m_token.line = m_line;
    const int c = m_input.sgetc();
    m_token.kind = c == NOTHING               ? GoalToken::Kind::END
                   : IsLetter(c)              ? GoalToken::Kind::WORD
                   : (IsDigit(c) || c == '-') ? GoalToken::Kind::NUMBER
                                              : GoalToken::Kind::SIGN;
    if (c == NOTHING)
    {
        return;
    }
    const bool isWord = m_token.kind == GoalToken::Kind::WORD;
    int next = c;
    do
    {
        m_token.text += static_cast<char>(next);
        next = m_input.snextc();
    } while (m_token.kind != GoalToken::Kind::SIGN && m_token.text.size() <= MAX_LENGTH &&
             (IsDigit(next) || (isWord && IsLetter(next))));
    if (m_token.text.size() > MAX_LENGTH)
    {
        RefuseGoal(Quoted(m_token.text) + " is longer than " + std::to_string(MAX_LENGTH) +
                   " characters");
    }
}

void
GoalLexer::SkipBlanks()
{
    for (int c = m_input.sgetc();; c = m_input.snextc())
    {
        if (c == '/')
        {
            SkipComment();
            c = m_input.sgetc();
        }
        m_line += c == '\n';
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '/')
        {
            return;
        }
    }
}

void
GoalLexer::SkipComment()
{
    const int kind = m_input.snextc();
    if (kind != '/' && kind != '*')
    {
        RefuseGoal("'/' begins no comment (// or /*)");
    }
    const uint64_t begin = m_line;
    int last = 0;
    for (int c = m_input.snextc(); c != NOTHING; c = m_input.snextc())
    {
        if (kind == '/' ? c == '\n' : (last == '*' && c == '/'))
        {
            return;
        }
        m_line += c == '\n';
        last = c;
    }
    if (kind == '*')
    {
        m_line = begin;
        RefuseGoal("a comment has no end (*/)");
    }
}

} // namespace aifabric
} // namespace ns3
