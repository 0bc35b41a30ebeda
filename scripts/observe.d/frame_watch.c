// Reads a screen in memory repeatedly and records when each frame first appears at the top and at the bottom.
//
//     frame_watch SCREEN LOG MICROSECONDS    reads at this interval until SIGTERM or SIGINT
//     frame_watch --decode SCREEN            prints the current numbers at the top and the bottom, or - for none
//
// A line of the log is "top" or "bottom", the frame's number, and two instants on CLOCK_MONOTONIC in nanoseconds: the
// last reading without the frame, and the first with it.
#include "screen.h"
#include "stripe.h"

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

enum { most_sights = 1 << 20 };

struct sight {
    int64_t before, at;
    int32_t number;
    int32_t is_bottom;
};

static struct sight sights[most_sights];
static volatile sig_atomic_t is_stopped;

static void stop(int signal_number)
{
    (void)signal_number;
    is_stopped = 1;
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Returns the number of a stripe, which is read twice, because a row that is being written may contain parts of two
// frames.
static int number_at(struct screen screen, uint32_t row)
{
    int first = stripe_number(screen_row(screen, row));
    return first == stripe_number(screen_row(screen, row)) ? first : stripe_unreadable;
}

static void print(int number) { number < 0 ? printf("-") : printf("%d", number); }

int main(int count, char **arguments)
{
    const bool only_decodes = count == 3 && strcmp(arguments[1], "--decode") == 0;
    const char *path = only_decodes ? arguments[2] : count == 4 ? arguments[1] : NULL;
    if (!path) {
        fprintf(stderr, "usage: frame_watch SCREEN LOG MICROSECONDS | frame_watch --decode SCREEN\n");
        return 2;
    }
    struct screen screen = screen_map(path);
    if (screen.height < 2 * stripe_cell_pixels || screen.width < stripe_cells * stripe_cell_pixels) {
        fprintf(stderr, "frame_watch: the screen is smaller than a stripe\n");
        return 1;
    }
    const uint32_t rows[2] = {stripe_cell_pixels / 2, screen.height - stripe_cell_pixels / 2};
    if (only_decodes) {
        print(number_at(screen, rows[0]));
        printf(" ");
        print(number_at(screen, rows[1]));
        printf("\n");
        return 0;
    }
    signal(SIGTERM, stop);
    signal(SIGINT, stop);
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    // A late reading is useless, so the process gets a real-time priority if that is permitted.
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
    const struct timespec pause = {0, atol(arguments[3]) * 1000};
    int last[2] = {stripe_unreadable, stripe_unreadable};
    size_t used = 0;
    int64_t before = now();
    int64_t longest = 0, looks = 0;
    while (!is_stopped && used + 2 <= most_sights) {
        for (int edge = 0; edge < 2; edge++) {
            int number = number_at(screen, rows[edge]);
            if (number < 0 || number == last[edge]) continue;
            last[edge] = number;
            sights[used++] = (struct sight){before, now(), number, edge};
        }
        int64_t at = now();
        if (looks++ > 0 && at - before > longest) longest = at - before;
        before = at;
        nanosleep(&pause, NULL);
    }
    FILE *log = fopen(arguments[2], "w");
    if (!log) {
        perror(arguments[2]);
        return 1;
    }
    fprintf(log, "looks %lld %lld\n", (long long)looks, (long long)longest);
    for (size_t index = 0; index < used; index++)
        fprintf(log, "%s %d %lld %lld\n", sights[index].is_bottom ? "bottom" : "top", sights[index].number,
                (long long)sights[index].before, (long long)sights[index].at);
    return fclose(log) == 0 ? 0 : 1;
}
