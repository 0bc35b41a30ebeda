// Debian packages: libheif-dev, libde265-dev.
#ifndef CHEIF_H
#define CHEIF_H

#include <libheif/heif.h>

// Makes libheif decode HEVC in the thread that calls it.
//
// Its own way starts a thread for each picture, which a process that may start none waits for without end. Returns 0,
// or another number where libheif refuses. To be called once, before the first picture is decoded.
int cheif_decode_in_one_thread(void);

#endif
