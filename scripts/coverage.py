#!/usr/bin/python3
"""Prints the arms of branches that tests executed, per file: coverage.py LIST [PART ...], with llvm-cov's JSON as input.

Swift's compiler writes no counters of branches, so llvm-cov reports none. It writes a counter for each region: each body
of `if`, `else`, `guard`, `catch` and loops, each `case`, both operands of `?:`, and the right operand of `&&`, `||` and
`??`. From these follow the arms that have no text: an `if` without `else` skips its body if the body has a lower counter
than the code around it, and an operator skips its right operand likewise. The arms here are the regions and these. The
conditions of one list, separated by commas, share one counter.
"""
import json
import os
import re
import sys

OPERATOR = re.compile(r"(&&|\|\||\?\?)\s*$")
AUTOCLOSURE = re.compile(r"fu\d*_$")


class Region:
    """A region of one file, with the sum of the counters of its instances."""

    def __init__(self, start, end, is_operand):
        self.start, self.end, self.is_operand = start, end, is_operand
        self.count = 0
        # Whether it is the whole of a function or closure.
        self.is_function = False

    def contains(self, other):
        return (self.start, self.end) != (other.start, other.end) and self.start <= other.start and other.end <= self.end


def read_list(path):
    """Returns the listed files, each with the source texts of arms that no test can execute, and the reasons.

    The second result are the files that have no aim.
    """
    files, aimless = {}, set()
    current = None
    for line in open(path):
        line = line.rstrip("\n")
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            text, _, reason = line.strip().partition(" -- ")
            if not reason:
                sys.exit(f"coverage: {path}: no reason: {line.strip()}")
            current.append((text, reason))
        else:
            if line.startswith("- "):
                aimless.add(line[2:].strip())
            current = files.setdefault(line.removeprefix("- ").strip(), [])
    return files, aimless


def read_regions(data, root):
    """Returns the regions of each file by its path in the package."""
    files = {}
    for function in data["functions"]:
        is_operand = bool(AUTOCLOSURE.search(function["name"]))
        names = [os.path.relpath(name, root) for name in function["filenames"]]
        for index, (line, column, end_line, end_column, count, file, _, kind) in enumerate(function["regions"]):
            if kind != 0:
                continue
            regions = files.setdefault(names[file], {})
            key = ((line, column), (end_line, end_column), is_operand)
            region = regions.setdefault(key, Region(*key))
            region.count += count
            region.is_function = region.is_function or index == 0
    return files


def text_of(lines, region):
    """Returns the text of a region."""
    (line, column), (end_line, end_column) = region.start, region.end
    if line == end_line:
        return lines[line - 1][column - 1 : end_column - 1]
    return "\n".join([lines[line - 1][column - 1 :], *lines[line : end_line - 1], lines[end_line - 1][: end_column - 1]])


def text_before(lines, place):
    """Returns the text before a place, with the line before if the place starts its line."""
    line, column = place
    before = lines[line - 1][: column - 1]
    return before if before.strip() else lines[line - 2].rstrip() + " "


def is_if_without_else(lines, region):
    """Returns whether a region is the body of an `if` without `else`."""
    (line, column), (end_line, end_column) = region.start, region.end
    if lines[line - 1][column - 1 : column] != "{":
        return False
    rest = lines[end_line - 1][end_column - 1 :].strip()
    if rest.startswith("else") or (not rest and end_line < len(lines) and lines[end_line].strip().startswith("else")):
        return False
    # The keyword: the last one that starts a statement before the body, at the indentation of the body's last line.
    head = lines[line - 1][: column - 1]
    same_line = re.search(r"(?:^|[\s{}:])(if|guard|while|for|switch|do|catch|func|init|get|set|defer|repeat|else)\b(?!.*"
                          r"[\s{}:](?:if|guard|while|for|switch|do|catch|func|init|get|set|defer|repeat|else)\b)", head)
    if same_line:
        return same_line.group(1) == "if"
    indentation = len(lines[end_line - 1]) - len(lines[end_line - 1].lstrip())
    for index in range(line - 1, -1, -1):
        text = lines[index]
        if text.strip() and len(text) - len(text.lstrip()) <= indentation and text.strip() != "{":
            return bool(re.match(r"\s*(?:\}\s*else\s+)?if\b", text)) or bool(re.search(r"\belse if\b[^{]*$", text))
    return False


def arms(regions, lines):
    """Yields the arms of a file: the place, whether it was executed, and a description."""
    ordered = sorted(regions.values(), key=lambda region: (region.start, [-part for part in region.end]))
    for region in ordered:
        if region.is_operand and not OPERATOR.search(text_before(lines, region.start)):
            # An argument that is evaluated when it is needed, such as the text of a failed precondition.
            continue
        # After a loop without an end there is a region without code.
        if not text_of(lines, region).strip(" \n}"):
            continue
        yield region.start, region.count > 0, "not executed"
        hidden = None
        # The region around an operand in a `where` clause is the case's own, which has another counter.
        if region.is_operand and re.search(r"\bcase\b.*\bwhere\b", lines[region.start[0] - 1]):
            hidden = None
        elif region.is_operand:
            hidden = "right operand always evaluated"
        elif not region.is_function and is_if_without_else(lines, region):
            hidden = "condition always true"
        if hidden:
            around = [other for other in ordered if other.contains(region)]
            # The innermost is the one that starts last.
            parent = max(around, key=lambda other: (other.start, [-part for part in other.end]), default=None)
            yield region.start, parent is None or region.count < parent.count, hidden


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[1])))
    listed, aimless = read_list(sys.argv[1])
    parts = sys.argv[2:]
    data = json.load(sys.stdin)["data"][0]
    files = read_regions(data, root)
    summaries = {os.path.relpath(file["filename"], root): file["summary"] for file in data["files"]}
    print("coverage: Swift writes no counters of branches; arms are its regions, and those that follow from them")
    print(f"{'':58} {'arms':>11} {'':>7} {'regions':>11} {'lines':>11}")
    total = {"arms": [0, 0], "regions": [0, 0], "lines": [0, 0]}
    status, missing, others, exempt = 0, [], [], []
    for path, exceptions in listed.items():
        if parts and not any(part in path for part in parts):
            continue
        if path not in files:
            print(f"coverage: {path} is not in the tests", file=sys.stderr)
            status = 1
            continue
        lines = open(os.path.join(root, path)).read().split("\n")
        count, executed, used = 0, 0, set()
        for (line, column), is_executed, reason in arms(files[path], lines):
            count += 1
            executed += is_executed
            if is_executed:
                continue
            text = lines[line - 1].strip()
            match = next((number for number, (part, _) in enumerate(exceptions) if part in text), None)
            if match is None:
                (others if path in aimless else missing).append(f"  {path}:{line}:{column}: {reason}: {text}")
            else:
                used.add(match)
                exempt.append(f"  {path}:{line}: {exceptions[match][1]}: {text}")
                count -= 1
        for number, (part, _) in enumerate(exceptions):
            if number not in used:
                print(f"coverage: {path}: an exception that does not occur: {part}", file=sys.stderr)
                status = 1
        summary = summaries[path]
        figures = [(executed, count)]
        for kind in ["regions", "lines"]:
            figures.append((summary[kind]["covered"], summary[kind]["count"]))
        if path not in aimless:
            for kind, (covered, all_) in zip(["arms", "regions", "lines"], figures):
                total[kind][0] += covered
                total[kind][1] += all_
        (a, b), (c, d), (e, f) = figures
        mark = "" if a == b else "  no aim" if path in aimless else "  missed"
        print(f"{path[8:] if path.startswith('Sources/') else path:58} {a:>5}/{b:<5} {100 * a / b:6.2f}% {c:>5}/{d:<5} {e:>5}/{f:<5}{mark}")
    (a, b), (c, d), (e, f) = total["arms"], total["regions"], total["lines"]
    print(f"{'all with the aim of 100 %':58} {a:>5}/{b:<5} {100 * a / max(1, b):6.2f}% {c:>5}/{d:<5} {e:>5}/{f:<5}")
    if exempt:
        print(f"coverage: {len(exempt)} arms that no test can execute, not counted above:")
        print("\n".join(exempt))
    if others:
        print(f"coverage: {len(others)} arms of files without an aim were not executed:")
        print("\n".join(others))
    if missing:
        print(f"coverage: {len(missing)} arms were not executed; the aim of all is missed:")
        print("\n".join(missing))
        status = 1
    else:
        print("coverage: all arms were executed")
    sys.exit(status)


main()
