// How a frame's number stands in pixels (--frame-id-stripe), as its reader knows it: 22 square cells of 8 pixels, white or
// black: 10, the number's last 16 bits, and 4 that check them. Written anew from the description; the program's is not used.
#ifndef STRIPE_H
#define STRIPE_H

#include <stdint.h>

enum { stripe_cells = 22, stripe_cell_pixels = 8, stripe_unreadable = -1 };

/// The number in a row of pixels of 4 bytes each; stripe_unreadable where there is none.
static inline int stripe_number(const volatile uint32_t *row)
{
    uint32_t cells = 0;
    for (int place = 0; place < stripe_cells; place++) {
        uint32_t color = row[place * stripe_cell_pixels + stripe_cell_pixels / 2] & 0xFFFFFF;
        if (color != 0 && color != 0xFFFFFF) return stripe_unreadable;
        cells = cells << 1 | (color != 0);
    }
    uint32_t number = cells >> 4 & 0xFFFF;
    uint32_t check = (number >> 12 ^ number >> 8 ^ number >> 4 ^ number ^ 10) & 15;
    return cells >> 20 == 2 && (cells & 15) == check ? (int)number : stripe_unreadable;
}

#endif
