/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/ethereal-planner.h"

using Piece = EtherealPlanner::Piece;
using Split = EtherealPlanner::Split;
using Rounding = EtherealPlanner::Rounding;

namespace
{

/// @return labels 100, 103, 106, ...: not to be taken for indices
std::vector<uint16_t>
Labels(uint32_t count)
{
    std::vector<uint16_t> labels;
    for (uint32_t i = 0; i < count; ++i)
    {
        labels.push_back(100 + 3 * i);
    }
    return labels;
}

/// @param paths the labels it was made with  @return the bytes of each path
std::map<uint16_t, uint64_t>
BytesByPath(const std::vector<Piece>& pieces, const std::vector<uint16_t>& paths)
{
    std::map<uint16_t, uint64_t> bytes;
    for (const uint16_t path : paths)
    {
        bytes[path] = 0;
    }
    for (const auto& piece : pieces)
    {
        bytes.at(piece.path) += piece.bytes;
    }
    return bytes;
}

/// @return the greatest value less the least
uint64_t
Spread(const std::map<uint16_t, uint64_t>& values)
{
    const auto [least, most] =
        std::minmax_element(values.begin(), values.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
        });
    return most->second - least->second;
}

/// Expect each flow's pieces to stand together, to be counted right and to have all its bytes.
void
ExpectWholeFlows(const std::vector<Piece>& pieces, uint32_t flows, uint64_t bytes)
{
    std::size_t next = 0;
    for (uint32_t flow = 0; flow < flows; ++flow)
    {
        ASSERT_LT(next, pieces.size());
        const uint32_t count = pieces[next].pieces;
        uint64_t sum = 0;
        for (uint32_t piece = 0; piece < count; ++piece, ++next)
        {
            ASSERT_LT(next, pieces.size());
            ASSERT_EQ(pieces[next].flow, flow);
            ASSERT_EQ(pieces[next].pieces, count);
            sum += pieces[next].bytes;
        }
        ASSERT_EQ(sum, bytes) << "flow " << flow;
    }
    ASSERT_EQ(next, pieces.size());
}

/// @return the least factor m such that r flows, each in m equal pieces, give s paths equal bytes:
/// each path takes the same number of pieces
uint32_t
LeastFactor(uint32_t r, uint32_t s)
{
    for (uint32_t m = 1;; ++m)
    {
        for (uint32_t each = 1; each <= r * m; ++each)
        {
            if (each * s == r * m)
            {
                return m;
            }
        }
    }
}

/// Try every set of pairs of a flow and a path: flows may have pieces of any size.
/// @return the least number of pieces with which each path gets r / s of a flow
uint32_t
LeastPieces(uint32_t r, uint32_t s)
{
    uint32_t least = r * s;
    for (uint32_t pairs = 0; pairs < (1U << (r * s)); ++pairs)
    {
        const auto count = static_cast<uint32_t>(__builtin_popcount(pairs));
        bool isPossible = count < least;
        // Some set of flows, each s units long, fits on all paths that it may use, r units each.
        for (uint32_t flows = 1; isPossible && flows < (1U << r); ++flows)
        {
            uint32_t paths = 0;
            for (uint32_t flow = 0; flow < r; ++flow)
            {
                paths |= (flows >> flow & 1) != 0 ? pairs >> (flow * s) & ((1U << s) - 1) : 0;
            }
            isPossible = __builtin_popcount(flows) * s <= __builtin_popcount(paths) * r;
        }
        least = isPossible ? count : least;
    }
    return least;
}

} // namespace

/// Numbers of flows and pieces, as computed independently.
TEST(EtherealPlanner, TestVectors)
{
    // n, s, q, r, m, whole, pieces, queue pairs
    const std::vector<std::vector<uint32_t>> rows{
        {16, 16, 1, 0, 1, 16, 0, 16},
        {1, 16, 0, 1, 16, 0, 16, 16},
        {2, 16, 0, 2, 8, 0, 16, 16},
        {3, 16, 0, 3, 16, 0, 48, 48},
        {4, 16, 0, 4, 4, 0, 16, 16},
        {6, 16, 0, 6, 8, 0, 48, 48},
        {8, 16, 0, 8, 2, 0, 16, 16},
        {12, 16, 0, 12, 4, 0, 48, 48},
        {15, 16, 0, 15, 16, 0, 240, 240},
        {17, 16, 1, 1, 16, 16, 16, 32},
        {20, 16, 1, 4, 4, 16, 16, 32},
        {40, 16, 2, 8, 2, 32, 16, 48},
        {16, 15, 1, 1, 15, 15, 15, 30},
        {1, 4, 0, 1, 4, 0, 4, 4},
        {4, 3, 1, 1, 3, 3, 3, 6},
        {5, 7, 0, 5, 7, 0, 35, 35},
    };
    for (const auto& row : rows)
    {
        const uint32_t n = row[0];
        const uint32_t s = row[1];
        const auto shares = EtherealPlanner::Divide(n, s);
        EXPECT_EQ(shares.whole / s, row[2]) << n << " over " << s;
        EXPECT_EQ(shares.split, row[3]) << n << " over " << s;
        EXPECT_EQ(shares.factor, row[4]) << n << " over " << s;
        const auto pieces = EtherealPlanner({}).Plan(std::vector<uint64_t>(n, 5040), Labels(s));
        const auto whole = std::count_if(pieces.begin(), pieces.end(), [](const auto& piece) {
            return piece.pieces == 1;
        });
        EXPECT_EQ(whole, row[5]) << n << " over " << s;
        EXPECT_EQ(pieces.size() - whole, row[6]) << n << " over " << s;
        EXPECT_EQ(pieces.size(), row[7]) << n << " over " << s;
    }
}

/// The rule, written out: whole flows in turn, pieces in turn, odd bytes as each rounding says.
TEST(EtherealPlanner, FourFlowsOverThreePaths)
{
    using Row = std::tuple<uint32_t, uint64_t, uint16_t, uint32_t>;
    const auto plan = [](const EtherealPlanner::Parameters& parameters, uint32_t flows) {
        std::vector<Row> rows;
        for (const auto& piece :
             EtherealPlanner(parameters).Plan(std::vector<uint64_t>(flows, 1000), {2, 0, 1}))
        {
            rows.emplace_back(piece.flow, piece.bytes, piece.path, piece.pieces);
        }
        return rows;
    };
    const std::vector<Row> whole{{0, 1000, 2, 1}, {1, 1000, 0, 1}, {2, 1000, 1, 1}};
    auto expected = whole;
    expected.insert(expected.end(), {{3, 333, 2, 3}, {3, 333, 0, 3}, {3, 334, 1, 3}});
    EXPECT_EQ(plan({}, 3), whole);
    EXPECT_EQ(plan({}, 4), expected);
    EXPECT_EQ(plan({Split::EQUAL_PIECES, Rounding::LAST_PIECE, 1}, 4), expected);
    EXPECT_EQ(plan({Split::END_TO_END, Rounding::CUMULATIVE, 1}, 4), expected);

    // Of the second flow that is split, the second piece comes first.
    expected.insert(expected.end(), {{4, 333, 2, 3}, {4, 334, 0, 3}, {4, 333, 1, 3}});
    EXPECT_EQ(plan({}, 5), expected);

    // End to end: 2000 bytes are cut at 666 and 1333.
    expected = whole;
    expected.insert(expected.end(),
                    {{3, 666, 2, 2}, {3, 334, 0, 2}, {4, 333, 0, 2}, {4, 667, 1, 2}});
    EXPECT_EQ(plan({Split::END_TO_END, Rounding::CUMULATIVE, 1}, 5), expected);
}

/// Whatever the sizes: all bytes are there, no piece is empty, and paths differ by no more than
/// each rounding says.
TEST(EtherealPlanner, Rounding)
{
    std::mt19937_64 random(1);
    for (uint32_t trial = 0; trial < 20000; ++trial)
    {
        const uint32_t n = 1 + random() % 63;
        const uint32_t s = 1 + random() % 32;
        const uint64_t f = 1 + random() % (uint64_t{1} << (1 + random() % 44));
        const auto paths = Labels(s);
        const auto [whole, r, m] = EtherealPlanner::Divide(n, s);
        const uint64_t each = r / std::gcd(r, s);
        const std::map<std::pair<Split, Rounding>, uint64_t> spreads{
            {{Split::EQUAL_PIECES, Rounding::CUMULATIVE}, each},
            {{Split::EQUAL_PIECES, Rounding::LAST_PIECE}, each * (m - 1)},
            {{Split::END_TO_END, Rounding::CUMULATIVE}, 1},
            {{Split::END_TO_END, Rounding::LAST_PIECE}, m - 1}, // no path has the ends of two flows
        };
        for (const auto& [mode, spread] : spreads)
        {
            const auto pieces = EtherealPlanner({mode.first, mode.second, 1})
                                    .Plan(std::vector<uint64_t>(n, f), paths);
            ASSERT_NO_FATAL_FAILURE(ExpectWholeFlows(pieces, n, f));
            for (const auto& piece : pieces)
            {
                ASSERT_GT(piece.bytes, 0U) << n << " of " << f << " over " << s;
            }
            if (f >= m)
            {
                ASSERT_LE(Spread(BytesByPath(pieces, paths)), spread)
                    << n << " of " << f << " over " << s;
            }
        }
    }
}

/// Both roundings reach the spread that they are allowed, so the bounds are not idle.
TEST(EtherealPlanner, RoundingBoundsAreReached)
{
    const auto paths = Labels(7);
    const auto spread = [&](Rounding rounding, uint64_t bytes) {
        const auto pieces = EtherealPlanner({Split::EQUAL_PIECES, rounding, 1})
                                .Plan(std::vector<uint64_t>(1, bytes), paths);
        return Spread(BytesByPath(pieces, paths));
    };
    EXPECT_EQ(spread(Rounding::CUMULATIVE, 7006), 1U);
    EXPECT_EQ(spread(Rounding::LAST_PIECE, 7006), 6U);
    EXPECT_EQ(spread(Rounding::LAST_PIECE, 7000), 0U);
}

/// q s flows stay whole and r are split; r s / g pieces, r / g on each path.
TEST(EtherealPlanner, Counts)
{
    for (uint32_t s = 1; s <= 24; ++s)
    {
        for (uint32_t n = 0; n <= 64; ++n)
        {
            const uint32_t r = n % s;
            const uint32_t g = std::gcd(r, s);
            std::map<uint16_t, uint64_t> wholeOn;
            std::map<uint16_t, uint64_t> piecesOn;
            for (const uint16_t path : Labels(s))
            {
                wholeOn[path] = piecesOn[path] = 0;
            }
            std::set<uint32_t> split;
            for (const auto& piece :
                 EtherealPlanner({}).Plan(std::vector<uint64_t>(n, 100000), Labels(s)))
            {
                ++(piece.pieces == 1 ? wholeOn : piecesOn)[piece.path];
                if (piece.pieces > 1)
                {
                    split.insert(piece.flow);
                }
            }
            ASSERT_EQ(split.size(), r);
            for (const uint16_t path : Labels(s))
            {
                ASSERT_EQ(wholeOn[path], n / s) << n << " over " << s;
                ASSERT_EQ(piecesOn[path], r / g) << n << " over " << s;
            }
        }
    }
}

/// No smaller factor than s / gcd(r, s) gives equal shares of equal pieces.
TEST(EtherealPlanner, FactorIsLeast)
{
    for (uint32_t s = 2; s <= 32; ++s)
    {
        for (uint32_t r = 1; r < s; ++r)
        {
            ASSERT_EQ(EtherealPlanner::Divide(r, s).factor, LeastFactor(r, s)) << r << " " << s;
        }
    }
}

/// Laid end to end there are r + s - g pieces, as many as equal pieces exactly if r divides s; the
/// bytes of all paths are equal.
TEST(EtherealPlanner, EndToEndCounts)
{
    for (uint32_t s = 2; s <= 32; ++s)
    {
        for (uint32_t n = 1; n <= 3 * s; ++n)
        {
            const uint32_t r = n % s;
            const uint32_t g = std::gcd(r, s);
            const auto paths = Labels(s);
            const auto plan = EtherealPlanner({Split::END_TO_END, {}, 1})
                                  .Plan(std::vector<uint64_t>(n, 7 * s), paths);
            ASSERT_NO_FATAL_FAILURE(ExpectWholeFlows(plan, n, 7 * s));
            ASSERT_EQ(plan.size(), n + s - g) << n << " over " << s;
            for (const auto& [path, bytes] : BytesByPath(plan, paths))
            {
                ASSERT_EQ(bytes, 7 * n) << n << " over " << s;
            }
            const auto equal = EtherealPlanner({}).Plan(std::vector<uint64_t>(n, 7 * s), paths);
            ASSERT_EQ(equal.size() - plan.size(), r == 0 ? 0 : g * (r / g - 1) * (s / g - 1));
            ASSERT_EQ(equal.size() == plan.size(), r == 0 || s % r == 0) << n << " over " << s;
        }
    }
}

/// No set of fewer pieces, of whatever sizes, gives all paths equal bytes.
TEST(EtherealPlanner, EndToEndIsLeast)
{
    for (uint32_t s = 2; s <= 5; ++s)
    {
        for (uint32_t r = 1; r < s; ++r)
        {
            const auto plan = EtherealPlanner({Split::END_TO_END, {}, 1})
                                  .Plan(std::vector<uint64_t>(r, s), Labels(s));
            EXPECT_EQ(plan.size(), LeastPieces(r, s)) << r << " over " << s;
        }
    }
}

/// Queue pairs to one leaf: what splitting adds, at worst and in collectives.
TEST(EtherealPlanner, QueuePairs)
{
    const auto count = [](uint32_t flows, uint32_t paths) {
        return EtherealPlanner({})
            .Plan(std::vector<uint64_t>(flows, 1 << 20), Labels(paths))
            .size();
    };
    const std::map<uint32_t, uint32_t> worst{{4, 9}, {8, 49}, {16, 225}, {32, 961}, {64, 3969}};
    for (const auto& [s, extra] : worst)
    {
        uint64_t most = 0;
        for (uint32_t n = 1; n <= s; ++n)
        {
            most = std::max<uint64_t>(most, count(n, s) - n);
            if (s % n == 0)
            {
                EXPECT_EQ(count(n, s), s);
            }
        }
        EXPECT_EQ(most, extra) << s << " paths";
    }
    EXPECT_EQ(count(16, 16), 16U); // all-to-all, 256 hosts and 512 hosts between pods: no split
    EXPECT_EQ(count(16, 4), 16U);  // all-to-all, 512 hosts, in a pod: no split
    EXPECT_EQ(count(1, 16), 16U);  // recursive doubling, ring, between leaves or pods
    EXPECT_EQ(count(1, 4), 4U);    // the same, 512 hosts, in a pod
    EXPECT_EQ(count(2, 16), 16U);  // double binary tree, both children below one leaf
    EXPECT_EQ(count(16, 15), 30U); // all-to-all with one failed path
}

/// Pieces are not shorter than the least size, flows excepted that are shorter themselves.
TEST(EtherealPlanner, ShortFlows)
{
    std::mt19937 random(2);
    for (uint32_t trial = 0; trial < 5000; ++trial)
    {
        const uint32_t n = 1 + random() % 40;
        const uint32_t s = 1 + random() % 24;
        const uint64_t f = random() % 400;
        const uint64_t least = 1 + random() % 40;
        const auto paths = Labels(s);
        const auto [whole, r, m] = EtherealPlanner::Divide(n, s);
        const auto factor = std::clamp<uint64_t>(f / least, 1, m);
        for (const auto split : {Split::EQUAL_PIECES, Split::END_TO_END})
        {
            const auto pieces =
                EtherealPlanner({split, {}, least}).Plan(std::vector<uint64_t>(n, f), paths);
            ASSERT_NO_FATAL_FAILURE(ExpectWholeFlows(pieces, n, f));
            std::map<uint16_t, uint64_t> on;
            for (const uint16_t path : paths)
            {
                on[path] = 0;
            }
            for (const auto& piece : pieces)
            {
                ASSERT_GE(piece.bytes, std::min(f, least));
                ++on[piece.path];
            }
            if (split == Split::EQUAL_PIECES)
            {
                ASSERT_EQ(pieces.size(), whole + r * factor);
                ASSERT_LE(Spread(on), 1U);
            }
            ASSERT_LE(pieces.size(), whole + r * factor);
            // No path has more than its share and one part, rounded up.
            ASSERT_LE(Spread(BytesByPath(pieces, paths)),
                      (f + factor - 1) / factor + r / std::gcd(r, s));
        }
    }
}

/// An empty flow is one piece; without flows there is none.
TEST(EtherealPlanner, Empty)
{
    for (const auto split : {Split::EQUAL_PIECES, Split::END_TO_END})
    {
        const EtherealPlanner planner({split, {}, 1});
        const auto pieces = planner.Plan(std::vector<uint64_t>(3, 0), Labels(8));
        ASSERT_NO_FATAL_FAILURE(ExpectWholeFlows(pieces, 3, 0));
        EXPECT_EQ(pieces.size(), 3U);
        EXPECT_TRUE(planner.Plan(std::vector<uint64_t>(0, 1000), Labels(8)).empty());
    }
}

/// What cannot be planned is refused.
/// CountPieces() is right without a plan, or says more where pieces may not be short.
TEST(EtherealPlanner, CountsPieces)
{
    for (const Split split : {Split::EQUAL_PIECES, Split::END_TO_END})
    {
        for (const uint64_t least : {uint64_t{1}, uint64_t{100}})
        {
            const EtherealPlanner planner({split, Rounding::CUMULATIVE, least});
            for (uint32_t flows = 1; flows < 20; ++flows)
            {
                for (uint32_t paths = 1; paths < 20; ++paths)
                {
                    const uint64_t made =
                        planner.Plan(std::vector<uint64_t>(flows, 1000), Labels(paths)).size();
                    const uint64_t counted = planner.CountPieces(flows, 1000, paths);
                    const bool isLimited = split == Split::END_TO_END && least > 1;
                    EXPECT_TRUE(isLimited ? made <= counted : made == counted)
                        << flows << " flows, " << paths << " paths: " << made << ", " << counted;
                }
            }
        }
    }
}

TEST(EtherealPlanner, Refusals)
{
    EXPECT_THROW(EtherealPlanner({}).Plan(std::vector<uint64_t>(1, 1000), {}),
                 std::invalid_argument);
    EXPECT_THROW(EtherealPlanner::Divide(1, 0), std::invalid_argument);
    EXPECT_THROW(EtherealPlanner({{}, {}, 0}), std::invalid_argument);
}

/// A batch is parted by size; each flow is in one group, the order is kept.
TEST(EtherealPlanner, GroupsBySize)
{
    using Groups = std::vector<std::vector<uint32_t>>;
    EXPECT_EQ(EtherealPlanner::GroupBySize({}), Groups{});
    EXPECT_EQ(EtherealPlanner::GroupBySize({8, 8, 8}), (Groups{{0, 1, 2}}));
    EXPECT_EQ(EtherealPlanner::GroupBySize({9, 1, 9, 3, 1, 9}), (Groups{{0, 2, 5}, {1, 4}, {3}}));
    EXPECT_EQ(EtherealPlanner::GroupBySize({8, 7, 8, 7}), (Groups{{0, 1, 2, 3}}));
    EXPECT_EQ(EtherealPlanner::GroupBySize({7, 8, 9, 10, 8}), (Groups{{0, 1, 4}, {2, 3}}));
}

/// The parts of a buffer that is no multiple of their number differ by a byte, and are split as if
/// they were equal.
TEST(EtherealPlanner, PartsOfABuffer)
{
    for (const Split split : {Split::EQUAL_PIECES, Split::END_TO_END})
    {
        for (uint32_t flows = 1; flows < 20; ++flows)
        {
            std::vector<uint64_t> bytes;
            for (uint32_t flow = 0; flow < flows; ++flow)
            {
                bytes.push_back(250000 + flow * 7 % 3 % 2);
            }
            const EtherealPlanner planner({split, {}, 1});
            const auto paths = Labels(8);
            const auto pieces = planner.Plan(bytes, paths);
            const auto equal = planner.Plan(std::vector<uint64_t>(flows, 250000), paths);
            EXPECT_EQ(pieces.size(), equal.size());
            std::vector<uint64_t> sent(flows);
            for (const Piece& piece : pieces)
            {
                sent[piece.flow] += piece.bytes;
            }
            EXPECT_EQ(sent, bytes);
            EXPECT_LE(Spread(BytesByPath(pieces, paths)), flows + 8) << flows;
        }
    }
}
