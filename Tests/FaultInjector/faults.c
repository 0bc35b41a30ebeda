// A library for LD_PRELOAD that makes calls of the C library fail, as a seed and rules in the environment specify.
//
// VITRINE_FAULTS contains words that are separated by spaces; see `configure`. A call fails depending on the seed, its
// kind, the file's path and how often the file was used like this before, so the same call of another run fails too
// unless threads use the file in another order. What failed, and the number of calls, is in a file that the driver reads,
// also after the process was killed. Files and folders in two folders are of interest: the photographs and the cache.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// MARK: - Configuration

enum class { CLASS_NONE, CLASS_PHOTOS, CLASS_CACHE, CLASS_COUNT };

enum kind { KIND_OPEN, KIND_READ, KIND_WRITE, KIND_STATUS, KIND_LIST, KIND_SYNC, KIND_NAME, KIND_DESCRIPTOR, KIND_MEMORY, KIND_COUNT };

static const char *const class_names[] = {"none", "photos", "cache"};
static const char *const kind_names[] = {"open", "read", "write", "status", "list", "sync", "name", "descriptor", "memory"};

// What happens in place of the call, in addition to the values of errno.
enum { FAULT_SHORT = 1000, FAULT_END, FAULT_KILL, FAULT_STEP };

struct rule {
  unsigned classes, kinds;
  int fault;
  uint32_t millionths;
  uint64_t skipped, maximum;
  uint64_t argument;
};

enum { MAXIMUM_RULES = 8, ORDINALS = 1 << 14, ENTRIES = 400, DESCRIPTORS = 4096 };

struct entry {
  int32_t process, kind, class, fault;
  uint64_t ordinal, nanoseconds;
  char name[56];
};

// The contents of the log, which all processes share.
struct shared {
  _Atomic uint64_t calls[CLASS_COUNT][KIND_COUNT];
  _Atomic uint64_t matches[MAXIMUM_RULES], injections[MAXIMUM_RULES];
  _Atomic uint64_t entry_count;
  struct entry entries[ENTRIES];
  _Atomic uint32_t ordinals[ORDINALS];
};

static struct shared *shared;
static struct rule rules[MAXIMUM_RULES];
static int rule_count;
static uint64_t seed, first_time, end_time = UINT64_MAX;
static char photos[512], cache[512], substitute[512];
static size_t photos_length, cache_length;
static int is_decoder;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t mix(uint64_t value) {
  value += 0x9E3779B97F4A7C15;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return value ^ (value >> 31);
}

static unsigned names(const char *text, const char *const *all, int count) {
  unsigned found = 0;
  for (int index = 0; index < count; index++) {
    if (strstr(text, all[index]) != NULL || strcmp(text, "all") == 0) found |= 1u << index;
  }
  return found;
}

static int fault_named(const char *text) {
  static const struct {
    const char *name;
    int fault;
  } faults[] = {{"short", FAULT_SHORT}, {"end", FAULT_END}, {"kill", FAULT_KILL}, {"step", FAULT_STEP},
                {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT}, {"EROFS", EROFS}, {"EACCES", EACCES},
                {"EMFILE", EMFILE}, {"ENFILE", ENFILE}, {"ENOMEM", ENOMEM}, {"ENOENT", ENOENT}, {"ESTALE", ESTALE},
                {"ENOTCONN", ENOTCONN}, {"EINTR", EINTR}};
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) {
    if (strcmp(text, faults[index].name) == 0) return faults[index].fault;
  }
  abort();
}

// rule=CLASSES:KINDS:FAULT:MILLIONTHS:SKIPPED:MAXIMUM:ARGUMENT, for example rule=photos:read,open:EIO:50000:0:0:0.
static void add_rule(const char *text) {
  char classes[64], kinds[96], fault[16];
  unsigned long long millionths, skipped, maximum, argument;
  if (rule_count == MAXIMUM_RULES) abort();
  if (sscanf(text, "%63[^:]:%95[^:]:%15[^:]:%llu:%llu:%llu:%llu", classes, kinds, fault, &millionths, &skipped, &maximum,
             &argument) != 7) {
    abort();
  }
  rules[rule_count++] = (struct rule){
      .classes = names(classes, class_names, CLASS_COUNT), .kinds = names(kinds, kind_names, KIND_COUNT),
      .fault = fault_named(fault), .millionths = (uint32_t)millionths, .skipped = skipped,
      .maximum = maximum == 0 ? UINT64_MAX : maximum, .argument = argument};
}

static void copy_text(char *to, const char *from) {
  if (strlen(from) >= 512) abort();
  strcpy(to, from);
}

__attribute__((constructor)) static void configure(void) {
  const char *text = getenv("VITRINE_FAULTS");
  if (text == NULL || shared != NULL) return;
  char copy[4096], *rest = copy;
  if (strlen(text) >= sizeof copy) abort();
  strcpy(copy, text);
  char log[512] = "";
  for (char *word; (word = strsep(&rest, " ")) != NULL;) {
    char *value = strchr(word, '=');
    if (value == NULL) continue;
    *value++ = 0;
    if (strcmp(word, "photos") == 0) copy_text(photos, value);
    if (strcmp(word, "cache") == 0) copy_text(cache, value);
    if (strcmp(word, "substitute") == 0) copy_text(substitute, value);
    if (strcmp(word, "log") == 0) copy_text(log, value);
    if (strcmp(word, "seed") == 0) seed = strtoull(value, NULL, 10);
    if (strcmp(word, "from") == 0) first_time = strtoull(value, NULL, 10);
    if (strcmp(word, "until") == 0) end_time = strtoull(value, NULL, 10);
    if (strcmp(word, "decoder") == 0) is_decoder = *value == '1';
    if (strcmp(word, "rule") == 0) add_rule(value);
  }
  photos_length = strlen(photos);
  cache_length = strlen(cache);
  const int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_RDWR | O_CLOEXEC);
  if (file < 0) abort();
  void *memory = (void *)syscall(SYS_mmap, NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (memory == MAP_FAILED) abort();
  shared = memory;
}

// MARK: - Decision

// Instructions until the process is killed, counted by a trap after each.
static _Thread_local int64_t remaining_steps;

static void kill_process(void) { syscall(SYS_kill, syscall(SYS_getpid), SIGKILL); }

#if defined(__x86_64__)
static void count_step(int signal, siginfo_t *information, void *context) {
  (void)signal, (void)information, (void)context;
  if (--remaining_steps <= 0) kill_process();
}

static void start_steps(uint64_t count) {
  struct sigaction action = {.sa_sigaction = count_step, .sa_flags = SA_SIGINFO};
  sigset_t trap;
  sigemptyset(&trap);
  sigaddset(&trap, SIGTRAP);
  remaining_steps = (int64_t)count;
  sigaction(SIGTRAP, &action, NULL);
  pthread_sigmask(SIG_UNBLOCK, &trap, NULL);
  __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
}
#else
static void start_steps(uint64_t count) {
  (void)count;
  kill_process();
}
#endif

static uint64_t hash_of(uint64_t start, const char *text) {
  for (; *text != 0; text++) start = (start ^ (uint8_t)*text) * 0x100000001B3;
  return start;
}

struct place {
  enum class class;
  uint64_t hash;
  char name[56];
};

// Returns the fault of a call, or 0. KILL and STEP have been performed.
static int fault_of(enum kind kind, const struct place *place) {
  if (shared == NULL) return 0;
  atomic_fetch_add(&shared->calls[place->class][kind], 1);
  if (rule_count == 0) return 0;
  const uint64_t key = mix(seed ^ place->hash ^ (uint64_t)kind << 56);
  const uint64_t ordinal = atomic_fetch_add(&shared->ordinals[key % ORDINALS], 1);
  uint64_t time = 0;
  for (int index = 0; index < rule_count; index++) {
    const struct rule *rule = &rules[index];
    if ((rule->classes >> place->class & 1) == 0 || (rule->kinds >> kind & 1) == 0) continue;
    if (time == 0) time = now();
    if (time < first_time || time >= end_time) continue;
    if (atomic_fetch_add(&shared->matches[index], 1) < rule->skipped) continue;
    if (mix(key + ordinal * 31 + (uint64_t)index) % 1000000 >= rule->millionths) continue;
    if (atomic_fetch_add(&shared->injections[index], 1) >= rule->maximum) continue;
    const uint64_t number = atomic_fetch_add(&shared->entry_count, 1);
    if (number < ENTRIES) {
      struct entry *entry = &shared->entries[number];
      *entry = (struct entry){
          .process = is_decoder, .kind = (int32_t)kind, .class = (int32_t)place->class, .fault = rule->fault,
          .ordinal = ordinal, .nanoseconds = time};
      memcpy(entry->name, place->name, sizeof entry->name);
    }
    if (rule->fault == FAULT_KILL) kill_process();
    if (rule->fault == FAULT_STEP) {
      start_steps(rule->argument);
      return 0;
    }
    return rule->fault;
  }
  return 0;
}

// MARK: - Places

static struct place descriptors[DESCRIPTORS];

static const struct place nowhere;

static const struct place *place_of(int descriptor) {
  return descriptor >= 0 && descriptor < DESCRIPTORS ? &descriptors[descriptor] : &nowhere;
}

static void set_place(int descriptor, const struct place *place) {
  if (descriptor >= 0 && descriptor < DESCRIPTORS) descriptors[descriptor] = *place;
}

static void append_name(struct place *place, const char *path) {
  const char *slash = strrchr(path, '/');
  snprintf(place->name, sizeof place->name, "%s", slash != NULL && slash[1] != 0 ? slash + 1 : path);
}

static int is_within(const char *path, const char *folder, size_t length) {
  return length > 0 && strncmp(path, folder, length) == 0 && (path[length] == 0 || path[length] == '/');
}

static struct place place_at(int folder, const char *path) {
  struct place place = {0};
  if (path == NULL) return place;
  if (path[0] == '/') {
    if (is_within(path, photos, photos_length)) {
      place.class = CLASS_PHOTOS;
      place.hash = hash_of(1, path + photos_length);
    } else if (is_within(path, cache, cache_length)) {
      place.class = CLASS_CACHE;
      place.hash = hash_of(2, path + cache_length);
    } else {
      place.hash = hash_of(3, path);
    }
    append_name(&place, path);
  } else {
    const struct place *parent = place_of(folder);
    place.class = parent->class;
    place.hash = hash_of(parent->hash * 7, path);
    if (path[0] == 0) place = *parent;
    else append_name(&place, path);
  }
  return place;
}

// During the fault the folder of photographs may be another one, as if its disk had been removed.
static const char *redirect(const char *path, char *buffer, size_t size) {
  if (shared == NULL || substitute[0] == 0 || path == NULL || path[0] != '/') return path;
  if (!is_within(path, photos, photos_length)) return path;
  const uint64_t time = now();
  if (time < first_time || time >= end_time) return path;
  if ((size_t)snprintf(buffer, size, "%s%s", substitute, path + photos_length) >= size) return path;
  return buffer;
}

// MARK: - Calls

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define FAIL(value, code) \
  do { \
    errno = code; \
    return value; \
  } while (0)

static int opened(int descriptor, const struct place *place) {
  if (descriptor >= 0) set_place(descriptor, place);
  return descriptor;
}

#define DEFINE_OPEN(NAME) \
  int NAME(const char *path, int flags, ...) { \
    va_list list; \
    va_start(list, flags); \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    char buffer[1024]; \
    struct place place = place_at(AT_FDCWD, path); \
    const int fault = fault_of(KIND_OPEN, &place); \
    if (fault != 0 && fault < FAULT_SHORT) FAIL(-1, fault); \
    return opened((int)syscall(SYS_openat, AT_FDCWD, redirect(path, buffer, sizeof buffer), flags, mode), &place); \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

#define DEFINE_OPENAT(NAME) \
  int NAME(int folder, const char *path, int flags, ...) { \
    va_list list; \
    va_start(list, flags); \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    char buffer[1024]; \
    struct place place = place_at(folder, path); \
    const int fault = fault_of(KIND_OPEN, &place); \
    if (fault != 0 && fault < FAULT_SHORT) FAIL(-1, fault); \
    return opened((int)syscall(SYS_openat, folder, redirect(path, buffer, sizeof buffer), flags, mode), &place); \
  }
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

DIR *opendir(const char *path) {
  const int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return descriptor < 0 ? NULL : fdopendir(descriptor);
}

int close(int descriptor) {
  if (descriptor >= 0 && descriptor < DESCRIPTORS) descriptors[descriptor] = nowhere;
  return (int)syscall(SYS_close, descriptor);
}

int dup(int descriptor) {
  const int copy = (int)syscall(SYS_dup, descriptor);
  if (copy >= 0) set_place(copy, place_of(descriptor));
  return copy;
}

// Reads at most `count` bytes: all, half of them at most after a short read, none at the end of a truncated file.
#define SHORTEN(place, kind, failure) \
  const int fault = fault_of(kind, place); \
  if (fault == FAULT_END) return 0; \
  if (fault == FAULT_SHORT) count = count > 1 ? 1 + mix(seed ^ count) % (count - 1) : count; \
  if (fault != 0 && fault < FAULT_SHORT) FAIL(failure, fault)

// The decoding program gets its pictures as descriptors, which are its only files.
static const struct place picture = {.class = CLASS_PHOTOS, .hash = 5, .name = "picture"};

static const struct place *place_of_read(int descriptor) { return is_decoder ? &picture : place_of(descriptor); }

ssize_t read(int descriptor, void *bytes, size_t count) {
  // Not a cancellation point, which no caller needs.
  const struct place *place = place_of(descriptor);
  if (place->class != CLASS_NONE) {
    SHORTEN(place, KIND_READ, -1);
  }
  return syscall(SYS_read, descriptor, bytes, count);
}

#define DEFINE_PREAD(NAME) \
  ssize_t NAME(int descriptor, void *bytes, size_t count, off_t offset) { \
    SHORTEN(place_of_read(descriptor), KIND_READ, -1); \
    return syscall(SYS_pread64, descriptor, bytes, count, offset); \
  }
DEFINE_PREAD(pread)
DEFINE_PREAD(pread64)

ssize_t write(int descriptor, const void *bytes, size_t count) {
  const struct place *place = place_of(descriptor);
  if (place->class != CLASS_NONE) {
    SHORTEN(place, KIND_WRITE, -1);
  }
  return syscall(SYS_write, descriptor, bytes, count);
}

#define DEFINE_PWRITE(NAME) \
  ssize_t NAME(int descriptor, const void *bytes, size_t count, off_t offset) { \
    const struct place *place = place_of(descriptor); \
    SHORTEN(place, KIND_WRITE, -1); \
    return syscall(SYS_pwrite64, descriptor, bytes, count, offset); \
  }
DEFINE_PWRITE(pwrite)
DEFINE_PWRITE(pwrite64)

#define DEFINE_TRUNCATE(NAME) \
  int NAME(int descriptor, off_t length) { \
    const int fault = fault_of(KIND_WRITE, place_of(descriptor)); \
    if (fault != 0) FAIL(-1, fault < FAULT_SHORT ? fault : EIO); \
    return (int)syscall(SYS_ftruncate, descriptor, length); \
  }
DEFINE_TRUNCATE(ftruncate)
DEFINE_TRUNCATE(ftruncate64)

#define DEFINE_ALLOCATE(NAME, OFFSET) \
  int NAME(int descriptor, int mode, OFFSET offset, OFFSET length) { \
    const int fault = fault_of(KIND_WRITE, place_of(descriptor)); \
    if (fault != 0) FAIL(-1, fault < FAULT_SHORT ? fault : EIO); \
    return (int)syscall(SYS_fallocate, descriptor, mode, offset, length); \
  }
DEFINE_ALLOCATE(fallocate, off_t)
DEFINE_ALLOCATE(fallocate64, off64_t)

#define DEFINE_SYNC(NAME) \
  int NAME(int descriptor) { \
    const int fault = fault_of(KIND_SYNC, place_of(descriptor)); \
    if (fault != 0) FAIL(-1, fault < FAULT_SHORT ? fault : EIO); \
    return (int)syscall(SYS_##NAME, descriptor); \
  }
DEFINE_SYNC(fsync)
DEFINE_SYNC(fdatasync)

// MARK: - Names

#define CHECK(kind, folder, path) \
  do { \
    const struct place place = place_at(folder, path); \
    const int fault = fault_of(kind, &place); \
    if (fault != 0) FAIL(-1, fault < FAULT_SHORT ? fault : EIO); \
  } while (0)

int rename(const char *from, const char *to) {
  CHECK(KIND_NAME, AT_FDCWD, to);
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int folder, const char *from, int other, const char *to) {
  CHECK(KIND_NAME, other, to);
  return (int)syscall(SYS_renameat2, folder, from, other, to, 0);
}

int unlink(const char *path) {
  CHECK(KIND_NAME, AT_FDCWD, path);
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int unlinkat(int folder, const char *path, int flags) {
  CHECK(KIND_NAME, folder, path);
  return (int)syscall(SYS_unlinkat, folder, path, flags);
}

int mkdir(const char *path, mode_t mode) {
  CHECK(KIND_NAME, AT_FDCWD, path);
  return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int mkdirat(int folder, const char *path, mode_t mode) {
  CHECK(KIND_NAME, folder, path);
  return (int)syscall(SYS_mkdirat, folder, path, mode);
}

// MARK: - Status

static int status(int folder, const char *path, struct stat *result, int flags) {
  char buffer[1024];
  CHECK(KIND_STATUS, folder, path);
  return (int)syscall(SYS_newfstatat, folder, redirect(path, buffer, sizeof buffer), result, flags);
}

static int status_of(int descriptor, struct stat *result) {
  // The allow list of decoding processes has this system call only.
  if (!is_decoder) {
    const int fault = fault_of(KIND_STATUS, place_of(descriptor));
    if (fault != 0) FAIL(-1, fault < FAULT_SHORT ? fault : EIO);
  }
  return (int)syscall(SYS_fstat, descriptor, result);
}

int stat(const char *path, struct stat *result) { return status(AT_FDCWD, path, result, 0); }
int lstat(const char *path, struct stat *result) { return status(AT_FDCWD, path, result, AT_SYMLINK_NOFOLLOW); }
int fstatat(int folder, const char *path, struct stat *result, int flags) { return status(folder, path, result, flags); }
int fstat(int descriptor, struct stat *result) { return status_of(descriptor, result); }
int stat64(const char *path, struct stat64 *result) { return status(AT_FDCWD, path, (struct stat *)result, 0); }
int lstat64(const char *path, struct stat64 *result) {
  return status(AT_FDCWD, path, (struct stat *)result, AT_SYMLINK_NOFOLLOW);
}
int fstatat64(int folder, const char *path, struct stat64 *result, int flags) {
  return status(folder, path, (struct stat *)result, flags);
}
int fstat64(int descriptor, struct stat64 *result) { return status_of(descriptor, (struct stat *)result); }

int statx(int folder, const char *path, int flags, unsigned mask, struct statx *result) {
  char buffer[1024];
  CHECK(KIND_STATUS, folder, path);
  return (int)syscall(SYS_statx, folder, redirect(path, buffer, sizeof buffer), flags, mask, result);
}

int access(const char *path, int mode) {
  char buffer[1024];
  CHECK(KIND_STATUS, AT_FDCWD, path);
  return (int)syscall(SYS_faccessat, AT_FDCWD, redirect(path, buffer, sizeof buffer), mode);
}

int fstatvfs(int descriptor, struct statvfs *result) {
  REAL(fstatvfs);
  const int fault = fault_of(KIND_STATUS, place_of(descriptor));
  if (fault != 0) FAIL(-1, fault < FAULT_SHORT ? fault : EIO);
  return real(descriptor, result);
}

// MARK: - Lists

#define DEFINE_READDIR(NAME, ENTRY) \
  struct ENTRY *NAME(DIR *stream) { \
    REAL(NAME); \
    const int fault = fault_of(KIND_LIST, place_of(dirfd(stream))); \
    if (fault != 0) FAIL(NULL, fault < FAULT_SHORT ? fault : EIO); \
    return real(stream); \
  }
DEFINE_READDIR(readdir, dirent)
DEFINE_READDIR(readdir64, dirent64)

int closedir(DIR *stream) {
  REAL(closedir);
  const int descriptor = dirfd(stream);
  if (descriptor >= 0 && descriptor < DESCRIPTORS) descriptors[descriptor] = nowhere;
  return real(stream);
}

// MARK: - Descriptors

#define DEFINE_DESCRIPTOR(NAME, PARAMETERS, ...) \
  int NAME PARAMETERS { \
    REAL(NAME); \
    const int fault = fault_of(KIND_DESCRIPTOR, &nowhere); \
    if (fault != 0) FAIL(-1, fault < FAULT_SHORT ? fault : EMFILE); \
    return real(__VA_ARGS__); \
  }
DEFINE_DESCRIPTOR(memfd_create, (const char *name, unsigned flags), name, flags)
DEFINE_DESCRIPTOR(socketpair, (int domain, int type, int protocol, int ends[2]), domain, type, protocol, ends)
DEFINE_DESCRIPTOR(socket, (int domain, int type, int protocol), domain, type, protocol)
DEFINE_DESCRIPTOR(pipe2, (int ends[2], int flags), ends, flags)
int eventfd(unsigned, int);
DEFINE_DESCRIPTOR(eventfd, (unsigned value, int flags), value, flags)
int inotify_init1(int);
DEFINE_DESCRIPTOR(inotify_init1, (int flags), flags)
int epoll_create1(int);
DEFINE_DESCRIPTOR(epoll_create1, (int flags), flags)
int timerfd_create(int, int);
DEFINE_DESCRIPTOR(timerfd_create, (int clock, int flags), clock, flags)

// MARK: - Memory

#define DEFINE_MAP(NAME) \
  void *NAME(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) { \
    if ((flags & MAP_ANONYMOUS) == 0 && shared != NULL) { \
      const int fault = fault_of(KIND_MEMORY, place_of(descriptor)); \
      if (fault != 0) FAIL(MAP_FAILED, fault < FAULT_SHORT ? fault : ENOMEM); \
    } \
    return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset); \
  }
DEFINE_MAP(mmap)
DEFINE_MAP(mmap64)

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static int memory_is_refused(void) {
  if (!is_decoder || shared == NULL) return 0;
  static const struct place heap = {.class = CLASS_NONE, .hash = 9, .name = "allocation"};
  if (fault_of(KIND_MEMORY, &heap) == 0) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return memory_is_refused() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return memory_is_refused() ? NULL : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return memory_is_refused() ? NULL : __libc_realloc(memory, size); }
