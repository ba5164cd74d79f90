/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/entropy-set.h"
#include "ns3/ev-profile.h"
#include "ns3/ev-template.h"

namespace
{

using Format = EvTemplate::Format;

/// 32 structured EVs: bit 2 is the plane, and bits 0 and 1 are the path.
const std::string STRUCTURED = "stev:fields=15,1/0/1,14,2/0/3:generated=0-7";

/// @return the first bytes of a value
std::vector<uint8_t>
First(const EvTemplate::Value& value, std::size_t count)
{
    return {value.begin(), value.begin() + count};
}

/// @return what is wrong with a profile; empty: nothing
std::string
GetFault(const std::string& text)
{
    return RefusalOf([&] { EvProfile profile(text); });
}

} // namespace

/// The locator is fixed, and the lower bytes of four uSIDs are those of the EV, from the first on.
TEST(EvTemplate, MicroSids)
{
    const EvTemplate layout = EvTemplate::Read(
        "srv6:fields=32/0x5f000000,16/0x1600/0xff,16/0x2600/0xff,16/0x1600/0xff,16/0xe600/0xff");
    EXPECT_EQ(layout.GetBits(), 32U);
    const std::vector<uint8_t> expected =
        {0x5f, 0, 0, 0, 0x16, 0x05, 0x26, 0x11, 0x16, 0xc8, 0xe6, 0x2c, 0, 0, 0, 0};
    EXPECT_EQ(First(layout.Expand(0x0511c82c), 16), expected);
}

/// Bits of a mask are filled from the most significant one on, and the others keep their values.
TEST(EvTemplate, MasksWithGaps)
{
    const EvTemplate layout(Format::ECMP, {{8, 0xC0, 0x21}, {4, 0x9, 0}, {4, 0xF, 0x5}});
    EXPECT_EQ(layout.GetBits(), 4U);
    EXPECT_EQ(First(layout.Expand(0b1001), 2), (std::vector<uint8_t>{0xE0, 0x9B}));
    EXPECT_EQ(First(layout.Expand(0b0110), 2), (std::vector<uint8_t>{0xC1, 0x9E}));
    EXPECT_THROW(layout.Expand(0b10000), std::invalid_argument);
}

/// A field that gives no value is zero, as where the format has more fields than the profile.
TEST(EvTemplate, FieldsWithoutValues)
{
    const EvTemplate layout = EvTemplate::Read("stev:fields=10/1023,8,4/0/15");
    EXPECT_EQ(First(layout.Expand(15), 4), (std::vector<uint8_t>{0xFF, 0xC0, 0x3C, 0}));
}

/// Different EVs are different values.
TEST(EvTemplate, IsInjective)
{
    std::mt19937 random(1);
    for (uint32_t round = 0; round < 50; ++round)
    {
        std::vector<EvTemplate::Field> fields;
        for (uint32_t count = 1 + random() % 8; count > 0; --count)
        {
            const uint32_t width = 1 + random() % 16;
            const auto below = [&random, width] {
                return static_cast<uint32_t>(random() & ((1U << width) - 1));
            };
            fields.push_back({width, below(), below() & 0x11});
        }
        const EvTemplate layout(Format::SRV6_SRH, fields);
        const uint64_t count = std::min<uint64_t>(uint64_t{1} << layout.GetBits(), 1024);
        std::set<EvTemplate::Value> values;
        for (uint32_t ev = 0; ev < count; ++ev)
        {
            values.insert(layout.Expand(ev));
        }
        EXPECT_EQ(values.size(), count);
    }
}

/// The limits of formats, fields and masks.
TEST(EvTemplate, Limits)
{
    using Fields = std::vector<EvTemplate::Field>;
    const auto make = [](Format format, const Fields& fields) { EvTemplate(format, fields); };
    EXPECT_NO_THROW(make(Format::ECMP, {{16}}));
    EXPECT_THROW(make(Format::ECMP, {{16}, {1}}), std::invalid_argument);
    EXPECT_NO_THROW(make(Format::STEV, {{32}}));
    EXPECT_THROW(make(Format::STEV, {{32}, {1}}), std::invalid_argument);
    EXPECT_NO_THROW(make(Format::SRV6, Fields(4, {32})));
    EXPECT_THROW(make(Format::SRV6, Fields(5, {32})), std::invalid_argument);
    EXPECT_NO_THROW(make(Format::SRV6_SRH, Fields(8, {32})));
    EXPECT_THROW(make(Format::SRV6_SRH, Fields(9, {32})), std::invalid_argument);
    EXPECT_THROW(make(Format::STEV, {}), std::invalid_argument);
    EXPECT_THROW(make(Format::STEV, {{0}}), std::invalid_argument);
    EXPECT_THROW(make(Format::SRV6, {{33}}), std::invalid_argument);
    EXPECT_THROW(make(Format::STEV, {{3, 8}}), std::invalid_argument);
    EXPECT_THROW(make(Format::STEV, {{3, 0, 8}}), std::invalid_argument);
    EXPECT_THROW(make(Format::SRV6, {{32, 0, 0xFFFFFFFF}, {1, 0, 1}}), std::invalid_argument);
}

/// Structured EVs and addresses name the same paths, and each is found by its path.
TEST(EvProfile, NamesPaths)
{
    const std::string middle = ",16/0x1001,16/0xe000:generated=0-3";
    const std::string addresses = "srv6:fields=32/0x5f000000,16/0x1000,16/0x2000/3" + middle +
                                  "+srv6:fields=32/0x5f000000,16/0x1200,16/0x2200/3" +
                                  ",16/0x1201,16/0xe200:explicit=3,1,0x2,0";
    for (const std::string& text : {STRUCTURED, addresses})
    {
        const EvProfile profile(text);
        EXPECT_EQ(profile.GetPlanes(), 2U);
        ASSERT_EQ(profile.GetSlots(), 4U);
        for (uint32_t plane = 0; plane < 2; ++plane)
        {
            for (uint32_t slot = 0; slot < 4; ++slot)
            {
                EXPECT_EQ(profile.Find(plane, profile.GetPath(plane, slot)), slot);
                EXPECT_LT(profile.GetPath(plane, slot), 4U);
            }
        }
        EXPECT_FALSE(profile.Find(0, 4));
        EXPECT_FALSE(profile.Find(2, 0));
        EXPECT_NO_THROW(profile.Check(2, 4));
        EXPECT_THROW(profile.Check(2, 3), std::invalid_argument);
        EXPECT_THROW(profile.Check(4, 4), std::invalid_argument);
    }
}

/// A bad profile is refused with one line, which has its text.
TEST(EvProfile, Refusals)
{
    EXPECT_EQ(GetFault(STRUCTURED), "");
    for (const char* const text : {"",
                                   "stev",
                                   "stev:fields=16",
                                   "stev:fields=16:generated=0",
                                   "stev:fields=16:generated=1-0",
                                   "stev:fields=32/0/0xffff:generated=0-8192",
                                   "stev:fields=32/0/3:generated=0-4",
                                   "stev:fields=32/0/3:explicit=",
                                   "stev:fields=32/0/3:explicit=0,0",
                                   "stev:fields=32/0/3:explicit=x",
                                   "stev:fields=32/0/3:explicit=0x100000000",
                                   "stev:fields=32/0/3/1:explicit=0",
                                   "stev:fields=:explicit=0",
                                   "stev:planes=2:explicit=0",
                                   "udp:fields=16:explicit=0",
                                   "ecmp:fields=16/0xC000:explicit=0",
                                   "stev:fields=32/0x00200000:explicit=0",
                                   "stev:fields=15,1/1,16:explicit=0",
                                   "srv6:fields=32/0x5f000000,16/0x1000:explicit=0",
                                   "stev:fields=32/0/0x1ff:generated=0-256"})
    {
        const std::string fault = GetFault(text);
        EXPECT_EQ(fault.rfind(std::string("MrcBalancer::Profile=") + text, 0), 0U) << fault;
        EXPECT_EQ(fault.find('\n'), std::string::npos);
    }
}

/// A set has the EVs of its profile, within its memory, and each comes once in a rotation.
TEST(EntropySet, HasTheEvsOfAProfile)
{
    const EvProfile profile("stev:fields=13,3/0/7,7,9/1/0x3e:generated=0-255");
    ASSERT_EQ(profile.GetSlots(), 32U);
    EntropySet::Parameters parameters;
    parameters.planes = profile.GetPlanes();
    parameters.paths = 512;
    parameters.active = 256;
    std::mt19937 engine(1);
    const auto uniform = [&engine](uint32_t bound) {
        return static_cast<uint32_t>(engine() % bound);
    };
    EntropySet set(parameters, uniform, &profile);
    EXPECT_LE(set.GetBytes(), 512U);
    std::set<std::pair<uint32_t, uint32_t>> used;
    for (uint32_t packet = 0; packet < 256; ++packet)
    {
        const auto entry = set.Choose(UINT32_MAX, UINT32_MAX, uniform);
        ASSERT_TRUE(entry);
        const uint32_t path = set.GetPath(*entry);
        EXPECT_EQ(path % 2, 1U);
        EXPECT_EQ(set.Find(entry->plane, path)->slot, entry->slot);
        used.emplace(entry->plane, path);
    }
    EXPECT_EQ(used.size(), 256U);
    EXPECT_FALSE(set.Find(0, 0));
}

/// The first EV of a list is in use at first, and its backups are in random order.
TEST(EntropySet, BeginsWithTheFirstEvsOfAList)
{
    const EvProfile profile("stev:fields=29,3/0/7:explicit=5,0,1,2,3,4,6,7");
    EXPECT_TRUE(profile.IsOrdered());
    EXPECT_FALSE(EvProfile("stev:fields=29,3/0/7:generated=0-7").IsOrdered());
    EntropySet::Parameters parameters;
    parameters.paths = 8;
    parameters.active = 1;
    parameters.leastActive = 1;
    std::set<uint32_t> backups;
    for (uint32_t seed = 0; seed < 50; ++seed)
    {
        std::mt19937 engine(seed);
        const auto uniform = [&engine](uint32_t bound) {
            return static_cast<uint32_t>(engine() % bound);
        };
        EntropySet set(parameters, uniform, &profile);
        const auto first = set.Choose(1, 1, uniform);
        EXPECT_EQ(set.GetPath(*first), 5U);
        set.Retire(*first, set.GetLeast());
        backups.insert(set.GetPath(*set.Choose(1, 1, uniform)));
    }
    EXPECT_EQ(backups.size(), 7U);
}
