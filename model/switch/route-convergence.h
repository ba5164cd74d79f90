/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUTE_CONVERGENCE_H
#define ROUTE_CONVERGENCE_H

#include "fabric-switch.h"

#include "ns3/fabric-channel.h"
#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/wecmp-table.h"

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
 * The routing of a fabric, reduced to its result: a Delay after a link was cut or restored, all
 * switches have the weights (WecmpTable) that suit the links as they were when that happened (arXiv
 * 2507.21372, section 5.3, where the delay is G). No messages are simulated for it.
 *
 * The two switches at a link know from then on what the link is, if they have not detected it by
 * themselves (FabricSwitch::DetectionDelay).
 */
class RouteConvergence : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RouteConvergence();
    ~RouteConvergence() override;

    /**
     * Watch the links of a fabric and serve its switches. Links that are cut already count as if
     * they were cut now. To be called once; it need not be kept then.
     *
     * @param graph the fabric's description; must outlive the simulation
     * @param switches the switches, by id
     * @param channels the links, by id
     */
    void Install(const FabricGraph& graph,
                 const std::vector<Ptr<FabricSwitch>>& switches,
                 const std::vector<Ptr<FabricChannel>>& channels);

    /// @return whether a link is alive as far as all know  @param link id of the link
    bool IsKnownAlive(uint32_t link) const;

    /// @return how many times weights were computed
    uint64_t GetConvergences() const;

    /// @return how many switches had to change something, each time added up
    uint64_t GetUpdatedSwitches() const;

    /**
     * Signature of the LinkKnown trace source.
     *
     * @param link id of the link
     * @param alive whether frames cross it, as all know from now on
     */
    typedef void (*LinkKnownTracedCallback)(uint32_t link, bool alive);

    /**
     * Signature of the Converged trace source.
     *
     * @param links how many links all know more about
     * @param switches how many switches had to change something
     */
    typedef void (*ConvergedTracedCallback)(uint32_t links, uint32_t switches);

  protected:
    void DoDispose() override;

  private:
    /// A change of a link that the other switches do not know yet.
    struct LinkChange
    {
        int64_t due;   //!< when they know it, in picoseconds
        uint32_t link; //!< id of the link
        bool up;       //!< whether it is alive
    };

    /// A link was cut or restored.  @param link id of the link  @param up whether frames pass
    void LinkChanged(uint32_t link, bool up);

    /// Apply the changes that are due, and compute the weights anew.
    void Converge();

    /// Every switch knows a change now.  @param link id of the link  @param up whether it is alive
    void ApplyChange(uint32_t link, bool up);

    /// Set the state of a switch's port to the actual state of its link.  @param end the port
    void UpdatePortState(const FabricEnd& end) const;

    /// Give a switch its weights.  @param id the switch  @param table the weights of all
    void Update(uint32_t id, const WecmpTable& table) const;

    const FabricGraph* m_graph{nullptr};                //!< the fabric
    std::vector<Ptr<FabricSwitch>> m_switches;          //!< by id
    Time m_delay;                                       //!< until all know
    std::vector<LinkChange> m_pending;                  //!< in the order of the changes
    std::vector<bool> m_known;                          //!< alive as far as all know, by link
    std::optional<WecmpTable> m_table;                  //!< the weights that switches have
    uint64_t m_convergences{0};                         //!< times that weights were computed
    uint64_t m_updated{0};                              //!< switches that were changed then
    TracedCallback<uint32_t, bool> m_knownTrace;        //!< a link's state is known
    TracedCallback<uint32_t, uint32_t> m_convergeTrace; //!< switches have new weights
};

} // namespace aifabric
} // namespace ns3

#endif /* ROUTE_CONVERGENCE_H */
