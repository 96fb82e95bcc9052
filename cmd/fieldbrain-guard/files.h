// The guard's files: a lock, which says that it lives, and its two sockets. Whoever
// holds the lock may make the sockets. Nothing here connects to the stop socket:
// that is a stop.
#pragma once
#include <sys/file.h>

static struct file {
	const char *ending; // of its name
	int type;           // of the socket
	mode_t mode;
	int fd;
	struct stat made;
} files[] = {{".lock", 0, 0600, -1, {0}}, {".stop", SOCK_STREAM, 0660, -1, {0}}, {"", SOCK_SEQPACKET, 0600, -1, {0}}};
enum { LOCK, STOPS, DOOR, FILES };

static const char *place; // the door's name, --socket
static int rival;         // the other guard there: its process, -1 for one that is not known, 0 for none

static void stop(void);

// address is where a file lies.
static bool address(const struct file *f, struct sockaddr_un *at) {
	memset(at, 0, sizeof *at);
	at->sun_family = AF_UNIX;
	if (snprintf(at->sun_path, sizeof at->sun_path, "%s%s", place, f->ending) < (int)sizeof at->sun_path) return true;
	errno = ENAMETOOLONG;
	return false;
}

static bool same(const struct stat *a, const struct stat *b) { return a->st_dev == b->st_dev && a->st_ino == b->st_ino; }

// named tells whether a file still has its name.
static bool named(const struct file *f) {
	struct sockaddr_un at;
	struct stat there;
	return f->fd >= 0 && address(f, &at) && lstat(at.sun_path, &there) == 0 && same(&there, &f->made);
}

// listener returns the process that listens at the door: 0 for none, -1 for one that
// is not known.
static int listener(void) {
	struct sockaddr_un at;
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0) return -1;
	struct ucred peer = {0};
	socklen_t size = sizeof peer;
	int who = 0;
	if (address(&files[DOOR], &at) && connect(fd, (struct sockaddr *)&at, sizeof at) == 0)
		who = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid > 0 ? peer.pid : -1;
	else if (errno == EAGAIN) // many wait there
		who = -1;
	close(fd);
	return who;
}

// take_lock takes the lock file for as long as this process lives. A guard whose lock
// file somebody removed, or one of before there was a lock, still answers at the door.
static bool take_lock(void) {
	struct file *f = &files[LOCK];
	struct sockaddr_un at;
	if (!address(f, &at)) return false;
	int fd = open(at.sun_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, f->mode);
	if (fd < 0) return false;
	struct stat held, there;
	int why = 0;
	rival = 0;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) why = errno;
	else if (fstat(fd, &held) < 0 || lstat(at.sun_path, &there) < 0) why = errno;
	else if (!same(&held, &there)) why = ESTALE; // removed just now
	if (!why || why == EWOULDBLOCK) rival = listener();
	if (rival == getpid()) rival = 0;
	if (why == EWOULDBLOCK && !rival) rival = -1;
	if (rival) why = EADDRINUSE;
	if (why) {
		close(fd);
		errno = why;
		return false;
	}
	if (f->fd >= 0) close(f->fd); // of a file that nobody can open any more
	f->fd = fd, f->made = held;
	return true;
}

// make_socket makes a listening socket; one that stands there was a dead guard's.
static bool make_socket(struct file *f) {
	struct sockaddr_un at;
	struct stat there;
	if (!address(f, &at)) return false;
	if (lstat(at.sun_path, &there) == 0) {
		errno = EEXIST;
		if (!S_ISSOCK(there.st_mode) || unlink(at.sun_path) < 0) return false;
	}
	int fd = socket(AF_UNIX, f->type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0) return false;
	umask(0777);
	bool made = bind(fd, (struct sockaddr *)&at, sizeof at) == 0 && chmod(at.sun_path, f->mode) == 0 && listen(fd, 4096) == 0 &&
		lstat(at.sun_path, &f->made) == 0;
	int why = errno;
	umask(0077);
	if (!made) {
		close(fd);
		errno = why;
		return false;
	}
	if (f == &files[STOPS] && f->fd >= 0) stop(); // who came before the old one lost its name
	if (f->fd >= 0) close(f->fd);
	f->fd = fd;
	return true;
}

// make_sockets makes those that have no name.
static bool make_sockets(void) {
	for (int i = STOPS; i < FILES; i++)
		if (!named(&files[i]) && !make_socket(&files[i])) return false;
	return true;
}
