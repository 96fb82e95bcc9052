// fieldbrain-guard stops the car when the daemon cannot: docs/guard.md.
//
// It owns the Robot HAT's reset line and gives the daemon a copy of it, and a
// page of shared memory into which the loop writes every tick. When the daemon
// dies, or is silent for 150 ms while the line is high, the guard pulls the line:
// the HAT's controller is in reset and every duty is zero. It has one thread and
// no library but C's; after the start it allocates one page per daemon.
// daemon/guard is the other end.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "files.h"
#include "lines.h"
#include "page.h"

#define MS INT64_C(1000000)
enum {
	SILENCE_MS = 150, // as long as the driver's lease of a command, robot/picarx
	LOOK_MS = 1,      // between two looks while the line is high
	IDLE_MS = 20,     // while a daemon keeps it low
	ALONE_MS = 200,   // while there is none
	DEADMAN_MS = 5,   // between two edges on the dead-man's pin
	FILES_MS = 1000,  // between two looks at its files
	PRIORITY = 60,    // above the loop's 50
	GUESTS = 4,       // connections that have not yet said what they want
};

static const char *const causes[] = {"none", "dead", "silent", "stop", "ending"};

static int guests[GUESTS] = {-1, -1, -1, -1};
static unsigned newest; // of the guests
static volatile sig_atomic_t ending;

// The daemon that is attended; fd is -1 when there is none.
static struct {
	int fd, pid_fd, pid;
	struct page *page;
	uint64_t seq;                  // newest beat seen
	int64_t beat, raised, toggled; // when it was; when the line was wanted high; newest edge for the dead-man
	bool high, edge;               // as wanted at the last look; the dead-man's level
} ward = {.fd = -1, .pid_fd = -1};

static struct {
	uint64_t looks;
	uint32_t trips, stops, cause, flags;
	int32_t priority;
} self;

static int64_t now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 * MS + t.tv_nsec;
}

// say writes a line to the journal, or not: nothing may keep the guard waiting.
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
	char text[400];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(text, sizeof text - 1, format, args);
	va_end(args);
	if (n > (int)sizeof text - 2) n = sizeof text - 2;
	text[n++] = '\n';
	struct pollfd room = {2, POLLOUT, 0};
	if (poll(&room, 1, 0) == 1 && room.revents == POLLOUT && write(2, text, n) < 0) return;
}

static void fail(const char *what, const char *remedy) {
	say("fieldbrain-guard: %s: %s; %s", what, strerror(errno), remedy);
	if (getenv("NOTIFY_SOCKET")) sleep(1); // the manager starts it anew: not ten lines a second
	exit(1);
}

// manage tells the service manager a state, sd_notify(3).
static void manage(const char *state) {
	static int fd = -1;
	static struct sockaddr_un to = {.sun_family = AF_UNIX};
	const char *path = getenv("NOTIFY_SOCKET");
	if (!path || strlen(path) >= sizeof to.sun_path) return;
	if (fd < 0) {
		fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		strcpy(to.sun_path, path);
		if (path[0] == '@') to.sun_path[0] = 0;
	}
	sendto(fd, state, strlen(state), MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&to,
		offsetof(struct sockaddr_un, sun_path) + strlen(path));
}

// pull stops the car. The line is low before anything else happens.
static bool pull(uint32_t cause) {
	bool obeyed = set_line(false);
	self.trips++;
	self.cause = cause;
	if (cause == CAUSE_STOP) self.stops++;
	if (ward.page) {
		atomic_store(&ward.page->guard.cause, cause);
		atomic_store(&ward.page->guard.stops, self.stops);
		atomic_store(&ward.page->guard.trips, self.trips);
	}
	return obeyed;
}

// level says what is known of the line: not whether it reaches the HAT.
static const char *level(bool obeyed) { return obeyed ? "is low" : "DOES NOT OBEY: switch the HAT off"; }

// leave gives a daemon up that has ended or hung up.
static void leave(const char *why) {
	bool obeyed = set_line(false);
	say("fieldbrain-guard: %s: the reset line %s", why, level(obeyed));
	close(ward.fd), close(ward.pid_fd);
	munmap(ward.page, PAGE_SIZE);
	ward.fd = ward.pid_fd = -1;
	ward.page = NULL;
}

// look judges the daemon's newest beat.
static void look(void) {
	int64_t t = now();
	struct page *p = ward.page;
	uint64_t seq = atomic_load(&p->daemon.seq);
	if (seq != ward.seq) {
		int64_t stamp = atomic_load(&p->daemon.stamp);
		ward.seq = seq;
		if (stamp > ward.beat) ward.beat = stamp < t ? stamp : t; // no beat comes from the future
	}
	bool high = atomic_load(&p->daemon.high);
	if (high && !ward.high) ward.raised = t;
	if (!high && ward.high) set_line(false); // whoever wrote that into the page: now it is true
	ward.high = high;
	int64_t heard = ward.beat > ward.raised ? ward.beat : ward.raised;
	int tid = atomic_load(&p->daemon.tid);
	if (high && atomic_load(&p->daemon.ack) != self.trips) {
		set_line(false); // whatever the daemon does: first a tick has to take note
	} else if (high && tid && syscall(SYS_tgkill, ward.pid, tid, 0) < 0 && errno == ESRCH) {
		bool obeyed = pull(CAUSE_DEAD); // the process may take long to end: a transfer under way, a core dump
		say("fieldbrain-guard: the loop's thread is dead: the reset line %s", level(obeyed));
	} else if (high && t - heard > SILENCE_MS * MS) {
		bool obeyed = pull(CAUSE_SILENT);
		say("fieldbrain-guard: no tick for %d ms: the reset line %s", (int)((t - heard) / MS), level(obeyed));
	} else if (high && t - ward.toggled >= DEADMAN_MS * MS) {
		ward.toggled = t;
		set_spare(ward.edge = !ward.edge);
	}
	atomic_store(&p->guard.stamp, now());
	atomic_store(&p->guard.seq, ++self.looks);
}

// attend takes a daemon into care: a fresh page, and the line for it.
static const char *attend(int fd, int pid) {
	if (!seek()) return "the reset line is held by another program: see gpioinfo";
	if (!set_line(false)) return "the reset line does not obey: switch the HAT off";
	int memory = memfd_create("fieldbrain-guard", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (memory < 0 || ftruncate(memory, PAGE_SIZE) < 0 || fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0) {
		if (memory >= 0) close(memory);
		return "no memory to share";
	}
	struct page *p = mmap(NULL, PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	int pid_fd = syscall(SYS_pidfd_open, pid, 0);
	if (p == MAP_FAILED || pid_fd < 0) {
		close(memory);
		if (pid_fd >= 0) close(pid_fd);
		if (p != MAP_FAILED) munmap(p, PAGE_SIZE);
		return "no memory to share, or no such process";
	}
	snprintf(p->header, sizeof p->header, "%s", where);
	atomic_store(&p->daemon.ack, self.trips);
	atomic_store(&p->guard.trips, self.trips);
	atomic_store(&p->guard.stops, self.stops);
	atomic_store(&p->guard.cause, self.cause);
	atomic_store(&p->guard.flags, self.flags);
	atomic_store(&p->guard.priority, self.priority);
	atomic_store(&p->guard.stamp, now());
	p->magic = PAGE_MAGIC;
	union { struct cmsghdr head; char room[CMSG_SPACE(2 * sizeof(int))]; } control = {0};
	struct iovec text = {"ok", 2};
	struct msghdr m = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
	control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(2 * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(&control.head), (int[]){memory, line}, 2 * sizeof(int));
	if (sendmsg(fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
		close(memory), close(pid_fd), munmap(p, PAGE_SIZE);
		return "gone";
	}
	close(memory);
	ward.fd = fd, ward.pid_fd = pid_fd, ward.pid = pid, ward.page = p;
	ward.seq = 0, ward.beat = ward.raised = 0, ward.high = false;
	say("fieldbrain-guard: process %d is attended", pid);
	return NULL;
}

// adopt takes over the line that a daemon got from a guard before this one. What else
// came along, and what this is not, is closed.
static void adopt(struct msghdr *m, bool wanted) {
	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
		int fds[2];
		size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof fds[0];
		memcpy(fds, CMSG_DATA(c), n * sizeof fds[0]);
		for (size_t i = 0; i < n; i++) {
			bool obeys = wanted && n == 1 && line < 0 && drive(fds[i], false, '0');
			if (obeys) line = fds[i];
			else close(fds[i]);
		}
	}
}

// hear carries out what a guest wants: run, halt or status. It returns whether
// the guest has become the ward.
static bool hear(int fd) {
	char want[16] = "";
	union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int))]; } control;
	struct iovec text = {want, sizeof want - 1};
	struct msghdr m = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
	ssize_t n = recvmsg(fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	struct ucred peer = {0};
	socklen_t size = sizeof peer;
	bool known = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && (peer.uid == 0 || peer.uid == geteuid());
	if (n >= 0) adopt(&m, known && !strcmp(want, "run"));
	if (n <= 0) return false;
	char reply[200] = "unknown request";
	if (!known) {
		snprintf(reply, sizeof reply, "refused: this is for root and the guard's own user");
	} else if (!strcmp(want, "run") && ward.fd >= 0) { // the same one asks where this process stood still
		snprintf(reply, sizeof reply, ward.pid == peer.pid ? "refused: it attends this process already: %d" : "refused: another daemon drives the car: process %d", ward.pid);
	} else if (!strcmp(want, "run")) {
		const char *refused = attend(fd, peer.pid);
		if (!refused) return true;
		snprintf(reply, sizeof reply, "refused: %s", refused);
	} else if (!strcmp(want, "halt")) {
		if (ward.fd >= 0) snprintf(reply, sizeof reply, "refused: process %d drives the car", ward.pid);
		else if (set_line(false)) snprintf(reply, sizeof reply, "ok");
		else snprintf(reply, sizeof reply, line < 0 ? "refused: it has no reset line: %s" : "refused: the line did not obey: %s", strerror(errno));
	} else if (!strcmp(want, "status")) {
		snprintf(reply, sizeof reply, "ok header=%s line=%d daemon=%d priority=%d locked=%d deadman=%d trips=%u stops=%u cause=%s", where,
			line >= 0, ward.fd >= 0 ? ward.pid : 0, self.priority, !!(self.flags & FLAG_LOCKED), spare >= 0, self.trips, self.stops, causes[self.cause]);
	}
	send(fd, reply, strlen(reply), MSG_NOSIGNAL | MSG_DONTWAIT);
	return false;
}

// stop carries out emergency stops: who connects has asked for one.
static void stop(void) {
	for (int i = 0; i < 64; i++) {
		struct pollfd client = {files[STOPS].fd, POLLIN, 0}; // without a descriptor accept does not look
		if (poll(&client, 1, 0) != 1) return;
		int fd = accept4(files[STOPS].fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0 && errno != EMFILE && errno != ENFILE) return;
		bool waits = ward.page && self.cause == CAUSE_STOP && atomic_load(&ward.page->daemon.ack) != self.trips;
		bool obeyed = waits || !ward.page ? set_line(false) : pull(CAUSE_STOP);
		const char *answer = obeyed ? "{\"ok\":true}\n" : "{\"ok\":false,\"error\":\"the reset line does not obey the guard: switch the HAT off\"}\n";
		if (ward.page && !waits) say("fieldbrain-guard: an emergency stop: the reset line %s", level(obeyed));
		if (fd < 0) {
			usleep(1000); // no descriptor left: do not spin above everybody
			return;
		}
		send(fd, answer, strlen(answer), MSG_NOSIGNAL | MSG_DONTWAIT);
		close(fd);
	}
}

// turn waits for something to happen, or for the next look.
static void turn(void) {
	struct pollfd on[4 + GUESTS] = {{files[STOPS].fd, POLLIN, 0}, {files[DOOR].fd, POLLIN, 0}, {ward.pid_fd, POLLIN, 0}, {ward.fd, POLLIN, 0}};
	for (int i = 0; i < GUESTS; i++) on[4 + i] = (struct pollfd){guests[i], POLLIN, 0};
	if (poll(on, 4 + GUESTS, ward.fd < 0 ? ALONE_MS : ward.high ? LOOK_MS : IDLE_MS) < 0) return;
	if (on[2].revents) leave("the daemon is dead");
	else if (on[3].revents) leave("the daemon has ended");
	if (on[0].revents) stop();
	if (ward.fd >= 0) look();
	for (int i = 0; i < GUESTS; i++) {
		if (!on[4 + i].revents) continue;
		if (!hear(guests[i])) close(guests[i]);
		guests[i] = -1;
	}
	if (on[1].revents) {
		int fd = accept4(files[DOOR].fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		unsigned i = newest++ % GUESTS;
		if (fd >= 0 && guests[i] >= 0) close(guests[i]);
		if (fd >= 0) guests[i] = fd;
	}
}

// keep looks whether the guard's files have their names, and makes anew what somebody
// has removed. What it cannot mend its page says, and the journal once.
static void keep(void) {
	static int told;
	bool all = true;
	for (int i = 0; i < FILES; i++) all = all && named(&files[i]);
	if (all && !told) return;
	int why = (named(&files[LOCK]) || take_lock()) && make_sockets() ? 0 : errno;
	if (!why) say("fieldbrain-guard: %s: somebody removed its files, they are made anew", place);
	else if (why != told) say("fieldbrain-guard: %s: somebody removed its files, and they cannot be made anew: %s; nobody but its daemon reaches it: %s", place,
		strerror(why), rival ? "another guard has taken their place, stop that one" : "put its folder right");
	told = why;
	self.flags = why ? self.flags | FLAG_HIDDEN : self.flags & ~FLAG_HIDDEN;
	if (ward.page) atomic_store(&ward.page->guard.flags, self.flags);
}

// begin takes the guard's place, or ends before anything is opened: to open the line
// is to stop the car, and so is to connect to another guard's stop socket.
static void begin(void) {
	if (take_lock()) return;
	int why = errno;
	char who[32] = "", remedy[160] = "is its folder there, and the guard's own? systemd makes it (RuntimeDirectory); the path may have 102 bytes";
	if (rival > 0) snprintf(who, sizeof who, ", process %d", rival);
	if (rival) snprintf(remedy, sizeof remedy, "another guard runs there%s: stop that one first, or choose another --socket", who);
	errno = why;
	fail(place, remedy);
}

static void on_end(int unused) { ending = unused; }

// unranked says why the kernel refuses the real-time class, and what ends that: the
// unit's limit, or control groups of which version 2 has no budget to give.
static void unranked(int priority, int why) {
	struct rlimit most = {0};
	if (why != EPERM || getrlimit(RLIMIT_RTPRIO, &most) < 0 || most.rlim_cur < (rlim_t)priority) {
		say("fieldbrain-guard: no real-time class (%s): set LimitRTPRIO=%d in its unit", strerror(why), priority);
		return;
	}
	bool unified = access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0;
	say("fieldbrain-guard: no real-time class although LimitRTPRIO allows it: CONFIG_RT_GROUP_SCHED gives its control group no budget: %s",
		unified ? "rt_group_sched=0 on the kernel's command line (Linux 6.16), or sysctl kernel.sched_rt_runtime_us=-1"
				: "write one to the group's cpu.rt_runtime_us");
}

// claim asks the kernel for the real-time class and for memory that stays.
static void claim(int priority) {
	struct sched_param fifo = {.sched_priority = priority};
	if (priority > 0 && sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &fifo) == 0)
		self.flags |= FLAG_FIFO, self.priority = priority;
	else
		unranked(priority, errno);
	if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0) self.flags |= FLAG_LOCKED;
	else say("fieldbrain-guard: memory is not locked (%s): set LimitMEMLOCK=infinity in its unit", strerror(errno));
	if (spare >= 0) self.flags |= FLAG_DEADMAN;
	struct sigaction end = {.sa_handler = on_end}, none = {.sa_handler = SIG_IGN};
	sigaction(SIGTERM, &end, NULL), sigaction(SIGINT, &end, NULL);
	sigaction(SIGPIPE, &none, NULL), sigaction(SIGTSTP, &none, NULL), sigaction(SIGHUP, &none, NULL);
}

int main(int argc, char **argv) {
	const char *header = NULL, *simulator = NULL;
	bool deadman = false;
	int priority = PRIORITY;
	place = "/run/fieldbrain-guard/guard.sock";
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";
		if (!strcmp(argv[i], "--dead-man")) deadman = true;
		else if (!strcmp(argv[i], "--lines")) return print_lines();
		else if (!strcmp(argv[i], "--socket") && *value) place = value, i++;
		else if (!strcmp(argv[i], "--header") && *value) header = value, i++;
		else if (!strcmp(argv[i], "--simulator") && *value) simulator = value, i++;
		else if (!strcmp(argv[i], "--priority") && atoi(value) >= 1 && atoi(value) <= 98) priority = atoi(value), i++;
		else {
			say("usage: fieldbrain-guard [--socket PATH] [--header NAME] [--priority 1..98] [--dead-man] [--simulator PATH] [--lines]");
			return 2;
		}
	}
	begin();
	const char *remedy = simulator ? open_simulated(simulator) : open_lines(header, deadman);
	if (remedy) fail("the reset line", remedy);
	if (line < 0) say("fieldbrain-guard: the reset line is held by another program: waiting for its daemon to bring it, or for its end");
	if (!make_sockets()) fail(place, "is its folder there, and the guard's own? only a dead guard's sockets may stand there");
	claim(priority);
	manage("READY=1");
	const char *patience = getenv("WATCHDOG_USEC");
	int64_t feed = patience ? atoll(patience) * 1000 / 4 : 0, fed = now(), kept = fed, sought = fed;
	while (!ending) {
		turn();
		if (line < 0 && now() - sought >= ALONE_MS * MS) seek(), sought = now();
		if (now() - kept >= FILES_MS * MS) keep(), kept = now();
		if (feed && now() - fed >= feed) manage("WATCHDOG=1"), fed = now();
	}
	if (ward.fd >= 0) pull(CAUSE_ENDING), leave("the guard was told to end");
	manage("STOPPING=1");
	return 0;
}
