/*
 * A shared library for LD_PRELOAD that lets no write of the embedded engine fail unnoticed.
 *
 * libchdb ignores errors of write(2), unlike ClickHouse: on a full disk it would acknowledge inserts and finish merges
 * whose files are cut short. So a write to a file that finds no space waits until there is some. On any other failure
 * the file is lost, and the process ends before it can commit the part; the next start goes on from the parts on disk.
 *
 * It makes system calls itself and needs nothing of the C library but errno, so that it runs with any version of glibc.
 * The file for a platform is made by build.sh in this folder.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>

static long call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

static int is_file(int fd)
{
    struct stat about;
    return call(SYS_fstat, fd, (long)&about, 0) == 0 && S_ISREG(about.st_mode);
}

static void wait_for_space(void)
{
    struct timespec pause = {0, 100000000};
    call(SYS_nanosleep, (long)&pause, 0, 0);
}

static void end_process(void)
{
    static const char words[] = "A file could not be written, so the engine ends before it stores a part of it.\n";
    call(SYS_write, 2, (long)words, sizeof words - 1);
    call(SYS_kill, call(SYS_getpid, 0, 0, 0), SIGKILL, 0);
}

__attribute__((visibility("default"))) ssize_t write(int fd, const void *bytes, size_t count)
{
    for (;;) {
        long result = call(SYS_write, fd, (long)bytes, (long)count);
        if (result >= 0) return result;
        int is_final = result != -EINTR && result != -EAGAIN && is_file(fd);
        if (is_final && result != -ENOSPC && result != -EDQUOT) end_process();
        if (!is_final) {
            errno = (int)-result;
            return -1;
        }
        wait_for_space();
    }
}
