package web_test

import (
	"net"
	"strings"
	"testing"

	"fieldbrain/daemon/web"
)

// TestLink: what is printed can be opened elsewhere, too: never the wildcard.
func TestLink(t *testing.T) {
	var own []net.Addr
	for _, cidr := range []string{"127.0.0.1/8", "::1/128", "fe80::1/64", "2001:db8::5/64", "169.254.3.4/16", "192.168.1.5/24", "10.0.0.7/8"} {
		ip, network, err := net.ParseCIDR(cidr)
		if err != nil {
			t.Fatal(err)
		}
		own = append(own, &net.IPNet{IP: ip, Mask: network.Mask})
	}
	names := []string{"car.local", "car"}
	for _, c := range []struct {
		why, address string
		names        []string
		own          []net.Addr
		want         string
	}{
		{"loopback", "http://127.0.0.1:8321/#token=00ff", names, own, "http://127.0.0.1:8321/#token=00ff"},
		{"one address", "https://192.168.1.9:8321/", names, own, "https://192.168.1.9:8321/"},
		{"all, with a name", "https://[::]:8555/", names, own, "https://car.local:8555/"},
		{"all of version 4, with a name", "https://0.0.0.0:8555/", names, own, "https://car.local:8555/"},
		{"all, without a name", "https://[::]:8555/#token=00ff", nil, own, "https://192.168.1.5:8555/#token=00ff"},
		{"version 6 alone", "https://[::]:8555/", nil, own[:5], "https://[2001:db8::5]:8555/"},
		{"no network", "https://[::]:8555/", nil, own[:3], "https://127.0.0.1:8555/"},
		{"nobody knows the addresses", "https://[::]:8555/", nil, nil, "https://127.0.0.1:8555/"},
		{"no address", "", names, own, ""},
	} {
		if got := web.LinkOn(c.address, c.names, c.own); got != c.want {
			t.Errorf("%s: %s is %q, want %q", c.why, c.address, got, c.want)
		}
	}
	if got := web.Link("https://[::]:8555/", nil); strings.Contains(got, "[::]") || !strings.HasSuffix(got, ":8555/") {
		t.Errorf("on this machine: %q", got)
	}
}
