package picarx_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/robot/picarx"
)

func TestHeaders(t *testing.T) {
	for _, h := range picarx.Headers() {
		t.Run(h.Name, func(t *testing.T) {
			if len(h.Pins) != 22 || h.Adapter == "" {
				t.Errorf("%d pins, adapter %q; want 22 and one", len(h.Pins), h.Adapter)
			}
			bcm, pin, line := map[int]bool{}, map[int]bool{}, map[string]bool{}
			for _, p := range h.Pins {
				if bcm[p.BCM] || pin[p.Header] || line[p.Name] {
					t.Errorf("%+v repeats a number or a name", p)
				}
				bcm[p.BCM], pin[p.Header], line[p.Name] = true, true, true
			}
			if got, err := picarx.HeaderByName(h.Name); err != nil || got.Name != h.Name {
				t.Errorf("HeaderByName: %v", err)
			}
		})
	}
	nano, err := picarx.HeaderByName("orin-nano")
	if err != nil {
		t.Fatal(err)
	}
	got, err := nano.Pin(22)
	want := picarx.Pin{BCM: 22, Header: 15, Chip: "tegra234-gpio", Name: "PN.01", Offset: 85, Pad: 0x2440020}
	if diff := cmp.Diff(got, want); diff != "" || err != nil {
		t.Errorf("echo pin (-got +want): %v\n%s", err, diff)
	}
	if _, err := nano.Pin(2); err == nil {
		t.Error("BCM 2 is SDA, not a GPIO")
	}
	if _, err := picarx.HeaderByName("toaster"); err == nil || !strings.Contains(err.Error(), "agx-orin") {
		t.Errorf("unknown header: %v, want the known ones listed", err)
	}
}

func TestDetectHeader(t *testing.T) {
	tests := []struct{ compatible, want string }{
		{"nvidia,p3768-0000+p3767-0005-super\x00nvidia,p3767-0005\x00nvidia,tegra234\x00", "orin-nano"},
		{"nvidia,p3768-0000+p3767-0000\x00nvidia,tegra234\x00", "orin-nano"},
		{"nvidia,p3509-0000+p3767-0000\x00", "orin-nano"},
		{"nvidia,p3737-0000+p3701-0004\x00nvidia,tegra234\x00", "agx-orin"},
		{"raspberrypi,4-model-b\x00brcm,bcm2711\x00", "pi-4"},
		{"raspberrypi,5-model-b\x00brcm,bcm2712\x00", "pi-5"},
		{"raspberrypi,3-model-b-plus\x00brcm,bcm2837\x00", "pi-3"},
		{"nvidia,p2771-0000\x00nvidia,tegra186\x00", ""},
		{"", ""},
	}
	for _, tt := range tests {
		h, err := picarx.DetectHeader([]byte(tt.compatible))
		if h.Name != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("DetectHeader(%q) = %q, %v, want %q", tt.compatible, h.Name, err, tt.want)
		}
	}
}

func TestSiteHeader(t *testing.T) {
	tests := []struct{ header, compatible, want string }{
		{"auto", "raspberrypi,5-model-b\x00brcm,bcm2712\x00", "pi-5"},
		{"", "nvidia,p3737-0000+p3701-0000\x00", "agx-orin"},
		{"pi", "raspberrypi,4-model-b\x00brcm,bcm2711\x00", "pi-4"},
		{"pi", "nvidia,p3737-0000+p3701-0000\x00", ""},
		{"orin-nano", "something,else\x00", "orin-nano"},
		{"auto", "something,else\x00", ""},
	}
	for _, tt := range tests {
		path := filepath.Join(t.TempDir(), "compatible")
		if err := os.WriteFile(path, []byte(tt.compatible), 0o644); err != nil {
			t.Fatal(err)
		}
		h, err := picarx.SiteHeader(picarx.Site{Header: tt.header}, path)
		if h.Name != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("header %q on %q: %q, %v, want %q", tt.header, tt.compatible, h.Name, err, tt.want)
		}
	}
	if _, err := picarx.SiteHeader(picarx.Site{}, "/nonexistent"); err == nil || !strings.Contains(err.Error(), "configuration") {
		t.Errorf("no device tree: %v, want the remedy", err)
	}
}

func TestFindAdapter(t *testing.T) {
	root := t.TempDir()
	for bus, device := range map[string]string{"i2c-1": "c240000.i2c", "i2c-9": "c250000.i2c"} {
		target := filepath.Join(root, "devices", device, bus)
		if err := os.MkdirAll(target, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(root, bus)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := picarx.FindAdapter(root, "c250000.i2c"); got != "/dev/i2c-9" || err != nil {
		t.Errorf("FindAdapter = %q, %v, want /dev/i2c-9: found by link, not by number", got, err)
	}
	if _, err := picarx.FindAdapter(root, "31b0000.i2c"); err == nil || !strings.Contains(err.Error(), "i2c-9") {
		t.Errorf("no such adapter: %v, want the ones there are", err)
	}
}

func TestI2CDevice(t *testing.T) {
	var errno syscall.Errno // ENOTTY, or ENOSYS from an emulator
	if err := picarx.TryI2C("/dev/null", []byte{1, 2, 3}, nil); !errors.As(err, &errno) {
		t.Errorf("a transaction on /dev/null: %v, want the kernel's error number", err)
	}
	if err := picarx.TryI2C("/dev/null", []byte{1}, []byte{2}); err == nil || errors.As(err, &errno) {
		t.Errorf("a combined transaction: %v, want a refusal before the kernel", err)
	}
	if err := picarx.TryI2C("/dev/null", nil, nil); err == nil {
		t.Error("an empty transaction passed: it would probe nothing")
	}
	err := picarx.TryI2C("/dev/i2c-does-not-exist", []byte{1}, nil)
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "enable I2C") {
		t.Errorf("missing adapter: %v, want the cause and a remedy", err)
	}
}

func TestCheckEEPROM(t *testing.T) {
	tree := t.TempDir()
	if err := picarx.CheckEEPROM(tree); err != nil {
		t.Errorf("no EEPROM data: %v, want V4", err)
	}
	if err := os.Mkdir(filepath.Join(tree, "hat"), 0o755); err != nil {
		t.Fatal(err)
	}
	uuid := []byte("9daeea78-0000-076e-0032-582369ac3e02\x00")
	if err := os.WriteFile(filepath.Join(tree, "hat", "uuid"), uuid, 0o644); err != nil {
		t.Fatal(err)
	}
	var refused *picarx.BoardError
	if err := picarx.CheckEEPROM(tree); !errors.As(err, &refused) || refused.Board != picarx.BoardV5 {
		t.Errorf("a V5's EEPROM: %v, want it refused", err)
	}
}

func TestOpenSaysWhatIsMissing(t *testing.T) {
	if _, err := os.Stat("/dev/gpiochip0"); err == nil {
		t.Skip("this machine has GPIO chips: opening them could move a robot")
	}
	_, _, err := picarx.Open(picarx.Site{Header: "orin-nano", Bus: "/dev/null"})
	if err == nil || !strings.Contains(err.Error(), "gpiochip") {
		t.Errorf("Open without GPIO: %v", err)
	}
	_, _, err = picarx.Open(picarx.Site{Header: "toaster"})
	if err == nil || !strings.Contains(err.Error(), "unknown header") {
		t.Errorf("Open with an unknown header: %v", err)
	}
}

func TestEdgeLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := picarx.NewEdgeLine(time.Hour)
		start := time.Now()
		l.Wait(5 * ms)
		if d := time.Since(start); d != 5*ms {
			t.Errorf("waited %v for nothing, want 5 ms", d)
		}
		go func() {
			time.Sleep(2 * ms)
			l.Push(7*ms, true, 1)
		}()
		start = time.Now()
		l.Wait(time.Second)
		var e picarx.Edge
		if d := time.Since(start); d > 2*ms || !l.Next(&e) {
			t.Errorf("an edge woke the reader after %v, want 2 ms", d)
		}
		if want := (picarx.Edge{At: time.Hour + 7*ms, Rising: true, Seq: 1}); e != want {
			t.Errorf("edge %+v, want %+v", e, want)
		}
		for seq := range uint32(100) { // more than the ring holds
			l.Push(0, false, seq+2)
		}
		n := 0
		for l.Next(&e) {
			n++
		}
		if n != 64 || e.Seq != 65 {
			t.Errorf("%d edges, newest %d; want the oldest 64, a gap in front of what comes", n, e.Seq)
		}
	})
}
