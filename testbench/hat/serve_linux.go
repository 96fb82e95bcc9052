package hat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"fieldbrain/robot/picarx"
)

// A Server lends a board in real time to other processes: the driver's, which
// reaches it as header bench (robot/picarx), and the guard's, which drives the
// reset line (cmd/fieldbrain-guard, --simulator). Either may be killed at any time;
// the board stays, and keeps its outputs, as a real one would.
type Server struct {
	board *Board
	look  func(now time.Duration, out *Outputs)
	raise func()

	mu    sync.Mutex
	open  map[int]bool // descriptors in use
	ended bool
	edges uint64        // on the hardware dead-man's pin
	low   time.Duration // since when the guard's line is low, 0 while it is high
	by    int           // whose write made it so, a process
	all   sync.WaitGroup
}

// Serve listens at two sockets: wires for the driver, line for the guard. look, if
// not nil, sees the outputs after everything that may have changed them; it must
// neither wait nor call the board. The thread that serves the guard's line calls
// raise first, if not nil: a real line waits for no scheduler.
func (b *Board) Serve(wires, line string, look func(now time.Duration, out *Outputs), raise func()) (*Server, error) {
	s := &Server{board: b, look: look, raise: raise, open: map[int]bool{}}
	for path, serve := range map[string]func(fd int){wires: s.driver, line: s.guard} {
		if err := s.listen(path, serve); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// Edges returns how often the guard has toggled the hardware dead-man's pin.
func (s *Server) Edges() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.edges
}

// Pulled returns since when the guard's line is low, 0 while it is high, and which
// process pulled it: the guard, or the daemon that has a copy of the line. It is the
// kernel's stamp of the write, as a wire would feel it: the threads of this process
// may read it much later.
func (s *Server) Pulled() (since time.Duration, process int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.low, s.by
}

// Close ends every connection.
func (s *Server) Close() error {
	s.mu.Lock()
	s.ended = true
	for fd := range s.open {
		_ = unix.Shutdown(fd, unix.SHUT_RDWR) // its goroutine closes it
	}
	s.mu.Unlock()
	s.all.Wait()
	return nil
}

// listen serves every connection to a socket.
func (s *Server) listen(path string, serve func(fd int)) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("hat: %w", err)
	}
	err = unix.Bind(fd, &unix.SockaddrUnix{Name: path})
	if err == nil {
		err = unix.Listen(fd, 16)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("hat: listen at %s: %w", path, err), unix.Close(fd))
	}
	s.attend(fd, func(fd int) {
		defer os.Remove(path)
		for {
			conn, _, err := unix.Accept4(fd, unix.SOCK_CLOEXEC)
			switch {
			case err == nil:
				s.attend(conn, serve)
			case !errors.Is(err, unix.EINTR):
				return
			}
		}
	})
	return nil
}

// attend runs serve on a goroutine of its own and closes the descriptor after it.
func (s *Server) attend(fd int, serve func(fd int)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		_ = unix.Close(fd)
		return
	}
	s.open[fd] = true
	s.all.Go(func() {
		serve(fd)
		s.mu.Lock()
		delete(s.open, fd)
		s.mu.Unlock()
		_ = unix.Close(fd)
	})
}

// receive reads one message; it is empty at the end.
func receive(fd int, into []byte) []byte {
	for {
		n, err := unix.Read(fd, into)
		if !errors.Is(err, unix.EINTR) {
			return into[:max(n, 0)]
		}
	}
}

// guard obeys a guard: one byte for a level of a line.
func (s *Server) guard(fd int) {
	runtime.LockOSThread() // never unlocked: the thread ends with its class
	if s.raise != nil {
		s.raise()
	}
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1) // or the stamp is when it is read
	_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PASSCRED, 1)
	reset := output{s.board, resetLine}
	for buf, rights := make([]byte, 8), make([]byte, 128); ; {
		message, told := level(fd, buf, rights)
		if len(message) == 0 {
			return
		}
		switch message[0] {
		case '0', '1':
			s.pull(message[0] == '0', told)
			_ = reset.Set(message[0] == '1') // cannot fail
			s.board.CatchUp(s.look)
		case '+', '-':
			s.mu.Lock()
			s.edges++
			s.mu.Unlock()
		}
	}
}

// An origin is what the kernel knows of a message.
type origin struct {
	age     time.Duration // since it was written
	process int           // who wrote it
}

// level reads a message for a line, with its origin; it is empty at the end.
func level(fd int, into, rights []byte) (message []byte, o origin) {
	for {
		n, length, _, _, err := unix.Recvmsg(fd, into, rights, 0)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return nil, o
		}
		told, err := unix.ParseSocketControlMessage(rights[:length])
		if err != nil {
			return into[:n], o
		}
		for i := range told {
			switch m := &told[i]; {
			case m.Header.Type == unix.SCM_CREDENTIALS:
				if who, err := unix.ParseUnixCredentials(m); err == nil {
					o.process = int(who.Pid)
				}
			case m.Header.Type == unix.SCM_TIMESTAMPNS && len(m.Data) >= 16:
				sent := binary.NativeEndian.Uint64(m.Data)*1e9 + binary.NativeEndian.Uint64(m.Data[8:])
				o.age = max(time.Since(time.Unix(0, int64(sent))), 0)
			}
		}
		return into[:n], o
	}
}

// pull keeps the instant at which the line went low, and by whom.
func (s *Server) pull(low bool, o origin) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !low:
		s.low = 0
	case s.low == 0:
		s.low, s.by = s.board.clock.Now()-o.age, o.process
	}
}

// driver answers one connection of a driver.
func (s *Server) driver(fd int) {
	wire := s.board.Wire()
	in, out := make([]byte, 64), make([]byte, 64)
	for {
		message := receive(fd, in)
		if len(message) == 0 {
			return
		}
		n, err := s.answer(&wire, message, out[1:])
		out[0] = byte(errno(err))
		s.board.CatchUp(s.look)
		if err := unix.Sendto(fd, out[:1+n], unix.MSG_NOSIGNAL, nil); err != nil {
			return
		}
	}
}

// answer carries out one call and returns the length of what it wrote to out.
func (s *Server) answer(wire *picarx.Wire, call, out []byte) (int, error) {
	sonar := wire.Sonars[0]
	switch {
	case call[0] == picarx.RemoteTx && len(call) >= 4:
		read := min(int(call[3]), len(out))
		return read, wire.Bus.Tx(binary.LittleEndian.Uint16(call[1:]), call[4:], out[:read])
	case call[0] == picarx.RemoteSet && len(call) == 3 && call[1] <= picarx.RemoteTrigger:
		line := [...]picarx.Output{wire.Reset, wire.LeftDir, wire.RightDir, sonar.Trigger}[call[1]]
		return 0, line.Set(call[2] != 0)
	case call[0] == picarx.RemoteNext:
		var e picarx.Edge
		if !sonar.Echo.Next(&e) {
			return 0, nil
		}
		binary.LittleEndian.PutUint64(out, uint64(e.At))
		out[8] = 0
		if e.Rising {
			out[8] = 1
		}
		binary.LittleEndian.PutUint32(out[9:], e.Seq)
		return 13, nil
	case call[0] == picarx.RemoteLevel:
		high, err := sonar.Echo.Level()
		out[0] = 0
		if high {
			out[0] = 1
		}
		return 1, err
	}
	return 0, unix.EINVAL
}

// errno returns the number that the kernel has for a failure of the bus.
func errno(err error) unix.Errno {
	var number unix.Errno
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errNack):
		return unix.EREMOTEIO
	case errors.Is(err, errHang):
		return unix.ETIMEDOUT
	case errors.Is(err, errLost):
		return unix.EAGAIN
	case errors.As(err, &number):
		return number
	}
	return unix.EIO
}
