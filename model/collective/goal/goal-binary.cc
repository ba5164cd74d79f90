/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "goal-binary.h"

#include "ns3/workload-check.h"

#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint64_t MAGIC = 4223;       //!< what a file begins with
constexpr uint64_t SPENT = 2342;       //!< what LogGOPSim --save-mem writes over it
constexpr std::size_t MAGIC_BYTES = 8; //!< of it; places are counted from its end
constexpr std::size_t COUNT_BYTES = 4; //!< of a count or index
constexpr std::size_t OPERATION_BYTES = 39;
constexpr std::size_t LEAST_BYTES = 2 * COUNT_BYTES; //!< of the schedule of a rank

/// Takes numbers from bytes, the least byte of each first.
class GoalNumbers
{
  public:
    /// @param bytes they must outlive this, and be enough
    explicit GoalNumbers(std::string_view bytes)
        : m_rest(bytes)
    {
    }

    /// @return the next number  @param size its bytes
    uint64_t Take(std::size_t size)
    {
        uint64_t number = 0;
        for (std::size_t i = size; i > 0; --i)
        {
            number = number << 8 | static_cast<unsigned char>(m_rest[i - 1]);
        }
        m_rest.remove_prefix(size);
        return number;
    }

    /// @return the next number of 4 bytes
    uint32_t TakeCount()
    {
        return static_cast<uint32_t>(Take(COUNT_BYTES));
    }

  private:
    std::string_view m_rest; //!< what was not taken
};

/// Reads a file.
class GoalBinaryReader
{
  public:
    /// @param input the file  @param schedule where to enter it; both must outlive this
    GoalBinaryReader(std::istream& input, GoalSchedule& schedule)
        : m_input(input),
          m_schedule(schedule)
    {
    }

    /// Read all of it.
    void Read()
    {
        const std::string magic = TakeBytes(MAGIC_BYTES);
        if (GoalNumbers(magic).Take(MAGIC_BYTES) == SPENT)
        {
            RefuseGoal("LogGOPSim --save-mem has used it up; txt2bin makes another one");
        }
        if (GoalNumbers(magic).Take(MAGIC_BYTES) != MAGIC)
        {
            RefuseGoal("does not begin with " + std::to_string(MAGIC) + ", as binary schedules do");
        }
        const std::string head = TakeBytes(COUNT_BYTES + 2);
        m_schedule.SetRanks(GoalNumbers(head).TakeCount());
        const std::string table = TakeBytes(std::size_t{2} * MAGIC_BYTES * m_schedule.CountRanks());
        GoalNumbers places(table);
        for (uint32_t rank = 0; rank < m_schedule.CountRanks(); ++rank)
        {
            m_place = "rank " + std::to_string(rank) + ": ";
            m_schedule.BeginRank(rank);
            const uint64_t begin = places.Take(MAGIC_BYTES);
            const uint64_t end = places.Take(MAGIC_BYTES);
            ReadRank(begin, end);
        }
        m_place.clear();
    }

    /// @return what is read, for messages: rank, operation
    const std::string& GetPlace() const
    {
        return m_place;
    }

  private:
    /// @return the next bytes of the file
    std::string TakeBytes(std::size_t size)
    {
        std::string bytes(size, '\0');
        if (!m_input.read(bytes.data(), static_cast<std::streamsize>(size)))
        {
            RefuseGoal("ends too early");
        }
        return bytes;
    }

    /// Read what a rank does.  @param begin where it stands  @param end likewise
    void ReadRank(uint64_t begin, uint64_t end)
    {
        constexpr uint64_t MOST = uint64_t{1} << 62;
        if (begin > MOST || end > MOST || end < begin + LEAST_BYTES)
        {
            RefuseGoal("its schedule goes from byte " + std::to_string(begin) + " to " +
                       std::to_string(end));
        }
        m_input.seekg(static_cast<std::streamoff>(begin + MAGIC_BYTES));
        const std::string head = TakeBytes(LEAST_BYTES);
        GoalNumbers counts(head);
        const uint64_t operations = counts.TakeCount();
        const uint64_t first = counts.TakeCount() * COUNT_BYTES; // those that wait for none
        const uint64_t fixed = first + operations * OPERATION_BYTES;
        const uint64_t size = end - begin - LEAST_BYTES;
        if (operations > MAX_WORKLOAD_NODES || first > operations * COUNT_BYTES || fixed > size ||
            size - fixed > MAX_WORKLOAD_DEPENDENCIES * COUNT_BYTES)
        {
            RefuseGoal(std::to_string(operations) + " operations do not fit into " +
                       std::to_string(end - begin) + " bytes");
        }
        const std::string bytes = TakeBytes(size);
        const std::string_view all = bytes;
        const auto length = static_cast<uint32_t>(operations);
        AddOperations(all.substr(first, fixed - first), length);
        AddDependencies(all.substr(first, fixed - first), all.substr(fixed), length);
    }

    /// Add the operations of a rank.  @param bytes of them  @param operations how many they are
    void AddOperations(std::string_view bytes, uint32_t operations)
    {
        const std::string rank = m_place;
        for (uint32_t i = 0; i < operations; ++i)
        {
            m_place = rank + "operation " + std::to_string(i) + ": ";
            GoalNumbers numbers(bytes.substr(std::size_t{i} * OPERATION_BYTES, OPERATION_BYTES));
            numbers.TakeCount(); // for how many it waits
            const uint64_t kind = numbers.Take(1);
            if (kind < 1 || kind > 3)
            {
                RefuseGoal("type " + std::to_string(kind) + " is no operation (1..3)");
            }
            GoalOperation operation;
            operation.kind = static_cast<GoalOperation::Kind>(kind);
            operation.peer = numbers.TakeCount();
            operation.size = numbers.Take(MAGIC_BYTES);
            operation.tag = numbers.TakeCount();
            operation.cpu = static_cast<uint32_t>(numbers.Take(1));
            operation.nic = static_cast<uint32_t>(numbers.Take(1));
            m_schedule.Add(operation, NameOperation(operation.kind));
        }
        m_place = rank;
    }

    /// Add what the operations of a rank wait for.  @param bytes of the operations
    /// @param appendix the indices  @param operations how many they are
    void AddDependencies(std::string_view bytes, std::string_view appendix, uint32_t operations)
    {
        const std::string rank = m_place;
        std::vector<uint32_t> awaited(operations);
        for (uint32_t i = 0; i < operations; ++i)
        {
            m_place = rank + "operation " + std::to_string(i) + ": ";
            constexpr std::size_t LISTS = 4 * COUNT_BYTES; // the last bytes of an operation
            const std::size_t end = (std::size_t{i} + 1) * OPERATION_BYTES;
            GoalNumbers numbers(bytes.substr(end - LISTS, LISTS));
            for (const bool begins : {false, true})
            {
                const std::size_t count = numbers.TakeCount();
                const std::size_t first = numbers.TakeCount();
                const std::size_t all = appendix.size() / COUNT_BYTES;
                if (count > 0 && (first > all || count > all - first))
                {
                    RefuseGoal("those that wait for it are not in the appendix");
                }
                GoalNumbers waiting(count == 0 ? "" : appendix.substr(first * COUNT_BYTES));
                for (std::size_t j = 0; j < count; ++j)
                {
                    const uint32_t node = waiting.TakeCount();
                    if (node >= operations)
                    {
                        RefuseGoal("operation " + std::to_string(node) +
                                   ", which waits for it, is not " + "there");
                    }
                    m_schedule.Require(node, i, begins);
                    ++awaited[node];
                }
            }
        }
        m_place = rank;
        CheckCounts(bytes, awaited);
    }

    /// Refuse operations that wait for more or fewer others than they say.  @param bytes of them
    /// @param awaited for how many each waits
    void CheckCounts(std::string_view bytes, const std::vector<uint32_t>& awaited)
    {
        for (std::size_t i = 0; i < awaited.size(); ++i)
        {
            const uint32_t said = GoalNumbers(bytes.substr(i * OPERATION_BYTES)).TakeCount();
            if (said != awaited[i])
            {
                RefuseGoal("operation " + std::to_string(i) + " waits for " + std::to_string(said) +
                           " others, and " + std::to_string(awaited[i]) + " name it");
            }
        }
    }

    std::istream& m_input;    //!< the file
    GoalSchedule& m_schedule; //!< where to enter it
    std::string m_place;      //!< what is read, for messages
};

} // namespace

bool
IsGoalBinary(std::istream& input)
{
    const int first = input.peek();
    return first == static_cast<int>(MAGIC & 0xff) || first == static_cast<int>(SPENT & 0xff);
}

void
ReadGoalBinary(std::istream& input, const std::string& name, GoalSchedule& schedule)
{
    GoalBinaryReader reader(input, schedule);
    try
    {
        reader.Read();
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(name + ": " + reader.GetPlace() + error.what());
    }
}

} // namespace aifabric
} // namespace ns3
