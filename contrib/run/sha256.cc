/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sha256.h"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// K, section 4.2.2: of the cube roots of the first 64 primes.
constexpr std::array<uint32_t, 64> ROUND_CONSTANTS = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// @return a word, rotated right by some bits
uint32_t
Rotate(uint32_t word, int bits)
{
    return word >> bits | word << (32 - bits);
}

/// @return the message schedule W of a block, section 6.2.2
std::array<uint32_t, 64>
Schedule(const uint8_t* block)
{
    std::array<uint32_t, 64> words{};
    for (std::size_t t = 0; t < words.size(); ++t)
    {
        if (t < 16)
        {
            const uint8_t* const bytes = block + 4 * t;
            words[t] = uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 |
                       uint32_t{bytes[2]} << 8 | uint32_t{bytes[3]};
            continue;
        }
        const uint32_t early = words[t - 15];
        const uint32_t late = words[t - 2];
        words[t] = (Rotate(late, 17) ^ Rotate(late, 19) ^ late >> 10) + words[t - 7] +
                   (Rotate(early, 7) ^ Rotate(early, 18) ^ early >> 3) + words[t - 16];
    }
    return words;
}

} // namespace

void
Sha256::Mix()
{
    const std::array<uint32_t, 64> words = Schedule(m_block.data());
    auto [a, b, c, d, e, f, g, h] = m_state;
    for (std::size_t t = 0; t < words.size(); ++t)
    {
        const uint32_t first = h + (Rotate(e, 6) ^ Rotate(e, 11) ^ Rotate(e, 25)) +
                               ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[t] + words[t];
        const uint32_t second =
            (Rotate(a, 2) ^ Rotate(a, 13) ^ Rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const std::array<uint32_t, 8> mixed = {a, b, c, d, e, f, g, h};
    std::transform(mixed.begin(), mixed.end(), m_state.begin(), m_state.begin(), std::plus<>());
}

void
Sha256::Add(std::string_view bytes)
{
    while (!bytes.empty())
    {
        const std::size_t used = m_bytes % BLOCK;
        const std::size_t taken = std::min(BLOCK - used, bytes.size());
        std::copy_n(bytes.begin(), taken, m_block.begin() + used);
        bytes.remove_prefix(taken);
        m_bytes += taken;
        if (used + taken == BLOCK)
        {
            Mix();
        }
    }
}

std::string
Sha256::Finish()
{
    constexpr std::size_t LENGTH = 8; // bytes of the length, which ends the last block
    const uint64_t bits = 8 * m_bytes;
    Add(std::string(1, '\x80'));
    Add(std::string((2 * BLOCK - LENGTH - m_bytes % BLOCK) % BLOCK, '\0'));
    std::string length;
    for (int shift = 56; shift >= 0; shift -= 8)
    {
        length += static_cast<char>(bits >> shift & 0xff);
    }
    Add(length);
    std::ostringstream digest;
    digest << std::hex << std::setfill('0');
    for (const uint32_t word : m_state)
    {
        digest << std::setw(8) << word;
    }
    return digest.str();
}

std::string
Sha256::OfFile(const std::string& path)
{
    constexpr std::size_t PART = 1 << 16; // bytes that are read at a time
    std::ifstream file;
    file.exceptions(std::ios::badbit);
    file.open(path, std::ios::binary);
    if (!file)
    {
        throw std::ios_base::failure(path + ": cannot be read");
    }
    Sha256 hash;
    std::vector<char> part(PART);
    while (file.read(part.data(), PART) || file.gcount() > 0)
    {
        hash.Add({part.data(), static_cast<std::size_t>(file.gcount())});
    }
    return hash.Finish();
}

} // namespace aifabric
} // namespace ns3
