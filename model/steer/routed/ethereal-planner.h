/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHEREAL_PLANNER_H
#define ETHEREAL_PLANNER_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The rule of Ethereal (arXiv 2407.00550, version 2, Algorithm 1): how the flows of one group,
 * which have one source, one destination leaf and one size, are split and dealt to paths. Sizes
 * that differ by one byte, as the parts of a buffer do, count as one size.
 *
 * Of n flows over s paths, n = q s + r with r < s, the first q s flows stay whole and take the
 * paths in turn. Each of the other r is split into m = s / gcd(r, s) equal pieces, which go on
 * taking the paths in turn.
 *
 * Law: if the size is a multiple of m, each path gets the same number of bytes, n / s of a flow's,
 * whatever n and s are. If it is not, one path gets at most r / gcd(r, s) bytes more than another
 * (CUMULATIVE), or m - 1 times that (LAST_PIECE). Sizes that differ by a byte add one byte a flow.
 *
 * No piece is shorter than minPieceBytes unless a whole flow is. Where equal pieces would be, each
 * flow has fewer, as many as may be, and the paths' numbers of these pieces differ by one at most.
 */
class EtherealPlanner
{
  public:
    /// How flows are split.
    enum class Split : uint8_t
    {
        EQUAL_PIECES, //!< as in the paper: r m pieces
        END_TO_END,   //!< not Ethereal, an extension: the r flows are laid end to end and cut where
                      //!< the next path begins: r + s - gcd(r, s) pieces, which is the least
        //!< possible, of different sizes. CUMULATIVE: paths differ by one byte at most
    };

    /// Where the bytes go if a flow is not a multiple of its number of pieces.
    enum Rounding : uint8_t
    {
        CUMULATIVE, //!< piece j ends at the whole number below (j + 1) / m of the flow; of the i-th
                    //!< flow that is split into equal pieces, its i-th such piece comes first
        LAST_PIECE, //!< all to the last piece, as in the authors' simulator
    };

    /// The parameters.
    struct Parameters
    {
        Split split{Split::EQUAL_PIECES};        //!< how flows are split
        Rounding rounding{Rounding::CUMULATIVE}; //!< where the odd bytes go
        uint64_t minPieceBytes{1};               //!< bytes of a piece, at least; at least 1
    };

    /// The numbers of a group.
    struct Shares
    {
        uint32_t whole{0};  //!< q s: flows that stay whole
        uint32_t split{0};  //!< r: flows that are split
        uint32_t factor{1}; //!< m: pieces of each of these; 1 if there are none
    };

    /// What one queue pair sends.
    struct Piece
    {
        uint32_t flow{0};   //!< index of its flow in the group
        uint64_t bytes{0};  //!< its size, in bytes; 0 only if the flow is empty
        uint16_t path{0};   //!< label of its path
        uint32_t pieces{1}; //!< number of pieces of its flow
    };

    /**
     * @throws std::invalid_argument if minPieceBytes is 0
     */
    explicit EtherealPlanner(const Parameters& parameters);

    /**
     * @param flows n, the number of flows
     * @param paths s, the number of paths
     * @return how many flows are split, and into how many pieces if these are equal and not too
     * short
     * @throws std::invalid_argument if there is no path
     */
    static Shares Divide(uint32_t flows, uint32_t paths);

    /**
     * Split a group and deal it to paths.
     *
     * @param bytes size of each flow, in bytes; they should differ by one at most
     * @param paths the labels of the paths that may be used, in the order in which they are taken
     * @return the pieces by flow, each flow's from its first byte to its last; an empty flow has
     * one
     * @throws std::invalid_argument if there is no path
     */
    std::vector<Piece> Plan(const std::vector<uint64_t>& bytes,
                            const std::vector<uint16_t>& paths) const;

    /**
     * Count pieces without making them.
     *
     * @param bytes size of each, in bytes
     * @return the number of pieces that Plan() makes; at most so many with END_TO_END if
     * minPieceBytes limits them
     * @throws std::invalid_argument if there is no path
     */
    uint64_t CountPieces(uint32_t flows, uint64_t bytes, uint32_t paths) const;

    /**
     * Part a batch into groups of flows of one size: in a group sizes differ by one byte at most,
     * which is the rounding of a buffer that is parted. If each group is balanced, the batch is.
     *
     * @param bytes the flows' sizes, in bytes
     * @return of each group the indices of its flows, ascending; the groups by their first flow
     */
    static std::vector<std::vector<uint32_t>> GroupBySize(const std::vector<uint64_t>& bytes);

  private:
    /// @return pieces of a flow that is split  @param shares of its group  @param bytes its size
    uint32_t LimitFactor(const Shares& shares, uint64_t bytes) const;

    /// The flows that are split.
    struct Remainder
    {
        uint32_t first{0};                  //!< index of the first
        uint32_t flows{0};                  //!< their number
        uint32_t factor{1};                 //!< parts of each
        const std::vector<uint64_t>& bytes; //!< size of each flow of the group, in bytes
    };

    /**
     * Split into equal pieces.
     *
     * @param remainder the flows
     * @param paths the labels of the paths
     * @param [out] plan where the pieces are added
     */
    void SplitEqually(const Remainder& remainder,
                      const std::vector<uint16_t>& paths,
                      std::vector<Piece>& plan) const;

    /**
     * Split into equal parts, of which neighbors that take the same path are one piece.
     *
     * @param remainder the flows
     * @param paths the labels of the paths
     * @param [out] plan where the pieces are added
     */
    void SplitEndToEnd(const Remainder& remainder,
                       const std::vector<uint16_t>& paths,
                       std::vector<Piece>& plan) const;

    /**
     * @param remainder the flows
     * @param flow one of them, counted from the first
     * @param part number of a part, or the factor
     * @return the bytes of the flow before that part
     */
    uint64_t BytesBefore(const Remainder& remainder, uint32_t flow, uint64_t part) const;

    Parameters m_parameters; //!< the parameters
};

} // namespace aifabric
} // namespace ns3

#endif /* ETHEREAL_PLANNER_H */
