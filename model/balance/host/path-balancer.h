/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_BALANCER_H
#define PATH_BALANCER_H

#include "host-balancer.h"

#include "ns3/path-view.h"

#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A balancer of the host that knows the paths to the destination, and follows what is known of
 * their links (PathView).
 */
class PathBalancer : public HostBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetClosNeed() const override;
    void Connect(uint32_t source,
                 uint32_t destination,
                 std::shared_ptr<const PathView> paths) override;

  protected:
    /// Take what is usable, if anything has changed since it was taken. To be called before a
    /// choice.
    void Update()
    {
        if (m_isNew || m_version != m_paths->GetVersion())
        {
            m_version = m_paths->GetVersion();
            Rebuild(m_isNew);
            m_isNew = false;
        }
    }

    /// @return the number of planes
    uint16_t GetPlanes() const;

    /// @return the paths that are usable now, by label  @param plane in this plane
    std::vector<LabelledPaths> GetPaths(uint16_t plane) const;

    /**
     * A rotation over the planes in which each path has the same share: the weight of a plane is
     * its number of paths (interleaved weighted round robin), as RhoMax() assumes.
     *
     * @return the planes in the order of service, from the lowest one on
     */
    std::vector<uint16_t> SchedulePlanes() const;

  private:
    /// Take the paths that are usable now.  @param isFirst none were taken since Connect()
    virtual void Rebuild(bool isFirst) = 0;

    bool m_isNew{true};                      //!< nothing was taken yet
    uint32_t m_source{0};                    //!< the host that sends
    uint32_t m_destination{0};               //!< the host that receives
    std::shared_ptr<const PathView> m_paths; //!< what is alive
    uint64_t m_version{0};                   //!< of the paths that were taken
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_BALANCER_H */
