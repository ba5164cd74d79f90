/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PINNED_BALANCER_H
#define PINNED_BALANCER_H

#include "host-balancer.h"

#include "ns3/callback.h"

#include <optional>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Source routing on a single path, which the steering chooses that splits messages over queue pairs
 * (arXiv 2407.00550). When the retransmission timer expires, that one is asked for another path.
 * Without a path it keeps one entropy as an ordinary NIC does, but one of the 2^14 below
 * PathChoice::FIRST_PORT, which PathLabelBalancer takes for no label and hashes.
 *
 * The steering creates it; it is not listed among the balancers to choose from.
 */
class PinnedBalancer : public HostBalancer
{
  public:
    /// Called with the label of a path that has failed; returns the label of the next path.
    using FailureCallback = Callback<std::optional<uint16_t>, uint16_t>;

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool KeepsPaths() const override;
    Ptr<HostBalancer> Fork() const override;

    /**
     * Send by a path from now on.
     *
     * @param label its label, as PathView numbers paths; none: switches hash, and the plane is that
     * of the fixed entropy
     * @param plane its plane; of no meaning without a label
     */
    void SetPath(std::optional<uint16_t> label, uint16_t plane = 0);

    /// @return the label of the path, if there is one
    std::optional<uint16_t> GetPath() const;

    /// @return the plane of the path; of no meaning without a label
    uint16_t GetPlane() const;

    /**
     * @param choose whom to ask for another path when the retransmission timer expires. What it
     * returns is the label from then on, in the same plane, unless it calls SetPath to change the
     * plane. Null: the path is kept
     */
    void SetFailureCallback(FailureCallback choose);

    std::string GetClosNeed() const override;
    std::optional<PathChoice> Choose(const PathRequest& request) override;
    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now) override;
    TypeId GetSwitchBalancer() const override;

  protected:
    void DoDispose() override;

  private:
    std::optional<uint16_t> m_label; //!< the label of the path
    uint16_t m_plane{0};             //!< its plane
    FailureCallback m_choose;        //!< whom to ask for another path
};

} // namespace aifabric
} // namespace ns3

#endif /* PINNED_BALANCER_H */
