"""Runs of the store alone under faults: each writes to two databases and is killed, or has errors."""

import os
import random
import shutil
import signal
import subprocess

from injection import Failure, Log, rule

NAMES = ["small", "large"]
MASK = (1 << 64) - 1


class Numbers:
    """The generator of the program StoreProbe."""

    def __init__(self, seed):
        self.state = seed & MASK

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        value = self.state
        value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
        return value ^ (value >> 31)


def apply(rows, seed, number):
    """Applies a transaction to rows: the numbers of the transactions that wrote them, by key."""
    numbers = Numbers(seed * 1000003 + number)
    removed = [numbers.next() % 64 for _ in range(numbers.next() % 4)]
    inserted = [numbers.next() % 64 for _ in range(numbers.next() % 6 + 1)]
    rows = dict(rows)
    for key in removed:
        rows.pop(key, None)
    for key in inserted:
        rows[key] = number
    return rows


class StoreWorker:
    """A folder with databases, used by one run at a time."""

    def __init__(self, options, number, base):
        self.program = os.path.join(options.programs, "StoreProbe")
        self.library = os.path.join(options.tools, "faults.so")
        self.folder = os.path.join(base, f"store{number}")
        self.cache = os.path.join(self.folder, "cache")
        self.output = os.path.join(self.folder, "output")
        os.makedirs(self.folder)
        self.log = Log(os.path.join(self.folder, "log"))
        self.environment = {
            key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH") if key in os.environ} | {
            "SWIFT_BACKTRACE": "enable=no"}

    def run(self, command, seed, count, faults=None):
        """Runs the program, and returns its status and the lines of its output."""
        variables = dict(self.environment)
        if faults is not None:
            variables |= {
                "LD_PRELOAD": self.library, "VITRINE_FAULTS": f"cache={self.cache} log={self.log.path} {faults}"}
        with open(self.output, "wb") as file:
            status = subprocess.run(
                [self.program, command, self.cache, str(seed), str(count)], env=variables, stdin=subprocess.DEVNULL,
                stdout=file, stderr=subprocess.DEVNULL, timeout=120).returncode
        with open(self.output) as file:
            return status, file.read().splitlines()


class StoreRun:
    """A seeded run of the store."""

    kind = "store"

    def __init__(self, seed, calls):
        self.seed = seed
        chance = random.Random(seed)
        self.count = chance.choice([3, 10, 25])
        self.fault = chance.choices(["kill", "step", "error"], [5, 3, 4])[0]
        skipped = int(chance.uniform(0, calls[self.count]))
        if self.fault == "kill":
            self.rules = [rule("cache", "all", "kill", skipped=skipped)]
        elif self.fault == "step":
            self.rules = [rule("cache", "all", "step", skipped=skipped, maximum=1, argument=int(10 ** chance.uniform(0, 4.3)))]
        else:
            self.rules = []
            for _ in range(chance.randint(1, 2)):
                kinds = chance.choice(["write", "write", "sync", "name", "open", "read", "status", "memory", "all"])
                faults = ["EIO", "short"] if kinds == "read" else ["ENOSPC", "EDQUOT", "EIO", "EROFS"]
                if kinds == "write":
                    faults.append("short")
                if kinds in ("open", "all"):
                    faults.append("EMFILE")
                self.rules.append(rule(
                    "cache", kinds, chance.choice(faults), chance.choice([10000, 200000, 1000000]),
                    chance.choice([0, skipped]), chance.choice([0, 1, 3])))

    def describe(self):
        return f"seed {self.seed}: store, {self.count} transactions, " + ", ".join(self.rules)

    def perform(self, worker):
        shutil.rmtree(worker.cache, ignore_errors=True)
        worker.log.clear(0)
        # The first transactions have no faults.
        _, lines = worker.run("write", self.seed, 2)
        states = self.states(lines, {name: [{}] for name in NAMES})
        if any(line.split()[0] != "written" for line in lines):
            raise Failure(f"cannot write without faults: {lines}")
        status, lines = worker.run("write", self.seed, self.count, f"seed={self.seed} " + " ".join(self.rules))
        if status != 0 and not (status == -signal.SIGKILL and self.fault != "error"):
            raise Failure(f"ended with {status}")
        states = self.states(lines, states, status != 0)
        rows = self.rows(worker)
        for name in NAMES:
            if rows[name] not in states[name]:
                raise Failure(self.difference(name, rows[name], states[name]))
        # The databases can be written afterwards.
        _, lines = worker.run("write", self.seed + 1, 2)
        if any(line.split()[0] != "written" for line in lines):
            raise Failure(f"cannot write after the faults: {lines}")
        after = self.states(lines, {name: [rows[name]] for name in NAMES}, seed=self.seed + 1)
        rows = self.rows(worker)
        if any(rows[name] not in after[name] for name in NAMES):
            raise Failure("what was written after the faults is not there")
        for name in os.listdir(worker.cache):
            if name.split(".sqlite")[0] not in NAMES or name.split(".sqlite")[1] not in ("", ".lock"):
                raise Failure(f"{name} remained")

    def states(self, lines, states, is_killed=False, seed=None):
        """Returns the possible contents of the databases after what the program printed."""
        seed = self.seed if seed is None else seed
        states = {name: list(found) for name, found in states.items()}
        next_number = {name: 1 for name in NAMES}
        for line in lines:
            words = line.split()
            if words[0] == "written":
                states[words[1]] = [apply(states[words[1]][-1], seed, int(words[2]))]
            if words[0] in ("written", "failed"):
                next_number[words[1]] = int(words[2]) + 1
        if is_killed:
            # The last transaction may have taken effect before the program said so.
            for name in NAMES:
                states[name].append(apply(states[name][-1], seed, next_number[name]))
        return states

    @staticmethod
    def difference(name, rows, states):
        expected = states[0]
        lost, other = [], []
        for key, number in expected.items():
            if key not in rows:
                lost.append(key)
            elif rows[key] != number:
                other.append(f"{key} of {rows[key]}, not {number}")
        new = [key for key in rows if key not in expected]
        return f"{name}: {len(rows)} rows; of {len(expected)} lacks {lost}, has {other} and also {new}"

    def rows(self, worker):
        status, lines = worker.run("check", self.seed, 1)
        rows = {name: {} for name in NAMES}
        for line in lines:
            words = line.split()
            if words[0] == "row":
                rows[words[1]][int(words[2])] = int(words[3])
            elif words[0] != "integrity" or words[2] != "ok":
                raise Failure(f"the store is not whole: {line}")
        if status != 0 or len(lines) < 2:
            raise Failure(f"the store cannot be read: {status} {lines}")
        return rows


def measure_calls(worker):
    """Returns the number of calls of runs without faults, by the number of transactions."""
    found = {}
    for count in (3, 10, 25):
        shutil.rmtree(worker.cache, ignore_errors=True)
        worker.run("write", 1, 2)
        worker.log.clear(0)
        worker.run("write", 1, count, "seed=1")
        found[count] = sum(value for (place, _), value in worker.log.calls().items() if place == "cache")
    return found
