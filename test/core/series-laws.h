/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERIES_LAWS_H
#define SERIES_LAWS_H

#include "core-test.h"

namespace coretest
{

/// A merge adds: 1 + 2 = 3.  @param make makes a series of a number of times, whose sums grow with
/// a factor
template <typename Make>
void
ExpectMergeAdds(const Make& make)
{
    auto sum = make(5, 1);
    sum.Merge(decltype(sum)::Read(make(5, 2).Write()));
    EXPECT_EQ(sum.Write(), make(5, 3).Write());
}

/// A series is not merged with one of other times, nor with another one, but with its like.
template <typename Series>
void
ExpectOthersRefused(const Series& series, const Series& otherTimes, const Series& other)
{
    EXPECT_NE(FindMergeFault(series, otherTimes), "");
    EXPECT_NE(FindMergeFault(series, other), "");
    EXPECT_EQ(FindMergeFault(series, series), "");
}

/// Bytes that lack one are refused, and so is what lacks one of its values.
template <typename Series>
void
ExpectDamageRefused(const Series& series, const Series& shorter)
{
    const std::string bytes = series.Write();
    EXPECT_THROW(Series::Read(bytes.substr(0, bytes.size() - 1)), std::invalid_argument);
    EXPECT_THROW(Series::Read(shorter.Write()), std::invalid_argument);
}

/// Bytes are read back and written again; a prefix of them, or any changed byte, is refused.
template <typename Series>
void
ExpectEachDamageRefused(const std::string& bytes)
{
    EXPECT_EQ(Series::Read(bytes).Write(), bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size)
    {
        EXPECT_THROW(Series::Read(bytes.substr(0, size)), std::invalid_argument);
        std::string damaged = bytes;
        damaged[size] = static_cast<char>(damaged[size] ^ 1);
        EXPECT_THROW(Series::Read(damaged), std::invalid_argument);
    }
}

} // namespace coretest

#endif /* SERIES_LAWS_H */
