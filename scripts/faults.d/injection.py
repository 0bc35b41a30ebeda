"""The rules and the log of the library that injects faults, Tests/FaultInjector/faults.c."""

import os
import struct

KINDS = ["open", "read", "write", "status", "list", "sync", "name", "descriptor", "memory"]
CLASSES = ["none", "photos", "cache"]
FAULTS = {1000: "short", 1001: "end", 1002: "kill", 1003: "step"}
RULES, ENTRIES, ENTRY, ORDINALS = 8, 400, struct.Struct("<iiiiQQ56s"), 1 << 14
# The offsets in the log.
COUNT = 8 * len(CLASSES) * len(KINDS) + 2 * 8 * RULES
LOG_BYTES = COUNT + 8 + ENTRIES * ENTRY.size + 4 * ORDINALS


class Failure(Exception):
    """A run that did not end as promised."""


class WrongFrame(Failure):
    """A run whose last frame is not that of a run without faults."""


def rule(classes, kinds, fault, millionths=1000000, skipped=0, maximum=0, argument=0):
    """Returns the text of a rule: calls of these kinds on files of these classes fail with this probability, after some
    that do not fail, and at most this often."""
    return f"rule={classes}:{kinds}:{fault}:{millionths}:{skipped}:{maximum}:{argument}"


class Log:
    """What was injected, in a file that all processes of a run share."""

    def __init__(self, path):
        self.path = path
        self.started = 0

    def clear(self, started):
        self.started = started
        with open(self.path, "wb") as file:
            file.truncate(LOG_BYTES)

    def calls(self):
        """Returns the numbers of calls, by class and kind."""
        with open(self.path, "rb") as file:
            data = file.read(COUNT)
        values = struct.unpack_from(f"<{len(CLASSES) * len(KINDS)}Q", data)
        return {(CLASSES[index // len(KINDS)], KINDS[index % len(KINDS)]): value for index, value in enumerate(values)}

    def faults(self):
        """Returns the number of faults and a line for each of the first ones."""
        with open(self.path, "rb") as file:
            data = file.read(LOG_BYTES)
        (count,) = struct.unpack_from("<Q", data, COUNT)
        lines = []
        for index in range(min(count, ENTRIES)):
            process, kind, place, fault, ordinal, nanoseconds, name = ENTRY.unpack_from(
                data, COUNT + 8 + index * ENTRY.size)
            text = FAULTS.get(fault) or os.strerror(fault)
            lines.append(
                f"{nanoseconds / 1e9 - self.started:7.3f} s {'decoder' if process else 'program'} {CLASSES[place]} "
                f"{KINDS[kind]} {name.split(bytes(1))[0].decode(errors='replace')} number {ordinal}: {text}")
        return count, lines
