// The mapped screen file of Xvfb (-fbdir): an X window dump that the server draws into.
#ifndef SCREEN_H
#define SCREEN_H

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct screen {
    const uint8_t *pixels;
    uint32_t width, height, bytes_per_row;
};

/// Maps a screen. Exits with a message if the file is not a screen with 32 bits per pixel in this machine's byte order.
static inline struct screen screen_map(const char *path)
{
    // XWDFileHeader of X11/XWDFile.h: big-endian 32-bit words.
    enum { header_size = 0, version = 1, width = 4, height = 5, byte_order = 7, bits = 11, row = 12, colors = 19, words = 25 };
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        perror(path);
        exit(1);
    }
    const uint8_t *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (bytes == MAP_FAILED || (size_t)status.st_size < words * 4) {
        fprintf(stderr, "%s: cannot be mapped\n", path);
        exit(1);
    }
    uint32_t header[words];
    for (int index = 0; index < words; index++) header[index] = ntohl(((const uint32_t *)bytes)[index]);
    // Each colour takes 12 bytes (XWDColor).
    uint64_t start = (uint64_t)header[header_size] + (uint64_t)header[colors] * 12;
    uint64_t end = start + (uint64_t)header[row] * header[height];
    if (header[version] != 7 || header[bits] != 32 || header[byte_order] != 0 || end > (uint64_t)status.st_size ||
        header[width] * 4 > header[row] || start % 4 != 0) {
        fprintf(stderr, "%s: not a little-endian screen with 32 bits per pixel\n", path);
        exit(1);
    }
    return (struct screen){bytes + start, header[width], header[height], header[row]};
}

/// Returns a row of pixels.
static inline const volatile uint32_t *screen_row(struct screen screen, uint32_t row)
{
    return (const volatile uint32_t *)(screen.pixels + (size_t)row * screen.bytes_per_row);
}

#endif
