"""Runs of the gallery in a window whose X server is killed."""

import os
import random
import subprocess
import threading
import time

from gallery import check_store
from injection import Failure


class DisplayRun:
    """A seeded run in a window of an X server that is killed after a while."""

    kind = "display"
    bound = 5.0
    # The longest time from the end of the server to that of the program.
    longest = 0.0
    lock = threading.Lock()

    def __init__(self, seed):
        self.seed = seed
        chance = random.Random(seed)
        self.warm = chance.random() < 0.5
        self.killed_after = round(chance.uniform(0.05, 2.5), 3)

    def describe(self):
        return f"seed {self.seed}: display, {'warm' if self.warm else 'cold'}, gone after {self.killed_after} s"

    def perform(self, worker, _):
        worker.reset(self.warm)
        read_end, write_end = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1280x1100x24", "-nolisten", "tcp"],
            pass_fds=[write_end], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            os.close(write_end)
            with os.fdopen(read_end) as file:
                number = file.readline().strip()
            if not number:
                raise Failure("no X server could be started")
            process = worker.start(environment={"DISPLAY": f":{number}"})
            time.sleep(self.killed_after)
        finally:
            server.kill()
            server.wait()
        killed = time.monotonic()
        status, errors = worker.finish(process, interrupts=False)
        seconds = time.monotonic() - killed
        with DisplayRun.lock:
            DisplayRun.longest = max(DisplayRun.longest, seconds)
        if status < 0:
            raise Failure(f"ended with {status}: {errors[-400:]}")
        if status == 0:
            raise Failure("ended with 0 although the display was gone")
        if seconds > self.bound:
            raise Failure(f"ended {seconds:.1f} s after the display was gone")
        frame = worker.run_without_faults(0, ["--clock", "virtual", "--frames", "120"])
        if difference := worker.difference(frame):
            raise Failure(f"the next start shows another frame: {difference}")
        check_store(worker.cache, worker.golden, False)
