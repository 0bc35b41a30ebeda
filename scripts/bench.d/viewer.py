"""Times viewers of pictures from outside: by what an X server in memory shows in a part of the window, 60 times a second.

Sampling all of the window would take a processor from the viewers.

For each viewer, in a window of 1,400 x 900 pixels:
- sharp: from the start of the program to the first sample that shows what it still shows seconds later;
- pan: distinct pictures per second while the picture's own pixels are dragged for a second.

In a folder of pictures with embedded previews, each with a color of its own in the center:
- held: distinct pictures per second while the held key for the next one is repeated 30 times a second;
- stopped: from the release of this key to what is still shown seconds later;
- next: from a key for the next picture, which a viewer may have decoded, to the first sample that shows it, and to what
  is still shown seconds later;
- last: from a key for the last picture, which no viewer can have decoded, to what is still shown seconds later.

All times contain the latency of the samples, which is measured too: from the end of a program that fills the display to
the first sample that shows it. The time to decode the picture is that of libjpeg-turbo's djpeg, with all its pixels.

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
# The keys for the next, the last and the first picture of a folder.
KEYS = {"vitrine": ("Right", "End", "Home"), "nsxiv": ("n", "shift+g", "g"), "eog": ("Right", "End", "Home")}
# How long the key is held, the delay after which it is repeated, both in seconds, and the rate of the repetition.
HELD_TIME = 2.25
HELD_DELAY = 0.25
HELD_RATE = 30
# A picture's own pixels and its embedded preview.
PICTURE_SIZE = (6000, 4000)
PREVIEW_SIZE = (320, 213)


def start_server(folder):
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", SIZE + "x24", "-nolisten", "tcp"],
        pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        return server, ":" + pipe.readline().strip()


class Recorder:
    """Samples a part of the display, and keeps a digest of each sample."""

    # In a folder of pictures, it contains the edge of the colored square.
    LEFT, TOP, PART = 400, 350, "320x200"

    def __init__(self, display):
        self.process = subprocess.Popen(
            ["ffmpeg", "-loglevel", "error", "-f", "x11grab", "-draw_mouse", "0", "-framerate", str(RATE),
             "-video_size", self.PART, "-i", f"{display}+{self.LEFT},{self.TOP}", "-f", "framemd5",
             "-use_wallclock_as_timestamps", "1", "-"],
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


def measure(name, program, folder, picture):
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


class ColorRecorder(Recorder):
    """Samples the center of the display, and keeps the color of each sample."""

    SIDE = 8

    def __init__(self, display):
        width, height = map(int, SIZE.split("x"))
        self.process = subprocess.Popen(
            ["ffmpeg", "-loglevel", "error", "-f", "x11grab", "-draw_mouse", "0", "-framerate", str(RATE),
             "-video_size", f"{self.SIDE}x{self.SIDE}", "-i",
             f"{display}+{width // 2},{height // 2 - 40}", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.samples = []
        self.rest = b""
        os.set_blocking(self.process.stdout.fileno(), False)
        while not self.samples:
            self.take()
            time.sleep(0.002)

    def take(self):
        now = time.monotonic()
        self.rest += self.process.stdout.read() or b""
        size = self.SIDE * self.SIDE * 3
        while len(self.rest) >= size:
            self.samples.append((now, picture_of(tuple(self.rest[:3]))))
            self.rest = self.rest[size:]


LEVELS = (40, 100, 160, 220)


def color_of(index):
    """Returns the color of a picture in a folder."""
    return tuple(LEVELS[index // 4 ** place % 4] for place in range(3))


def picture_of(color):
    """Returns the index of the picture with a color, or None if no picture has it."""
    index = 0
    for place, value in enumerate(color):
        level = min(range(4), key=lambda level: abs(LEVELS[level] - value))
        if abs(LEVELS[level] - value) > 12:
            return None
        index += level * 4**place
    return index


def make_folder(folder):
    """Makes pictures of 24 megapixels with embedded previews: grain, and a square with a color of its own."""
    import io
    import struct

    import numpy
    from PIL import Image

    random = numpy.random.Generator(numpy.random.PCG64(1))
    coarse = Image.fromarray(random.integers(40, 216, (40, 60, 3), dtype=numpy.uint8))
    grain = random.normal(0, 6, (PICTURE_SIZE[1], PICTURE_SIZE[0], 1)).astype(numpy.float32)
    background = numpy.asarray(coarse.resize(PICTURE_SIZE, Image.Resampling.BICUBIC), dtype=numpy.float32)
    background = numpy.clip(background + grain, 0, 255).astype(numpy.uint8)
    for index in range(4**3):
        pixels = background.copy()
        pixels[1200:2800, 2000:4000] = color_of(index)
        picture = Image.fromarray(pixels)
        thumbnail = io.BytesIO()
        picture.resize(PREVIEW_SIZE, Image.Resampling.BOX).save(thumbnail, "JPEG", quality=80)
        data = thumbnail.getvalue()
        # TIFF: an empty directory, and one with the format, the place and the length of the preview.
        tiff = struct.pack("<2sHIHI", b"II", 42, 8, 0, 14) + struct.pack("<H", 3)
        offset = len(tiff) + 3 * 12 + 4
        for tag, kind, value in ((0x103, 3, 6), (0x201, 4, offset), (0x202, 4, len(data))):
            tiff += struct.pack("<HHII", tag, kind, 1, value)
        picture.save(
            os.path.join(folder, f"{index:02}.jpg"), quality=90, exif=b"Exif\0\0" + tiff + bytes(4) + data)


def measure_steps(name, program, folder, pictures):
    """Returns pictures per second of a held key, and times in seconds: see the beginning of this file."""
    options = VIEWERS[name][0]
    next_key, last_key, first_key = KEYS[name]
    server, display = start_server(folder)
    environment = {
        "PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8", "DISPLAY": display, "NO_AT_BRIDGE": "1",
        "GSETTINGS_BACKEND": "memory",
    }
    colors = frames = viewer = None
    try:
        colors, frames = ColorRecorder(display), Recorder(display)
        operands = sorted(pictures) if name == "nsxiv" else sorted(pictures)[:1]
        viewer = subprocess.Popen(
            [program, *options, *operands], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def run(seconds):
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                frames.take()
                colors.take()
                time.sleep(0.002)

        def xdotool(*words):
            subprocess.run(["xdotool", *map(str, words)], env=environment, check=True)

        def settle(start):
            """Returns the time from an instant to the first sample of what is still shown."""
            run(3)
            final = frames.samples[-1][1]
            return max((time for time, digest in frames.samples if digest != final), default=start) - start + 1 / RATE

        run(4)
        if viewer.poll() is not None or colors.samples[-1][1] != 0:
            return None
        xdotool("mousemove", 700, 20)
        run(0.5)

        def press(key, expected):
            frames.samples.clear()
            colors.samples.clear()
            start = time.monotonic()
            xdotool("key", "--delay", 0, key)
            sharp = settle(start)
            first = next((time for time, index in colors.samples if index == expected), None)
            return (None if first is None else first - start), sharp

        first, sharp = press(next_key, 1)
        _, last = press(last_key, 63)
        xdotool("key", first_key)
        run(3)
        subprocess.run(
            ["xset", "r", "rate", str(int(HELD_DELAY * 1000)), str(HELD_RATE)], env=environment, check=True)
        colors.samples.clear()
        xdotool("keydown", next_key)
        run(HELD_TIME)
        xdotool("keyup", next_key)
        end = time.monotonic()
        shown = [index for _, index in colors.samples if index is not None]
        distinct = sum(1 for one, other in zip(shown, shown[1:]) if one != other)
        frames.samples.clear()
        stopped = settle(end)
        return (distinct - 1) / (HELD_TIME - HELD_DELAY), stopped, first, sharp, last
    finally:
        for process in (viewer, colors and colors.process, frames and frames.process, server):
            if process:
                process.terminate()
                process.wait()


def measure_latency(folder):
    """Returns the time from the end of a program that fills the display to the first sample that shows it, in seconds."""
    server, display = start_server(folder)
    environment = {"PATH": os.environ["PATH"], "HOME": folder, "DISPLAY": display}
    recorder = colors = None
    try:
        colors, recorder = ColorRecorder(display), Recorder(display)
        times = []

        def run(seconds):
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                recorder.take()
                colors.take()
                time.sleep(0.002)

        for index in range(11):
            # Not at the same phase of the samples each time.
            run(0.5 + 0.005 * index)
            before = recorder.samples[-1][1]
            recorder.samples.clear()
            subprocess.run(["xsetroot", "-solid", ["navy", "olive"][index % 2]], env=environment, check=True)
            start = time.monotonic()
            run(0.5)
            times.append(next(time for time, digest in recorder.samples if digest != before) - start)
        return statistics.median(times)
    finally:
        for process in (recorder and recorder.process, colors and colors.process, server):
            if process:
                process.terminate()
                process.wait()


def print_steps(results, latency):
    print(f"{'viewer':<10}{'held, pictures/s':>18}{'stopped, ms':>13}{'next, ms':>10}{'sharp, ms':>11}{'last, ms':>10}")
    for name, values in results.items():
        columns = []
        for index in range(5):
            known = [value[index] for value in values if value[index] is not None]
            columns.append(statistics.median(known) * (1 if index == 0 else 1000) if known else None)
        texts = ["-" if column is None else f"{column:.1f}" if index == 0 else f"{column:.0f}"
                 for index, column in enumerate(columns)]
        print(f"{name:<10}{texts[0]:>18}{texts[1]:>13}{texts[2]:>10}{texts[3]:>11}{texts[4]:>10}")
    values = results["vitrine"]
    if values:
        rate = statistics.median(value[0] for value in values)
        last = statistics.median(value[4] for value in values) * 1000
        verdict(f"a held key shows {HELD_RATE} pictures a second", rate >= 0.95 * HELD_RATE)
        prepared = statistics.median(value[3] for value in values) * 1000
        verdict("a prepared picture is sharp within two frames and the latency", prepared <= latency + 2000 / RATE)
        verdict("a picture that is not prepared is sharp within 150 ms and the latency", last <= 150 + latency)


def verdict(aim, is_kept):
    print(f"{'kept' if is_kept else 'MISSED'}: {aim}")


def decode_time(picture):
    """Returns the time to decode a picture in seconds, the median of five."""
    times = []
    for _ in range(5):
        start = time.monotonic()
        subprocess.run(["djpeg", "-outfile", "/dev/null", picture], check=True)
        times.append(time.monotonic() - start)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench viewer", description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--picture", help="the picture; by default one of 24 megapixels is made")
    parser.add_argument("--runs", type=int, default=3, help="the number of rounds")
    parser.add_argument("--part", choices=["picture", "steps"], help="only one picture, or only steps in a folder")
    arguments = parser.parse_args()
    if arguments.part != "steps":
        measure_pictures(arguments)
    if arguments.part != "picture":
        with tempfile.TemporaryDirectory() as folder:
            pictures = os.path.join(folder, "pictures")
            os.mkdir(pictures)
            make_folder(pictures)
            files = [os.path.join(pictures, name) for name in os.listdir(pictures)]
            results = measure_rounds(arguments, KEYS, folder, lambda *viewer: measure_steps(*viewer, files))
            size = sum(map(os.path.getsize, files)) / len(files) / 1e6
            print(f"{len(files)} pictures of 24 megapixels and {size:.1f} MB, {arguments.runs} rounds, medians")
            latency = measure_latency(folder) * 1000
            print(f"latency of the samples: {latency:.0f} ms; -: not measured")
            print_steps(results, latency)


def measure_rounds(arguments, names, folder, body):
    """Returns the results of each viewer that is installed and shows something, all measured in turn in each round."""
    results = {name: [] for name in names}
    for run in range(arguments.runs):
        for name in names:
            program = os.path.abspath(arguments.program) if name == "vitrine" else shutil.which(name)
            home = os.path.join(folder, f"home-{name}-{run}")
            os.mkdir(home)
            result = body(name, program, home) if program else None
            if result:
                results[name].append(result)
            print(f"round {run + 1}: {name}", file=sys.stderr)
    return results


def measure_pictures(arguments):
    with tempfile.TemporaryDirectory() as folder:
        picture = arguments.picture
        if not picture:
            picture = os.path.join(folder, "pictures", "picture.jpg")
            os.mkdir(os.path.dirname(picture))
            subprocess.run(
                ["convert", "-size", "1500x1000", "-seed", "1", "plasma:", "-resize", "6000x4000", "-attenuate", "0.3",
                 "+noise", "Gaussian", "-quality", "90", picture], check=True)
        results = measure_rounds(arguments, VIEWERS, folder, lambda *viewer: measure(*viewer, picture))
        print(f"{os.path.getsize(picture) / 1e6:.1f} MB, {SIZE} pixels, {arguments.runs} rounds, medians")
        print(f"{'viewer':<10}{'sharp, ms':>12}{'pan, pictures/s':>18}")
        for name, values in results.items():
            if not values:
                print(f"{name:<10}{'not measured':>12}{'not measured':>18}")
                continue
            sharp, pan = (statistics.median(value[index] for value in values) for index in (0, 1))
            print(f"{name:<10}{sharp * 1000:>12.0f}{pan:>18.1f}")
        decode, latency = decode_time(picture) * 1000, measure_latency(folder) * 1000
        print(f"decoding by itself: {decode:.0f} ms; latency of the samples: {latency:.0f} ms")
        if results["vitrine"]:
            sharp = statistics.median(value[0] for value in results["vitrine"]) * 1000
            limit = 1.2 * decode + 60 + latency
            verdict(f"sharp within 1.2 times the decoding, 60 ms and the latency: {limit:.0f} ms", sharp <= limit)


if __name__ == "__main__":
    main()
