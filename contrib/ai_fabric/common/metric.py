# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A result of a run as people say it: its name, unit and size."""

from dataclasses import dataclass

from ai_fabric.common.units import unit_of

NAMES = {
    "cct_ns": "completion time",
    "max_fct_ns": "longest flow",
    "p99_fct_ns": "99th percentile of flows",
    "mean_fct_ns": "mean flow",
    "increase_percent": "increase over the lower bound",
    "max_queue_packets": "largest queue",
}
RESULTS = """acks background.* bound_ns cct_ns cnps cnps_received completion_bound_ns convergences cpu_s cts_p99_ns data_packets
    discarded_packets drops drops_by_reason.* events aggregation.* collectives.* failed_links failed_messages increase_percent
    job.* layers.* line_rate_bound_ns link_losses longest_pause_ns loop_wall_s lossless_drops max_active_queue_pairs
    max_fct_ns max_queue_packets max_reordering_packets mean_fct_ns mean_queue_packets measured_ns message_bytes messages
    nacks nic_bytes ordered_max_fct_ns ordered_mean_fct_ns ordered_messages ordered_p99_fct_ns out_of_sequence p99_fct_ns
    packet_hops packet_hops_per_cpu_s pause_ns pause_storms pauses peak_rss_bytes plane_bytes_ratio policies.*
    published_bound_ns ranks read_max_fct_ns read_mean_fct_ns read_median_fct_ns read_p99_fct_ns reads repair_packets
    retransmissions rho rho_max sending_period_ns sending_queue_packets threads timeouts trims unordered_max_fct_ns
    unordered_mean_fct_ns unordered_p99_fct_ns updated_switches uplink_utilization.* wall_s watchdog_drops watchdog_storms
    worst_link_overload""".split()  # numbers in results of run.json; what has an asterisk has numbers in it
TIMES = (("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1))


@dataclass
class Metric:
    """A column of results. unit, scale: in which its values are said."""

    column: str
    unit: str = ""
    scale: float = 1
    name: str = ""

    @property
    def said(self) -> str:
        """The name in a sentence: that of a column stands as it is."""
        return self.name if self.name == self.column else f"a {self.name}"

    def text(self, value: float) -> str:
        """A value with its unit."""
        return f"{self.number(value)} {self.unit}".strip()

    def number(self, value: float) -> str:
        scaled = value / self.scale
        return f"{scaled:.4g}" if abs(scaled) < 10000 else f"{scaled:.0f}"

    def words(self, percent: bool) -> tuple[str, str]:
        """What is said of more and of less."""
        return ("longer", "shorter") if self.column.endswith("_ns") and percent else ("higher", "lower")


def is_result(column: str) -> bool:
    """Whether a run may have a result of this name; the workload and the policies decide whether it does."""
    group, dot, _ = column.partition(".")
    return f"{group}.*" in RESULTS if dot else column in RESULTS


def metric_of(column: str, typical: float) -> Metric:
    """The metric of a column whose values are about as large as a typical one."""
    name = NAMES.get(column, column)
    if column.endswith("_ns"):
        unit, scale = next(((unit, scale) for unit, scale in TIMES if typical >= 1.5 * scale), TIMES[-1])
        return Metric(column, unit, scale, name)
    return Metric(column, unit_of(column), 1, name)
