"""Runs of the gallery under faults."""

import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import time

from injection import Failure, Log, WrongFrame, rule
from photographs import fingerprint, make_photographs

WIDTH, HEIGHT = 1060, 1040
# The seconds after the faults within which the frame must be right.
RECOVERY = 2.0
DATABASES = {
    "pixels.sqlite": "SELECT hex(key) || ' ' || width || 'x' || height, data FROM pixels",
    "thumbnails.sqlite": "SELECT hex(key) || ' ' || width || 'x' || height, data FROM thumbnails",
    "previews.sqlite": "SELECT hex(file), record FROM previews",
    "catalogue.sqlite": "SELECT key || ' ' || path, photos FROM folders",
}


# MARK: - The store


def stored(cache):
    """Returns the rows of the store, and fails if a database is damaged."""
    rows = {}
    for name, query in DATABASES.items():
        path = os.path.join(cache, name)
        if not os.path.exists(path):
            continue
        connection = sqlite3.connect(f"file:{path}?mode=rw", uri=True)
        connection.text_factory = bytes
        try:
            result = connection.execute("PRAGMA integrity_check").fetchall()
            if result != [(b"ok",)]:
                raise Failure(f"{name}: {result[:3]}")
            if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
                continue
            rows[name] = {bytes(key): bytes(data) for key, data in connection.execute(query)}
        except sqlite3.DatabaseError as error:
            raise Failure(f"{name}: {error}") from error
        finally:
            connection.close()
    return rows


def check_store(cache, golden, complete, has_other_versions=False, has_unread=False):
    """Checks that each stored row is as after a run without faults.

    There may be rows of other versions of a file that was changed, and folders with files that could not be read.
    """
    rows = stored(cache)
    for name, found in rows.items():
        for key, data in found.items():
            if key not in golden[name]:
                # A picture that was drawn in another size, before its header was known.
                if name == "pixels.sqlite" or has_other_versions:
                    continue
                raise Failure(f"{name}: has {key!r}, unlike after a run without faults")
            may_differ = name == "catalogue.sqlite" and (has_other_versions or has_unread)
            if data != golden[name][key] and not may_differ:
                raise Failure(f"{name}: {key!r} differs from that of a run without faults")
    if complete:
        for name in ("catalogue.sqlite",):
            missing = set(golden[name]) - set(rows.get(name, {}))
            if missing:
                raise Failure(f"{name}: lacks {sorted(missing)}")
    names = sorted(os.listdir(cache))
    for name in names:
        if not re.fullmatch(r"(pixels|thumbnails|previews|catalogue)\.sqlite(\.lock|-wal|-shm)?", name):
            raise Failure(f"the cache folder contains {name}")


# MARK: - Runs


class Worker:
    """A folder with photographs, programs and a cache, used by one run at a time."""

    def __init__(self, options, number, base, other_disk):
        self.options = options
        self.folder = os.path.join(base, str(number))
        self.photos = os.path.join(self.folder, "photos")
        self.cache = os.path.join(self.folder, "cache")
        self.warm = os.path.join(self.folder, "warm")
        self.substitute = os.path.join(other_disk, str(number))
        self.programs = os.path.join(options.links, str(number))
        self.library = os.path.join(options.tools, "faults.so")
        self.log = Log(os.path.join(self.folder, "log"))
        self.frame = os.path.join(self.folder, "frame.png")
        self.golden_file = os.path.join(self.folder, "golden.png")
        self.report = os.path.join(self.folder, "report.json")
        for folder in (self.photos, self.programs, self.substitute, os.path.join(self.folder, "home")):
            os.makedirs(folder)
        self.files = make_photographs(self.photos, options.samples)
        self.originals = fingerprint(self.photos)
        for name in ("vitrine", "vitrine-decode", "vitrine-decode-all", "vitrine-read"):
            real = os.path.join(options.programs, name)
            if name == "vitrine":
                os.link(real, os.path.join(self.programs, name))
            else:
                os.link(real, os.path.join(self.programs, name + ".real"))
                shutil.copy(os.path.join(options.tools, "decoder"), os.path.join(self.programs, name))

    def environment(self):
        home = os.path.join(self.folder, "home")
        kept = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH", "LANG") if key in os.environ}
        return kept | {
            "HOME": home, "XDG_CACHE_HOME": home + "/cache", "XDG_CONFIG_HOME": home + "/config",
            "XDG_DATA_HOME": home + "/data", "SWIFT_BACKTRACE": "enable=no"}

    def reset(self, warm):
        shutil.rmtree(self.cache, ignore_errors=True)
        if warm:
            shutil.copytree(self.warm, self.cache)
        for path in (self.frame, self.report):
            if os.path.exists(path):
                os.remove(path)
        self.log.clear(time.monotonic())

    def start(self, arguments=(), faults=None, decoder_faults=None, memory=None, environment=None):
        variables = self.environment() | (environment or {})
        common = f"photos={self.photos} cache={self.cache} log={self.log.path} "
        if faults is not None:
            variables |= {"LD_PRELOAD": self.library, "VITRINE_FAULTS": common + faults}
        path = os.path.join(self.programs, "faults.env")
        if decoder_faults is not None:
            with open(path, "w") as file:
                file.write(f"LD_PRELOAD={self.library}\nVITRINE_FAULTS={common}decoder=1 {decoder_faults}\n")
        elif os.path.exists(path):
            os.remove(path)
        def limit():
            if memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            # Shells ignore it for what they run in the background.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        headless = [] if environment and "DISPLAY" in environment else ["--headless", "--clock", "timer"]
        command = [
            os.path.join(self.programs, "vitrine"), *headless, "--size", f"{WIDTH}x{HEIGHT}", "--columns", "3",
            "--cache-dir", self.cache, "--screenshot", self.frame, *arguments, self.photos]
        return subprocess.Popen(
            command, env=variables, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, preexec_fn=limit, start_new_session=True)

    def finish(self, process, interrupts=True):
        """Interrupts the program, and returns its status and standard error."""
        if interrupts and process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=self.options.patience)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Failure(f"did not end within {self.options.patience} s after the interrupt") from None
        return process.returncode, errors.decode(errors="replace")

    def read_frame(self):
        try:
            with open(self.frame, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def run_without_faults(self, seconds, arguments=()):
        if os.path.exists(self.frame):
            os.remove(self.frame)
        process = self.start(arguments)
        if "--frames" in arguments:
            status, errors = self.finish(process, interrupts=False)
        else:
            time.sleep(seconds)
            status, errors = self.finish(process)
        if status not in (0, 130) or errors:
            raise Failure(f"a start without faults ended with {status}: {errors[:400]}")
        return self.read_frame()

    def prepare(self):
        """Makes the frame and the store that runs are compared with."""
        for seconds in (1.5, 3, 6, 12):
            self.reset(False)
            frame = self.run_without_faults(seconds)
            again = self.run_without_faults(seconds)
            if frame == again:
                break
        self.golden = stored(self.cache)
        shutil.rmtree(self.warm, ignore_errors=True)
        shutil.copytree(self.cache, self.warm)
        if frame != again or frame is None:
            raise Failure("two runs without faults have different frames")
        self.golden_frame = frame
        virtual = self.run_without_faults(0, ["--clock", "virtual", "--frames", "120"])
        if virtual != frame:
            raise Failure("the frame of the virtual clock differs")
        with open(self.golden_file, "wb") as file:
            file.write(frame)

    def difference(self, frame):
        """Returns how a frame differs from that of a run without faults, or nothing; a message above it may be shown."""
        if frame == self.golden_frame:
            return ""
        if frame is None:
            return "there is none"
        with open(self.frame, "wb") as file:
            file.write(frame)
        result = subprocess.run([os.path.join(self.options.tools, "frames"), self.frame, self.golden_file], capture_output=True, text=True)
        return "" if result.returncode in (0, 3) else result.stdout.strip() or result.stderr.strip()


PICTURE_FAULTS = ["EIO", "EIO", "EIO", "ESTALE", "ENOTCONN", "ENOMEM"]
WRITE_FAULTS = ["ENOSPC", "ENOSPC", "EDQUOT", "EIO", "EROFS"]


class Run:
    """One seeded run: its faults, and what must be true afterwards."""

    def __init__(self, seed):
        self.seed = seed
        chance = random.Random(seed)
        self.warm = chance.random() < 0.5
        self.rules, self.decoder_rules = [], []
        self.start, self.end = 0.0, round(chance.uniform(0.2, 1.3), 3)
        self.recovers = True
        self.memory = self.truncation = self.killed_after = None
        self.substitutes = False
        self.restored = None
        self.may_fail = False
        kinds = ["pictures", "decoder", "vanish", "truncate", "cache", "descriptors", "memory", "limit", "kill", "step", "interrupt"]
        weights = [18, 8, 12, 6, 20, 8, 4, 3, 10, 8, 3]
        self.kind = chance.choices(kinds, weights)[0]
        getattr(self, "plan_" + self.kind)(chance)

    def plan_pictures(self, chance):
        for _ in range(chance.randint(1, 3)):
            kinds = chance.choice(["read", "open", "status", "list", "read,open,status,list"])
            fault = chance.choice(PICTURE_FAULTS + ["short", "short"])
            if fault == "short":
                kinds = "read"
            self.rules.append(rule(
                "photos", kinds, fault, chance.choice([20000, 200000, 1000000]), chance.choice([0, 0, 1, 3, 10]),
                chance.choice([0, 0, 1, 5])))

    def plan_decoder(self, chance):
        fault = chance.choice(["EIO", "EIO", "ESTALE", "short", "short", "end"])
        # A file that ends early is damaged for all that the program can know, until it changes.
        self.recovers = fault != "end"
        self.decoder_rules.append(rule(
            "photos", "read", fault, chance.choice([100000, 500000, 1000000]), chance.choice([0, 1, 2, 5]),
            chance.choice([0, 1, 4])))

    def plan_vanish(self, chance):
        self.start = chance.choice([0, round(chance.uniform(0, 1), 3)])
        self.end += self.start
        fault = chance.choice(["ENOENT", "EIO", "ESTALE", "ENOTCONN", "substitute"])
        if fault == "substitute":
            self.substitutes = True
        else:
            self.rules.append(rule("photos", "all", fault))
            self.decoder_rules.append(rule("photos", "read", "EIO" if fault == "ENOENT" else fault))

    def plan_truncate(self, chance):
        self.start = round(chance.uniform(0, 0.6), 3)
        self.end += self.start
        self.truncation = chance.random()

    def plan_cache(self, chance):
        self.recovers = chance.random() < 0.5
        for _ in range(chance.randint(1, 2)):
            kinds = chance.choice(["write", "write", "sync", "name", "open", "read", "status", "memory", "write,sync,name,open"])
            fault = chance.choice(["EIO", "short"] if kinds == "read" else WRITE_FAULTS + (["short"] if kinds == "write" else []))
            self.rules.append(rule(
                "cache", kinds, fault, chance.choice([20000, 200000, 1000000]),
                chance.choice([0, chance.randint(0, 400)]), chance.choice([0, 0, 1, 3])))

    def plan_descriptors(self, chance):
        self.may_fail = True
        self.rules.append(rule(
            chance.choice(["none", "photos", "cache", "all"]), chance.choice(["open", "descriptor", "open,descriptor"]),
            chance.choice(["EMFILE", "ENFILE"]), chance.choice([50000, 300000, 1000000]), chance.randint(0, 60),
            chance.choice([0, 1, 8])))

    def plan_memory(self, chance):
        # A picture whose decoder lacks memory is lost in this run only.
        self.recovers = False
        self.decoder_rules.append(rule(
            "none", "memory", "ENOMEM", chance.choice([1000, 10000, 1000000]), chance.randint(0, 4000),
            chance.choice([0, 1, 1])))

    def plan_limit(self, chance):
        self.recovers = False
        self.may_fail = True
        self.memory = chance.randint(60, 600) << 20

    def plan_kill(self, chance):
        self.recovers = False
        self.rules.append(rule("cache", "all", "kill", skipped=self.store_call(chance)))

    def plan_step(self, chance):
        self.recovers = False
        self.rules.append(rule(
            "cache", "all", "step", skipped=self.store_call(chance), maximum=1,
            argument=int(10 ** chance.uniform(0, 4.5))))

    def plan_interrupt(self, chance):
        self.recovers = False
        self.killed_after = round(chance.uniform(0.01, 1.8), 4)

    def store_call(self, chance):
        # The number of calls of a run is some hundred; those of the end are made after the interrupt.
        return int(chance.uniform(0, 700)) if not self.warm else int(chance.uniform(0, 400))

    def describe(self):
        parts = [f"seed {self.seed}: {self.kind}", "warm" if self.warm else "cold"]
        parts.append(f"{self.start} to {self.end} s" + ("" if self.recovers else " and until the end"))
        parts += self.rules + ["decoder " + text for text in self.decoder_rules]
        for name in ("memory", "truncation", "killed_after"):
            if getattr(self, name) is not None:
                parts.append(f"{name} {getattr(self, name)}")
        if self.substitutes:
            parts.append("another disk")
        return ", ".join(parts)

    def perform(self, worker, recovery):
        worker.reset(self.warm)
        started = worker.log.started
        end = int((started + self.end) * 1e9) if self.recovers else 2**63
        window = f"seed={self.seed} from={int((started + self.start) * 1e9)} until={end} "
        substitute = f"substitute={worker.substitute} " if self.substitutes else ""
        process = worker.start(
            faults=window + substitute + " ".join(self.rules),
            decoder_faults=window + " ".join(self.decoder_rules) if self.decoder_rules else None, memory=self.memory)
        if self.truncation is not None:
            self.truncate(worker, started)
        self.wait(process, started + (self.killed_after or self.end + (recovery if self.recovers else 0)))
        if self.killed_after is not None and process.poll() is None:
            process.kill()
        status, errors = worker.finish(process)
        if self.restored is not None:
            os.utime(self.restored[0], ns=self.restored[1])
        self.judge(worker, status, errors)
        if fingerprint(worker.photos) != worker.originals:
            raise Failure("a photograph was changed")
        self.check_frame(worker, status, "the frame after the faults")
        # What was stored is used by a start without faults, after which the store must be whole.
        clock = ["--clock", "virtual", "--frames", "120"]
        is_timed = self.seed % 4 == 0 or (not self.recovers and self.seed % 2 == 0)
        frame = worker.run_without_faults(1.5) if is_timed else worker.run_without_faults(0, clock)
        if is_timed and worker.difference(frame):
            # The machine may be busy.
            frame = worker.run_without_faults(8)
        if difference := worker.difference(frame):
            self.save(worker, frame)
            raise Failure(f"the next start shows another frame: {difference}")
        # Photographs that could not be read are stored as such, until a start that lasts long enough has read them.
        has_unread = not is_timed and bool(self.decoder_rules)
        check_store(worker.cache, worker.golden, is_timed, self.kind == "truncate", has_unread)

    @staticmethod
    def wait(process, until):
        while True:
            remaining = until - time.monotonic()
            if remaining <= 0:
                return
            try:
                process.wait(min(remaining, 0.5))
                return
            except subprocess.TimeoutExpired:
                pass

    def truncate(self, worker, started):
        time.sleep(max(0, started + self.start - time.monotonic()))
        name = sorted(worker.files)[int(self.truncation * len(worker.files))]
        path, data = os.path.join(worker.photos, name), worker.files[name]
        status = os.stat(path)
        os.truncate(path, int(self.truncation * 7919 % 1 * len(data)))
        time.sleep(max(0, started + self.end - time.monotonic()))
        with open(path, "r+b") as file:
            file.write(data)
        self.restored = path, (status.st_atime_ns, status.st_mtime_ns)

    def judge(self, worker, status, errors):
        if self.kind in ("kill", "step", "interrupt") and status == -signal.SIGKILL:
            return
        if self.kind == "limit" and status < 0:
            return
        # The program cannot start without its library, descriptors or memory, and says so in one line.
        is_refused = status == 1 and self.may_fail or status == 2 and self.kind in ("pictures", "vanish", "descriptors")
        if is_refused and len(errors.splitlines()) == 1:
            return
        # The interrupt came before the program handles it.
        if status == -signal.SIGINT and not self.recovers:
            return
        if status not in (0, 130):
            raise Failure(f"ended with {status}: {errors[-600:]}")

    def check_frame(self, worker, status, text):
        if not self.recovers or status not in (0, 130):
            return
        frame = worker.read_frame()
        if difference := worker.difference(frame):
            self.save(worker, frame)
            raise WrongFrame(f"{text} is wrong: {difference}")

    def save(self, worker, frame):
        if frame is not None and worker.options.keep:
            with open(os.path.join(worker.options.keep, f"{self.seed}.png"), "wb") as file:
                file.write(frame)
