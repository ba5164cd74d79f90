/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "piece-carrier.h"

namespace ns3
{
namespace aifabric
{

PieceCarrier::~PieceCarrier() = default;

} // namespace aifabric
} // namespace ns3
