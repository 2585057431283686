/* A stand-in nvidia-smi: prints a file, and hangs or fails if told so. See README.md. */
#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#else
#include <unistd.h>
#endif

static FILE *open_output(void) {
#ifdef _WIN32
    const wchar_t *path = _wgetenv(L"STANDIN_SMI_OUTPUT");
    _setmode(_fileno(stdout), _O_BINARY);
    return path ? _wfopen(path, L"rb") : NULL;
#else
    const char *path = getenv("STANDIN_SMI_OUTPUT");
    return path ? fopen(path, "rb") : NULL;
#endif
}

static int number(const char *name) {
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

int main(void) {
    char buffer[4096];
    size_t length;
    FILE *file = open_output();
    while (file && (length = fread(buffer, 1, sizeof buffer, file)) > 0)
        fwrite(buffer, 1, length, stdout);
    fflush(stdout);
#ifdef _WIN32
    Sleep(1000 * (DWORD)number("STANDIN_SMI_HANG"));
#else
    sleep((unsigned)number("STANDIN_SMI_HANG"));
#endif
    return number("STANDIN_SMI_EXIT");
}
