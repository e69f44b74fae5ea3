// LD_PRELOAD library between a program and its disk. For files below DISK_FOLDER it (1) logs every change to DISK_LOG,
// and which changes a successful fsync covers, so that disk-image.ts can reconstruct what a power cut at any point
// would leave; (2) fails every write with ENOSPC while the file DISK_FULL_FLAG exists. SQLite's -shm file is excluded:
// it is memory-mapped and rebuilt after a crash.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t syncs = 0;

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static int is_watched(const char *path) {
  const char *folder = getenv("DISK_FOLDER");
  if (!folder || strncmp(path, folder, strlen(folder)) != 0) return 0;
  size_t length = strlen(path);
  return length < 4 || strcmp(path + length - 4, "-shm") != 0;
}

static int path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_watched(path);
}

static int is_full(void) {
  const char *flag = getenv("DISK_FULL_FLAG");
  return flag && syscall(SYS_faccessat, AT_FDCWD, flag, F_OK) == 0;
}

// A record is a kind, a number, the lengths of a path and of a payload, then both. It is written in one call, since
// several processes append to the log.
static void note(char kind, const char *path, uint64_t number, const void *bytes, uint64_t length) {
  static int log_fd = -1;
  const char *name = getenv("DISK_LOG");
  if (!name) return;
  if (log_fd < 0) log_fd = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  uint64_t path_length = strlen(path);
  char head[25];
  head[0] = kind;
  memcpy(head + 1, &number, 8);
  memcpy(head + 9, &path_length, 8);
  memcpy(head + 17, &length, 8);
  struct iovec parts[3] = {{head, sizeof head}, {(void *)path, path_length}, {(void *)bytes, length}};
  ssize_t whole = sizeof head + path_length + length;
  if (syscall(SYS_writev, log_fd, parts, 3) != whole) abort();
}

// Writes at an offset, or at the file's current position if the offset is negative.
static ssize_t write_at(int fd, const struct iovec *parts, int count, off64_t offset) {
  char path[PATH_MAX];
  int watched = path_of(fd, path);
  if (watched && is_full()) {
    errno = ENOSPC;
    return -1;
  }
  if (!watched) {
    if (offset < 0) return syscall(SYS_writev, fd, parts, count);
    return syscall(SYS_pwritev, fd, parts, count, (long)offset, (long)((uint64_t)offset >> 32));
  }
  pthread_mutex_lock(&lock);
  off64_t at = offset;
  if (offset < 0) {
    int flags = fcntl(fd, F_GETFL);
    at = lseek64(fd, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
  }
  ssize_t done = offset < 0 ? syscall(SYS_writev, fd, parts, count)
                            : syscall(SYS_pwritev, fd, parts, count, (long)offset, (long)((uint64_t)offset >> 32));
  int failed = errno;
  ssize_t left = done;
  for (int index = 0; index < count && left > 0; index++) {
    size_t length = parts[index].iov_len < (size_t)left ? parts[index].iov_len : (size_t)left;
    note('w', path, at, parts[index].iov_base, length);
    at += length;
    left -= length;
  }
  pthread_mutex_unlock(&lock);
  errno = failed;
  return done;
}

static ssize_t write_one(int fd, const void *bytes, size_t length, off64_t offset) {
  struct iovec part = {(void *)bytes, length};
  return write_at(fd, &part, 1, offset);
}

ssize_t write(int fd, const void *bytes, size_t length) { return write_one(fd, bytes, length, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return write_one(fd, bytes, length, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return write_one(fd, bytes, length, offset); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return write_at(fd, parts, count, -1); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return write_at(fd, parts, count, offset); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) { return write_at(fd, parts, count, offset); }

static int truncate_to(int fd, off64_t length) {
  char path[PATH_MAX];
  int watched = path_of(fd, path);
  if (watched && is_full()) {
    errno = ENOSPC;
    return -1;
  }
  pthread_mutex_lock(&lock);
  int result = syscall(SYS_ftruncate, fd, length);
  if (result == 0 && watched) note('t', path, length, 0, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate(int fd, off_t length) { return truncate_to(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncate_to(fd, length); }

static int allocate(int fd, off64_t offset, off64_t length) {
  char path[PATH_MAX];
  if (path_of(fd, path) && is_full()) return ENOSPC;
  return syscall(SYS_fallocate, fd, 0, offset, length) == 0 ? 0 : errno;
}

int posix_fallocate(int fd, off_t offset, off_t length) { return allocate(fd, offset, length); }
int posix_fallocate64(int fd, off64_t offset, off64_t length) { return allocate(fd, offset, length); }

// The sync covers only what was written before the call began.
static int sync_file(int fd, long call) {
  char path[PATH_MAX];
  if (!path_of(fd, path)) return syscall(call, fd);
  pthread_mutex_lock(&lock);
  uint64_t number = ((uint64_t)getpid() << 32) | ++syncs;
  note('b', path, number, 0, 0);
  pthread_mutex_unlock(&lock);
  int result = syscall(call, fd);
  pthread_mutex_lock(&lock);
  if (result == 0) note('e', path, number, 0, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int fsync(int fd) { return sync_file(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_file(fd, SYS_fdatasync); }

static int open_at(int folder, const char *path, int flags, mode_t mode) {
  int creates = (flags & O_CREAT) && is_watched(path);
  if (creates && is_full() && syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0) {
    errno = ENOSPC;
    return -1;
  }
  pthread_mutex_lock(&lock);
  int is_new = creates && syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0;
  int fd = syscall(SYS_openat, folder, path, flags, mode);
  if (fd >= 0 && is_new) note('c', path, 0, 0, 0);
  else if (fd >= 0 && (flags & O_TRUNC) && is_watched(path)) note('t', path, 0, 0, 0);
  pthread_mutex_unlock(&lock);
  return fd;
}

#define MODE(last) \
  mode_t mode = 0; \
  if (flags & (O_CREAT | __O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, last); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

int open(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags) return open_at(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return open_at(folder, path, flags | O_LARGEFILE, mode); }

int unlink(const char *path) {
  REAL(int, unlink, const char *);
  pthread_mutex_lock(&lock);
  int result = real(path);
  if (result == 0 && is_watched(path)) note('u', path, 0, 0, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  pthread_mutex_lock(&lock);
  int result = real(from, to);
  if (result == 0 && is_watched(to)) note('r', from, 0, to, strlen(to));
  pthread_mutex_unlock(&lock);
  return result;
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, mkdir, const char *, mode_t);
  if (is_watched(path) && is_full()) {
    errno = ENOSPC;
    return -1;
  }
  return real(path, mode);
}
