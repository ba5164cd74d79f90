# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The answer of a study, in sentences with numbers: for each case the best scheme or the baseline beside each other one,
n, what more seeds would say, and in which cases the order changes."""

import itertools
from collections.abc import Iterable, Mapping, Sequence

from ai_fabric.common.metric import Metric
from ai_fabric.common.interval import CONFIDENCE
from ai_fabric.study.paired import Estimate, Paired, corrected

MANY_SCHEMES = 6  # beside another one, from which on those that are clearly worse share a sentence
MANY_CHANGES = 10  # changes of order, from which on they are counted
MANY_CASES = 6  # whose orders are named
MANY_DOUBTS = 6  # differences that a correction leaves open, which are named


def joined(texts: Iterable[str]) -> str:
    """Texts as a list in a sentence."""
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last


def signed(value: float, digits: int) -> str:
    """A number with digits behind the point, without the sign of what is rounded to zero."""
    return f"{round(value, digits) + 0:.{digits}f}"


def digits_for(values: Iterable[float]) -> int:
    """How many digits behind the point, up to 3, keep the smallest value from being rounded to 0."""
    least = min((abs(value) for value in values if value), default=1)
    return next((digits for digits in (1, 2) if least >= 10 ** -digits), 3)


def size_of(found: Estimate, metric: Metric) -> str:
    """A difference with its interval: 3.3 % longer (95 % interval 1.1 to 5.5 %)."""
    unit, scale = ("%", 1) if found.percent else (metric.unit, metric.scale)
    more, less = metric.words(found.percent)
    mean, half, sign = found.mean / scale, found.half / scale, -1 if found.mean < 0 else 1
    if found.is_constant() and not mean:
        return "the same"
    digits = digits_for([mean] if found.count < 2 else [mean, half, mean - half, mean + half])
    text = f"{signed(abs(mean), digits)} {unit}".strip() + f" {more if sign > 0 else less}"
    if found.count < 2:
        return f"{text} (one seed: no interval)"
    if found.is_constant():
        return f"{text} (in each seed)"
    low, high = sorted((sign * (mean - half), sign * (mean + half)))
    return f"{text} (95 % interval {signed(low, digits)} to {signed(high, digits)} {unit})".replace(" )", ")")


def need_of(found: Estimate) -> str:
    """What more seeds would say of a difference that is not clear; nothing of one that is."""
    if found.count < 2 or found.is_clear() or found.is_constant():
        return ""
    seeds = found.seeds_to_be_clear()
    if seeds is None:
        return "the interval has 0 in it, and thousands of seeds would not tell them apart"
    return f"the interval has 0 in it: about {max(seeds, found.count + 1)} seeds would tell them apart"


def compare(paired: Paired, scheme: str, other: str, metric: Metric) -> str:
    """A scheme beside another one, in a part of a sentence."""
    found = paired.over(scheme, other)
    if not found.count:
        return f"{scheme}: no seed finished in both"
    some = found.count < max(len(paired.values[scheme]), len(paired.values[other]))
    parts = [f"{scheme} {size_of(found, metric)}", need_of(found), f"n = {found.count} for this one" if some else ""]
    return "; ".join(filter(None, parts))


def count_of(paired: Paired, seeds: Sequence[int]) -> str:
    """How many seeds, and whether they change anything."""
    count = len(seeds)
    if count == 1:
        return "n = 1 seed"
    schemes = [name for name in paired.values if len(paired.values[name]) > 1]
    constant = [name for name in schemes if paired.mean(name).is_constant()]
    if constant and len(constant) == len(schemes):
        return f"n = {count} seeds, which change nothing: one run says the same"
    note = f"; no seed changes {joined(constant)}" if constant else ""
    return f"n = {count} paired seeds{note}"


def beside(paired: Paired, first: str, metric: Metric) -> str:
    """All others beside a scheme, a sentence each. Of many, those that are clearly worse are in one sentence."""
    others = [name for name in paired.order() if name != first]
    found = {name: paired.over(name, first) for name in others}
    worse = [name for name in others if name not in paired.incomplete and paired.beats(first, name)]
    if len(others) <= MANY_SCHEMES or len(worse) < 2:
        return ". ".join(compare(paired, name, first, metric) for name in others)
    sizes = [abs(found[name].mean) / (1 if paired.percent else metric.scale) for name in worse]
    more, less = metric.words(paired.percent)
    word, unit = (more if paired.sign > 0 else less), "%" if paired.percent else metric.unit
    texts = [compare(paired, name, first, metric) for name in others if name not in worse]
    texts.append(f"{joined(worse)} are clearly {word}, by {signed(min(sizes), 1)} to {signed(max(sizes), 1)} {unit}")
    return ". ".join(texts)


def sentence(name: str, paired: Paired, metric: Metric, seeds: Sequence[int], baseline: str = "") -> str:
    """The answer for a case."""
    order = paired.order()
    if not order:
        return f"{name}: no run finished."
    first = baseline if baseline in order else order[0]
    value = metric.text(paired.mean(first).mean)
    complete = first not in paired.incomplete
    role = "baseline" if first == baseline else "best" if complete else "best, of the runs that finished,"
    if len(order) == 1:
        return f"{name}: only {first} finished, with {metric.said} of {value}; {count_of(paired, seeds)}."
    missing = f" The baseline {baseline} has no run that finished." if baseline and baseline not in order else ""
    best = f" The best mean is that of {order[0]}." if baseline and order[0] != first else ""
    return (f"{name}: {role} is {first}, with {metric.said} of {value}, {count_of(paired, seeds)}. Beside it: "
            f"{beside(paired, first, metric)}.{best}{missing}")


def winners(paired: Paired) -> dict[tuple[str, str], None]:
    """The pairs of schemes of which the first one is clearly better, in order."""
    return dict.fromkeys((one, two) for one, two in itertools.permutations(paired.values, 2) if paired.beats(one, two))


def changes(cases: Mapping[str, Paired]) -> str:
    """In which cases the order of schemes is another one. cases: Paired by name."""
    orders = {name: order for name, paired in cases.items() if (order := paired.order())}
    if len(orders) < 2:
        return ""
    wins = {name: winners(paired) for name, paired in cases.items()}
    found = [(a, b, one, two) for one, two in itertools.combinations(cases, 2)
             for a, b in wins[one] if (b, a) in wins[two]]
    pairs = {frozenset(places[:2]) for places in found}
    if len(found) > MANY_CHANGES:
        return (f"The order changes: {len(pairs)} pairs of schemes clearly change places between two cases; means.csv has all "
                "means.")
    if found:
        texts = [f"{a} beats {b} in {one}, and {b} beats {a} in {two}" for a, b, one, two in found]
        return f"The order changes: {'; '.join(texts)}."
    if len({tuple(order) for order in orders.values()}) == 1:
        return f"The order of the means is the same in all cases: {', '.join(next(iter(orders.values())))}."
    if len(orders) > MANY_CASES:
        return "The order of the means differs between cases, but no two schemes clearly change places."
    texts = [f"{name}: {', '.join(order)}" for name, order in orders.items()]
    return f"The order of the means differs ({'; '.join(texts)}), but no two schemes clearly change places."


def overview(cases: Mapping[str, Paired], schemes: Sequence[str]) -> list[list[str]]:
    """The rows of a table, if there is much to look at: by how much each mean exceeds the best one of its case. What is not
    clearly worse than the best has a star."""
    if len(schemes) <= MANY_SCHEMES:
        return []
    rows = [["Difference to the best mean", *schemes]]
    for name, paired in cases.items():
        order = paired.order()
        cells = []
        for scheme in schemes:
            if scheme not in paired.values:
                cells.append("-")
            elif scheme in paired.incomplete or not paired.values[scheme]:
                cells.append("did not finish")
            else:
                found = paired.over(scheme, order[0])
                star = " *" if found.count > 1 and not paired.beats(order[0], scheme) else ""
                cells.append(f"{signed(found.mean, 1)}{' %' if paired.percent else ''}{star}")
        rows.append([name, *cells])
    return rows


def idle(cases: Mapping[str, Paired]) -> list[str]:
    """Which cases gave the results of an earlier one in each run, so that what they set has no effect."""
    found = []
    for (one, first), (two, second) in itertools.combinations(cases.items(), 2):
        if first.values == second.values and any(first.values.values()):
            found.append(f"Each run of {two} gave the result of {one}: what {two} sets met no traffic, or begins too late.")
    return found


def pairs_of(paired: Paired, baseline: str = "") -> list[tuple[str, str]]:
    """The comparisons that an answer makes."""
    order = paired.order()
    if not order:
        return []
    first = baseline if baseline in order else order[0]
    return [(other, first) for other in order if other != first]


def more_seeds(cases: Mapping[str, Paired], baseline: str = "") -> str:
    """Whether more seeds are needed."""
    found = [paired.over(*pair) for paired in cases.values() for pair in pairs_of(paired, baseline)]
    if any(one.count < 2 for one in found):
        return "More seeds are needed: an interval takes two at least."
    if found and all(one.is_constant() and not one.mean for one in found):
        return "No seed tells any two schemes apart: all results are the same."
    unclear = [one for one in found if need_of(one)]
    if not unclear:
        return "More seeds are not needed to tell these apart." if found else ""
    needs = [seeds for one in unclear if (seeds := one.seeds_to_be_clear()) is not None]
    most = "thousands" if len(needs) < len(unclear) else f"about {max(max(needs), unclear[0].count + 1)}"
    return f"More seeds are needed to tell all of them apart: {most}; {len(unclear)} of {len(found)} comparisons are open."


def correction(cases: Mapping[str, Paired], baseline: str = "") -> str:
    """Which clear differences stay clear if all comparisons are judged at once."""
    compared = [(f"{scheme} in {name}", paired.over(scheme, other)) for name, paired in cases.items()
                for scheme, other in pairs_of(paired, baseline)]
    tested = [(what, found) for what, found in compared if found.count > 1]
    chances = corrected(found.probability() for _, found in tested)
    clear = [(what, chance) for (what, found), chance in zip(tested, chances) if found.is_clear()]
    if len(tested) < 2 or not clear:
        return ""
    open_ = [what for what, chance in clear if chance >= 1 - CONFIDENCE]
    kept = f"{len(clear) - len(open_)} of {len(clear)} clear differences stay clear"
    names = f"; open again: {joined(open_)}" if 0 < len(open_) <= MANY_DOUBTS else ""
    return f"Corrected for {len(tested)} comparisons (Holm), {kept}{names}."
