/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/fabric-transmitter.h"
#include "ns3/flowlet-table.h"

namespace
{

constexpr int64_t AGEING = 1000; //!< how long entries are kept

/// @return the entry of a flow, which has a packet now
FlowletTable::Entry&
Use(FlowletTable& table, uint32_t hash, int64_t now, FabricTransmitter& port)
{
    FlowletTable::Entry& entry = table.Find(hash, now, AGEING);
    entry.port = &port;
    entry.lastSeen = now;
    return entry;
}

} // namespace

TEST(FlowletTable, AFlowKeepsItsEntry)
{
    FabricTransmitter port(nullptr);
    FlowletTable table;
    table.Resize(64);
    FlowletTable::Entry& entry = table.Find(12345, 0, AGEING);
    EXPECT_EQ(entry.port, nullptr);
    EXPECT_EQ(&Use(table, 12345, 0, port), &entry);
    for (const int64_t now : {1, 500, 5000, 1000000})
    {
        EXPECT_EQ(&Use(table, 12345, now, port), &entry);
        EXPECT_EQ(entry.port, &port);
    }
}

TEST(FlowletTable, FlowsOfASetDoNotShareUntilItIsFull)
{
    FabricTransmitter port(nullptr);
    FlowletTable table;
    table.Resize(FlowletTable::WAYS); // one set
    std::set<FlowletTable::Entry*> entries;
    for (uint32_t hash = 0; hash < FlowletTable::WAYS; ++hash)
    {
        entries.insert(&Use(table, hash, hash, port));
    }
    EXPECT_EQ(entries.size(), FlowletTable::WAYS);
    FlowletTable::Entry& shared = table.Find(99, 10, AGEING);
    EXPECT_EQ(shared.port, &port) << "one more shares";
    EXPECT_EQ(entries.count(&shared), 1);
    EXPECT_NE(shared.hash, 99);
}

TEST(FlowletTable, AnEntryWithoutPacketsIsFreeAfterItsAge)
{
    FabricTransmitter port(nullptr);
    FlowletTable table;
    table.Resize(FlowletTable::WAYS);
    for (uint32_t hash = 0; hash < FlowletTable::WAYS; ++hash)
    {
        Use(table, hash, hash == 2 ? 0 : 500, port);
    }
    EXPECT_NE(table.Find(99, AGEING, AGEING).hash, 99) << "not before";
    FlowletTable::Entry& taken = table.Find(99, AGEING + 1, AGEING);
    EXPECT_EQ(taken.hash, 99);
    EXPECT_EQ(taken.port, nullptr);
    taken.port = &port;
    taken.lastSeen = AGEING + 1;
    EXPECT_NE(table.Find(2, AGEING + 1, AGEING).hash, 2) << "its flow has lost it";
}

TEST(FlowletTable, UsesAllOfItsRoom)
{
    FabricTransmitter port(nullptr);
    FlowletTable table;
    table.Resize(4096);
    std::mt19937 random(1);
    std::set<FlowletTable::Entry*> entries;
    for (int i = 0; i < 60000; ++i)
    {
        entries.insert(&Use(table, random(), 0, port));
    }
    EXPECT_EQ(entries.size(), 4096);
}
