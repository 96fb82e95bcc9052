package picarx_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbrain/robot/picarx"
)

// orin makes the I2C adapters of an Orin below a file tree, and one behind a multiplexer
// on the header's bus.
func orin(t *testing.T) string {
	t.Helper()
	tree := t.TempDir()
	class := filepath.Join(tree, "sys/class/i2c-dev")
	for _, folder := range []string{class, filepath.Join(tree, "dev")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	devices := []string{
		"3160000.i2c", "c240000.i2c", "3180000.i2c", "3190000.i2c", "bpmp/bpmp:i2c",
		"31b0000.i2c", "31c0000.i2c", "c250000.i2c", "31e0000.i2c", "c250000.i2c/i2c-7/7-0070/channel-0", "c250000.i2c/i2c-7/7-0070/channel-1",
	}
	for n, device := range devices {
		bus := fmt.Sprintf("i2c-%d", n)
		where := filepath.Join(tree, "sys/devices/platform/bus@0", device, bus, "i2c-dev", bus)
		if err := os.MkdirAll(where, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(where, filepath.Join(class, bus)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(tree, "dev", bus), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"fieldbrain-i2c": "i2c-7", "tty": "ttyS0", "gone": "i2c-99"} {
		if err := os.Symlink(to, filepath.Join(tree, "dev", link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(tree, "dev/ttyS0"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestAdapter: a wrong adapter on a Jetson carries voltage regulators, so no digit may be
// taken for a part of another one's address.
func TestAdapter(t *testing.T) {
	tree := orin(t)
	for _, c := range []struct{ bus, want, words string }{
		{"0", "/dev/i2c-0", ""},
		{"1", "/dev/i2c-1", ""},
		{"3", "/dev/i2c-3", ""},
		{"7", "/dev/i2c-7", ""},
		{"10", "/dev/i2c-10", ""},
		{"i2c-6", "/dev/i2c-6", ""},
		{"I2C8", "/dev/i2c-8", ""},
		{"c250000.i2c", "/dev/i2c-7", ""},
		{"bpmp:i2c", "/dev/i2c-4", ""},
		{"channel-1", "/dev/i2c-10", ""},
		{"/dev/i2c-7", "/dev/i2c-7", ""},
		{"/dev/fieldbrain-i2c", "/dev/i2c-7", ""},
		{"250000.i2c", "", "no I2C adapter"},
		{"16", "", "no I2C adapter"},
		{"", "", "no I2C adapter"},
		{"bus@0", "", "name one of them"},
		{"/dev/i2c-16", "", "enable I2C"},
		{"/dev/gone", "", "enable I2C"},
		{"/dev/tty", "", "no I2C adapter"},
	} {
		got, err := picarx.Adapter(tree, c.bus)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q: %q, %v; want %q", c.bus, got, err, c.want)
		}
		if err == nil {
			continue
		}
		if !strings.Contains(err.Error(), c.words) || errors.Is(err, fs.ErrNotExist) != (c.bus != "bus@0") {
			t.Errorf("%q: %v; want %q and whether it may still come", c.bus, err, c.words)
		}
	}
}
