/* The functions of NVML that monitors call, answered from a scenario. See README.md. */
#include "scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#define API __declspec(dllexport)
#define THREAD_LOCAL __thread
#else
#define API __attribute__((visibility("default")))
#define THREAD_LOCAL __thread
#endif

enum {
    SUCCESS = 0,
    UNINITIALIZED = 1,
    INVALID_ARGUMENT = 2,
    NOT_SUPPORTED = 3,
    NOT_FOUND = 6,
    INSUFFICIENT_SIZE = 7,
    DRIVER_NOT_LOADED = 9,
    GPU_IS_LOST = 15,
    VERSION_MISMATCH = 25
};

typedef int Return;
typedef unsigned int uint;
typedef unsigned long long ull;
typedef struct device {
    int id; /* the scenario's number of it */
} *Device;

#define NO_VALUE (~0ull)
#define MAX_INSTANCES 7

static struct device devices[MAX_DEVICES], instances[MAX_DEVICES][MAX_INSTANCES];
static int references;
static double spent;

API double standinNvmlSpent(void) { return spent; }

/* --- entering a call: misbehaviour first --- */

static THREAD_LOCAL double entered;

static Return leave(Return result) {
    spent += scenario_clock() - entered;
    return result;
}

static double misbehaviour(int device, const char *kind, const char *function) {
    char key[160];
    double value;
    snprintf(key, sizeof key, "%s.%s", kind, function);
    if (scenario_number(device, key, &value))
        return value;
    snprintf(key, sizeof key, "%s.*", kind);
    return scenario_number_or(device, key, 0);
}

static Return enter(int device, const char *function) {
    entered = scenario_clock();
    double milliseconds = misbehaviour(device, "slow", function);
    if (milliseconds > 0)
        scenario_sleep(milliseconds / 1000);
    while (misbehaviour(device, "hang", function) != 0)
        scenario_sleep(0.02);
    return (Return)misbehaviour(device, "error", function);
}

static int physical(int id) { return id % MIG_STEP; }

static Return enter_device(Device device, const char *function) {
    Return error;
    if (!references)
        return UNINITIALIZED;
    if (!device)
        return INVALID_ARGUMENT;
    error = enter(physical(device->id), function);
    if (!error && scenario_number_or(physical(device->id), "present", 1) == 0)
        error = GPU_IS_LOST;
    return error;
}

#define ENTER_SYSTEM                                              \
    do {                                                          \
        Return error = references ? enter(SYSTEM, __func__) : UNINITIALIZED; \
        if (error)                                                \
            return leave(error);                                  \
    } while (0)

#define ENTER                                          \
    do {                                               \
        Return error = enter_device(device, __func__); \
        if (error)                                     \
            return leave(error);                       \
    } while (0)

static Return give(Device device, const char *key, double factor, uint *result) {
    double value;
    if (!scenario_number(device->id, key, &value))
        return leave(NOT_SUPPORTED);
    *result = (uint)llround(value * factor);
    return leave(SUCCESS);
}

/* A device function that answers one number. */
#define NUMBER(name, key, factor)                   \
    API Return name(Device device, uint *result) {  \
        ENTER;                                      \
        return give(device, key, factor, result);   \
    }

static Return give_text(const char *text, char *buffer, uint length) {
    if (!text)
        return leave(NOT_SUPPORTED);
    if (strlen(text) + 1 > length)
        return leave(INSUFFICIENT_SIZE);
    strcpy(buffer, text);
    return leave(SUCCESS);
}

/* --- the system --- */

static Return initialize(void) {
    entered = scenario_clock();
    scenario_load();
    if (!scenario_loaded())
        return leave(DRIVER_NOT_LOADED);
    Return error = enter(SYSTEM, "nvmlInit");
    if (error)
        return leave(error);
    for (int d = 0; d < MAX_DEVICES; d++) {
        devices[d].id = d;
        for (int i = 0; i < MAX_INSTANCES; i++)
            instances[d][i].id = d + MIG_STEP * (i + 1);
    }
    references++;
    return leave(SUCCESS);
}

API Return nvmlInit(void) { return initialize(); }
API Return nvmlInit_v2(void) { return initialize(); }
API Return nvmlInitWithFlags(uint flags) { return flags & ~3u ? INVALID_ARGUMENT : initialize(); }

API Return nvmlShutdown(void) {
    if (!references)
        return UNINITIALIZED;
    references--;
    return SUCCESS;
}

API const char *nvmlErrorString(Return result) {
    switch (result) {
    case SUCCESS: return "Success";
    case UNINITIALIZED: return "Uninitialized";
    case INVALID_ARGUMENT: return "Invalid Argument";
    case NOT_SUPPORTED: return "Not Supported";
    case 4: return "Insufficient Permissions";
    case NOT_FOUND: return "Not Found";
    case INSUFFICIENT_SIZE: return "Insufficient Size";
    case DRIVER_NOT_LOADED: return "Driver Not Loaded";
    case 10: return "Timeout";
    case 12: return "NVML Shared Library Not Found";
    case 13: return "Function Not Found";
    case GPU_IS_LOST: return "GPU is lost";
    case 16: return "GPU requires reset";
    case 18: return "Driver/library version mismatch";
    case 20: return "Insufficient Memory";
    case 21: return "No Data";
    default: return "Unknown Error";
    }
}

API Return nvmlSystemGetDriverVersion(char *version, uint length) {
    ENTER_SYSTEM;
    return give_text(scenario_text(SYSTEM, "driver"), version, length);
}

API Return nvmlSystemGetNVMLVersion(char *version, uint length) {
    ENTER_SYSTEM;
    return give_text(scenario_text(SYSTEM, "driver"), version, length);
}

API Return nvmlSystemGetCudaDriverVersion_v2(int *version) {
    ENTER_SYSTEM;
    *version = (int)scenario_number_or(SYSTEM, "cuda", 13000);
    return leave(SUCCESS);
}

API Return nvmlSystemGetCudaDriverVersion(int *version) { return nvmlSystemGetCudaDriverVersion_v2(version); }

API Return nvmlSystemGetProcessName(uint pid, char *name, uint length) {
    ENTER_SYSTEM;
    snprintf(name, length, "program-%u", pid);
    return leave(SUCCESS);
}

/* --- finding devices --- */

static int there(int device) {
    return scenario_has_device(device) && scenario_number_or(device, "present", 1) != 0;
}

API Return nvmlDeviceGetCount_v2(uint *count) {
    ENTER_SYSTEM;
    *count = 0;
    for (int d = 0; d < MAX_DEVICES; d++)
        *count += there(d);
    return leave(SUCCESS);
}

API Return nvmlDeviceGetCount(uint *count) { return nvmlDeviceGetCount_v2(count); }

API Return nvmlDeviceGetHandleByIndex_v2(uint index, Device *device) {
    ENTER_SYSTEM;
    for (int d = 0; d < MAX_DEVICES; d++)
        if (there(d) && !index--) {
            *device = devices + d;
            return leave((Return)misbehaviour(d, "error", __func__));
        }
    return leave(INVALID_ARGUMENT);
}

API Return nvmlDeviceGetHandleByIndex(uint index, Device *device) { return nvmlDeviceGetHandleByIndex_v2(index, device); }

static int position(int device) {
    int before = 0;
    for (int d = 0; d < device; d++)
        before += there(d);
    return before;
}

API Return nvmlDeviceGetIndex(Device device, uint *index) {
    ENTER;
    *index = device->id >= MIG_STEP ? device->id / MIG_STEP - 1 : position(device->id);
    return leave(SUCCESS);
}

static void write_uuid(int id, char *buffer) {
    const char *text = scenario_text(id, "uuid");
    if (text)
        snprintf(buffer, 96, "%s", text);
    else
        sprintf(buffer, "%s-00000000-0000-0000-0000-%012d", id >= MIG_STEP ? "MIG" : "GPU", id);
}

API Return nvmlDeviceGetUUID(Device device, char *uuid, uint length) {
    char text[96];
    ENTER;
    write_uuid(device->id, text);
    return give_text(text, uuid, length);
}

API Return nvmlDeviceGetHandleByUUID(const char *uuid, Device *device) {
    char text[96];
    ENTER_SYSTEM;
    for (int d = 0; d < MAX_DEVICES; d++) {
        int parts = there(d) ? (int)scenario_number_or(d, "mig", 0) : -1;
        for (int part = -1; part < parts; part++) {
            Device found = part < 0 ? devices + d : &instances[d][part];
            write_uuid(found->id, text);
            if (!strcmp(text, uuid)) {
                *device = found;
                return leave(SUCCESS);
            }
        }
    }
    return leave(NOT_FOUND);
}

API Return nvmlDeviceGetName(Device device, char *name, uint length) {
    char text[96];
    ENTER;
    if (device->id < MIG_STEP || scenario_text(device->id, "name"))
        return give_text(scenario_text(device->id, "name"), name, length);
    snprintf(text, sizeof text, "%.60s MIG 1g", scenario_text(physical(device->id), "name"));
    return give_text(text, name, length);
}

struct pci {
    char legacy[16];
    uint domain, bus, slot, device, subsystem;
    char address[32];
};

static void write_pci(int id, struct pci *pci) {
    const char *text = scenario_text(id, "pci");
    memset(pci, 0, sizeof *pci);
    pci->bus = id + 1;
    if (text)
        sscanf(text, "%x:%x:%x", &pci->domain, &pci->bus, &pci->slot);
    pci->device = 0x278610de;
    sprintf(pci->legacy, "%04X:%02X:%02X.0", pci->domain & 0xffff, pci->bus & 0xff, pci->slot & 0xff);
    sprintf(pci->address, "%08X:%02X:%02X.0", pci->domain, pci->bus & 0xff, pci->slot & 0xff);
}

API Return nvmlDeviceGetPciInfo_v3(Device device, struct pci *pci) {
    ENTER;
    if (device->id >= MIG_STEP)
        return leave(NOT_SUPPORTED);
    write_pci(device->id, pci);
    return leave(SUCCESS);
}

API Return nvmlDeviceGetPciInfo_v2(Device device, struct pci *pci) { return nvmlDeviceGetPciInfo_v3(device, pci); }
API Return nvmlDeviceGetPciInfo(Device device, struct pci *pci) { return nvmlDeviceGetPciInfo_v3(device, pci); }

API Return nvmlDeviceGetHandleByPciBusId_v2(const char *address, Device *device) {
    struct pci pci;
    ENTER_SYSTEM;
    for (int d = 0; d < MAX_DEVICES; d++) {
        write_pci(d, &pci);
        if (there(d) && (!strcmp(address, pci.address) || !strcmp(address, pci.legacy))) {
            *device = devices + d;
            return leave(SUCCESS);
        }
    }
    return leave(NOT_FOUND);
}

API Return nvmlDeviceGetCudaComputeCapability(Device device, int *major, int *minor) {
    double value;
    ENTER;
    if (!scenario_number(physical(device->id), "compute_capability", &value))
        return leave(NOT_SUPPORTED);
    *major = (int)value;
    *minor = (int)llround((value - *major) * 10);
    return leave(SUCCESS);
}

API Return nvmlDeviceGetDriverModel(Device device, uint *current, uint *pending) {
    ENTER;
    *pending = 0;
    Return error = give(device, "driver_model", 1, current);
    *pending = *current;
    return error;
}

/* --- MIG --- */

API Return nvmlDeviceIsMigDeviceHandle(Device device, uint *is) {
    ENTER;
    *is = device->id >= MIG_STEP;
    return leave(SUCCESS);
}

API Return nvmlDeviceGetMigMode(Device device, uint *current, uint *pending) {
    double parts;
    ENTER;
    if (device->id >= MIG_STEP || !scenario_number(device->id, "mig", &parts))
        return leave(NOT_SUPPORTED);
    *current = *pending = parts > 0;
    return leave(SUCCESS);
}

API Return nvmlDeviceGetMaxMigDeviceCount(Device device, uint *count) {
    ENTER;
    *count = scenario_number_or(device->id, "mig", 0) > 0 ? MAX_INSTANCES : 0;
    return leave(SUCCESS);
}

API Return nvmlDeviceGetMigDeviceHandleByIndex(Device device, uint index, Device *instance) {
    ENTER;
    if (device->id >= MIG_STEP || index >= MAX_INSTANCES)
        return leave(INVALID_ARGUMENT);
    if (index >= scenario_number_or(device->id, "mig", 0))
        return leave(NOT_FOUND);
    *instance = &instances[device->id][index];
    return leave(SUCCESS);
}

API Return nvmlDeviceGetDeviceHandleFromMigDeviceHandle(Device device, Device *parent) {
    ENTER;
    if (device->id < MIG_STEP)
        return leave(INVALID_ARGUMENT);
    *parent = devices + physical(device->id);
    return leave(SUCCESS);
}

static Return mig_number(Device device, uint *id) {
    *id = device->id / MIG_STEP;
    return leave(device->id >= MIG_STEP ? SUCCESS : NOT_SUPPORTED);
}

API Return nvmlDeviceGetGpuInstanceId(Device device, uint *id) {
    ENTER;
    return mig_number(device, id);
}

API Return nvmlDeviceGetComputeInstanceId(Device device, uint *id) {
    ENTER;
    return mig_number(device, id);
}

/* --- load, memory --- */

API Return nvmlDeviceGetUtilizationRates(Device device, uint rates[2]) {
    ENTER;
    rates[1] = (uint)scenario_number_or(device->id, "memory_utilization", 0);
    return give(device, "utilization", 1, rates);
}

static Return sampled(Device device, const char *key, uint *value, uint *period) {
    *period = 167000;
    return give(device, key, 1, value);
}

API Return nvmlDeviceGetEncoderUtilization(Device device, uint *value, uint *period) {
    ENTER;
    return sampled(device, "encoder", value, period);
}

API Return nvmlDeviceGetDecoderUtilization(Device device, uint *value, uint *period) {
    ENTER;
    return sampled(device, "decoder", value, period);
}

struct memory {
    ull total, free, used;
};

struct memory_v2 {
    uint version;
    ull total, reserved, free, used;
};

/* As the driver does: `used` of the first version holds the reserved part too. */
static Return read_memory(Device device, struct memory_v2 *memory) {
    double total, used;
    if (!scenario_number(device->id, "total", &total) || !scenario_number(device->id, "used", &used))
        return NOT_SUPPORTED;
    memory->total = (ull)total;
    memory->used = (ull)used;
    memory->reserved = (ull)scenario_number_or(device->id, "reserved", 0);
    memory->free = memory->total - memory->used - memory->reserved;
    return SUCCESS;
}

API Return nvmlDeviceGetMemoryInfo(Device device, struct memory *memory) {
    struct memory_v2 read;
    ENTER;
    Return error = read_memory(device, &read);
    if (!error)
        *memory = (struct memory){read.total, read.free, read.used + read.reserved};
    return leave(error);
}

#ifndef OLD_DRIVER
API Return nvmlDeviceGetMemoryInfo_v2(Device device, struct memory_v2 *memory) {
    ENTER;
    return leave(memory->version == 0x02000028 ? read_memory(device, memory) : VERSION_MISMATCH);
}
#endif

API Return nvmlDeviceGetBAR1MemoryInfo(Device device, struct memory *memory) {
    ENTER;
    *memory = (struct memory){256ull << 20, 250ull << 20, 6ull << 20};
    return leave(scenario_number_or(device->id, "total", 0) > 0 ? SUCCESS : NOT_SUPPORTED);
}

/* --- power, heat, clocks --- */

NUMBER(nvmlDeviceGetPowerUsage, "power", 1000)
NUMBER(nvmlDeviceGetEnforcedPowerLimit, "power_limit", 1000)
NUMBER(nvmlDeviceGetPowerManagementLimit, "power_limit", 1000)
NUMBER(nvmlDeviceGetFanSpeed, "fan", 1)
NUMBER(nvmlDeviceGetPerformanceState, "pstate", 1)
NUMBER(nvmlDeviceGetPowerState, "pstate", 1)

API Return nvmlDeviceGetNumFans(Device device, uint *count) {
    double fan;
    ENTER;
    *count = scenario_number(device->id, "fan", &fan);
    return leave(SUCCESS);
}

API Return nvmlDeviceGetFanSpeed_v2(Device device, uint fan, uint *speed) {
    ENTER;
    return fan ? leave(INVALID_ARGUMENT) : give(device, "fan", 1, speed);
}

API Return nvmlDeviceGetTemperature(Device device, int sensor, uint *result) {
    ENTER;
    return sensor ? leave(INVALID_ARGUMENT) : give(device, "temperature", 1, result);
}

API Return nvmlDeviceGetTemperatureThreshold(Device device, int threshold, uint *result) {
    ENTER;
    switch (threshold) {
    case 0: return give(device, "shutdown", 1, result);
    case 1: return give(device, "slowdown", 1, result);
    default: return leave(NOT_SUPPORTED);
    }
}

#ifndef OLD_DRIVER
struct temperature {
    uint version;
    int sensor;
    int value;
};

API Return nvmlDeviceGetTemperatureV(Device device, struct temperature *temperature) {
    ENTER;
    if (temperature->version != 0x100000C)
        return leave(VERSION_MISMATCH);
    return give(device, temperature->sensor ? "hotspot_temperature" : "temperature", 1, (uint *)&temperature->value);
}

struct fan_speed {
    uint version, fan, speed;
};

API Return nvmlDeviceGetFanSpeedRPM(Device device, struct fan_speed *speed) {
    ENTER;
    return give(device, "fan_rpm", 1, &speed->speed);
}
#endif

static const char *clock_key(int type, int max) {
    switch (type) {
    case 0: case 1: return max ? "sm_clock_max" : "sm_clock";
    case 2: return max ? "memory_clock_max" : "memory_clock";
    default: return "video_clock";
    }
}

API Return nvmlDeviceGetClockInfo(Device device, int type, uint *clock) {
    ENTER;
    return give(device, clock_key(type, 0), 1, clock);
}

API Return nvmlDeviceGetMaxClockInfo(Device device, int type, uint *clock) {
    ENTER;
    return give(device, clock_key(type, 1), 1, clock);
}

static Return reasons_of(Device device, ull *reasons) {
    double value;
    if (!scenario_number(device->id, "throttle", &value))
        return leave(NOT_SUPPORTED);
    *reasons = (ull)value;
    return leave(SUCCESS);
}

API Return nvmlDeviceGetCurrentClocksThrottleReasons(Device device, ull *reasons) {
    ENTER;
    return reasons_of(device, reasons);
}

#ifndef OLD_DRIVER
API Return nvmlDeviceGetCurrentClocksEventReasons(Device device, ull *reasons) {
    ENTER;
    return reasons_of(device, reasons);
}
#endif

/* --- PCI Express --- */

NUMBER(nvmlDeviceGetCurrPcieLinkGeneration, "pcie_gen", 1)
NUMBER(nvmlDeviceGetMaxPcieLinkGeneration, "pcie_gen_max", 1)
NUMBER(nvmlDeviceGetCurrPcieLinkWidth, "pcie_width", 1)
NUMBER(nvmlDeviceGetMaxPcieLinkWidth, "pcie_width_max", 1)

API Return nvmlDeviceGetPcieThroughput(Device device, int counter, uint *value) {
    ENTER;
    return give(device, counter ? "rx" : "tx", 1 / 1024.0, value);
}

/* --- memory errors, fields --- */

API Return nvmlDeviceGetEccMode(Device device, uint *current, uint *pending) {
    double errors;
    ENTER;
    *current = *pending = 1;
    return leave(scenario_number(device->id, "ecc_corrected", &errors) ? SUCCESS : NOT_SUPPORTED);
}

API Return nvmlDeviceGetTotalEccErrors(Device device, int type, int counter, ull *count) {
    double errors;
    (void)counter;
    ENTER;
    if (!scenario_number(device->id, type ? "ecc_uncorrected" : "ecc_corrected", &errors))
        return leave(NOT_SUPPORTED);
    *count = (ull)errors;
    return leave(SUCCESS);
}

struct field {
    uint id, scope;
    long long time, latency;
    int type;
    Return result;
    union {
        double number;
        uint whole;
        ull bits;
    } value;
};

API Return nvmlDeviceGetFieldValues(Device device, int count, struct field *fields) {
    double value;
    ENTER;
    for (int i = 0; i < count; i++) {
        const char *key = fields[i].id == 82 ? "memory_temperature" : fields[i].id == 186 ? "power" : NULL;
        fields[i].time = (long long)(scenario_clock() * 1e6);
        fields[i].latency = 0;
        fields[i].type = 1; /* unsigned int */
        fields[i].value.bits = 0;
        fields[i].result = key && scenario_number(device->id, key, &value) ? SUCCESS : NOT_SUPPORTED;
        if (!fields[i].result)
            fields[i].value.whole = (uint)llround(value * (fields[i].id == 186 ? 1000 : 1));
    }
    return leave(SUCCESS);
}

/* --- processes --- */

#define MAX_PROCESSES 64

struct process {
    uint pid;
    ull memory;
    uint gpu_instance, compute_instance;
};

struct process_list {
    int device, graphics;
    uint count;
    struct process found[MAX_PROCESSES];
};

static void add_process(const char *key, void *context) {
    struct process_list *list = context;
    char kind_key[160];
    uint pid;
    int end = 0;
    double memory;
    if (sscanf(key, "process.%u.vram%n", &pid, &end) != 1 || !end || list->count == MAX_PROCESSES)
        return;
    snprintf(kind_key, sizeof kind_key, "process.%u.kind", pid);
    const char *kind = scenario_text(list->device, kind_key);
    if ((kind && !strcmp(kind, "graphics")) != list->graphics)
        return;
    int known = scenario_number(list->device, key, &memory);
    if (known && memory == 0)
        return;
    list->found[list->count++] = (struct process){pid, known ? (ull)memory : NO_VALUE, ~0u, ~0u};
}

static Return list_processes(Device device, int graphics, uint *count, struct process *result) {
    struct process_list list = {.device = device->id, .graphics = graphics};
    scenario_each(device->id, "process.", add_process, &list);
    uint room = *count;
    *count = list.count;
    if (list.count > room || (list.count && !result))
        return leave(INSUFFICIENT_SIZE);
    if (list.count)
        memcpy(result, list.found, list.count * sizeof *result);
    return leave(SUCCESS);
}

#define PROCESSES(name, graphics)                                              \
    API Return name(Device device, uint *count, struct process *result) {      \
        ENTER;                                                                 \
        return list_processes(device, graphics, count, result);                \
    }

PROCESSES(nvmlDeviceGetComputeRunningProcesses_v2, 0)
PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v2, 1)
#ifndef OLD_DRIVER
PROCESSES(nvmlDeviceGetComputeRunningProcesses_v3, 0)
PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v3, 1)
#endif

struct process_use {
    uint pid;
    ull time;
    uint sm, memory, encoder, decoder;
};

API Return nvmlDeviceGetProcessUtilization(Device device, struct process_use *uses, uint *count, ull since) {
    struct process_list list = {.device = device->id};
    char key[64];
    (void)since;
    ENTER;
    scenario_each(device->id, "process.", add_process, &list);
    if (!list.count)
        return leave(NOT_FOUND);
    if (!uses || *count < list.count) {
        *count = list.count;
        return leave(INSUFFICIENT_SIZE);
    }
    *count = list.count;
    for (uint i = 0; i < list.count; i++) {
        snprintf(key, sizeof key, "process.%u.utilization", list.found[i].pid);
        uses[i] = (struct process_use){list.found[i].pid, (ull)(scenario_clock() * 1e6),
                                       (uint)scenario_number_or(device->id, key, 0), 0, 0, 0};
    }
    return leave(SUCCESS);
}

/* --- asked by other monitors, answered as a desktop card does --- */

#define REFUSED(name)                              \
    API Return name(Device device, void *result) { \
        (void)result;                              \
        ENTER;                                     \
        return leave(NOT_SUPPORTED);               \
    }

#define FLAG(name, answer)                         \
    API Return name(Device device, uint *result) { \
        ENTER;                                     \
        *result = answer;                          \
        return leave(SUCCESS);                     \
    }

FLAG(nvmlDeviceGetPersistenceMode, 0)
FLAG(nvmlDeviceGetDisplayMode, 1)
FLAG(nvmlDeviceGetDisplayActive, 1)
FLAG(nvmlDeviceGetComputeMode, 0)
REFUSED(nvmlDeviceGetSerial)
