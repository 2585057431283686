#include "scenario.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <time.h>
#endif

#define MAX_LINE 4096

struct point {
    double time, value, jitter;
    int jump;
};

struct entry {
    int device;
    char *key, *text;
    struct point *points;
    int count;
    struct entry *next;
};

static struct entry *entries;
static int loaded;
static double epoch, speed = 1;

double scenario_clock(void) {
#ifdef _WIN32
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    return (((unsigned long long)now.dwHighDateTime << 32) + now.dwLowDateTime) / 1e7 - 11644473600.0;
#else
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
#endif
}

void scenario_sleep(double seconds) {
#ifdef _WIN32
    Sleep((DWORD)(seconds * 1000));
#else
    struct timespec wait = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};
    nanosleep(&wait, NULL);
#endif
}

static FILE *open_scenario(void) {
#ifdef _WIN32
    const wchar_t *path = _wgetenv(L"STANDIN_NVML_SCENARIO");
    return path ? _wfopen(path, L"rb") : NULL;
#else
    const char *path = getenv("STANDIN_NVML_SCENARIO");
    return path ? fopen(path, "rb") : NULL;
#endif
}

static const struct {
    const char *name;
    double code;
} NAMES[] = {{"ok", 0},           {"uninitialized", 1},      {"invalid_argument", 2},   {"not_supported", 3},
             {"no_permission", 4}, {"not_found", 6},          {"driver_not_loaded", 9},  {"timeout", 10},
             {"library_not_found", 12}, {"function_not_found", 13}, {"gpu_lost", 15},    {"reset_required", 16},
             {"mismatch", 18},     {"memory", 20},            {"no_data", 21},           {"unknown", 999},
             {"na", NAN}};

/* Reads a number or an error's name; returns what follows, or NULL. */
static char *read_value(char *text, double *value) {
    char *end;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        size_t length = strlen(NAMES[i].name);
        if (!strncmp(text, NAMES[i].name, length) && !isalnum((unsigned char)text[length]) && text[length] != '_') {
            *value = NAMES[i].code;
            return text + length;
        }
    }
    *value = strtod(text, &end);
    if (end == text)
        return NULL;
    switch (*end) {
    case 'K': *value *= 1024.0; return end + 1;
    case 'M': *value *= 1048576.0; return end + 1;
    case 'G': *value *= 1073741824.0; return end + 1;
    }
    return end;
}

/* Reads "time:value~jitter", "time=value" or "value". */
static int read_point(char *word, struct point *point) {
    char *separator = strpbrk(word, ":=");
    point->time = 0;
    point->jump = 1;
    if (separator) {
        char *end;
        point->time = strtod(word, &end);
        if (end != separator)
            return 0;
        point->jump = *separator == '=';
        word = separator + 1;
    }
    word = read_value(word, &point->value);
    point->jitter = 0;
    if (word && *word == '~')
        word = read_value(word + 1, &point->jitter);
    return word && !*word;
}

/* Turns the text into points if every word of it is one. */
static void read_track(struct entry *entry) {
    char copy[MAX_LINE];
    struct point point;
    strcpy(copy, entry->text);
    for (char *word = strtok(copy, " \t"); word; word = strtok(NULL, " \t")) {
        if (!read_point(word, &point)) {
            entry->count = 0;
            return;
        }
        entry->points = realloc(entry->points, (entry->count + 1) * sizeof point);
        entry->points[entry->count++] = point;
    }
}

static void unescape(char *text) {
    char *to = text;
    for (; *text; text++) {
        unsigned byte;
        if (sscanf(text, "\\x%2x", &byte) == 1) {
            *to++ = (char)byte;
            text += 3;
        } else {
            *to++ = *text;
        }
    }
    *to = 0;
}

static int read_device(const char *who) {
    int device, instance;
    if (!strcmp(who, "system"))
        return SYSTEM;
    if (!strcmp(who, "*"))
        return EVERY_DEVICE;
    switch (sscanf(who, "%d.%d", &device, &instance)) {
    case 2: return device + MIG_STEP * (instance + 1);
    case 1: return device;
    }
    fprintf(stderr, "stand-in nvml: who is \"%s\"?\n", who);
    abort();
}

static void read_line(char *line) {
    char who[32], key[128];
    int text = 0;
    char *comment = strchr(line, '#');
    if (comment)
        *comment = 0;
    for (size_t end = strlen(line); end && isspace((unsigned char)line[end - 1]); end--)
        line[end - 1] = 0;
    if (sscanf(line, "%31s %127s %n", who, key, &text) < 2)
        return;
    struct entry *entry = calloc(1, sizeof *entry);
    entry->device = read_device(who);
    entry->key = strdup(key);
    entry->text = strdup(line + text);
    read_track(entry);
    unescape(entry->text);
    entry->next = entries;
    entries = entry;
}

void scenario_load(void) {
    char line[MAX_LINE];
    FILE *file = loaded ? NULL : open_scenario();
    if (!file)
        return;
    while (fgets(line, sizeof line, file))
        read_line(line);
    fclose(file);
    epoch = getenv("STANDIN_NVML_EPOCH") ? strtod(getenv("STANDIN_NVML_EPOCH"), NULL) : scenario_clock();
    speed = getenv("STANDIN_NVML_SPEED") ? strtod(getenv("STANDIN_NVML_SPEED"), NULL) : 1;
    loaded = 1;
}

int scenario_loaded(void) { return loaded; }

double scenario_now(void) { return (scenario_clock() - epoch) * speed; }

static struct entry *find(int device, const char *key) {
    struct entry *general = NULL;
    for (struct entry *entry = entries; entry; entry = entry->next) {
        if (strcmp(entry->key, key))
            continue;
        if (entry->device == device)
            return entry;
        if (entry->device == EVERY_DEVICE && device >= 0 && device < MIG_STEP)
            general = entry;
    }
    return general;
}

static double jitter(const struct entry *entry, double now) {
    unsigned mixed = (unsigned)(long long)floor(now) * 2654435761u + (unsigned)(entry->device + 3) * 40503u;
    for (const char *letter = entry->key; *letter; letter++)
        mixed = (mixed ^ (unsigned char)*letter) * 16777619u;
    return (mixed >> 8) / 8388608.0 - 1;
}

static double track_value(const struct entry *entry) {
    double now = scenario_now(), repeat = 0;
    struct entry *wrap = strcmp(entry->key, "repeat") ? find(SYSTEM, "repeat") : NULL;
    if (wrap && wrap->count && (repeat = wrap->points[0].value) > 0)
        now = fmod(now, repeat);
    int at = 0;
    if (entry->points[0].jump && now < entry->points[0].time)
        return NAN;
    while (at + 1 < entry->count && entry->points[at + 1].time <= now)
        at++;
    const struct point *point = entry->points + at;
    double value = point->value;
    if (at + 1 < entry->count && !point[1].jump && now >= point->time)
        value += (point[1].value - value) * (now - point->time) / (point[1].time - point->time);
    return point->jitter > 0 ? value + point->jitter * jitter(entry, now) : value;
}

const char *scenario_text(int device, const char *key) {
    struct entry *entry = find(device, key);
    return entry ? entry->text : NULL;
}

int scenario_number(int device, const char *key, double *value) {
    struct entry *entry = find(device, key);
    if (!entry || !entry->count)
        return 0;
    *value = track_value(entry);
    return !isnan(*value);
}

double scenario_number_or(int device, const char *key, double fallback) {
    double value;
    return scenario_number(device, key, &value) ? value : fallback;
}

int scenario_has_device(int device) { return scenario_text(device, "name") != NULL; }

void scenario_each(int device, const char *prefix, void (*found)(const char *key, void *context), void *context) {
    for (struct entry *entry = entries; entry; entry = entry->next)
        if (entry->device == device && !strncmp(entry->key, prefix, strlen(prefix)))
            found(entry->key, context);
}
