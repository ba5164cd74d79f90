/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FATAL_ERROR_LINE_H
#define FATAL_ERROR_LINE_H

#include <exception>
#include <functional>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>

namespace ns3
{
namespace aifabric
{

/// Turns the end that ns-3 makes of a program (NS_FATAL_ERROR, NS_ABORT_MSG, NS_ASSERT: a message
/// of several parts and a signal) into one line on stderr and exit status 1. For programs that
/// promise that whatever their input. ns-3 has no way to catch that end. There may be one at a
/// time.
class FatalErrorLine
{
  public:
    /// From now on, fatal errors end the program with one line.  @param program the name that
    /// begins the line
    explicit FatalErrorLine(const std::string& program);

    /// From now on, they do what they do in any ns-3 program.
    ~FatalErrorLine();

    FatalErrorLine(const FatalErrorLine&) = delete;
    FatalErrorLine& operator=(const FatalErrorLine&) = delete;

    /// @param context what the line says after the program's name, such as the option that is being
    /// looked at; may be empty  @param message what it says then instead of ns-3's own message;
    /// empty: that
    static void SetContext(const std::string& context, const std::string& message = "");

    /// @param cleanup called before the line is written and all ranks are ended; may be null
    static void SetCleanup(std::function<void()> cleanup);

    /// @return stderr, past the line that is kept back to see whether it is fatal
    std::ostream& GetStream();

  private:
    class LineKeeper;

    /// Write the line and end the program.
    [[noreturn]] static void Terminate();

    static FatalErrorLine* g_instance; //!< the one that there is

    std::string m_program;                //!< begins the line
    std::string m_context;                //!< follows it
    std::string m_message;                //!< instead of ns-3's message; empty: that
    std::function<void()> m_cleanup;      //!< called before the line
    std::streambuf* m_stderr;             //!< where std::cerr went
    std::streambuf* m_stdlog;             //!< where std::clog went
    std::unique_ptr<LineKeeper> m_keeper; //!< where both go
    std::ostream m_stream;                //!< to stderr
    std::terminate_handler m_terminate;   //!< what the end was
};

} // namespace aifabric
} // namespace ns3

#endif /* FATAL_ERROR_LINE_H */
