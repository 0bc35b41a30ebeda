// Looks at a screen in memory again and again and notes when each frame is first to be seen, at the top and at the bottom.
//
//     frame_watch SCREEN LOG MICROSECONDS    looks every so many microseconds until it is told to end (SIGTERM, SIGINT)
//     frame_watch --decode SCREEN            says which numbers are there now: top and bottom, - for none
//
// A line of the log is "top" or "bottom", the frame's number, and two instants on CLOCK_MONOTONIC in nanoseconds: the last look
// at which it was not there, and the first at which it was.
#include "screen.h"
#include "stripe.h"

#include <sched.h>
#include <signal.h>
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
static volatile sig_atomic_t is_over;

static void end(int signal_number)
{
    (void)signal_number;
    is_over = 1;
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// The stripe's number, read twice: a row that is being written may be half of one frame and half of another.
static int number_at(struct screen screen, uint32_t row)
{
    int first = stripe_number(screen_row(screen, row));
    return first == stripe_number(screen_row(screen, row)) ? first : stripe_unreadable;
}

static void print(int number) { number < 0 ? printf("-") : printf("%d", number); }

int main(int count, char **words)
{
    const char *path = count == 3 && strcmp(words[1], "--decode") == 0 ? words[2] : count == 4 ? words[1] : NULL;
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
    if (count == 3) {
        print(number_at(screen, rows[0]));
        printf(" ");
        print(number_at(screen, rows[1]));
        printf("\n");
        return 0;
    }
    signal(SIGTERM, end);
    signal(SIGINT, end);
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    // Whoever looks late tells nothing of the frame: ahead of all others, where that is permitted.
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
    const struct timespec pause = {0, atol(words[3]) * 1000};
    int last[2] = {stripe_unreadable, stripe_unreadable};
    size_t used = 0;
    int64_t before = now();
    int64_t longest = 0, looks = 0;
    while (!is_over && used + 2 <= most_sights) {
        for (int place = 0; place < 2; place++) {
            int number = number_at(screen, rows[place]);
            if (number < 0 || number == last[place]) continue;
            last[place] = number;
            sights[used++] = (struct sight){before, now(), number, place};
        }
        int64_t at = now();
        if (looks++ > 0 && at - before > longest) longest = at - before;
        before = at;
        nanosleep(&pause, NULL);
    }
    FILE *log = fopen(words[2], "w");
    if (!log) {
        perror(words[2]);
        return 1;
    }
    fprintf(log, "looks %lld %lld\n", (long long)looks, (long long)longest);
    for (size_t place = 0; place < used; place++)
        fprintf(log, "%s %d %lld %lld\n", sights[place].is_bottom ? "bottom" : "top", sights[place].number,
                (long long)sights[place].before, (long long)sights[place].at);
    return fclose(log) == 0 ? 0 : 1;
}
