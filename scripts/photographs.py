"""Generates photographs for measurements from Debian's wallpapers; see scripts/photographs."""

import datetime
import multiprocessing
import os
import sys

import numpy
from PIL import Image, ImageChops, ImageOps

WALLPAPERS = "/usr/share/backgrounds"
DRAWINGS = ("abstract", "desktop", "gnome")
LONG_SIDE, SHORT_SIDE = 4000, 3000
QUALITY = 90
GRAIN_SIDE = 1024
FIRST_DAY = datetime.datetime(2009, 3, 1, 6, 0, 0)
DAYS = 16 * 365


def wallpapers():
    """Returns the paths of the wallpapers that are photographs; drawings are not JPEG, or in the excluded folders."""
    found = []
    for folder, _, names in os.walk(WALLPAPERS):
        if os.path.basename(folder) in DRAWINGS:
            continue
        for name in names:
            path = os.path.join(folder, name)
            if not name.lower().endswith((".jpg", ".jpeg")) or os.path.islink(path):
                continue
            with Image.open(path) as picture:
                if min(picture.size) >= 1000:
                    found.append(path)
    return sorted(found)


def grain(side):
    """Returns a tile of film grain around middle grey, the same in every run."""
    noise = numpy.random.Generator(numpy.random.PCG64(1)).normal(128, 1, (side, side))
    return (noise - 128).astype(numpy.float32)


def develop(wallpaper, index, tile):
    """Returns a photograph: a part of the wallpaper, possibly mirrored, with a tint and grain."""
    random = numpy.random.Generator(numpy.random.PCG64([2, index]))
    is_portrait = random.random() < 0.25
    width, height = (SHORT_SIDE, LONG_SIDE) if is_portrait else (LONG_SIDE, SHORT_SIDE)
    # The largest part of this shape, then 45 to 100 % of it, anywhere.
    scale = min(wallpaper.width / width, wallpaper.height / height) * random.uniform(0.45, 1)
    part = (width * scale, height * scale)
    left = random.uniform(0, wallpaper.width - part[0])
    top = random.uniform(0, wallpaper.height - part[1])
    box = (left, top, left + part[0], top + part[1])
    picture = wallpaper.resize((width, height), Image.Resampling.BICUBIC, box=box)
    if random.random() < 0.5:
        picture = ImageOps.mirror(picture)
    levels = numpy.arange(256) / 255
    table = []
    exposure, contrast = random.uniform(0.75, 1.3), random.uniform(0.85, 1.15)
    for tint in random.uniform(0.82, 1.18, 3):
        curve = numpy.clip(levels * tint, 0, 1) ** (1 / exposure)
        table += list(numpy.clip(((curve - 0.5) * contrast + 0.5) * 255, 0, 255).astype(int))
    picture = picture.point(table)
    rows, columns = random.integers(0, GRAIN_SIDE, 2)
    noise = numpy.roll(tile * random.uniform(2.0, 3.6) + 128, (rows, columns), (0, 1)).round().astype(numpy.uint8)
    repeats = (height // GRAIN_SIDE + 1, width // GRAIN_SIDE + 1)
    layer = Image.fromarray(numpy.tile(noise, repeats)[:height, :width])
    return ImageChops.add(picture, Image.merge("RGB", [layer] * 3), 1, -128)


def taken(index):
    """Returns the date of a photograph; some days have many photographs, most have none."""
    random = numpy.random.Generator(numpy.random.PCG64([3, index // 12]))
    day = FIRST_DAY + datetime.timedelta(days=int(random.integers(0, DAYS)))
    return day + datetime.timedelta(minutes=7 * (index % 12), seconds=index % 60)


def save(picture, path, index):
    """Writes the file atomically."""
    when = taken(index)
    text = when.strftime("%Y:%m:%d %H:%M:%S")
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x0112], exif[0x0132] = "Vitrine", "Test camera", 1, text
    exif[0x8769] = {0x9003: text}
    part = path + ".part"
    picture.save(part, "JPEG", quality=QUALITY, subsampling="4:2:0", exif=exif)
    stamp = when.replace(tzinfo=datetime.timezone.utc).timestamp()
    os.utime(part, (stamp, stamp))
    os.rename(part, path)


def work(job):
    """Generates the photographs of one wallpaper, which is decoded once."""
    source, indices, folder, report = job[0], job[1], job[2], PROGRESS
    tile = grain(GRAIN_SIDE)
    with Image.open(source) as opened:
        wallpaper = opened.convert("RGB")
    for index in indices:
        save(develop(wallpaper, index, tile), path_of(folder, index), index)
        with report.get_lock():
            report.value += 1
            done = report.value
        if sys.stderr.isatty() or done % 50 == 0:
            end = "\r" if sys.stderr.isatty() else "\n"
            print(f"{done} of {TOTAL.value} photographs", end=end, file=sys.stderr, flush=True)


def path_of(folder, index):
    return os.path.join(folder, f"IMG_{index + 1:05d}.jpg")


PROGRESS = multiprocessing.Value("i", 0)
TOTAL = multiprocessing.Value("i", 0)


def main():
    count, folder = int(sys.argv[1]), sys.argv[2]
    sources = wallpapers()
    if not sources:
        sys.exit(f"photographs: no wallpapers in {WALLPAPERS}")
    os.makedirs(folder, exist_ok=True)
    jobs = {}
    for index in range(count):
        if not os.path.exists(path_of(folder, index)):
            # Neighbours come from different wallpapers.
            jobs.setdefault(sources[index % len(sources)], []).append(index)
    TOTAL.value = sum(map(len, jobs.values()))
    # In small jobs, so that all processes finish at about the same time.
    pieces = [(source, some[at : at + 16], folder) for source, some in jobs.items() for at in range(0, len(some), 16)]
    with multiprocessing.Pool(max(2, os.cpu_count() or 2)) as pool:
        for _ in pool.imap_unordered(work, pieces):
            pass
    print(f"{count} photographs in {folder}, {TOTAL.value} of them new", file=sys.stderr)


if __name__ == "__main__":
    main()
