#define _GNU_SOURCE
#include "CEventLoop.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

// Private functions of Dispatch, made for run loops. Weak, so that programs without Dispatch do not link it.
extern int _dispatch_get_main_queue_handle_4CF(void) __attribute__((weak));
extern void _dispatch_main_queue_callback_4CF(void *ignored) __attribute__((weak));

int event_loop_main_queue(void)
{
    if (!_dispatch_get_main_queue_handle_4CF || !_dispatch_main_queue_callback_4CF) return -1;
    // Dispatch ends the process when another thread runs the jobs. An asynchronous main function may give the queue to
    // Dispatch's threads, after which the first thread runs no code.
    if (syscall(SYS_gettid) != getpid()) return -1;
    return _dispatch_get_main_queue_handle_4CF();
}

bool event_loop_take_signal(int descriptor)
{
    uint64_t count = 0;
    return read(descriptor, &count, sizeof count) == sizeof count;
}

bool event_loop_wait(int descriptor, int milliseconds)
{
    struct pollfd request = {.fd = descriptor, .events = POLLIN};
    int count;
    do count = poll(&request, 1, milliseconds);
    while (count < 0 && errno == EINTR);
    return count == 1;
}

void event_loop_run_main_queue(void)
{
    if (_dispatch_main_queue_callback_4CF) _dispatch_main_queue_callback_4CF(0);
}

int event_loop_watch(int descriptor)
{
    int watch = epoll_create1(EPOLL_CLOEXEC);
    if (watch < 0) return -1;
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    if (epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event) == 0) return watch;
    int code = errno;
    close(watch);
    errno = code;
    return -1;
}

void event_loop_acknowledge(int watch)
{
    struct epoll_event event;
    epoll_wait(watch, &event, 1, 0);
}
