package web

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
)

// Link returns an address that a browser can open for one of a server's. A server that
// listens on all addresses of its machine gives the wildcard, which only that machine takes
// for one of its own: in its place stands the first of names, for which the certificate is
// made, else an address of this machine that the network may reach, else its loopback.
func Link(address string, names []string) string {
	own, _ := net.InterfaceAddrs() // nobody knows them: as without a network
	return link(address, names, own)
}

// link is Link on a machine that has some addresses.
func link(address string, names []string, own []net.Addr) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err != nil || !ip.IsUnspecified() {
		return address
	}
	host := "127.0.0.1"
	if at := reachable(own); len(at) > 0 {
		host = at[0].String()
	}
	if len(names) > 0 {
		host = names[0]
	}
	u.Host = net.JoinHostPort(host, u.Port())
	return u.String()
}

// reachable returns the addresses that others may reach, those of version 4 first, which are
// the shorter ones to type.
func reachable(own []net.Addr) (list []netip.Addr) {
	for _, a := range own {
		prefix, err := netip.ParsePrefix(a.String())
		if ip := prefix.Addr().Unmap(); err == nil && ip.IsGlobalUnicast() {
			list = append(list, ip)
		}
	}
	slices.SortStableFunc(list, func(a, b netip.Addr) int { return a.BitLen() - b.BitLen() })
	return list
}
