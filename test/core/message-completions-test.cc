/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/function-callback.h"
#include "ns3/message-completions.h"
#include "ns3/queue-pair.h"

using namespace ns3;

TEST(MessageCompletions, AMessageHasItsOwnCallbackBeforeThatOfAll)
{
    std::vector<std::string> calls;
    MessageCompletions completions;
    completions.SetSendCallback(FunctionCallback<void, Ptr<QueuePair>, uint64_t, uint32_t>(
        [&calls](Ptr<QueuePair>, uint64_t bytes, uint32_t key) {
            calls.push_back("sent " + std::to_string(bytes) + " key " + std::to_string(key));
        }));
    completions.Post(0, MessageCompletions::MessageCallback());
    completions.Post(
        1,
        FunctionCallback<void, Ptr<QueuePair>, uint64_t>([&calls](Ptr<QueuePair>, uint64_t bytes) {
            calls.push_back("own " + std::to_string(bytes));
        }));
    completions.CompleteSent(nullptr, 0, 100, 7);
    completions.CompleteSent(nullptr, 1, 200, 8);
    completions.CompleteSent(nullptr, 2, 300, 9);
    completions.CompleteReceived(nullptr, 400, 10); // nobody is to be called
    const std::vector<std::string> expected = {"sent 100 key 7",
                                               "own 200",
                                               "sent 200 key 8",
                                               "sent 300 key 9"};
    EXPECT_EQ(calls, expected);
    completions.Post(3,
                     FunctionCallback<void, Ptr<QueuePair>, uint64_t>(
                         [&calls](Ptr<QueuePair>, uint64_t) { calls.push_back("own"); }));
    completions.Dispose();
    completions.CompleteSent(nullptr, 3, 400, 10);
    EXPECT_EQ(calls, expected) << "nobody is called any more";
}
