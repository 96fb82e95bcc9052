package config

import (
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// Web is section [web].
type Web struct {
	Listen      string   `toml:"listen" comment:"address and port of fieldbrain serve, port 0 takes a free one; any address but 127.0.0.1, [::1] and localhost needs token, watch_token, certificate and key"`
	Names       []string `toml:"names" comment:"host names by which browsers may call the page, besides localhost and bare addresses; every other name is refused, because anybody can point his own here"`
	Token       string   `toml:"token" comment:"file of the token that lets a browser command the car, made at the first start with mode 0600; empty: serve prints a new one at every start"`
	WatchToken  string   `toml:"watch_token" comment:"the same for looking and for the emergency stop alone; empty: whoever reaches a loopback address may look and stop"`
	Certificate string   `toml:"certificate" comment:"file with the TLS certificate and its chain, PEM; empty: plain HTTP, on loopback alone"`
	Key         string   `toml:"key" comment:"file with the certificate's private key, PEM, readable by its owner and group alone"`
	Recordings  string   `toml:"recordings" comment:"folder whose recordings the page offers for download; empty offers none"`
}

// DefaultWeb returns loopback, where nobody needs a certificate.
func DefaultWeb() Web { return Web{Listen: "127.0.0.1:8321", Names: []string{}} }

// hostName is a DNS name in lower case, as RFC 1123 has them.
var hostName = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`)

// maxHostName is the longest host name in bytes (RFC 1035).
const maxHostName = 253

// Loopback reports whether only programs of this machine reach the address.
func (c Web) Loopback() bool {
	host, _, err := splitListen(c.Listen)
	return err == nil && host.IsLoopback()
}

// splitListen reads an address and a port; localhost is 127.0.0.1.
func splitListen(listen string) (netip.Addr, uint16, error) {
	if rest, is := strings.CutPrefix(listen, "localhost:"); is {
		listen = "127.0.0.1:" + rest
	}
	at, err := netip.ParseAddrPort(listen)
	if err != nil {
		return netip.Addr{}, 0, err
	}
	return at.Addr().Unmap(), at.Port(), nil
}

// check checks section [web].
func (c Web) check(k *checker) {
	for _, key := range []struct{ name, text string }{
		{"web.token", c.Token}, {"web.watch_token", c.WatchToken}, {"web.certificate", c.Certificate}, {"web.key", c.Key}, {"web.recordings", c.Recordings},
	} {
		k.text(key.name, key.text)
	}
	for i, name := range c.Names {
		if !hostName.MatchString(name) || len(name) > maxHostName {
			k.wrong(element("web.names", i), `write names such as "car.local", in lower case and without a port; bare addresses need none`, "%.200q is no host name", name)
		}
	}
	if (c.Certificate == "") != (c.Key == "") {
		k.wrong("web.certificate", "name both web.certificate and web.key, or neither", "a certificate without its key, or a key without its certificate, is no TLS")
	}
	if c.Token != "" && c.Token == c.WatchToken {
		k.wrong("web.watch_token", "name another file", "the same file would let everybody who may look command the car")
	}
	if _, _, err := splitListen(c.Listen); err != nil {
		k.wrong("web.listen", fmt.Sprintf("write it like %s or 0.0.0.0:8321", strconv.Quote(DefaultWeb().Listen)), "%.200q is no address and port", c.Listen)
		return
	}
	if c.Loopback() {
		return
	}
	var lacks []string
	for _, key := range []struct{ name, text string }{
		{"web.token", c.Token}, {"web.watch_token", c.WatchToken}, {"web.certificate", c.Certificate}, {"web.key", c.Key},
	} {
		if key.text == "" {
			lacks = append(lacks, key.name)
		}
	}
	if len(lacks) > 0 {
		k.wrong("web.listen", "set "+strings.Join(lacks, ", ")+", or stay on "+DefaultWeb().Listen,
			"%s would let everybody on the network look at the car and drive it", c.Listen)
	}
}
