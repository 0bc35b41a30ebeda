"""Runs the gallery and its store under injected faults; see scripts/faults."""

import argparse
import concurrent.futures
import datetime
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from display import DisplayRun
from gallery import RECOVERY, Run, Worker
from injection import Failure, WrongFrame
from photographs import fingerprint, make_photographs
from store import StoreRun, StoreWorker, measure_calls


def main():
    parser = argparse.ArgumentParser(prog="scripts/faults")
    parser.add_argument("runs", type=int, nargs="?", default=200)
    parser.add_argument("--store", type=int)
    parser.add_argument("--display", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--kind", default="")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--allow-late", action="store_true")
    parser.add_argument("--patience", type=float, default=20)
    parser.add_argument("--recovery", type=float, default=RECOVERY)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--tools", required=True)
    options = parser.parse_args()
    options.programs = os.path.realpath(options.programs)
    if options.store is None:
        options.store = 0 if options.kind else options.runs * 5
    if options.display is None:
        options.display = 0 if options.kind else options.runs // 100
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    # In memory, and a folder on another file system.
    base = tempfile.mkdtemp(prefix="vitrine-faults-", dir="/dev/shm")
    other = tempfile.mkdtemp(prefix="vitrine-faults-")
    # Hard links to the programs, which look for each other in their folder.
    options.links = tempfile.mkdtemp(prefix="faults-", dir=options.programs)
    try:
        failed = perform_store(options, base) if options.store > 0 else 0
        if options.runs + options.display > 0:
            failed += perform_gallery(options, base, other)
        sys.exit(1 if failed else 0)
    finally:
        for folder in (base, other, options.links):
            shutil.rmtree(folder, ignore_errors=True)


def add_to_history(part, options, runs):
    """Appends a line about runs to the history, and updates the sums."""
    history, document = "Documentation/FaultRuns.tsv", "Documentation/Faults.md"
    revision = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout
    fields = [
        datetime.date.today(), revision.strip(), part, options.seed, sum(runs.done.values()), runs.faults,
        sum(runs.failed.values()), runs.late]
    with open(history, "a", encoding="utf-8") as file:
        file.write("\t".join(map(str, fields)) + "\n")
    sums = {}
    with open(history, encoding="utf-8") as file:
        for line in file.read().splitlines()[1:]:
            name, numbers = line.split("\t")[2], [int(field) for field in line.split("\t")[4:8]]
            sums[name] = [a + b for a, b in zip(sums.get(name, [0] * 4), numbers)]
    texts = [f"{name} {s[0]:,} runs with {s[1]:,} faults, {s[2]} failed, {s[3]} late" for name, s in sums.items()]
    with open(document, encoding="utf-8") as file:
        text = file.read()
    with open(document, "w", encoding="utf-8") as file:
        file.write(re.sub(r"(?m)^Sum: .*$", "Sum: " + "; ".join(texts) + ".", text))


# The end of the text about a frame that was not right within the time, but soon afterwards.
LATE = "; late, as it is right after 10 s"


class Runs:
    """Seeded runs by several workers, and their results."""

    def __init__(self, options, runs):
        self.options = options
        self.runs = iter(runs)
        self.lock = threading.Lock()
        self.done, self.failed, self.late, self.faults = {}, {}, 0, 0

    def perform(self, part, workers, one):
        def work(worker):
            while True:
                with self.lock:
                    run = next(self.runs, None)
                if run is None:
                    return
                failure = one(worker, run)
                self.record(run, failure, *worker.log.faults())

        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(len(workers)) as pool:
            for future in [pool.submit(work, worker) for worker in workers]:
                future.result()
        for kind, count in sorted(self.done.items()):
            print(f"faults: {kind}: {count} runs, {self.failed.get(kind, 0)} failed")
        failed = sum(self.failed.values())
        print(
            f"faults: {sum(self.done.values())} runs with {self.faults} faults in {time.monotonic() - begun:.0f} s, "
            f"{failed} failed; {self.late} frames were late", flush=True)
        if self.options.record:
            add_to_history(part, self.options, self)
        return failed

    def record(self, run, failure, count, lines):
        with self.lock:
            self.done[run.kind] = self.done.get(run.kind, 0) + 1
            self.faults += count
            is_late = failure is not None and failure.endswith(LATE)
            self.late += is_late
            if failure is not None and not (is_late and self.options.allow_late):
                self.failed[run.kind] = self.failed.get(run.kind, 0) + 1
            elif not self.options.verbose:
                return
            print(f"{'FAILED ' if failure else ''}{run.describe()}")
            if failure:
                print(f"  {failure}")
            for line in lines[:30]:
                print("    " + line)
            if failure:
                counts = {"store": "0 --store 1", "display": "0 --display 1"}.get(run.kind, "1")
                print(f"  again: scripts/faults {counts} --seed {run.seed}", flush=True)


def seeded(options, count, make):
    """Returns runs with successive seeds, of the wanted kinds only."""
    kinds = options.kind.split(",") if options.kind else None
    seed = options.seed
    while count > 0:
        run = make(seed)
        seed += 1
        if kinds is None or run.kind in kinds:
            count -= 1
            yield run


def perform_store(options, base):
    workers = [StoreWorker(options, number, base) for number in range(min(options.workers, options.store, 4))]
    calls = measure_calls(workers[0])

    def one(worker, run):
        try:
            run.perform(worker)
        except Failure as error:
            return str(error)
        return None

    runs = Runs(options, (StoreRun(options.seed + index, calls) for index in range(options.store)))
    return runs.perform("store", workers, one)


def perform_gallery(options, base, other):
    options.samples = make_samples(options, base)
    count = min(options.workers, options.runs + options.display)
    workers = [Worker(options, number, base, other) for number in range(count)]
    with concurrent.futures.ThreadPoolExecutor(min(6, count)) as pool:
        list(pool.map(lambda worker: worker.prepare(), workers))
    if options.keep:
        shutil.copy(workers[0].golden_file, os.path.join(options.keep, "golden.png"))

    def one(worker, run):
        failure = perform_one(worker, run, options)
        if failure is not None and fingerprint(worker.photos) != worker.originals:
            shutil.rmtree(worker.photos)
            make_photographs(worker.photos, options.samples)
            worker.originals = fingerprint(worker.photos)
            worker.prepare()
        return failure

    failed = 0
    if options.runs > 0:
        failed += Runs(options, seeded(options, options.runs, Run)).perform("gallery", workers, one)
    if options.display > 0:
        displays = (DisplayRun(options.seed + index) for index in range(options.display))
        failed += Runs(options, displays).perform("display", workers[:2], one)
        print(f"faults: the program ended at most {DisplayRun.longest:.2f} s after its display", flush=True)
    return failed


def perform_one(worker, run, options):
    """Performs a run, and returns how it failed or nothing."""
    try:
        run.perform(worker, options.recovery)
        return None
    except WrongFrame as error:
        failure = str(error)
    except Failure as error:
        return str(error)
    # Distinguishes what is late from what is never right.
    try:
        run.perform(worker, 10)
        return failure + LATE
    except Failure as error:
        return f"{failure}; after 10 s: {error}"


def make_samples(options, base):
    folder = os.path.join(base, "samples")
    os.makedirs(folder)
    subprocess.run(
        [os.path.join(options.programs, "vitrine"), "--headless", "--sample", "4", "--cache-dir", folder, "--frames", "2"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = []
    for root, _, names in os.walk(folder):
        found += [os.path.join(root, name) for name in names if name.endswith(".jpg")]
    return sorted(found)[:4]


main()
