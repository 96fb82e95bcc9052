// A kernel that refuses the real-time class, and a limit of the test's choosing.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>

static int fake_setscheduler(void) {
	errno = EPERM;
	return -1;
}
static int fake_getrlimit(struct rlimit *r) {
	const char *limit = getenv("FAKE_RTPRIO");
	r->rlim_cur = r->rlim_max = limit ? atoi(limit) : 0;
	return 0;
}
#define sched_setscheduler(pid, policy, param) ((void)(param), fake_setscheduler())
#define getrlimit(what, r) fake_getrlimit(r)
