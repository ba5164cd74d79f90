/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Time that a program spends in MPI, by MPI's profiling interface (MPI 4.0, 15.2): a library that
 * is preloaded stands before the calls that ns-3's engines make in their event loops. When a rank
 * ends it prints on stderr, after "mpi-time", key=value pairs: rank; wait_s, spent where a rank
 * waits for others (MPI_Allgather of granted time, MPI_Waitany of null messages), and waits, how
 * many such calls; exchange_s, spent to send, and to ask for, messages; and sends, how many
 * messages.
 */

#include <cstdint>
#include <cstdio>
#include <mpi.h>

namespace
{

/// Calls of one kind.
struct Calls
{
    double seconds{0}; //!< spent in them
    uint64_t count{0}; //!< how many
};

Calls g_waits;     //!< for other ranks
Calls g_sends;     //!< of messages
Calls g_questions; //!< whether messages have come, or gone

/// @return what MPI returned  @param calls where to count a call  @param call the call
template <typename Call>
int
Count(Calls& calls, const Call& call)
{
    const double begin = PMPI_Wtime();
    const int result = call();
    calls.seconds += PMPI_Wtime() - begin;
    ++calls.count;
    return result;
}

} // namespace

extern "C"
{
    int MPI_Allgather(const void* mine,
                      int count,
                      MPI_Datatype type,
                      void* all,
                      int allCount,
                      MPI_Datatype allType,
                      MPI_Comm ranks)
    {
        return Count(g_waits, [&] {
            return PMPI_Allgather(mine, count, type, all, allCount, allType, ranks);
        });
    }

    int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status)
    {
        return Count(g_waits, [&] { return PMPI_Waitany(count, requests, index, status); });
    }

    int MPI_Isend(const void* data,
                  int count,
                  MPI_Datatype type,
                  int destination,
                  int tag,
                  MPI_Comm ranks,
                  MPI_Request* request)
    {
        return Count(g_sends, [&] {
            return PMPI_Isend(data, count, type, destination, tag, ranks, request);
        });
    }

    int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status)
    {
        return Count(g_questions,
                     [&] { return PMPI_Testany(count, requests, index, flag, status); });
    }

    int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status)
    {
        return Count(g_questions, [&] { return PMPI_Test(request, flag, status); });
    }

    int MPI_Finalize()
    {
        int rank = 0;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        std::fprintf(stderr,
                     "mpi-time rank=%d wait_s=%.6f waits=%llu exchange_s=%.6f sends=%llu\n",
                     rank,
                     g_waits.seconds,
                     static_cast<unsigned long long>(g_waits.count),
                     g_sends.seconds + g_questions.seconds,
                     static_cast<unsigned long long>(g_sends.count));
        return PMPI_Finalize();
    }

} // extern "C"
