// Debian packages: libheif-dev, libde265-dev.
#ifndef CHEIF_H
#define CHEIF_H

#include <libheif/heif.h>

// Makes libheif decode HEVC on the calling thread.
//
// libheif's own decoder plugin starts a thread per image, for which a process that must not start threads would wait
// forever. Returns 0 on success. Call it once, before the first image is decoded.
int cheif_decode_in_one_thread(void);

#endif
