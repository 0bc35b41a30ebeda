// Compares a program's measurements of its frames with observations from outside.
//
//     frame_compare FRAMES SIGHTS STAMPS REFRESH
//
// FRAMES is the log of the program (--frame-log), SIGHTS that of frame_watch, and STAMPS that of frame_shim; REFRESH is
// in hertz. Prints whether they agree. The status is 0 in both cases.
#define _DEFAULT_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_frames = 1 << 16 };

// If more nanoseconds passed between two readings of the screen, the observer was late, and the sighting is not used.
static const long long longest_pause = 300000;

// The lateness in nanoseconds from which a frame counts as late.
static const long long late = 1000000;

struct frame {
    int64_t number, target, presented, hitch, allocations;
    bool is_tracked, is_first;
    // The time of the first sighting; 0 if there was none.
    int64_t top, bottom;
    // Whether the reading before the sighting was too long ago.
    bool is_uncertain;
    // The values recorded by frame_shim.
    bool is_stamped;
    int64_t stamp, stamped_allocations;
};

struct series {
    double *values;
    size_t count;
};

static struct frame frames[most_frames];
static size_t frame_count;
static double storage[8][most_frames];

static FILE *opened(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file) return file;
    perror(path);
    exit(1);
}

static void read_frames(const char *path)
{
    FILE *file = opened(path);
    char line[1024];
    if (!fgets(line, sizeof line, file) || strncmp(line, "frame\t", 6) != 0) {
        fprintf(stderr, "%s: not a log of frames\n", path);
        exit(1);
    }
    while (frame_count < most_frames && fgets(line, sizeof line, file)) {
        char *columns[13], *rest = line;
        int count = 0;
        for (char *word; count < 13 && (word = strsep(&rest, "\t\n")) != NULL;) columns[count++] = word;
        if (count < 13) continue;
        struct frame *frame = &frames[frame_count++];
        frame->number = atoll(columns[0]);
        frame->target = atoll(columns[1]);
        frame->presented = atoll(columns[5]);
        frame->hitch = atoll(columns[8]);
        frame->is_tracked = columns[10][0] == '1';
        frame->is_first = columns[11][0] == '1';
        frame->allocations = columns[12][0] == '-' ? -1 : atoll(columns[12]);
    }
    fclose(file);
}

// Returns the frame with a number, or NULL. Frames are in order without gaps.
static struct frame *frame_of(int64_t number)
{
    if (frame_count == 0) return NULL;
    int64_t index = number - frames[0].number;
    return index >= 0 && index < (int64_t)frame_count && frames[index].number == number ? &frames[index] : NULL;
}

struct outside {
    long looks, longest_look, sights, unknown, disordered;
};

static struct outside read_sights(const char *path)
{
    struct outside outside = {0};
    FILE *file = opened(path);
    char line[256], where[8];
    long long number, before, at;
    // A stripe contains the lower 16 bits of a number; the upper ones follow from the number before.
    int64_t last[2] = {-1, -1};
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "looks %ld %ld", &outside.looks, &outside.longest_look) == 2) continue;
        if (sscanf(line, "%7s %lld %lld %lld", where, &number, &before, &at) != 4) continue;
        int edge = strcmp(where, "bottom") == 0;
        int64_t whole = last[edge] < 0 ? number : last[edge] + (int16_t)(number - last[edge]);
        outside.sights++;
        if (last[edge] >= 0 && whole <= last[edge]) outside.disordered++;
        last[edge] = whole;
        struct frame *frame = frame_of(whole);
        if (!frame) outside.unknown++;
        else {
            if (at - before > longest_pause) frame->is_uncertain = true;
            if (edge == 0 && frame->top == 0) frame->top = at;
            if (edge == 1 && frame->bottom == 0) frame->bottom = at;
        }
    }
    fclose(file);
    return outside;
}

struct stamps {
    long count, presented, unknown, disordered;
};

static struct stamps read_stamps(const char *path)
{
    struct stamps stamps = {0};
    FILE *file = opened(path);
    char line[256];
    long long number, begun, committed, presenting, presented, allocations, last = -1;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%lld %lld %lld %lld %lld %lld", &number, &begun, &committed, &presenting, &presented,
                   &allocations) != 6)
            continue;
        stamps.count++;
        if (presented > 0) stamps.presented++;
        if (number <= last) stamps.disordered++;
        last = number;
        struct frame *frame = frame_of(number);
        if (!frame) {
            stamps.unknown++;
            continue;
        }
        frame->is_stamped = true;
        frame->stamp = presented;
        frame->stamped_allocations = allocations;
    }
    fclose(file);
    return stamps;
}

static int in_order(const void *left, const void *right)
{
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

static void add(struct series *series, double value) { series->values[series->count++] = value; }

// Returns a percentile by the nearest-rank method.
static double rank(struct series *series, int hundredths)
{
    if (series->count == 0) return 0;
    qsort(series->values, series->count, sizeof(double), in_order);
    size_t position = (series->count * (size_t)hundredths + 99) / 100;
    return series->values[position > 0 ? position - 1 : 0];
}

static void print_times(const char *name, struct series *series)
{
    if (series->count == 0) {
        printf("  %-47s      -\n", name);
        return;
    }
    printf("  %-47s p50 %7.3f   p90 %7.3f   max %8.3f ms\n", name, rank(series, 50) / 1e6, rank(series, 90) / 1e6,
           rank(series, 100) / 1e6);
}

static void print_numbers(const char *name, long ours, long outside)
{
    printf("  %-47s %10ld %10ld   %s\n", name, ours, outside, ours == outside ? "equal" : "NOT EQUAL");
}

// Returns the number of refreshes between two instants that repeated the last frame.
static long repeats(int64_t from, int64_t to, double interval)
{
    long refreshes = (long)((double)(to - from) / interval + 0.5);
    return refreshes > 1 ? refreshes - 1 : 0;
}

static double size_of(double value) { return value < 0 ? -value : value; }

int main(int count, char **arguments)
{
    if (count != 5 || atof(arguments[4]) <= 0) {
        fprintf(stderr, "usage: frame_compare FRAMES SIGHTS STAMPS REFRESH\n");
        return 2;
    }
    const double interval = 1e9 / atof(arguments[4]);
    read_frames(arguments[1]);
    struct outside outside = read_sights(arguments[2]);
    struct stamps stamps = read_stamps(arguments[3]);

    struct series visible = {storage[0], 0}, visible_size = {storage[1], 0}, top = {storage[2], 0},
                  rhythm = {storage[3], 0}, stamped = {storage[4], 0}, own_calls = {storage[5], 0}, copying = {storage[6], 0};
    long seen = 0, unseen_first = 0, unseen = 0, torn = 0, own_repeats = 0, seen_repeats = 0, in_time = 0;
    long own_late = 0, seen_late = 0, vague = 0, counted = 0, equal_calls = 0, most_calls = 0;
    for (size_t index = 0; index < frame_count; index++) {
        struct frame *frame = &frames[index], *last = index > 0 ? &frames[index - 1] : NULL;
        bool is_seen = frame->top > 0 || frame->bottom > 0;
        if (is_seen) seen++;
        else if (seen == 0) unseen_first++;
        else unseen++;
        // The observer may stop before the last frame is complete.
        if (is_seen && index + 1 < frame_count && (frame->top == 0 || frame->bottom == 0)) torn++;
        if (frame->bottom > 0 && frame->is_uncertain) vague++;
        else if (frame->bottom > 0) {
            double difference = (double)(frame->bottom - frame->presented);
            add(&visible, difference);
            add(&visible_size, size_of(difference));
            if (frame->top > 0) add(&copying, (double)(frame->bottom - frame->top));
        }
        if (frame->top > 0 && !frame->is_uncertain) add(&top, (double)(frame->top - frame->presented));
        if (last && frame->bottom > 0 && last->bottom > 0 && !frame->is_first && frame->is_tracked) {
            int64_t own_gap = frame->presented - last->presented, seen_gap = frame->bottom - last->bottom;
            if (!frame->is_uncertain && !last->is_uncertain) add(&rhythm, size_of((double)(own_gap - seen_gap)));
            own_repeats += repeats(last->presented, frame->presented, interval);
            seen_repeats += repeats(last->bottom, frame->bottom, interval);
        }
        if (frame->is_stamped && frame->stamp > 0) {
            add(&stamped, size_of((double)(frame->presented - frame->stamp)));
        }
        if (frame->hitch <= 0) in_time++;
        if (frame->is_tracked && !frame->is_first && frame->bottom > 0 && !frame->is_uncertain) {
            if (frame->hitch > late) own_late++;
            if (frame->bottom - frame->target > late) seen_late++;
        }
        if (frame->is_stamped && frame->allocations >= 0) {
            counted++;
            if (frame->allocations == frame->stamped_allocations) equal_calls++;
            if (frame->is_tracked) {
                add(&own_calls, (double)frame->allocations);
                if (frame->allocations > most_calls) most_calls = (long)frame->allocations;
            }
        }
    }
    const long visible_count = (long)frame_count - unseen_first;
    printf("Frames                                                 ours    outside\n");
    print_numbers("made", (long)frame_count, stamps.count);
    print_numbers("on the screen, from the first", visible_count, seen);
    print_numbers("seen in another order", 0, outside.disordered);
    print_numbers("timed by the preloaded library in another order", 0, stamps.disordered);
    print_numbers("with numbers of no frame", 0, outside.unknown + stamps.unknown);
    print_numbers("only a part seen", 0, torn);
    print_numbers("refreshes that showed the last frame again", own_repeats, seen_repeats);
    print_numbers("shown more than 1 ms after they were due", own_late, seen_late);
    printf("  before the window was shown: %ld; never seen: %ld; in time: %ld\n", unseen_first, unseen, in_time);
    printf("\nDifferences of times\n");
    print_times("time seen (bottom edge) minus time presented", &visible);
    print_times("  absolute", &visible_size);
    print_times("time seen (top edge) minus time presented", &top);
    print_times("time seen, bottom minus top edge", &copying);
    print_times("interval between frames, absolute difference", &rhythm);
    print_times("time of the preloaded library minus ours, abs.", &stamped);
    printf("  %ld readings of the screen, at most %.3f ms apart; without %ld frames that appeared after a pause of\n"
           "  the observer of more than %.1f ms\n",
           outside.looks, (double)outside.longest_look / 1e6, vague, longest_pause / 1e6);
    printf("\nAllocations in phases 1 to 7\n");
    if (counted == 0) printf("  not counted by both\n");
    else
        printf("  equal in %ld of %ld frames; while something moves p50 %.0f   p99 %.0f   max %ld a frame\n", equal_calls,
               counted, rank(&own_calls, 50), rank(&own_calls, 99), most_calls);
    const bool is_equal = stamps.count == (long)frame_count && visible_count == seen && outside.disordered == 0 &&
                          stamps.disordered == 0 && outside.unknown + stamps.unknown == 0 && torn == 0;
    const double median = rank(&visible_size, 50) / 1e6, most = rank(&visible_size, 90) / 1e6;
    printf("\nNumber and order of frames: %s. Present to visible",
           seen == 0 ? "NOT SEEN" : is_equal ? "exactly equal" : "NOT EQUAL");
    if (visible_size.count == 0) printf(": NOT MEASURED.\n");
    else
        printf(", in %zu of %zu frames: p50 %.3f ms (aim 0.1), p90 %.3f ms (aim 0.3).\n", visible_size.count,
               frame_count, median, most);
    return 0;
}
