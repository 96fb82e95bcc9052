package web

import (
	"net"
	"sync"
)

// A cappedListener accepts so many connections at the same time, not all of them from one
// address, and closes the others at once.
type cappedListener struct {
	net.Listener
	refused *refusals

	mu   sync.Mutex
	from map[string]int // connections by address
	all  int
}

// Accept waits for a connection that has a place.
func (l *cappedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		who := address(conn.RemoteAddr())
		if l.enter(who) {
			return &cappedConn{Conn: conn, leave: sync.OnceFunc(func() { l.exit(who) })}, nil
		}
		l.refused.count(tooMany)
		conn.Close()
	}
}

// enter takes a place, if there is one.
func (l *cappedListener) enter(who string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= maxConnections || l.from[who] >= maxOfOne {
		return false
	}
	l.all++
	l.from[who]++
	return true
}

// exit gives a place back.
func (l *cappedListener) exit(who string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.from[who]--; l.from[who] == 0 {
		delete(l.from, who)
	}
}

// A cappedConn gives its place back when it is closed.
type cappedConn struct {
	net.Conn
	leave func()
}

// Close closes the connection.
func (c *cappedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// address names the machine at the other end. Of an IPv6 address it is the network: one
// machine has a whole one.
func address(a net.Addr) string {
	tcp, is := a.(*net.TCPAddr)
	if !is {
		return a.String()
	}
	if tcp.IP.To4() == nil && len(tcp.IP) == net.IPv6len && !tcp.IP.IsLoopback() {
		return tcp.IP.Mask(net.CIDRMask(64, 128)).String()
	}
	return tcp.IP.String()
}
