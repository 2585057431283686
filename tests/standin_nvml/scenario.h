/* A scenario: texts and tracks by (device, key), read once from a small text file. See README.md. */
#ifndef SCENARIO_H
#define SCENARIO_H

#define SYSTEM (-2)
#define EVERY_DEVICE (-1)
#define MAX_DEVICES 16
#define MIG_STEP 100 /* MIG instance i of device d is d + MIG_STEP * (i + 1) */

void scenario_load(void);
int scenario_loaded(void);
int scenario_has_device(int device);
double scenario_now(void); /* seconds since the scenario's second 0 */
void scenario_sleep(double seconds);
double scenario_clock(void); /* Unix time */

/* The text of a key; NULL where there is none. MIG instances do not inherit. */
const char *scenario_text(int device, const char *key);
/* 1 and the value now; 0 where the key is absent or "na" now. */
int scenario_number(int device, const char *key, double *value);
double scenario_number_or(int device, const char *key, double fallback);
/* Calls back for each key of the device that begins with the prefix. */
void scenario_each(int device, const char *prefix, void (*found)(const char *key, void *context), void *context);

#endif
