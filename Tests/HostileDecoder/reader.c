// The answers of a reading process that lies: see main.c.
#define _GNU_SOURCE
#include "reader.h"

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CPlatform.h"

enum { SOCKET = 3, CONTENTS = 1, UNREADABLE, NOT_RECOGNIZED, LIST_END, LIST_BATCH };
enum { HEADER = 1, PHOTOGRAPH, TEXTS, LIST };

static const uint32_t *request;
static int file;
static uint8_t packet[1 << 17];
static size_t count;

static void put(uint64_t value, size_t bytes) {
  memcpy(packet + count, &value, bytes);
  count += bytes;
}

static void put_number(double value) {
  put(1, 1);
  memcpy(packet + count, &value, sizeof value);
  count += sizeof value;
}

static void put_text(int byte, size_t bytes) {
  put(1, 1);
  put(bytes, 2);
  memset(packet + count, byte, bytes);
  count += bytes;
}

static void begin_other(uint32_t id, uint8_t kind) {
  count = 0;
  put(id, 4);
  put(kind, 1);
}

static void begin(uint8_t kind) { begin_other(request[4], kind); }

// write, which the sandbox allows.
static void finish(void) {
  if (write(SOCKET, packet, count) < 0) _exit(9);
}

static void wait_for_ever(void) {
  while (1) pause();
}

// MARK: - Pictures

static struct {
  uint64_t parts, format, flags, orientation, width, height, time, rating, latitude, longitude, start, bytes, mark;
  size_t camera;
} header;

static void put_header(void) {
  put(header.parts, 1);
  put(header.format, 1);
  put(header.flags, 1);
  put(header.orientation, 1);
  put(header.width, 2);
  put(header.height, 2);
  put(1, 1);
  put(header.time, 8);
  put(header.rating, 1);
  put(header.latitude, 4);
  put(header.longitude, 4);
  put(header.start, 8);
  put(header.bytes, 8);
  // Invalid UTF-8, each byte of which is repaired by three.
  if (header.camera > 0) put_text(0xFF, header.camera);
  else put(header.mark, 1);
}

static void send_header(void) {
  begin(CONTENTS);
  put_header();
  finish();
}

void reader_answer(const uint32_t *words, uint16_t width) {
  request = words;
  memset(&header, 0, sizeof header);
  header.parts = header.orientation = 1;
  header.width = width;
  header.height = 2;
  if (request[1] == LIST) {
    begin(LIST_BATCH);
    put(1, 2);
    put(0, 3);
    put(1, 1);
    put(width, 2);
    put(0, 4);
    finish();
    begin(LIST_END);
    put(0, 1);
    for (int index = 0; index < 3; index++) put(0, 8);
    return finish();
  }
  if (request[1] != TEXTS) return send_header();
  begin(CONTENTS);
  put(4, 1);
  put(width, 2);
  put(2, 2);
  // No texts.
  put(0, 2);
  finish();
}

static void replies_to(uint32_t id) {
  begin_other(id, CONTENTS);
  put_header();
  finish();
}
static void other_request(void) { replies_to(request[4] + 1); }
static void earlier_request(void) { replies_to(request[4] - 1); }
static void replies_twice(void) {
  send_header();
  send_header();
}
static void answers_the_next_too(void) {
  send_header();
  header.width = 255;
  replies_to(request[4] + 1);
}
static void random_bytes(void) {
  for (count = 0; count < 40; count++) packet[count] = (uint8_t)(count * 167 + 89);
  finish();
}
static void short_packet(void) {
  begin(CONTENTS);
  put_header();
  count -= 1;
  finish();
}
static void bytes_after_the_end(void) {
  begin(CONTENTS);
  put_header();
  put(0, 1);
  finish();
}
static void long_packet(void) {
  begin(CONTENTS);
  put_header();
  count = 70000;
  finish();
}
static void empty_packet(void) {
  if (send(SOCKET, packet, 0, MSG_NOSIGNAL) < 0) _exit(9);
  wait_for_ever();
}
static void sends_descriptors(size_t descriptors) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * 20)];
  } control = {.header = {CMSG_LEN(sizeof(int) * descriptors), SOL_SOCKET, SCM_RIGHTS}};
  for (size_t index = 0; index < descriptors; index++) ((int *)(void *)CMSG_DATA(&control.header))[index] = file;
  begin(CONTENTS);
  put_header();
  struct iovec part = {packet, count};
  const struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
      .msg_controllen = CMSG_SPACE(sizeof(int) * descriptors)};
  if (sendmsg(SOCKET, &message, MSG_NOSIGNAL) < 0) _exit(9);
}
static void sends_descriptor(void) { sends_descriptors(1); }
static void sends_many_descriptors(void) { sends_descriptors(20); }
static void unknown_kind(void) {
  begin(6);
  put_header();
  finish();
}
static void error_of_zero(void) {
  begin(UNREADABLE);
  put(0, 4);
  finish();
}
static void negative_error(void) {
  begin(UNREADABLE);
  put(-5, 4);
  finish();
}
static void not_recognized(void) {
  begin(NOT_RECOGNIZED);
  finish();
}

#define HEADER_WITH(name, field, value) \
  static void name(void) {              \
    header.field = (uint64_t)(value);   \
    send_header();                      \
  }
HEADER_WITH(unknown_parts, parts, 9)
HEADER_WITH(no_parts, parts, 0)
HEADER_WITH(unknown_format, format, 200)
HEADER_WITH(unknown_flags, flags, 4)
HEADER_WITH(unknown_orientation, orientation, 9)
HEADER_WITH(unknown_rating, rating, 6)
HEADER_WITH(unknown_mark, mark, 2)
HEADER_WITH(no_width, width, 0)
HEADER_WITH(no_height, height, 0)
HEADER_WITH(latest_time, time, INT64_MAX)
HEADER_WITH(earliest_time, time, INT64_MIN)
HEADER_WITH(latitude_beyond_the_pole, latitude, 900000001)
HEADER_WITH(negative_longitude, longitude, INT32_MIN)
HEADER_WITH(long_camera, camera, 60000)
static void preview(uint64_t start, uint64_t bytes) {
  header.start = start;
  header.bytes = bytes;
  send_header();
}
static void preview_after_the_file(void) { preview(0, UINT64_C(1) << 31); }
static void preview_after_all_numbers(void) { preview(INT64_MAX - 1, 2); }
static void preview_of_unsigned_size(void) { preview(0, UINT64_MAX); }

static void send_settings(double number, int64_t integer, size_t lens) {
  begin(CONTENTS);
  header.parts = 3;
  put_header();
  for (int index = 0; index < 3; index++) put_number(number);
  for (int index = 0; index < 2; index++) {
    put(1, 1);
    put((uint64_t)integer, 8);
  }
  put_text(0xFF, lens);
  finish();
}
static void settings_nan(void) { send_settings(NAN, 0, 1); }
static void settings_infinite(void) { send_settings(INFINITY, INT64_MAX, 1); }
static void settings_negative(void) { send_settings(-1, INT64_MIN, 1); }
static void settings_huge(void) { send_settings(1e300, INT64_C(1) << 40, 1); }
static void settings_tiny(void) { send_settings(5e-324, -1, 1); }
static void long_lens(void) { send_settings(0, 0, 60000); }

static void send_texts(uint64_t width, uint64_t texts) {
  begin(CONTENTS);
  put(4, 1);
  put(width, 2);
  put(2, 2);
  put(texts, 2);
  finish();
}
static void texts(void) { send_texts(3, 0); }
static void texts_without_size(void) { send_texts(0, 0); }
static void missing_texts(void) { send_texts(3, 65535); }

// MARK: - Lists

static struct {
  uint64_t size_mark, width, date_mark, date, likes_mark, likes;
  size_t address, title;
} entry;

static void put_entry(void) {
  put(0, 1);
  if (entry.address > 0) put_text('a', entry.address);
  else put(0, 1);
  if (entry.title > 0) put_text(0xFF, entry.title);
  else put(0, 1);
  put(entry.size_mark, 1);
  put(entry.width, entry.size_mark ? 2 : 0);
  put(0, 1);
  put(entry.date_mark, 1);
  put(entry.date, entry.date_mark ? 8 : 0);
  put(entry.likes_mark, 1);
  put(entry.likes, entry.likes_mark ? 8 : 0);
  put(0, 1);
}

static void send_batch(uint32_t id, uint16_t stated, int entries) {
  begin_other(id, LIST_BATCH);
  put(stated, 2);
  for (int index = 0; index < entries; index++) put_entry();
  finish();
}
static void one_entry(void) { send_batch(request[4], 1, 1); }
static void send_end(uint64_t ending, uint64_t others) {
  begin(LIST_END);
  put(ending, 1);
  for (int index = 0; index < 3; index++) put(others, 8);
  finish();
}
static void batch_without_entries(void) { send_batch(request[4], 0, 0); }
static void batch_of_other_request(void) { send_batch(request[4] + 1, 1, 1); }
static void batch_of_fewer_entries(void) { send_batch(request[4], 65535, 1); }
static void batch_of_more_entries(void) { send_batch(request[4], 1, 2); }
static void batches_endlessly(void) {
  while (1) send_batch(request[4], 8000, 8000);
}
static void batch_after_the_end(void) {
  one_entry();
  send_end(0, 0);
  one_entry();
}
static void unknown_ending(void) { send_end(3, 0); }
static void negative_surplus(void) { send_end(0, (uint64_t)-1); }
static void huge_surplus(void) { send_end(0, (UINT64_C(1) << 40) + 1); }
static void list_end(void) { send_end(0, 0); }
static void exits_in_the_middle(void) {
  one_entry();
  _exit(0);
}
static void hangs_in_the_middle(void) {
  one_entry();
  wait_for_ever();
}
static void stops_in_the_middle(void) {
  one_entry();
  raise(SIGSTOP);
}

#define ENTRY_WITH(name, field, value)  \
  static void name(void) {              \
    entry.field = (uint64_t)(value);    \
    one_entry();                        \
    send_end(0, 0);                     \
  }
#define ENTRY_WITH_OPTIONAL(name, field, value) \
  static void name(void) {                      \
    entry.field##_mark = 1;                     \
    entry.field = (uint64_t)(value);            \
    one_entry();                                \
    send_end(0, 0);                             \
  }
ENTRY_WITH(long_address, address, 8193)
// Invalid UTF-8, each byte of which is repaired by three.
ENTRY_WITH(long_title, title, 342)
ENTRY_WITH(title_to_repair, title, 341)
ENTRY_WITH(unknown_entry_mark, likes_mark, 7)
ENTRY_WITH(entry_without_width, size_mark, 1)
ENTRY_WITH_OPTIONAL(late_date, date, INT64_MAX)
ENTRY_WITH_OPTIONAL(early_date, date, INT64_MIN)
ENTRY_WITH_OPTIONAL(negative_likes, likes, -1)

// MARK: - Ends

static void exits(void) { _exit(0); }
static void crashes(void) {
  signal(SIGSEGV, SIG_DFL);
  *(volatile int *)8 = 1;
}
static void closes_socket(void) {
  close(SOCKET);
  wait_for_ever();
}
static void stops(void) { raise(SIGSTOP); }
static void spins(void) {
  while (1) {
  }
}

static const struct {
  const char *name;
  void (*run)(void);
} lies[] = {
    {"otherRequest", other_request},
    {"earlierRequest", earlier_request},
    {"repliesTwice", replies_twice},
    {"answersTheNextToo", answers_the_next_too},
    {"randomBytes", random_bytes},
    {"shortPacket", short_packet},
    {"bytesAfterTheEnd", bytes_after_the_end},
    {"longPacket", long_packet},
    {"emptyPacket", empty_packet},
    {"sendsDescriptor", sends_descriptor},
    {"sendsManyDescriptors", sends_many_descriptors},
    {"unknownKind", unknown_kind},
    {"errorOfZero", error_of_zero},
    {"negativeError", negative_error},
    {"notRecognized", not_recognized},
    {"unknownParts", unknown_parts},
    {"noParts", no_parts},
    {"unknownFormat", unknown_format},
    {"unknownFlags", unknown_flags},
    {"unknownOrientation", unknown_orientation},
    {"unknownRating", unknown_rating},
    {"unknownMark", unknown_mark},
    {"noWidth", no_width},
    {"noHeight", no_height},
    {"latestTime", latest_time},
    {"earliestTime", earliest_time},
    {"latitudeBeyondThePole", latitude_beyond_the_pole},
    {"negativeLongitude", negative_longitude},
    {"longCamera", long_camera},
    {"previewAfterTheFile", preview_after_the_file},
    {"previewAfterAllNumbers", preview_after_all_numbers},
    {"previewOfUnsignedSize", preview_of_unsigned_size},
    {"settingsNaN", settings_nan},
    {"settingsInfinite", settings_infinite},
    {"settingsNegative", settings_negative},
    {"settingsHuge", settings_huge},
    {"settingsTiny", settings_tiny},
    {"longLens", long_lens},
    {"header", send_header},
    {"texts", texts},
    {"textsWithoutSize", texts_without_size},
    {"missingTexts", missing_texts},
    {"oneEntry", one_entry},
    {"batchWithoutEntries", batch_without_entries},
    {"batchOfOtherRequest", batch_of_other_request},
    {"batchOfFewerEntries", batch_of_fewer_entries},
    {"batchOfMoreEntries", batch_of_more_entries},
    {"batchesEndlessly", batches_endlessly},
    {"batchAfterTheEnd", batch_after_the_end},
    {"unknownEnding", unknown_ending},
    {"negativeSurplus", negative_surplus},
    {"hugeSurplus", huge_surplus},
    {"listEnd", list_end},
    {"exitsInTheMiddle", exits_in_the_middle},
    {"hangsInTheMiddle", hangs_in_the_middle},
    {"stopsInTheMiddle", stops_in_the_middle},
    {"longAddress", long_address},
    {"longTitle", long_title},
    {"titleToRepair", title_to_repair},
    {"unknownEntryMark", unknown_entry_mark},
    {"entryWithoutWidth", entry_without_width},
    {"lateDate", late_date},
    {"earlyDate", early_date},
    {"negativeLikes", negative_likes},
    {"exits", exits},
    {"crashes", crashes},
    {"closesSocket", closes_socket},
    {"hangs", wait_for_ever},
    {"stops", stops},
    {"spins", spins},
};

int reader_lies(const char *name, const uint32_t *words, int descriptor) {
  for (size_t index = 0; index < sizeof lies / sizeof *lies; index++) {
    if (strcmp(lies[index].name, name) != 0) continue;
    request = words;
    file = descriptor;
    memset(&header, 0, sizeof header);
    header.parts = header.orientation = 1;
    header.width = 3;
    header.height = 2;
    lies[index].run();
    return 1;
  }
  return 0;
}

void reader_greets(uint32_t layers) {
  count = 0;
  put(0x56528001, 4);
  put(layers, 4);
  finish();
}
