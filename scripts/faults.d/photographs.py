"""Photographs of several formats for runs under faults."""

import hashlib
import os
import struct
import zlib


def png(width, height, color):
    rows = b"".join(b"\0" + bytes(color(x, y)[c] for x in range(width) for c in range(3)) for y in range(height))
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def bmp(width, height, color):
    stride = (width * 3 + 3) // 4 * 4
    rows = b""
    for y in reversed(range(height)):
        row = b"".join(bytes(reversed(color(x, y))) for x in range(width))
        rows += row.ljust(stride, b"\0")
    return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 54 + len(rows), 0, 0, 54, 40, width, height, 1, 24, 0, len(rows), 2835, 2835, 0, 0) + rows


def qoi(width, height, color):
    pixels = b"".join(b"\xfe" + bytes(color(x, y)) for y in range(height) for x in range(width))
    return b"qoif" + struct.pack(">IIBB", width, height, 3, 0) + pixels + b"\0" * 7 + b"\x01"


def tiff(width, height, color):
    rows = b"".join(bytes(color(x, y)) for y in range(height) for x in range(width))
    entries = [
        (256, 3, 1, width), (257, 3, 1, height), (258, 3, 3, 134), (259, 3, 1, 1), (262, 3, 1, 2), (273, 4, 1, 140),
        (277, 3, 1, 3), (278, 3, 1, height), (279, 4, 1, len(rows)), (284, 3, 1, 1)]
    folder = struct.pack("<H", len(entries))
    for tag, kind, count, value in entries:
        folder += struct.pack("<HHII", tag, kind, count, value)
    return (b"II*\0" + struct.pack("<I", 8) + folder + b"\0" * 4).ljust(134, b"\0") + struct.pack("<HHH", 8, 8, 8) + rows


def gradient(number, width, height):
    return lambda x, y: (x * 255 // width, y * 255 // height, number * 37 % 256)


def make_photographs(folder, samples):
    """Writes photographs of several formats, in the folder and a folder within, with an old date."""
    inner = os.path.join(folder, "more")
    os.makedirs(inner)
    files = {
        "drawing.png": png(320, 200, gradient(1, 320, 200)), "map.bmp": bmp(200, 150, gradient(2, 200, 150)),
        "more/scan.tiff": tiff(240, 180, gradient(3, 240, 180)), "more/icon.qoi": qoi(160, 120, gradient(4, 160, 120))}
    for index, path in enumerate(samples):
        with open(path, "rb") as file:
            data = file.read()
        # The thumbnails in the photographs, which are decoded quickly.
        start = data.find(b"\xff\xd8\xff", 2)
        files[("" if index % 2 == 0 else "more/") + f"photo {index}.jpg"] = data[start:data.find(b"\xff\xd9", start) + 2]
    for name, data in files.items():
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, 0o444)
        os.utime(path, ns=(10**18, 10**18 + len(name)))
    return files


def fingerprint(folder):
    """Returns what must not change of each file of a folder."""
    found = {}
    for root, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(root, name)
            status = os.lstat(path)
            data = b""
            if name in names:
                with open(path, "rb") as file:
                    data = file.read()
            found[os.path.relpath(path, folder)] = (
                status.st_mode, status.st_ino, status.st_mtime_ns if name in names else 0, hashlib.sha256(data).digest())
    return found
