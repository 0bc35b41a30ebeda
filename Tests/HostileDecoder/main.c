// A decoding process for tests that follows the protocol, or lies, steals, stalls, persists and poisons in one way.
//
//   HostileDecoder GREETING WAY FIRST MARKER GROWING VERSION SLOTS BYTES fail|kill
//
// It forks a process for each picture, as the program's own one does, and fills every picture with one colour. WAY is
// what that process does with its request; FIRST is what the first of all does instead, unless it is "-", which the file
// MARKER records; a byte is appended to the file GROWING with every request, unless it is "-". VERSION is that of its decoders. The ways of an attacker
// are tried in the real sandbox, with pictures of an even width. With those of an odd width the process looks for what a
// picture before has left behind.
//
//   HostileDecoder reader WAY MARKER
//
// is a reading process. WAY is a lie (reader.c), which only the first process of all tells, as the file MARKER records, or
// an attack of the list below, which is tried in the real sandbox with each request.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CPlatform.h"
#include "reader.h"

enum { WORDS = 32, RECORD = WORDS * 4, CONTROL = 3, MEMORY = 4, FORK = 0x464F524B, MAXIMUM_DESCRIPTORS = 64 };
static const uint32_t magic = 0x56490004;
// The honest colour, and that of an attack which succeeded.
static const uint32_t honest = 0x00090807, succeeded = 0x000000FF;
// The same for the widths that a reading process answers.
enum { HONEST_WIDTH = 3, SUCCEEDED_WIDTH = 255 };
static int is_reader;

static uint8_t *slot;
static size_t slot_bytes, word_offset, shared_bytes;
// The process that the program runs in.
static pid_t program;
static int socket_, picture;
static uint32_t request[WORDS];
// What a process changes in its memory must not be there in the next one.
static volatile int is_touched;

static uint32_t width(void) { return request[4]; }
static uint32_t height(void) { return request[5]; }

static void paint(uint32_t colour) {
  uint32_t *pixels = (uint32_t *)slot;
  for (size_t index = 0; index < (size_t)width() * height(); index++) pixels[index] = colour;
}

static void send_words(int target, const uint32_t *words, size_t count) {
  // write, which the sandbox allows.
  if (write(target, words, count * 4) < 0) _exit(9);
}

// Receives a record without waiting for ever: the socket of a process that has nothing to say is closed.
static int receives(int source) {
  uint32_t words[WORDS];
  int descriptor = -1, truncated = 0;
  return platform_receive_record(source, words, RECORD, &descriptor, &truncated) > 0;
}

static void answer_all(
    uint32_t id, uint32_t status, uint32_t w, uint32_t h, uint32_t source_w, uint32_t source_h, uint32_t orientation,
    uint32_t is_damaged, uint32_t bytes) {
  const uint32_t words[WORDS] = {magic, id, status, w, h, source_w, source_h, orientation, is_damaged, bytes};
  send_words(socket_, words, WORDS);
}

static void answer(uint32_t id, uint32_t w, uint32_t h, uint32_t bytes) {
  answer_all(id, 0, w, h, 0, 0, 1, 0, bytes);
}

static void reply(void) { answer(request[2], width(), height(), 4 * width() * height()); }

static void valid(void) {
  if (is_reader) return reader_answer(request, HONEST_WIDTH);
  paint(honest);
  answer_all(request[2], 0, width(), height(), 4 * width(), 4 * height(), 1, 0, 4 * width() * height());
}

static void wait_for_ever(void) {
  while (1) pause();
}

static void end_by_signal(void) {
  signal(SIGSEGV, SIG_DFL);
  *(volatile int *)8 = 1;
}

// MARK: - Ways to break the protocol

static void damaged(void) {
  paint(honest);
  answer_all(request[2], 0, width(), height(), 0, 0, 1, 1, 4 * width() * height());
}
static void smaller(void) {
  paint(honest);
  answer(request[2], width(), height() / 2, 4 * width() * (height() / 2));
}
static void refusing(void) { answer_all(request[2], 2, 0, 0, 0, 0, 1, 0, 0); }
static void random_bytes(void) {
  uint32_t words[WORDS];
  for (int index = 0; index < WORDS; index++) words[index] = (uint32_t)rand() * 2654435761u;
  send_words(socket_, words, WORDS);
}
static void wrong_number(void) {
  paint(honest);
  answer(request[2] + 1, width(), height(), 4 * width() * height());
}
static void too_large(void) { answer(request[2], width() + 1, height(), 4 * (width() + 1) * height()); }
static void enormous(void) { answer(request[2], 65535, 65535, 4294836225u); }
static void empty_picture(void) { answer(request[2], 0, 0, 0); }
static void wrong_byte_count(void) { answer(request[2], width(), height(), 4 * width() * height() - 1); }
static void unknown_status(void) { answer_all(request[2], 99, width(), height(), 0, 0, 1, 0, 0); }
static void unknown_orientation(void) {
  answer_all(request[2], 0, width(), height(), 0, 0, 9, 0, 4 * width() * height());
}
static void short_record(void) {
  const uint32_t words[8] = {magic, request[2], 0, width(), height()};
  send_words(socket_, words, 8);
}
static void long_record(void) {
  const uint32_t words[48] = {magic, request[2], 0, width(), height(), 0, 0, 1, 0, 4 * width() * height()};
  send_words(socket_, words, 48);
}
static void exits(void) { _exit(3); }
static void crashes(void) { end_by_signal(); }
static void closes_socket(void) {
  close(socket_);
  wait_for_ever();
}
static void hangs(void) { wait_for_ever(); }
static void hangs_on_whole(void) { request[6] == 2 ? wait_for_ever() : valid(); }
static void crashes_on_whole(void) { request[6] == 2 ? end_by_signal() : valid(); }
static void replies_twice(void) {
  valid();
  reply();
}
static void sends_descriptor(void) {
  paint(honest);
  const uint32_t words[WORDS] = {magic, request[2], 0, width(), height(), 0, 0, 1, 0, 4 * width() * height()};
  if (platform_send_record(socket_, words, RECORD, picture) < 0) _exit(9);
}
static void replies_endlessly(void) {
  paint(honest);
  while (1) reply();
}
static void encodes(void) {
  *(uint32_t *)slot = honest;
  answer(request[2], 0, 0, 4);
}
static void encodes_too_much(void) { answer(request[2], 0, 0, (uint32_t)slot_bytes + 1); }

// MARK: - Ways of an attacker

// Draws, honestly unless the attack succeeded.
static void tell(int has_succeeded) {
  if (is_reader) return reader_answer(request, has_succeeded ? SUCCEEDED_WIDTH : HONEST_WIDTH);
  paint(has_succeeded ? succeeded : honest);
  reply();
}

static void persists(void) {
  valid();
  while (1) {
  }
}
static void waits_for_another_picture(void) {
  valid();
  receives(socket_);
  while (1) {
  }
}
static void sends_many_descriptors(void) {
  int descriptors[250];
  for (int index = 0; index < 250; index++) descriptors[index] = picture;
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof descriptors)];
  } control = {.header = {CMSG_LEN(sizeof descriptors), SOL_SOCKET, SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.header), descriptors, sizeof descriptors);
  struct iovec part = {request, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  const int succeeds = sendmsg(socket_, &message, MSG_NOSIGNAL) >= 0;
  tell(succeeds);
}
static void answers_for_the_next(void) {
  valid();
  answer(request[2] + 1, 1, 1, 4);
}
static void exits_with_status(void) {
  valid();
  _exit(5);
}
static void crashes_after_reply(void) {
  valid();
  end_by_signal();
}
static void leaves_a_process(void) {
  const long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) {
    while (1) slot[0] = 255;
  }
  tell(child > 0);
}
static void leaves_a_process_like_the_parent(void) {
  const pid_t child = platform_fork_picture_process();
  if (child == 0) {
    while (1) slot[0] = 255;
  }
  tell(child > 0);
}
static void starts_a_thread(void) {
  static char stack[4096];
  const long thread =
      syscall(SYS_clone, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD, stack + 4096, 0, 0, 0);
  if (thread == 0) {
    while (1) {
    }
  }
  tell(thread > 0 || syscall(SYS_vfork) > 0);
}
static void poisons_memory(void) {
  is_touched = 1;
  valid();
}
static void poisons_slot(void) {
  memset(slot, 0xFF, shared_bytes);
  paint(honest);
  reply();
}
static void poisons_interruption(void) {
  for (uint32_t ahead = 1; ahead < 4; ahead++) *(uint32_t *)(slot + word_offset) = request[2] + ahead;
  valid();
}
static void draws_after_reply(void) {
  valid();
  for (int round = 0; round < 100; round++) paint(honest);
}
static void removes_slot(void) {
  paint(honest);
  reply();
  madvise(slot, shared_bytes, MADV_REMOVE);
  paint(honest);
}
static void grows_slot(void) {
  uint8_t *more = mremap(slot, 0, shared_bytes * 16, MREMAP_MAYMOVE);
  if (more == MAP_FAILED) return tell(0);
  more[shared_bytes * 15] = 1;
  tell(1);
}
static void shrinks_slot(void) {
  // The descriptor of the memory is closed; a number may be guessed.
  int succeeds = 0;
  for (int number = 0; number < MAXIMUM_DESCRIPTORS; number++) succeeds |= syscall(SYS_ftruncate, number, 0) == 0;
  tell(succeeds);
}
static void opens_files(void) {
  tell(
      syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY, 0) >= 0 ||
      syscall(SYS_openat, AT_FDCWD, "/proc/self/fd/3", O_RDONLY, 0) >= 0 ||
      syscall(SYS_openat, picture, "..", O_RDONLY, 0) >= 0);
}
static void writes_picture(void) {
  tell(
      write(picture, "x", 1) == 1 || syscall(SYS_pwrite64, picture, "x", 1, 0) == 1 ||
      syscall(SYS_ftruncate, picture, 0) == 0 || syscall(SYS_fallocate, picture, 0, 0, 1) == 0 ||
      syscall(SYS_fchmod, picture, 0777) == 0 || syscall(SYS_futimesat, picture, NULL, NULL) == 0);
}
static void locks_picture(void) {
  tell(flock(picture, LOCK_EX | LOCK_NB) == 0 || fcntl(picture, F_SETLEASE, F_RDLCK) == 0);
}
static void keeps_descriptors(void) {
  int succeeds = 0;
  succeeds |= syscall(SYS_dup, picture) >= 0;
  succeeds |= syscall(SYS_fcntl, picture, F_DUPFD, 0) >= 0;
  tell(succeeds);
}
static void uses_control_socket(void) {
  const uint32_t words[WORDS] = {magic, 1, 1, 0};
  tell(write(CONTROL, words, RECORD) >= 0 || receives(CONTROL));
}
static void kills(void) {
  // Signal 0 only asks whether it would be sent.
  tell(syscall(SYS_kill, program, 0) == 0 || syscall(SYS_kill, 0, 0) == 0 || syscall(SYS_kill, -1, 0) == 0);
}
static void traces(void) {
  tell(ptrace(PTRACE_SEIZE, program, 0, 0) == 0 || syscall(SYS_process_vm_readv, program, 0, 0, 0, 0, 0) >= 0);
}
static void raises_limits(void) {
  const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
  tell(setrlimit(RLIMIT_AS, &none) == 0 || setrlimit(RLIMIT_CPU, &none) == 0 || nice(-1) != -1);
}
static void outlives_program(void) { tell(prctl(PR_SET_PDEATHSIG, 0) == 0); }
static void changes_filter(void) {
  tell(system("true") == 0 || syscall(SYS_seccomp, 1, 0, NULL) == 0 || prctl(PR_SET_SECCOMP, 0) == 0);
}
static void executes(void) {
  char *arguments[] = {"true", NULL};
  syscall(SYS_execve, "/bin/true", arguments, NULL);
  tell(0);
}
static void connects(void) {
  int ends[2];
  tell(socket(AF_INET, SOCK_STREAM, 0) >= 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
}
// With a sanitizer, whose runtime maps terabytes, the sandbox does not limit memory.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANDBOX_ALLOWS_MEMORY 1
#endif
#endif
static void makes_code(void) {
#ifdef SANDBOX_ALLOWS_MEMORY
  valid();
#else
  void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  tell(code != MAP_FAILED || mprotect(slot, 4096, PROT_READ | PROT_EXEC) == 0);
#endif
}
static void regains_privileges(void) {
  tell(syscall(SYS_setuid, 0) == 0 || syscall(SYS_capset, NULL, NULL) == 0 || syscall(SYS_unshare, CLONE_NEWUSER) == 0);
}
static void exhausts_memory(void) {
#ifndef SANDBOX_ALLOWS_MEMORY
  while (mmap(NULL, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
  }
#endif
  valid();
}
static void spins(void) {
  while (1) {
  }
}
static void floods_output(void) {
  static char text[4096];
  for (int round = 0; round < 1000; round++) {
    if (write(2, text, sizeof text) < 0) break;
  }
  valid();
}
static void lies_about_the_source(void) {
  paint(honest);
  answer_all(request[2], 0, width(), height(), 0xFFFFFFFF, 0xFFFFFFFF, 8, 0, 4 * width() * height());
}

// MARK: - Programs

// Looks for what a picture before has left behind.
static void inspects(void) {
  int is_poisoned = is_touched;
  for (size_t index = 0; index < shared_bytes; index++) is_poisoned |= slot[index] != 0;
  // Beside the standard descriptors there are the socket and the picture.
  for (int number = 3; number < MAXIMUM_DESCRIPTORS; number++) {
    if (number == socket_ || number == picture) continue;
    errno = 0;
    is_poisoned |= platform_regular_file_bytes(number) >= 0 || errno != EBADF;
  }
  tell(is_poisoned);
}

static const struct way {
  const char *name;
  void (*run)(void);
  int is_attack;
} ways[] = {
    {"valid", valid, 0},
    {"damaged", damaged, 0},
    {"smaller", smaller, 0},
    {"refusing", refusing, 0},
    {"randomBytes", random_bytes, 0},
    {"wrongNumber", wrong_number, 0},
    {"tooLarge", too_large, 0},
    {"enormous", enormous, 0},
    {"emptyPicture", empty_picture, 0},
    {"wrongByteCount", wrong_byte_count, 0},
    {"unknownStatus", unknown_status, 0},
    {"unknownOrientation", unknown_orientation, 0},
    {"shortRecord", short_record, 0},
    {"longRecord", long_record, 0},
    {"exits", exits, 0},
    {"crashes", crashes, 0},
    {"closesSocket", closes_socket, 0},
    {"hangs", hangs, 0},
    {"hangsOnWhole", hangs_on_whole, 0},
    {"crashesOnWhole", crashes_on_whole, 0},
    {"repliesTwice", replies_twice, 0},
    {"sendsDescriptor", sends_descriptor, 0},
    {"repliesEndlessly", replies_endlessly, 0},
    {"encodes", encodes, 0},
    {"encodesTooMuch", encodes_too_much, 0},
    {"persists", persists, 1},
    {"waitsForAnotherPicture", waits_for_another_picture, 1},
    {"sendsManyDescriptors", sends_many_descriptors, 1},
    {"answersForTheNext", answers_for_the_next, 1},
    {"exitsWithStatus", exits_with_status, 1},
    {"crashesAfterReply", crashes_after_reply, 1},
    {"leavesAProcess", leaves_a_process, 1},
    {"leavesAProcessLikeTheParent", leaves_a_process_like_the_parent, 1},
    {"startsAThread", starts_a_thread, 1},
    {"poisonsMemory", poisons_memory, 1},
    {"poisonsSlot", poisons_slot, 1},
    {"poisonsInterruption", poisons_interruption, 1},
    {"drawsAfterReply", draws_after_reply, 1},
    {"removesSlot", removes_slot, 1},
    {"growsSlot", grows_slot, 1},
    {"shrinksSlot", shrinks_slot, 1},
    {"opensFiles", opens_files, 1},
    {"writesPicture", writes_picture, 1},
    {"locksPicture", locks_picture, 1},
    {"keepsDescriptors", keeps_descriptors, 1},
    {"usesControlSocket", uses_control_socket, 1},
    {"kills", kills, 1},
    {"traces", traces, 1},
    {"raisesLimits", raises_limits, 1},
    {"outlivesProgram", outlives_program, 1},
    {"changesFilter", changes_filter, 1},
    {"executes", executes, 1},
    {"connects", connects, 1},
    {"makesCode", makes_code, 1},
    {"regainsPrivileges", regains_privileges, 1},
    {"exhaustsMemory", exhausts_memory, 1},
    {"spins", spins, 1},
    {"floodsOutput", floods_output, 1},
    {"liesAboutTheSource", lies_about_the_source, 1},
};

static const struct way *find_way(const char *name) {
  for (size_t index = 0; index < sizeof ways / sizeof *ways; index++) {
    if (strcmp(ways[index].name, name) == 0) return &ways[index];
  }
  _exit(64);
}

static void greet(const char *greeting, uint32_t layers, uint32_t version) {
  uint32_t words[WORDS] = {magic, 0, 0, 0, 0, 0, 0, 1};
  words[11] = layers;
  // JPEG.
  words[12] = 1;
  words[14] = version;
  if (strcmp(greeting, "refusing") == 0) words[2] = 8;
  if (strcmp(greeting, "nonsense") == 0) {
    if (write(CONTROL, "hello", 5) != 5) _exit(9);
    return;
  }
  if (strcmp(greeting, "exiting") == 0) _exit(1);
  if (strcmp(greeting, "silent") == 0) wait_for_ever();
  send_words(CONTROL, words, WORDS);
}

static void append_byte(const char *path) {
  const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || write(file, "x", 1) != 1) _exit(91);
  close(file);
}

// Serves the process's picture.
static void serve(const struct way *way, const struct way *first, const char *marker, const char *growing) {
  int truncated = 0;
  if (platform_receive_record(socket_, request, RECORD, &picture, &truncated) <= 0) return;
  if (strcmp(growing, "-") != 0) append_byte(growing);
  if (first != NULL && access(marker, F_OK) != 0) {
    close(open(marker, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    way = first;
  }
  way->is_attack && width() % 2 == 1 ? inspects() : way->run();
}

static int run_reader(const char *name, const char *marker) {
  const struct way *attack = NULL;
  for (size_t index = 0; index < sizeof ways / sizeof *ways; index++) {
    if (strcmp(marker, "-") == 0 && strcmp(ways[index].name, name) == 0) attack = &ways[index];
  }
  is_reader = 1;
  program = getppid();
  slot = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  signal(SIGPIPE, SIG_IGN);
  const int lies = strcmp(marker, "-") != 0 && access(marker, F_OK) != 0;
  if (lies) close(open(marker, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  uint32_t layers = 0;
  if (!lies) {
    layers = platform_confine(PLATFORM_LAYERS_OF_ONESELF, 256u << 20, 16, 0);
    if (platform_confine_picture_process(layers, 0) != 0) return 71;
  }
  reader_greets(layers);
  int truncated = 0;
  while (platform_receive_record(CONTROL, request, RECORD, &picture, &truncated) > 0) {
    if (lies) {
      if (!reader_lies(name, request, picture)) return 64;
    } else if (attack != NULL) {
      attack->run();
    } else {
      valid();
    }
    close(picture);
  }
  return 0;
}

int main(int count, char **arguments) {
  if (count == 4 && strcmp(arguments[1], "reader") == 0) return run_reader(arguments[2], arguments[3]);
  if (count != 10) return 64;
  const struct way *way = find_way(arguments[2]);
  const struct way *first = strcmp(arguments[3], "-") == 0 ? NULL : find_way(arguments[3]);
  slot_bytes = strtoul(arguments[8], NULL, 10);
  word_offset = (slot_bytes + 3) & ~(size_t)3;
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  shared_bytes = (word_offset + 4 + page - 1) / page * page;
  program = getppid();
  slot = mmap(NULL, shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, MEMORY, 0);
  if (slot == MAP_FAILED) return 71;
  close(MEMORY);
  platform_die_with_parent();
  signal(SIGPIPE, SIG_IGN);
  uint32_t layers = 0;
  if (way->is_attack) {
    layers = platform_confine(PLATFORM_LAYERS_OF_ONESELF, (256u << 20) + shared_bytes, 16, 0);
  }
  greet(arguments[1], layers, (uint32_t)strtoul(arguments[6], NULL, 10));
  uint32_t words[WORDS];
  int truncated = 0;
  while (platform_receive_record(CONTROL, words, RECORD, &socket_, &truncated) > 0) {
    const pid_t child = platform_fork_picture_process();
    if (child == 0) {
      close(CONTROL);
      if (platform_confine_picture_process(layers | PLATFORM_LAYER_PARENT, 0) != 0) _exit(71);
      serve(way, first, arguments[4], arguments[5]);
      _exit(0);
    }
    const uint32_t answer[WORDS] = {magic, words[2], (uint32_t)(child > 0 ? child : 0), child > 0 ? 0 : (uint32_t)errno};
    close(socket_);
    if (write(CONTROL, answer, RECORD) != RECORD) return 9;
  }
  return 0;
}
