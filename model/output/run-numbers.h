/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_NUMBERS_H
#define RUN_NUMBERS_H

#include "ns3/collective-run.h"
#include "ns3/compute-bound.h"
#include "ns3/fabric-graph.h"
#include "ns3/flow-bound.h"
#include "ns3/flow.h"
#include "ns3/lower-bound.h"
#include "ns3/port-catalog.h"
#include "ns3/run-measures.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The numbers of a run, from what was measured (RunMeasures), in one simulation or in several: how
 * long messages took, the bounds, and sums over ports and losses. It looks at no simulation itself.
 */
class RunNumbers
{
  public:
    /// What a run is about; all must outlive the report.
    struct Parts
    {
        const FabricGraph& graph;       //!< the fabric's description
        const PortCatalog& catalog;     //!< names and layers of its ports
        const std::vector<Flow>& flows; //!< its messages
        /// Which messages of collectives they are; as far as they are any
        const std::vector<MessageOrigin>& origins;
        std::optional<IterationTimes> iteration; //!< of collectives and training iterations
        int64_t endPs;                           //!< when measuring ended
    };

    /// What is known to be the same for all messages, for the bound that the study publishes.
    struct Matrix
    {
        uint64_t bytes{0};    //!< length of each message
        uint64_t messages{0}; //!< messages that each host sends and receives; 0: no such matrix
    };

    /// How long messages took, from their start to the last ACK at the sender.
    struct FctSummary
    {
        uint64_t messages{0}; //!< how many
        int64_t maxPs{0};     //!< the longest time
        int64_t medianPs{0};  //!< at least half of them took at most this time
        int64_t p99Ps{0};     //!< at least 99 % of them took at most this time
        double meanPs{0};     //!< the mean
    };

    /// The numbers of a run.
    struct Results
    {
        int64_t cctPs{0};      //!< first start to last completion, or an iteration from its begin
        double boundPs{0};     //!< the study's closed form, or else the completion bound
        FctSummary fct;        //!< of all messages
        FctSummary orderedFct; //!< of those that are ordered
        FctSummary otherFct;   //!< of the others
        FctSummary readFct;    //!< of those that are reads
        double publishedBoundPs{0};      //!< the study's closed form; 0: none for this traffic
        double lineRateBoundPs{0};       //!< what boundPs were if hosts sent at line rate
        bool isPublished{false};         //!< it is the study's closed form
        bool isCompute{false};           //!< it is what the delays of an iteration take
        double completionBoundPs{0};     //!< no fabric does it in less
        uint64_t maxQueuePackets{0};     //!< at any switch port at any time
        double meanQueuePackets{0};      //!< over switch ports and time
        double sendingQueue{0};          //!< all frames times time, over switch ports and period
        uint64_t drops{0};               //!< frames dropped by switches
        uint64_t noRoute{0};             //!< of these, for lack of a next hop
        uint64_t linkLosses{0};          //!< frames lost on links
        uint64_t trimmed{0};             //!< trimmed frames that NICs dropped
        uint64_t framesSent{0};          //!< frames that NICs gave to the fabric
        uint64_t sentAgain{0};           //!< data packets sent again, and repair packets
        uint64_t timeouts{0};            //!< expirations of retransmission timers
        std::vector<std::size_t> failed; //!< messages that were not completed, ascending
        uint64_t packetHops{0};          //!< frames delivered over links
        double increasePercent{0};       //!< of the completion time over the bound
    };

    /// What the ports of a layer have in common.
    struct LayerTotals
    {
        double frameTime{0};     //!< frames waiting or in transmission, times time, in steps
        uint64_t maxFrames{0};   //!< waiting or in transmission at any port at any time
        uint64_t maxWaiting{0};  //!< bytes waiting at any port at any time
        uint64_t bytes{0};       //!< sent
        uint64_t mostBytes{0};   //!< sent by one port
        int64_t busyTime{0};     //!< spent sending, in steps
        int64_t mostBusyTime{0}; //!< spent sending by one port, in steps
        uint64_t refused{0};     //!< frames that did not find room
        uint64_t lostFrames{0};  //!< lost on links
    };

    /**
     * Take stock.
     *
     * @param parts what the run was about
     * @param measures what was measured, in all parts of the run
     * @param parameters what the bounds know of links, frames and NICs
     * @param matrix the traffic, if it is regular
     * @param periodPs the sending period, in ps
     */
    RunNumbers(const Parts& parts,
               RunMeasures measures,
               const BoundParameters& parameters,
               const Matrix& matrix,
               int64_t periodPs);

    /// @return what the run was about
    const Parts& GetParts() const
    {
        return m_parts;
    }

    /// @return what was measured
    const RunMeasures& GetMeasures() const
    {
        return m_measures;
    }

    /// @return the numbers
    const Results& GetResults() const
    {
        return m_results;
    }

    /// @return what the ports of each layer have in common, by layer
    const std::vector<LayerTotals>& GetLayers() const
    {
        return m_layers;
    }

    /// @return time from the first start until measuring ended, in ps, at least 1
    int64_t GetMeasuredPs() const
    {
        return m_measuredPs;
    }

    /// @return the sending period, in ps
    int64_t GetPeriodPs() const
    {
        return m_periodPs;
    }

    /// @return bytes that the busiest NIC has to send, a port
    double GetNicBytes() const
    {
        return m_nicBytes;
    }

    /// @return links of the path in the network, 0 if it is not used  @param flow a message
    uint32_t LinksOf(const Flow& flow) const;

    /// @return a message with the number of its pieces  @param message its number
    Flow GetSent(std::size_t message) const;

    /// @return what messages take at least, alone and at line rate
    FlowBound GetIdeal() const;

  private:
    /// Find start and end of the run.
    void ComputeTime();

    /// Find how long messages took.
    void ComputeFlowTimes();

    /// @return what times come to  @param times the times, in ps
    static FctSummary Summarize(std::vector<int64_t> times);

    /// @return the messages that were completed, for bounds
    std::vector<Flow> GetCompleted() const;

    /**
     * Compute the bounds. The study's closed form takes it that all start at once and that the last
     * packets go far; should a run be faster for that reason, it is compared with the other bound.
     * Hosts that send at a fraction of the line rate are compared with the other bound, too, unless
     * the closed form for line rate is more: scaled to the fraction, it charges for
     * acknowledgements that fit between the data.
     *
     * @param parameters links, frames and NICs
     * @param matrix the traffic
     */
    void ComputeBounds(const BoundParameters& parameters, const Matrix& matrix);

    /// Raise the bounds to what the delays of the iteration take, if there are any.
    void AddCompute();

    /// Find what the busiest NIC has to send.  @param parameters links, frames and NICs
    void ComputeNicBytes(const BoundParameters& parameters);

    /// Add up what ports counted.
    void SumPorts();

    /// Add up what was lost, and what became of it.
    void SumLosses();

    Parts m_parts;                     //!< what the run was about
    RunMeasures m_measures;            //!< what was measured
    Results m_results;                 //!< the numbers
    BoundParameters m_lineRate;        //!< links, frames, and NICs that send at line rate
    int64_t m_periodPs;                //!< the sending period
    int64_t m_startPs{0};              //!< the first start
    int64_t m_measuredPs{1};           //!< from then until measuring ended
    std::vector<LayerTotals> m_layers; //!< by layer
    double m_nicBytes{0};              //!< what the busiest NIC has to send, a port
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_NUMBERS_H */
