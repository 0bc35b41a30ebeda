"""Generates N small JPEG files from Debian's wallpapers, of some hundred images: small_jpegs.py N FOLDER."""

import io
import os
import random
import sys

from PIL import Image

WALLPAPERS = "/usr/share/backgrounds"
PARTS = 12
QUALITY = 82


def wallpapers():
    """Returns the paths of the wallpapers that are JPEG files of sufficient size."""
    found = []
    for folder, _, names in os.walk(WALLPAPERS):
        for name in names:
            path = os.path.join(folder, name)
            if not name.lower().endswith((".jpg", ".jpeg")) or os.path.islink(path):
                continue
            with Image.open(path) as picture:
                if min(picture.size) >= 1000:
                    found.append(path)
    return sorted(found)


def parts(path, number):
    """Yields parts of a wallpaper in landscape and portrait orientation as JPEG files, the same in every run."""
    generator = random.Random(number)
    with Image.open(path) as opened:
        wallpaper = opened.convert("RGB")
    for _ in range(PARTS):
        width, height = (480, 320) if generator.random() < 0.75 else (320, 480)
        scale = generator.uniform(1, min(wallpaper.width / width, wallpaper.height / height))
        left = generator.uniform(0, wallpaper.width - width * scale)
        top = generator.uniform(0, wallpaper.height - height * scale)
        box = (left, top, left + width * scale, top + height * scale)
        file = io.BytesIO()
        wallpaper.resize((width, height), Image.Resampling.BILINEAR, box=box).save(file, "JPEG", quality=QUALITY)
        yield file.getvalue()


def main():
    count, folder = int(sys.argv[1]), sys.argv[2]
    files = [file for number, path in enumerate(wallpapers()) for file in parts(path, number)]
    if not files:
        sys.exit(f"small_jpegs: no wallpapers in {WALLPAPERS}")
    os.makedirs(folder + ".new", exist_ok=True)
    for index in range(count):
        # Separate files, because the identity of a file counts. Neighbours come from different wallpapers.
        with open(os.path.join(folder + ".new", f"IMG_{index + 1:05d}.jpg"), "wb") as file:
            file.write(files[index * (PARTS + 1) % len(files)])
    os.rename(folder + ".new", folder)


if __name__ == "__main__":
    main()
