package web

import "net"

// LinkOn does what Link does on a machine that has some addresses.
func LinkOn(address string, names []string, own []net.Addr) string { return link(address, names, own) }
