"""Compares the pixels of this package's decoders with those of other programs; called by scripts/pixels.

usage: pixels.py PROGRAM FOLDER LIST WORK KNOWN
  PROGRAM  DecodingBenchmarks
  FOLDER   images and their list, MANIFEST.tsv (the first field of each line is a path)
  LIST     file to write the differences to, tab separated
  WORK     folder for pixels, which may become large
  KNOWN    known differences: a path and the reason on each line, tab separated

The other decoders are Pillow and ImageMagick for all formats, avifdec for AVIF and heif-convert for HEIC. An image is
the same if it equals that of any of them. It counts as decoded by others if one decodes it without a warning.
"""
import csv
import io
import multiprocessing
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import warnings

import numpy
from PIL import Image, ImageCms, ImageOps

SIDES = [1024, 96]
FORMATS = ["jpeg", "png", "webp", "gif", "bmp", "tiff", "avif", "heif", "qoi"]
# References with more pixels take too much memory.
MOST_PIXELS = 120_000_000
# The maximum mean difference of samples, out of 255. Decoders round colours and interpolate half-resolution colour
# differently; at other sizes than the original the methods of reduction differ as well.
MOST_MEAN = {True: 1.5, False: 3.0}
# The maximum number of pixels in 1,000 that differ by more than 48 of 255 in a channel, which a mean would hide.
MOST_FAR = {True: 4.0, False: 30.0}


class Slow(Exception):
    pass


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


def on_black(image):
    """Returns an image as 8-bit R, G, B over black."""
    if image.mode in ("I;16", "I;16B", "I;16L", "I"):
        array = numpy.asarray(image).astype(numpy.float64)
        bits = getattr(image, "bits_per_sample", 16)
        if bits == 32:
            scale = 255 / (2**32 - 1)
        elif image.mode == "I" and array.max(initial=0) <= 255 and image.format not in ("PNG", "TIFF"):
            scale = 1.0
        else:
            scale = 255 / 65535
        grey = numpy.clip(numpy.round(array * scale), 0, 255).astype(numpy.uint8)
        return numpy.repeat(grey[:, :, None], 3, axis=2)
    if image.mode == "F":
        array = numpy.clip(numpy.round(numpy.asarray(image) * 255), 0, 255).astype(numpy.uint8)
        return numpy.repeat(array[:, :, None], 3, axis=2)
    rgba = image.convert("RGBA")
    return numpy.asarray(Image.alpha_composite(Image.new("RGBA", rgba.size, (0, 0, 0, 255)), rgba).convert("RGB"))


def to_srgb(image):
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in ("RGB", "RGBA", "L", "CMYK"):
        return image
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        mode = "RGBA" if image.mode == "RGBA" else "RGB"
        return ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode=mode)
    except Exception:
        return image


def by_pillow(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        with Image.open(path) as image:
            if image.width * image.height > MOST_PIXELS:
                return None
            image.load()
            upright = ImageOps.exif_transpose(image) or image
            upright.format = image.format
            if image.format == "TIFF":
                upright.bits_per_sample = image.tag_v2.get(258, (16,))[0]
            upright.info.setdefault("icc_profile", image.info.get("icc_profile"))
            return on_black(to_srgb(upright))


def read_ppm(data):
    image = Image.open(io.BytesIO(data))
    return numpy.asarray(image.convert("RGB"))


def run(command, data=None):
    done = subprocess.run(command, input=data, capture_output=True, timeout=40, preexec_fn=limit)
    return None if done.returncode != 0 or done.stderr.strip() else done.stdout


def by_imagemagick(path, kind):
    kinds = {"jpeg": "jpeg", "png": "png", "webp": "webp", "gif": "gif", "bmp": "bmp", "tiff": "tiff", "avif": "avif",
             "heif": "heic"}
    if kind not in kinds:
        return None
    command = ["convert", "-limit", "memory", "2GiB", "-limit", "disk", "0", f"{kinds[kind]}:{path}[0]", "-auto-orient"]
    if kind == "gif":
        command = ["convert", "-limit", "memory", "2GiB", f"gif:{path}[0]", "-coalesce"]
    command += ["-background", "black", "-alpha", "remove", "-colorspace", "sRGB", "-depth", "8", "ppm:-"]
    data = run(command)
    return read_ppm(data) if data else None


def by_tool(path, kind):
    if kind not in ("avif", "heif"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "picture.png")
        command = {"avif": ["avifdec", "--no-strict", path, target], "heif": ["heif-convert", path, target]}[kind]
        result = subprocess.run(command, capture_output=True, timeout=40, preexec_fn=limit)
        output = result.stdout.decode(errors="replace")
        if not os.path.exists(target):
            return None
        if kind == "avif" and "ICC Profile    : Absent" in output:
            return oriented(in_srgb(target, output), output)
        with Image.open(target) as image:
            image.load()
            pixels = on_black(to_srgb(ImageOps.exif_transpose(image)))
            return oriented(pixels, output) if kind == "avif" else pixels


def oriented(pixels, output):
    """Applies the file's rotation and mirror boxes, which avifdec prints and does not apply."""
    turns = re.search(r"irot \(Rotation\)\s*: (\d)", output)
    if turns:
        pixels = numpy.rot90(pixels, int(turns.group(1)))
    mirror = re.search(r"imir \(Mirror\)\s*: \D*(\d)", output)
    if mirror:
        pixels = numpy.flip(pixels, 0 if mirror.group(1) == "0" else 1)
    return numpy.ascontiguousarray(pixels)


PRIMARIES = {
    1: (0.640, 0.330, 0.300, 0.600, 0.150, 0.060), 2: (0.640, 0.330, 0.300, 0.600, 0.150, 0.060),
    9: (0.708, 0.292, 0.170, 0.797, 0.131, 0.046), 12: (0.680, 0.320, 0.265, 0.690, 0.150, 0.060),
}


def to_xyz(points):
    columns = [numpy.array([x / y, 1, (1 - x - y) / y]) for x, y in zip(points[::2], points[1::2])]
    white = numpy.array([0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290])
    rows = numpy.stack(columns, axis=1)
    return rows * numpy.linalg.solve(rows, white)


def pq_to_light(level):
    power = numpy.power(level, 1 / 78.84375)
    return 10000 * numpy.power(numpy.maximum(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)


def light_to_pq(light):
    power = numpy.power(numpy.minimum(light / 10000, 1), 0.1593017578125)
    return numpy.power((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)


def tone_mapped(light):
    """Maps up to 1,000 candela to 203 (ITU-R BT.2390-8, section 5.4.1), by the brightest channel of each pixel."""
    source = light_to_pq(numpy.float64(1000))
    most = light_to_pq(numpy.float64(203)) / source
    start = 1.5 * most - 0.5
    peak = light.max(axis=2, keepdims=True)
    share = numpy.minimum(light_to_pq(peak) / source, 1)
    t = numpy.maximum(share - start, 0) / (1 - start)
    spline = (2 * t**3 - 3 * t**2 + 1) * start + (t**3 - 2 * t**2 + t) * (1 - start) + (-2 * t**3 + 3 * t**2) * most
    shown = numpy.where(share > start, spline, share) * source
    return light * pq_to_light(shown) / numpy.maximum(peak, 1e-9) / 203


def in_srgb(path, output):
    """Converts the output of avifdec to sRGB, by the file's ITU-T H.273 colour parameters."""
    with Image.open(path) as image:
        width, height = image.size
    data = run(["convert", path, "-depth", "16", "rgba:-"])
    levels = numpy.frombuffer(data, dtype="<u2").reshape(height, width, 4) / 65535
    color, alpha = levels[:, :, :3], levels[:, :, 3:]
    primaries = int(re.search(r"Color Primaries: (\d+)", output).group(1))
    transfer = int(re.search(r"Transfer Char. : (\d+)", output).group(1))
    if transfer in (8, 16, 18) or primaries not in (1, 2):
        if transfer == 16:
            light = tone_mapped(pq_to_light(color))
        elif transfer == 18:
            scene = numpy.where(color <= 0.5, color**2 / 3, (numpy.exp((color - 0.55991073) / 0.17883277) + 0.28466892) / 12)
            bright = (scene * to_xyz(PRIMARIES[primaries])[1]).sum(axis=2, keepdims=True)
            light = tone_mapped(1000 * scene * numpy.power(numpy.maximum(bright, 1e-6), 0.2))
        elif transfer == 8:
            light = color
        else:
            light = numpy.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
        back = numpy.linalg.inv(to_xyz(PRIMARIES[1])) @ to_xyz(PRIMARIES.get(primaries, PRIMARIES[1]))
        light = numpy.clip(light @ back.T, 0, 1)
        color = numpy.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return numpy.round(color * alpha * 255).astype(numpy.uint8)


DECODERS = [("Pillow", lambda path, kind: by_pillow(path)), ("ImageMagick", by_imagemagick), ("its tool", by_tool)]


def difference(own, whole):
    """Returns the mean difference and the number of very different pixels in 1,000, or None if the sizes differ."""
    height, width = own.shape[:2]
    scale = min(1, max(width, height) / max(whole.shape[:2]))
    if abs(width - whole.shape[1] * scale) > 1 or abs(height - whole.shape[0] * scale) > 1:
        return None
    is_whole = whole.shape[:2] == (height, width)
    if not is_whole:
        if whole.shape[0] < height or whole.shape[1] < width:
            return None
        whole = numpy.asarray(Image.fromarray(whole).resize((width, height), Image.LANCZOS))
    apart = numpy.abs(own.astype(numpy.int16) - whole.astype(numpy.int16))
    far = 1000 * float((apart.max(axis=2) > 48).mean())
    return float(apart.mean()), far, is_whole


def is_same(found):
    return found is not None and found[0] <= MOST_MEAN[found[2]] and found[1] <= MOST_FAR[found[2]]


def judge(task):
    """Compares an image with those of the other decoders; returns (path, verdict, text)."""
    number, path, full, kind, ends, work = task
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(Slow()))
    references = []
    for name, decode in DECODERS:
        signal.alarm(60)
        try:
            pixels = decode(full, kind)
        except Exception:
            pixels = None
        finally:
            signal.alarm(0)
        if pixels is not None:
            references.append((name, pixels))
            if ends[SIDES[0]][0] == "damaged" and ignores_damage(name, kind):
                references.pop()
                continue
            if all_same(number, ends, pixels, work):
                return path, "same", name
    if not references:
        return path, "undecoded by others", ends[SIDES[0]][0]
    end = ends[SIDES[0]]
    if end[0] == "refused" and all(ignores_damage(name, kind) for name, _ in references):
        return path, "undecoded by others", end[1]
    if end[0] == "refused":
        return path, "refused", f"{end[1]} ({', '.join(name for name, _ in references)} decode it)"
    texts = []
    for name, pixels in references:
        for side in SIDES:
            found = compare(number, side, ends, pixels, work)
            what = "another shape" if found is None else f"mean {found[0]:.1f}, far {found[1]:.0f} of 1,000"
            texts.append(f"{name} at {side}: {what}")
    return path, "differs" if end[0] == "ok" else "damaged", "; ".join(texts)


def ignores_damage(name, kind):
    """Returns whether a decoder reports no damage: Pillow ignores libjpeg's warnings, and PNG checksums and palettes."""
    return name == "Pillow" and kind in ("jpeg", "png")


def compare(number, side, ends, pixels, work):
    end = ends[side]
    if end[0] == "refused":
        return None
    with open(f"{work}/{number}-{side}.rgba", "rb") as file:
        own = numpy.frombuffer(file.read(), dtype=numpy.uint8).reshape(int(end[2]), int(end[1]), 4)[:, :, :3]
    return difference(own, pixels)


def all_same(number, ends, pixels, work):
    return ends[SIDES[0]][0] == "ok" and all(is_same(compare(number, side, ends, pixels, work)) for side in SIDES)


def main():
    program, folder, target, work, known_path = sys.argv[1:6]
    with open(os.path.join(folder, "MANIFEST.tsv"), newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    rows = [row for row in rows if row[1] in FORMATS]
    with open(f"{work}/list", "w", encoding="utf-8") as file:
        file.writelines(os.path.join(folder, row[0]) + "\n" for row in rows)
    subprocess.run(
        [program, "pixels", "--list", f"{work}/list", "--output", work, "--sizes", ",".join(map(str, SIDES))],
        check=True, stdout=subprocess.DEVNULL)
    ends = [{} for _ in rows]
    with open(f"{work}/pixels.tsv", encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            ends[int(fields[0])][int(fields[1])] = fields[2:]
    tasks = [(n, row[0], os.path.join(folder, row[0]), row[1], ends[n], work) for n, row in enumerate(rows)]
    Image.MAX_IMAGE_PIXELS = None
    with multiprocessing.Pool(os.cpu_count(), maxtasksperchild=200) as pool:
        found = pool.map(judge, tasks, chunksize=8)
    with open(known_path, encoding="utf-8") as file:
        known = dict(line.rstrip("\n").split("\t", 1) for line in file if line.strip())
    counts, missing, wrong = {}, [], dict(known)
    with open(target, "w", encoding="utf-8") as file:
        for path, verdict, text in found:
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict in ("same", "undecoded by others"):
                continue
            wrong.pop(path, None)
            file.write(f"{verdict}\t{path}\t{text}\t{known.get(path, 'NOT KNOWN')}\n")
            if path not in known:
                missing.append(f"{path}: {verdict}: {text}")
    paths = {path for path, _, _ in found}
    stale = [path for path in wrong if path in paths]
    compared = sum(count for verdict, count in counts.items() if verdict != "undecoded by others")
    print(f"{compared} images that other decoders decode, at {SIDES[0]} and {SIDES[1]} pixels:")
    for verdict in ("same", "differs", "damaged", "refused"):
        print(f"  {verdict}: {counts.get(verdict, 0)}")
    print(f"  (and {counts.get('undecoded by others', 0)} that no other decoder decodes without a warning)")
    print(f"{sum(counts.get(v, 0) for v in ('differs', 'damaged', 'refused')) - len(missing)} differences are known; all are listed in {target}")
    for line in missing:
        print("NOT KNOWN " + line)
    for path in stale:
        print(f"NO LONGER DIFFERENT {path}: remove it from {os.path.basename(known_path)}")
    sys.exit(1 if missing or stale else 0)


main()
