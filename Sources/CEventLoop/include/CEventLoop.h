// Dispatch's main queue, for a loop that runs its jobs, and a wait for the next signal of a descriptor.
#ifndef CEVENTLOOP_H
#define CEVENTLOOP_H

#include <stdbool.h>
#include <stdint.h>

/// Returns the event file descriptor that is readable while the main queue has jobs. The caller must not close it.
/// Returns -1 if the calling thread is not the process's first one, which alone may run the jobs, or if the program does
/// not contain Dispatch. The C function is _dispatch_get_main_queue_handle_4CF.
int event_loop_main_queue(void);

/// Clears the signal of an event file descriptor. Returns whether there was one. The C function is read(2).
bool event_loop_take_signal(int descriptor);

/// Waits until a descriptor is readable, for at most a number of milliseconds, or without a limit if it is negative.
/// Returns whether it is. The C function is poll(2).
bool event_loop_wait(int descriptor, int milliseconds);

/// Runs the jobs that are on the main queue, not those that they enqueue. Does nothing in one of these jobs. The C
/// function is _dispatch_main_queue_callback_4CF.
void event_loop_run_main_queue(void);

/// Returns a descriptor that is readable once for each time that another one becomes readable, or -1 with errno. The C
/// functions are epoll_create1(2) and epoll_ctl(2) with EPOLLET.
int event_loop_watch(int descriptor);

/// Makes a descriptor of event_loop_watch unreadable until the next signal. The C function is epoll_wait(2).
void event_loop_acknowledge(int watch);

#endif
