/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "goal-text.h"

#include "goal-lexer.h"

#include "ns3/message-text.h"
#include "ns3/table-reader.h"

#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Reads a text.
class GoalTextReader
{
  public:
    /// @param input the text  @param schedule where to enter it; both must outlive this
    GoalTextReader(std::istream& input, std::string name, GoalSchedule& schedule)
        : m_name(std::move(name)),
          m_lexer(input),
          m_schedule(schedule)
    {
    }

    /// Read all of it.
    void Read()
    {
        try
        {
            m_lexer.Begin();
            Require("num_ranks");
            m_schedule.SetRanks(TakeNumber("the number of ranks"));
            while (m_lexer.Peek().kind != GoalToken::Kind::END)
            {
                Require("rank");
                ReadRank();
            }
        }
        catch (const std::invalid_argument& error)
        {
            const uint64_t line = m_line > 0 ? m_line : m_lexer.GetLine();
            throw std::invalid_argument(m_name + ":" + std::to_string(line) + ": " + error.what());
        }
    }

  private:
    /// @return the next token, which is taken
    GoalToken Take()
    {
        m_line = 0;
        const uint64_t line = m_lexer.Peek().line;
        GoalToken token = m_lexer.Take();
        m_line = line;
        return token;
    }

    /// Refuse a token.  @param expected what is allowed in its place
    [[noreturn]] static void Refuse(const GoalToken& token, const std::string& expected)
    {
        RefuseGoal(token.Describe() + " stands where " + expected + " is expected");
    }

    /// Take a word or sign.  @param what how it is written
    void Require(const std::string& what)
    {
        const GoalToken token = Take();
        if (!token.Is(what))
        {
            Refuse(token, what);
        }
    }

    /// @return a number, which may be -1  @param what it is, for messages
    uint64_t TakeSigned(const std::string& what)
    {
        const GoalToken token = Take();
        if (token.text == "-1")
        {
            return GoalOperation::ANY;
        }
        const auto number = ParseDigits(token.text);
        if (token.kind != GoalToken::Kind::NUMBER || !number)
        {
            Refuse(token, what);
        }
        return *number;
    }

    /// @return a number  @param what it is, for messages  @param most what is allowed
    uint64_t TakeNumber(const std::string& what, uint64_t most = UINT64_MAX)
    {
        const GoalToken token = Take();
        const auto number = ParseDigits(token.text);
        if (token.kind != GoalToken::Kind::NUMBER || !number || *number > most)
        {
            Refuse(token, what + " (0.." + std::to_string(most) + ")");
        }
        return *number;
    }

    /// Read what a rank does.
    void ReadRank()
    {
        const uint64_t rank = TakeNumber("the number of a rank");
        m_schedule.BeginRank(rank);
        Require("{");
        m_labels.clear();
        while (!m_lexer.Peek().Is("}"))
        {
            ReadStatement(rank);
        }
        Take();
    }

    /// Read an operation, or what it waits for.
    void ReadStatement(uint64_t rank)
    {
        const GoalToken first = Take();
        if (const auto kind = FindKind(first))
        {
            ReadOperation(*kind, first.text);
            return;
        }
        if (first.kind == GoalToken::Kind::END)
        {
            RefuseGoal("rank " + std::to_string(rank) + " has no end (})");
        }
        const bool isLabel = first.kind == GoalToken::Kind::WORD;
        if (!isLabel || first.text == "rank" || first.text == "num_ranks")
        {
            Refuse(first, "calc, send, recv, a label or }");
        }
        const GoalToken second = Take();
        if (second.Is("requires") || second.Is("irequires"))
        {
            const uint32_t node = Find(first);
            m_schedule.Require(node, Find(Take()), second.Is("irequires"));
            return;
        }
        if (!second.Is(":"))
        {
            Refuse(second, ":, requires or irequires");
        }
        if (m_labels.count(first.text) > 0)
        {
            RefuseGoal("the label " + first.Describe() + " is there twice");
        }
        const GoalToken operation = Take();
        const auto kind = FindKind(operation);
        if (!kind)
        {
            Refuse(operation, "calc, send or recv");
        }
        m_labels[first.text] = ReadOperation(*kind, first.text);
    }

    /// @return what an operation is, if a token begins one
    static std::optional<GoalOperation::Kind> FindKind(const GoalToken& token)
    {
        for (const auto kind :
             {GoalOperation::Kind::SEND, GoalOperation::Kind::RECEIVE, GoalOperation::Kind::CALC})
        {
            if (token.Is(NameOperation(kind)))
            {
                return kind;
            }
        }
        return std::nullopt;
    }

    /// Read an operation after its first word.  @param name what to call it  @return its index
    uint32_t ReadOperation(GoalOperation::Kind kind, const std::string& name)
    {
        GoalOperation operation;
        operation.kind = kind;
        const bool isCalc = kind == GoalOperation::Kind::CALC;
        const bool isSend = kind == GoalOperation::Kind::SEND;
        operation.size = TakeNumber(isCalc ? "a number of nanoseconds" : "a number of bytes");
        if (!isCalc)
        {
            Require("b");
            Require(isSend ? "to" : "from");
            operation.peer = TakeSigned("the number of a rank");
        }
        ReadClauses(operation);
        return m_schedule.Add(operation, name);
    }

    /// Read tag, cpu and nic, which stand on the line of their operation.
    void ReadClauses(GoalOperation& operation)
    {
        const uint64_t line = m_line;
        bool hasTag = operation.kind == GoalOperation::Kind::CALC;
        bool hasNic = hasTag;
        bool hasCpu = false;
        while (m_lexer.Peek().line == line && IsClause(m_lexer.Peek()))
        {
            const GoalToken word = Take();
            bool& has = word.Is("tag") ? hasTag : word.Is("cpu") ? hasCpu : hasNic;
            if (has)
            {
                Refuse(word, hasTag && hasNic ? "cpu, once" : "each of tag, cpu and nic once");
            }
            has = true;
            if (word.Is("tag"))
            {
                operation.tag = static_cast<uint32_t>(TakeSigned("a tag")); // as LogGOPSim
            }
            else
            {
                const auto number =
                    static_cast<uint32_t>(TakeNumber("a number of " + word.text, UINT32_MAX));
                (word.Is("cpu") ? operation.cpu : operation.nic) = number;
            }
        }
    }

    /// @return whether a token begins a clause of an operation
    static bool IsClause(const GoalToken& token)
    {
        return token.Is("tag") || token.Is("cpu") || token.Is("nic");
    }

    /// @return the operation of a label
    uint32_t Find(const GoalToken& label) const
    {
        const auto found = m_labels.find(label.text);
        if (label.kind != GoalToken::Kind::WORD || found == m_labels.end())
        {
            Refuse(label, "a label of a line before, in the same rank,");
        }
        return found->second;
    }

    std::string m_name;       //!< of the text
    GoalLexer m_lexer;        //!< its tokens
    GoalSchedule& m_schedule; //!< where to enter it
    uint64_t m_line{0};       //!< of the token that was taken last; 0: where the lexer is
    std::unordered_map<std::string, uint32_t> m_labels; //!< of the rank
};

} // namespace

void
ReadGoalText(std::istream& input, const std::string& name, GoalSchedule& schedule)
{
    GoalTextReader(input, name, schedule).Read();
}

} // namespace aifabric
} // namespace ns3
