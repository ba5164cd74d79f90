/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEST_SUITE_H
#define TEST_SUITE_H

#include "ns3/test.h"

#include <functional>
#include <string>

namespace fabrictest
{

/// A test suite to which each test case adds itself where it is written.
class Suite : public ns3::TestSuite
{
  public:
    /// @param type unit tests, or tests of a whole fabric
    explicit Suite(const std::string& name, ns3::TestSuite::Type type = ns3::TestSuite::Type::UNIT)
        : ns3::TestSuite(name, type)
    {
    }

    using ns3::TestSuite::AddTestCase;

    /// @return true  @param testCase a test case of this suite
    bool Add(ns3::TestCase* testCase)
    {
        AddTestCase(testCase);
        return true;
    }

    /// @return true  @param rows adds a test case for each row of a table
    bool AddRows(const std::function<void(Suite&)>& rows)
    {
        rows(*this);
        return true;
    }
};

} // namespace fabrictest

#define FABRIC_TEST_CLASS(fixture, suite, name, id)                                                \
    struct id : public fixture                                                                     \
    {                                                                                              \
        id()                                                                                       \
            : fixture(name)                                                                        \
        {                                                                                          \
        }                                                                                          \
        void DoRun() override;                                                                     \
    };                                                                                             \
    [[maybe_unused]] static const bool id##IsAdded = suite.Add(new id);                            \
    void id::DoRun()
#define FABRIC_TEST_NAMED(fixture, suite, name, line)                                              \
    FABRIC_TEST_CLASS(fixture, suite, name, suite##Case##line)
#define FABRIC_TEST_AT(fixture, suite, name, line) FABRIC_TEST_NAMED(fixture, suite, name, line)

/// A test case of a suite that uses what a class derived from ns3::TestCase has; its body follows.
#define FABRIC_TEST_F(fixture, suite, name) FABRIC_TEST_AT(fixture, suite, name, __LINE__)

/// A test case of a suite; its body follows.
#define FABRIC_TEST(suite, name) FABRIC_TEST_F(fabrictest::FabricTestCase, suite, name)

#endif /* TEST_SUITE_H */
