package picarx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/physic"

	"fieldbrain/robot"
)

// BenchHeader is the header of a simulated HAT in another process (testbench/hat,
// Serve), whose socket is the Site's Bus: the program that drives the real car then
// drives that one, and can be killed without it.
const BenchHeader = "bench"

// What a RemoteCall asks a simulated HAT for.
const (
	RemoteTx    byte = 'T' // address (2 bytes), length to read, bytes to write
	RemoteSet   byte = 'S' // line, level
	RemoteNext  byte = 'N' // the sonar's next edge
	RemoteLevel byte = 'L' // the sonar's echo line now
)

// The lines of RemoteSet.
const (
	RemoteReset byte = iota
	RemoteLeft
	RemoteRight
	RemoteTrigger
)

// A remote is one connection to a simulated HAT, for one thread: its calls may wait
// for wire time, and nobody shall wait behind them. The first byte of an answer is
// an error number of the kernel's, 0 for none.
type remote struct {
	fd      int
	out, in [32]byte
}

// dialRemote connects to a simulated HAT.
func dialRemote(socket string) (*remote, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("picarx: %w", err)
	}
	if err := unix.Connect(fd, &unix.SockaddrUnix{Name: socket}); err != nil {
		return nil, errors.Join(fmt.Errorf("picarx: simulated HAT at %q: %w", socket, err), unix.Close(fd))
	}
	return &remote{fd: fd}, nil
}

// call sends the first n bytes of out and returns the answer's.
func (r *remote) call(n int) ([]byte, error) {
	for {
		err := unix.Sendto(r.fd, r.out[:n], unix.MSG_NOSIGNAL, nil)
		if err == nil {
			break
		}
		if !errors.Is(err, unix.EINTR) {
			return nil, err
		}
	}
	for {
		n, err := unix.Read(r.fd, r.in[:])
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return nil, err
		case n == 0:
			return nil, unix.ENXIO // the bench has ended
		case r.in[0] != 0:
			return nil, unix.Errno(r.in[0])
		default:
			return r.in[1:n], nil
		}
	}
}

// A remoteBus is a simulated HAT's bus, as a periph i2c.Bus for one owner.
type remoteBus struct{ *remote }

// String names it in errors.
func (remoteBus) String() string { return "simulated HAT" }

// SetSpeed refuses, as a Jetson's header does.
func (remoteBus) SetSpeed(physic.Frequency) error { return unix.EOPNOTSUPP }

// Tx runs one transaction.
func (b remoteBus) Tx(addr uint16, w, r []byte) error {
	b.out[0] = RemoteTx
	binary.LittleEndian.PutUint16(b.out[1:], addr)
	b.out[3] = byte(len(r))
	n := 4 + copy(b.out[4:], w)
	got, err := b.call(n)
	copy(r, got)
	return err
}

// A remoteLine is one line of a simulated HAT.
type remoteLine struct {
	*remote
	line byte
}

// Set drives the line.
func (l remoteLine) Set(high bool) error {
	l.out[0], l.out[1], l.out[2] = RemoteSet, l.line, 0
	if high {
		l.out[2] = 1
	}
	_, err := l.call(3)
	return err
}

// A remoteEcho is a simulated HAT's echo line.
type remoteEcho struct{ *remote }

// Next asks for the oldest unread edge.
func (l remoteEcho) Next(e *Edge) bool {
	l.out[0] = RemoteNext
	got, err := l.call(1)
	if err != nil || len(got) < 13 {
		return false
	}
	e.At, e.Rising = time.Duration(binary.LittleEndian.Uint64(got)), got[8] != 0
	e.Seq = binary.LittleEndian.Uint32(got[9:])
	return true
}

// Wait sleeps a little: the next look asks again.
func (remoteEcho) Wait(d time.Duration) { time.Sleep(min(d, time.Millisecond)) }

// Level returns the line's level now.
func (l remoteEcho) Level() (bool, error) {
	l.out[0] = RemoteLevel
	got, err := l.call(1)
	return len(got) > 0 && got[0] != 0, err
}

// openRemote wires the car to a simulated HAT.
func openRemote(s Site) (Wire, func() error, error) {
	w := Wire{Clock: s.Clock, Reset: s.Reset}
	if w.Clock == nil {
		w.Clock = robot.NewMonotonic()
	}
	var held []*remote
	var errs []error
	dial := func() *remote {
		r, err := dialRemote(s.Bus)
		if errs = append(errs, err); err == nil {
			held = append(held, r)
		}
		return r
	}
	if w.Reset == nil {
		w.Reset = remoteLine{dial(), RemoteReset}
	}
	w.Bus, w.LeftDir, w.RightDir = remoteBus{dial()}, remoteLine{dial(), RemoteLeft}, remoteLine{dial(), RemoteRight}
	w.Sonars = []SonarWire{{Sector: robot.Front, Trigger: remoteLine{dial(), RemoteTrigger}, Echo: remoteEcho{dial()}}}
	release := func() (err error) {
		for _, r := range held {
			err = errors.Join(err, unix.Close(r.fd))
		}
		return err
	}
	if err := errors.Join(errs...); err != nil {
		return Wire{}, nil, errors.Join(err, release())
	}
	return w, release, nil
}
