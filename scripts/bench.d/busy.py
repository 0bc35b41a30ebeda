"""Scrolls photographs that are not cached while other programs run, alternating with a loop without work.

The clock is the timer. Prints a table, then a line for each aim: met or MISSED. Exits with 1 if the program cannot be
run. A missed aim is not an error, because times depend on the machine.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

FIRST_SCREEN = 24
CONDITIONS = ("quiet", "two loops", "compile")

# The aims for medians: hitch milliseconds per second, a share of the quiet run, and milliseconds.
MOST_HITCHES = 3.0
QUIET_ALLOWANCE = 0.3
LEAST_DECODED = 0.42
FIRST_SCREEN_QUIET = 600
FIRST_SCREEN_BUSY = 1500

parser = argparse.ArgumentParser(prog="scripts/bench busy", description=__doc__.split("\n")[0])
parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
parser.add_argument("--loop", required=True, help=argparse.SUPPRESS)
parser.add_argument("--folder", required=True, help="folder of photographs (default 240 of 12 megapixels, generated)")
parser.add_argument("--runs", type=int, default=5, help="runs of each kind; the figure is their median (default 5)")
parser.add_argument("--seconds", type=int, default=8, help="duration of scrolling in each run (default 8)")
parser.add_argument("--conditions", default=",".join(CONDITIONS), help="some of: " + ", ".join(CONDITIONS))
parser.add_argument("--quick", action="store_true", help="two runs of five seconds, without the compile")
parser.add_argument("--json", help="file to write all figures of all runs to")
options = parser.parse_args()
if options.quick:
    options.runs, options.seconds, options.conditions = 2, 5, "quiet,two loops"
if options.runs < 1 or options.seconds < 1:
    parser.error("--runs and --seconds are whole numbers from 1")
if not os.path.isdir(options.folder):
    parser.error(f"{options.folder}: not a folder")
conditions = [name.strip() for name in options.conditions.split(",")]
for name in conditions:
    if name not in CONDITIONS:
        parser.error(f"{name}: unknown condition; accepted are {', '.join(CONDITIONS)}")


class BackgroundLoad:
    """Programs that use the processors while a block runs."""

    def __init__(self, condition, folder):
        if condition == "quiet":
            self.commands = []
        elif condition == "two loops":
            self.commands = [["bash", "-c", "while :; do :; done"]] * 2
        else:
            source = pathlib.Path(folder) / "compiled.c"
            source.write_text("\n".join(
                f"int f{i}(int *a, int n) {{ int s = {i}; for (int k = 0; k < n; k++) s = s * 31 + a[k] % {i + 3}; "
                f"return s ^ (s >> {i % 13 + 1}); }}" for i in range(3000)))
            loop = f"while :; do gcc -O2 -c -o /dev/null '{source}'; done"
            self.commands = [["bash", "-c", loop]] * os.cpu_count()

    def __enter__(self):
        self.processes = [subprocess.Popen(command, start_new_session=True) for command in self.commands]

    def __exit__(self, *_):
        for process in self.processes:
            os.killpg(process.pid, 9)
            process.wait()


def run(command, user):
    """Runs a command as a user and returns its output."""
    if user != "root" and os.getuid() == 0:
        command = ["runuser", "-u", user, "--"] + command
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench busy: {' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def gallery(user, folder, scratch, *more):
    report = json.loads(run(
        [options.program, folder, "--headless", "--renderer", "memory", "--clock", "timer", "--report", "-", *more], user))
    return report


def idle_loop(user, *more):
    words = run([options.loop, "60", str(options.seconds), *more], user).split()
    return float(dict(word.split("=") for word in words)["hitch_ms_per_s"])


def scroll(user, folder, scratch):
    report = gallery(user, folder, scratch, "--no-cache", "--scroll", "steady:600", "--duration", str(options.seconds))
    if not report.get("hitches"):
        sys.exit("bench busy: nothing moved; --folder needs photographs that fill more than the window")
    return {
        "hitches": report["hitches"]["ratioMsPerS"],
        "classes": {name: count for name, count in report["hitches"]["byClass"].items() if count},
        "decoded": report["images"]["decoded"],
        "blank": report["images"]["blankCellMs"],
    }


def first_screen(user, folder, scratch):
    with tempfile.TemporaryDirectory(dir=scratch) as cache:
        os.chmod(cache, 0o777)
        report = gallery(user, folder, scratch, "--cache-dir", os.path.join(cache, "cache"), "--duration", "3")
        return report["launch"].get("firstFullScreenMs") or float("inf")


def measure(condition, user, scratch, few):
    rows = []
    with BackgroundLoad(condition, scratch):
        for _ in range(options.runs):
            row = scroll(user, options.folder, scratch)
            row["plain"] = idle_loop(user)
            try:
                row["sliced"] = idle_loop(user, "slice")
            except SystemExit:
                # The kernel or the container does not grant a slice.
                row["sliced"] = None
            row["first"] = first_screen(user, few, scratch)
            rows.append(row)
    return rows


users = ["root", "nobody"] if os.getuid() == 0 and shutil.which("runuser") else [os.environ.get("USER", "user")]
found = {}
# On these signals the background load is terminated as well.
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda *_: sys.exit(1))
print(f"{'load':<10} {'user':<7} {'hitch ms/s':>10} {'plain loop':>10} {'with slice':>12} {'decoded':>8} "
      f"{'blank cell-ms':>13} {'first screen':>12}  classes")
with tempfile.TemporaryDirectory() as scratch:
    os.chmod(scratch, 0o755)
    few = os.path.join(scratch, "first")
    os.mkdir(few)
    names = sorted(name for name in os.listdir(options.folder) if not name.startswith("."))[:FIRST_SCREEN]
    for name in names:
        shutil.copy(os.path.join(options.folder, name), few)
    for condition in conditions:
        for user in users:
            rows = measure(condition, user, scratch, few)
            found[condition, user] = rows
            middle = {key: None if None in (values := [row[key] for row in rows]) else statistics.median(values)
                      for key in ("hitches", "plain", "sliced", "decoded", "blank", "first")}
            sliced = "not measured" if middle["sliced"] is None else f"{middle['sliced']:.2f}"
            classes = {}
            for row in rows:
                for name, count in row["classes"].items():
                    classes[name] = classes.get(name, 0) + count
            found[condition, user, "median"] = middle
            print(f"{condition:<10} {user:<7} {middle['hitches']:>10.2f} {middle['plain']:>10.2f} {sliced:>12} "
                  f"{middle['decoded']:>8.0f} {middle['blank']:>13.0f} {middle['first']:>9.0f} ms  "
                  + ", ".join(f"{name} {count}" for name, count in classes.items()), flush=True)

print()


def judge(words, value, limit, format="{:.2f}"):
    if limit is None:
        print(f"not judged: {words}: {format.format(value)}; its reference was not measured")
        return
    verdict = "met" if value <= limit else "MISSED"
    print(f"{verdict:<7} {words}: {format.format(value)} (aim: at most {format.format(limit)})")


for user in users:
    quiet = found.get(("quiet", user, "median"))
    if quiet:
        judge(f"quiet, as {user}: hitch ms/s, loop without work + {QUIET_ALLOWANCE}", quiet["hitches"],
              (quiet["plain"] if quiet["sliced"] is None else quiet["sliced"]) + QUIET_ALLOWANCE)
        judge(f"quiet, as {user}: first screen of {len(names)}, ms", quiet["first"], FIRST_SCREEN_QUIET, "{:.0f}")
    busy = found.get(("two loops", user, "median"))
    if busy:
        judge(f"two loops, as {user}: hitch ms/s", busy["hitches"], MOST_HITCHES)
        judge(f"two loops, as {user}: hitch ms/s, loop without work", busy["hitches"], busy["plain"])
        judge(f"two loops, as {user}: hitch ms/s, loop without work with a slice", busy["hitches"], busy["sliced"])
        judge(f"two loops, as {user}: first screen of {len(names)}, ms", busy["first"], FIRST_SCREEN_BUSY, "{:.0f}")
    if quiet and busy:
        share = busy["decoded"] / max(quiet["decoded"], 1)
        verdict = "met" if share >= LEAST_DECODED else "MISSED"
        print(f"{verdict:<7} two loops, as {user}: decoded images, share of the quiet run: {share:.2f} "
              f"(aim: at least {LEAST_DECODED})")

if options.json:
    with open(options.json, "w") as file:
        json.dump({"/".join(key): value for key, value in found.items()}, file, indent=1)
