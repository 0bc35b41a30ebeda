// The reader of frame numbers drawn by --frame-id-stripe: 22 white or black square cells of 8 pixels, which contain the
// bits 10, the lower 16 bits of the number, and 4 check bits. An independent implementation that shares no code with
// the program.
#ifndef STRIPE_H
#define STRIPE_H

#include <stdint.h>

enum { stripe_cells = 22, stripe_cell_pixels = 8, stripe_unreadable = -1 };

/// Returns the number in a row of pixels of 4 bytes, or stripe_unreadable.
static inline int stripe_number(const volatile uint32_t *row)
{
    uint32_t cells = 0;
    for (int cell = 0; cell < stripe_cells; cell++) {
        uint32_t color = row[cell * stripe_cell_pixels + stripe_cell_pixels / 2] & 0xFFFFFF;
        if (color != 0 && color != 0xFFFFFF) return stripe_unreadable;
        cells = cells << 1 | (color != 0);
    }
    uint32_t number = cells >> 4 & 0xFFFF;
    uint32_t check = (number >> 12 ^ number >> 8 ^ number >> 4 ^ number ^ 10) & 15;
    return cells >> 20 == 2 && (cells & 15) == check ? (int)number : stripe_unreadable;
}

#endif
