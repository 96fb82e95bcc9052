package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// serviceUser is the user that the service runs as.
const serviceUser = "fieldbrain"

// An ImpostorError says that somebody else than a daemon of this machine's stands
// behind a socket, or could put himself there.
type ImpostorError struct {
	What string // "the folder /x", "the process behind /x/control.sock"
	UID  uint32
}

// Error names the user and the remedy.
func (e *ImpostorError) Error() string {
	name := strconv.FormatUint(uint64(e.UID), 10)
	if u, err := user.LookupId(name); err == nil {
		name = u.Username
	}
	return fmt.Sprintf("daemon: %s belongs to user %s, and not to root, to you or to %s: nothing from there is believed; name the right --socket",
		e.What, name, serviceUser)
}

// trusts reports whether the client believes a user: root, its own, the service's.
func trusts(uid uint32) bool {
	if slices.Contains([]uint32{0, uint32(os.Getuid()), uint32(os.Geteuid())}, uid) {
		return true
	}
	u, err := user.Lookup(serviceUser)
	return err == nil && u.Uid == strconv.FormatUint(uint64(uid), 10)
}

// trustFolder refuses a socket in a folder of somebody else, or in one where
// anybody may put another in its place.
func trustFolder(path string) error {
	folder := filepath.Dir(path)
	var st unix.Stat_t
	err := unix.Stat(folder, &st)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
		return nil // then there is no socket either, and dial says so
	case err != nil:
		return fmt.Errorf("daemon: folder of the control socket %s: %w", folder, err)
	case !trusts(st.Uid):
		return &ImpostorError{What: "the folder " + folder, UID: st.Uid}
	case st.Mode&unix.S_IWOTH != 0 && st.Mode&unix.S_ISVTX == 0:
		return fmt.Errorf("daemon: anybody may put a socket into %s: take that right away with chmod o-w, or name another --socket", folder)
	}
	return nil
}

// trustPeer refuses a process behind a socket that is not a daemon's user.
func trustPeer(conn *net.UnixConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return fmt.Errorf("daemon: control socket: %w", err)
	}
	var cred *unix.Ucred
	var credErr error
	err = raw.Control(func(fd uintptr) { cred, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err = errors.Join(err, credErr); err != nil {
		return fmt.Errorf("daemon: who is behind the control socket? %w", err)
	}
	if !trusts(cred.Uid) {
		return &ImpostorError{What: fmt.Sprintf("the process (%d) behind %s", cred.Pid, conn.RemoteAddr()), UID: cred.Uid}
	}
	return nil
}
