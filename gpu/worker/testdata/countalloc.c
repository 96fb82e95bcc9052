/* Counts the C allocations of a process, but for those of CUDA's driver itself,
 * in the file that COUNTALLOC names, a 64-bit number: preloaded by the two
 * TestNoAllocationInC, here and in cmd/fieldbrain. A Go program ends without
 * running destructors, so the count lives in a shared page. Built with
 * gcc -shared -fPIC -O2 -o countalloc.so countalloc.c -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static atomic_long early;
static atomic_long *calls = &early;

static void __attribute__((constructor)) share(void) {
	const char *path = getenv("COUNTALLOC");
	int fd = path ? open(path, O_RDWR) : -1;
	if (fd < 0) return;
	void *page = mmap(0, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED) calls = page;
	close(fd);
}

static void count(void *caller) {
	Dl_info info;
	if (dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libcuda")) return;
	(*calls)++;
}

#define COUNT count(__builtin_return_address(0))

void *malloc(size_t n) { COUNT; return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { COUNT; return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { COUNT; return __libc_realloc(p, n); }
void *aligned_alloc(size_t a, size_t n) { COUNT; return __libc_memalign(a, n); }
void *memalign(size_t a, size_t n) { COUNT; return __libc_memalign(a, n); }

int posix_memalign(void **p, size_t a, size_t n) {
	COUNT;
	*p = __libc_memalign(a, n);
	return *p ? 0 : ENOMEM;
}
