/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEST_SUITE_H
#define TEST_SUITE_H

#include "ns3/test.h"

#include <string>
#include <tuple>

namespace fabrictest
{

/// A row of a table: a case that calls Check() of a class derived from FabricTestCase.
template <typename Fixture, typename... Args>
struct RowCase : public Fixture
{
    RowCase(const std::string& name, Args... args)
        : ns3::TestCase(name),
          m_args(args...)
    {
    }

    void DoRun() override
    {
        std::apply([this](const Args&... args) { this->Check(args...); }, m_args);
    }

    std::tuple<Args...> m_args; //!< of the call
};

/// A test suite to which each test case adds itself where it is written.
class Suite : public ns3::TestSuite
{
  public:
    /// @param type unit tests, or tests of a whole fabric
    explicit Suite(const std::string& name, ns3::TestSuite::Type type = ns3::TestSuite::Type::UNIT)
        : ns3::TestSuite(name, type)
    {
    }

    /// @return true  @param testCase a test case of this suite
    bool Add(ns3::TestCase* testCase)
    {
        AddTestCase(testCase);
        return true;
    }

    /// Add a row of a table.  @tparam Fixture has its Check(), which gets the arguments
    template <typename Fixture, typename... Args>
    void AddRow(const std::string& name, Args... args)
    {
        Add(new RowCase<Fixture, Args...>(name, args...));
    }

    /// @return true  @param add adds the rows of tables
    bool AddRows(void (*add)(Suite&))
    {
        add(*this);
        return true;
    }
};

} // namespace fabrictest

#define FABRIC_TEST_CLASS(fixture, suite, name, id)                                                \
    struct id : public fixture                                                                     \
    {                                                                                              \
        id()                                                                                       \
            : ns3::TestCase(name)                                                                  \
        {                                                                                          \
        }                                                                                          \
        void DoRun() override;                                                                     \
    };                                                                                             \
    [[maybe_unused]] static const bool id##IsAdded = suite.Add(new id);                            \
    void id::DoRun()
#define FABRIC_TEST_NAMED(fixture, suite, name, line)                                              \
    FABRIC_TEST_CLASS(fixture, suite, name, suite##Case##line)
#define FABRIC_TEST_AT(fixture, suite, name, line) FABRIC_TEST_NAMED(fixture, suite, name, line)

/// A test case of a suite that uses what a class derived from FabricTestCase has; its body follows.
#define FABRIC_TEST_F(fixture, suite, name) FABRIC_TEST_AT(fixture, suite, name, __LINE__)

/// A test case of a suite; its body follows.
#define FABRIC_TEST(suite, name) FABRIC_TEST_F(fabrictest::FabricTestCase, suite, name)

/// The rows of a suite's tables, which the body that follows adds to `rows`.
#define FABRIC_ROWS(suite)                                                                         \
    static void suite##AddRows(fabrictest::Suite& rows);                                           \
    [[maybe_unused]] static const bool suite##HasRows = suite.AddRows(suite##AddRows);             \
    static void suite##AddRows(fabrictest::Suite& rows)

#endif /* TEST_SUITE_H */
