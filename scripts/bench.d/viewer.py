"""Times viewers of pictures from outside: by what an X server in memory shows, 60 times a second.

For each viewer, in a window of 1,400 x 900 pixels:
- sharp: from the start of the program to the first sample that shows what it still shows seconds later;
- pan: distinct pictures per second while the picture's own pixels are dragged for a second.

All viewers are measured in turn in each round, and the median is printed. Nothing is measured of a viewer that is not
installed or shows nothing.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

RATE = 60
SIZE = "1400x900"
# How to open a picture, the key for its own pixels, and the button that drags.
VIEWERS = {
    "vitrine": (["--no-cache"], "1", 1),
    "nsxiv": (["-g", SIZE, "-b"], "equal", 2),
    "eog": ([], "1", 1),
    "gthumb": ([], "1", 1),
}


def start_server(folder):
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", SIZE + "x24", "-nolisten", "tcp"],
        pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        return server, ":" + pipe.readline().strip()


class Recorder:
    """Samples the display, and keeps a digest of each sample."""

    def __init__(self, display):
        self.process = subprocess.Popen(
            ["ffmpeg", "-loglevel", "error", "-f", "x11grab", "-draw_mouse", "0", "-framerate", str(RATE),
             "-video_size", SIZE, "-i", display, "-f", "framemd5", "-use_wallclock_as_timestamps", "1", "-"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.samples = []
        os.set_blocking(self.process.stdout.fileno(), False)
        # The first sample comes when the recorder works.
        while not self.samples:
            self.take()
            time.sleep(0.002)

    def take(self):
        now = time.monotonic()
        for line in self.process.stdout:
            if not line.startswith("#"):
                self.samples.append((now, line.rsplit(",", 1)[1].strip()))

    def run(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.take()
            time.sleep(0.002)

    def stop(self):
        self.process.terminate()
        self.process.wait()


def measure(name, program, picture, folder):
    options, own_pixels, button = VIEWERS[name]
    server, display = start_server(folder)
    environment = {
        "PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8", "DISPLAY": display, "NO_AT_BRIDGE": "1",
        "GSETTINGS_BACKEND": "memory",
    }
    recorder = viewer = None
    try:
        recorder = Recorder(display)
        start = time.monotonic()
        viewer = subprocess.Popen(
            [program, *options, picture], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        recorder.run(6)
        shown = [sample for sample in recorder.samples if sample[0] >= start]
        if not shown or viewer.poll() is not None or shown[-1][1] == recorder.samples[0][1]:
            return None
        final = shown[-1][1]
        last_change = max((time for time, digest in shown if digest != final), default=start)
        sharp = next(time for time, digest in shown if digest == final and time > last_change) - start

        def xdotool(*words):
            subprocess.run(["xdotool", *map(str, words)], env=environment, check=True)

        xdotool("mousemove", 700, 450)
        xdotool("key", own_pixels)
        recorder.run(4)
        recorder.samples.clear()
        # One process, so that moves are as even as the system lets them be.
        moves = []
        for step in range(60):
            moves += ["mousemove", str(700 - 5 * step), str(450 - 3 * step), "sleep", "0.0166"]
        before = time.monotonic()
        drag = subprocess.Popen(
            ["xdotool", "mousedown", str(button), *moves, "mouseup", str(button)], env=environment)
        while drag.poll() is None:
            recorder.run(0.01)
        seconds = time.monotonic() - before
        pan = len({digest for _, digest in recorder.samples}) / seconds
        return sharp, pan
    finally:
        for process in (viewer, recorder and recorder.process, server):
            if process:
                process.terminate()
                process.wait()


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench viewer", description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--picture", help="the picture; by default one of 24 megapixels is made")
    parser.add_argument("--runs", type=int, default=3, help="the number of rounds")
    arguments = parser.parse_args()
    results = {name: [] for name in VIEWERS}
    with tempfile.TemporaryDirectory() as folder:
        picture = arguments.picture
        if not picture:
            picture = os.path.join(folder, "pictures", "picture.jpg")
            os.mkdir(os.path.dirname(picture))
            subprocess.run(
                ["convert", "-size", "1500x1000", "-seed", "1", "plasma:", "-resize", "6000x4000", "-attenuate", "0.3",
                 "+noise", "Gaussian", "-quality", "90", picture], check=True)
        for run in range(arguments.runs):
            for name in VIEWERS:
                program = os.path.abspath(arguments.program) if name == "vitrine" else shutil.which(name)
                home = os.path.join(folder, f"home-{name}-{run}")
                os.mkdir(home)
                result = measure(name, program, picture, home) if program else None
                if result:
                    results[name].append(result)
                print(f"round {run + 1}: {name}", file=sys.stderr)
        print(f"{os.path.getsize(picture) / 1e6:.1f} MB, {SIZE} pixels, {arguments.runs} rounds, medians")
        print(f"{'viewer':<10}{'sharp, ms':>12}{'pan, pictures/s':>18}")
        for name, values in results.items():
            if not values:
                print(f"{name:<10}{'not measured':>12}{'not measured':>18}")
                continue
            sharp, pan = (statistics.median(value[index] for value in values) for index in (0, 1))
            print(f"{name:<10}{sharp * 1000:>12.0f}{pan:>18.1f}")


if __name__ == "__main__":
    main()
