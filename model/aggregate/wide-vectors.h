/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WIDE_VECTORS_H
#define WIDE_VECTORS_H

#include <cstdint> // defines __GLIBC__, if that is the C library

/**
 * @ingroup ai-fabric
 *
 * Stands before a function with a loop over the values of a packet. Where compiler and C library
 * support it, the function is compiled for AVX2 too, which processes twice as many values at a
 * time, and the program calls what the processor has. Results are the same: AVX2 comes without
 * fused multiplications, which would round differently.
 */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define AIFABRIC_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define AIFABRIC_WIDE_VECTORS
#endif

#endif /* WIDE_VECTORS_H */
