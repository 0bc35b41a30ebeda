// A client of the decoding protocol for `scripts/bench isolate`: what it costs to decode pictures in processes.
//
// usage: isolate pool|fork|spawn PROGRAM FILE SIDE COUNT
//        isolate start COUNT COMMAND ARGUMENT...
// pool:  PROGRAM is a decoding program that decodes all pictures in one process (protocol 3).
// fork:  PROGRAM forks a process for each picture (protocol 4), the next one while a picture is decoded.
// spawn: such a program is started for each picture.
// start: a command is started COUNT times, which decodes nothing.
// Writes a line: the median of the time from the request to the pixels, and the processor time of all processes for each
// picture, both in microseconds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 32, RECORD = WORDS * 4, SLOT = 64 << 20 };
extern char **environ;

static uint32_t magic;
static uint8_t *slot;

static void fail(const char *reason) {
  perror(reason);
  exit(1);
}

static double microseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static double processor_time(int who) {
  struct rusage used;
  getrusage(who, &used);
  return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

static void send_record(int target, const uint32_t *words, int descriptor) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct iovec part = {(void *)words, RECORD};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control.room;
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &descriptor, sizeof(int));
  }
  if (sendmsg(target, &message, MSG_NOSIGNAL) != RECORD) fail("sendmsg");
}

static int receive_record(int source, uint32_t *words) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {words, RECORD};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
  int descriptor = -1;
  if (recvmsg(source, &message, MSG_CMSG_CLOEXEC) != RECORD) fail("recvmsg");
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  if (rights != NULL) memcpy(&descriptor, CMSG_DATA(rights), sizeof(int));
  return descriptor;
}

static void make_pair(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
}

// Starts the program and waits until it is ready. Returns the socket.
static int start_program(const char *program, pid_t *process) {
  int ends[2];
  make_pair(ends);
  const int memory = memfd_create("slot", MFD_CLOEXEC);
  if (memory < 0 || ftruncate(memory, SLOT + 4096) != 0) fail("memfd_create");
  slot = mmap(NULL, SLOT + 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (slot == MAP_FAILED) fail("mmap");
  const int high_socket = fcntl(ends[1], F_DUPFD_CLOEXEC, 20), high_memory = fcntl(memory, F_DUPFD_CLOEXEC, 20);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, high_socket, 3);
  posix_spawn_file_actions_adddup2(&actions, high_memory, 4);
  char bytes[16];
  snprintf(bytes, sizeof bytes, "%d", SLOT);
  char *arguments[] = {"vitrine-decode", "1", bytes, "fail", NULL};
  if (posix_spawn(process, program, &actions, NULL, arguments, environ) != 0) fail(program);
  posix_spawn_file_actions_destroy(&actions);
  close(high_socket), close(high_memory), close(ends[1]), close(memory);
  uint32_t greeting[WORDS];
  receive_record(ends[0], greeting);
  if (greeting[0] != magic || greeting[2] != 0) fail("the program is of another protocol");
  return ends[0];
}

static void end_program(int socket, pid_t process) {
  close(socket);
  waitpid(process, NULL, 0);
  munmap(slot, SLOT + 4096);
}

static void request_picture(int socket, int file, uint32_t id, uint32_t side, uint64_t bytes) {
  uint32_t words[WORDS] = {magic, 1, id, 0, side, side, 2, 0, (uint32_t)bytes, (uint32_t)(bytes >> 32), 90, 0, 2};
  // The limits: the longest side, pixels for a byte, pixels, and the pixels above which that applies.
  words[13] = 65535, words[14] = 1 << 20, words[15] = 1 << 30, words[17] = 1 << 30, words[20] = 1 << 27;
  send_record(socket, words, file);
}

static uint8_t *pixels;
static size_t reply_bytes;

// Receives the reply, and copies the pixels as the program does.
static void take_picture(int socket, uint32_t id) {
  uint32_t reply[WORDS];
  receive_record(socket, reply);
  if (reply[1] != id || reply[2] != 0) {
    fprintf(stderr, "the picture was refused with status %u\n", reply[2]);
    exit(1);
  }
  memcpy(pixels, slot, reply[9]);
  reply_bytes = reply[9];
}

static int request_process(int control) {
  int ends[2];
  make_pair(ends);
  const uint32_t words[WORDS] = {magic, 0x464F524B, 1};
  send_record(control, words, ends[1]);
  close(ends[1]);
  return ends[0];
}

static int compare(const void *left, const void *right) {
  const double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

static void print(double *times, int count, double used) {
  qsort(times, (size_t)count, sizeof *times, compare);
  printf("%.1f %.1f\n", times[count / 2], used / count);
}

static void measure_start(int count, char **command) {
  double *times = calloc((size_t)count, sizeof *times);
  const double before = processor_time(RUSAGE_CHILDREN) + processor_time(RUSAGE_SELF);
  for (int index = 0; index < count; index++) {
    const double start = microseconds();
    pid_t process;
    int status;
    if (posix_spawnp(&process, command[0], NULL, NULL, command, environ) != 0) fail(command[0]);
    waitpid(process, &status, 0);
    if (status != 0) fail("the command failed");
    times[index] = microseconds() - start;
  }
  print(times, count, processor_time(RUSAGE_CHILDREN) + processor_time(RUSAGE_SELF) - before);
}

int main(int count, char **arguments) {
  if (count >= 4 && strcmp(arguments[1], "start") == 0) {
    measure_start(atoi(arguments[2]), arguments + 3);
    return 0;
  }
  if (count != 6) return 2;
  const char way = arguments[1][0] == 's' ? 's' : arguments[1][0];
  const uint32_t side = (uint32_t)atoi(arguments[4]);
  const int pictures = atoi(arguments[5]), warm = pictures / 10 + 1;
  magic = way == 'p' ? 0x56490003 : 0x56490004;
  const int file = open(arguments[3], O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) fail(arguments[3]);
  pixels = malloc(SLOT);
  double *times = calloc((size_t)pictures, sizeof *times), before = 0;
  pid_t program = 0;
  int control = way == 's' ? -1 : start_program(arguments[2], &program);
  int next = way == 'f' ? request_process(control) : -1;
  // The parent of the processes is not a child that has ended, so its time is read from its clock.
  clockid_t clock;
  struct timespec parent_before = {0}, parent_after = {0};
  if (way != 's') clock_getcpuclockid(program, &clock);
  for (int index = -warm; index < pictures; index++) {
    if (index == 0) {
      before = processor_time(RUSAGE_SELF) + processor_time(RUSAGE_CHILDREN);
      if (way != 's') clock_gettime(clock, &parent_before);
    }
    const uint32_t id = (uint32_t)(index + warm + 1);
    const double start = microseconds();
    if (way == 'p') {
      request_picture(control, file, id, side, (uint64_t)status.st_size);
      take_picture(control, id);
    } else {
      if (way == 's') {
        control = start_program(arguments[2], &program);
        next = request_process(control);
      }
      const int socket = next;
      request_picture(socket, file, id, side, (uint64_t)status.st_size);
      uint32_t reply[WORDS];
      receive_record(control, reply);
      const int process = (int)syscall(SYS_pidfd_open, reply[2], 0);
      if (way == 'f') next = request_process(control);
      take_picture(socket, id);
      struct pollfd ended = {process, POLLIN, 0};
      siginfo_t information;
      poll(&ended, 1, -1);
      waitid(P_PIDFD, (id_t)process, &information, WEXITED);
      if (information.si_code != CLD_EXITED || information.si_status != 0) fail("a process crashed");
      memset(slot, 0, (reply_bytes + 4095) / 4096 * 4096);
      close(socket), close(process);
      if (way == 's') end_program(control, program);
    }
    if (index >= 0) times[index] = microseconds() - start;
  }
  double used = processor_time(RUSAGE_SELF) + processor_time(RUSAGE_CHILDREN) - before;
  if (way != 's') {
    clock_gettime(clock, &parent_after);
    used += (double)(parent_after.tv_sec - parent_before.tv_sec) * 1e6 +
            (double)(parent_after.tv_nsec - parent_before.tv_nsec) / 1e3;
  }
  print(times, pictures, used);
  return 0;
}
