package guard_test

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Descriptors that nobody asked for are not kept: enough of them, and the guard could
// accept nobody any more.
func TestStrayDescriptors(t *testing.T) {
	r := newRig(t)
	open := func() int {
		list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", r.cmd.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	r.status()
	before := open()
	for i := range 60 {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
		if err == nil {
			err = unix.Connect(fd, &unix.SockaddrUnix{Name: r.socket})
		}
		if err == nil {
			err = unix.Sendmsg(fd, []byte([]string{"status", "dance", "run"}[i%3]), unix.UnixRights([]int{0, 1, 0}[:1+i%3]...), nil, unix.MSG_NOSIGNAL)
		}
		if err == nil {
			_, err = unix.Read(fd, make([]byte, 300))
		}
		if err != nil {
			t.Fatal(err)
		}
		unix.Close(fd)
	}
	r.until("it keeps none", func() bool { r.status(); return open() <= before+4 }) // its guests
}
