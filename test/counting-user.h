/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COUNTING_USER_H
#define COUNTING_USER_H

#include "fabric-test.h"

#include "ns3/message-service.h"

namespace fabrictest
{

class CountingUser : public MessageUser
{
  public:
    void MessageReceived(uint32_t) override
    {
        ++received;
    }

    void MessageCompleted(uint32_t) override
    {
        ++completed;
    }

    uint32_t received{0};  //!< messages that came
    uint32_t completed{0}; //!< messages that were acknowledged
};

} // namespace fabrictest

#endif /* COUNTING_USER_H */
