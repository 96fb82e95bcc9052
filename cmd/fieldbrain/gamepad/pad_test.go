package gamepad

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"fieldbrain/testbench/tier"
)

// event returns a record as the kernel writes it.
func event(kind, code uint16, value int32) []byte {
	b := make([]byte, recordSize)
	binary.NativeEndian.PutUint64(b, 1763850000) // seconds and microseconds, which nobody reads
	binary.NativeEndian.PutUint16(b[16:], kind)
	binary.NativeEndian.PutUint16(b[18:], code)
	binary.NativeEndian.PutUint32(b[20:], uint32(value))
	return b
}

// sticks are the spans of a pad with 16 bits an axis.
func sticks() map[uint16]span {
	return map[uint16]span{absX: {-32768, 32767}, absY: {-32768, 32767}, absRX: {-32768, 32767}}
}

// plug returns a pad that reads what is written to a pipe.
func plug(t *testing.T, again map[uint16]int32) (*Pad, *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	pad, err := newPad(model{"test pad", byPlace}, r, sticks(), DeadZone, func(axis uint16) (int32, error) { return again[axis], nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pad.Close(); w.Close() })
	return pad, w
}

// write writes events; a button at their end says when they were read.
func write(t *testing.T, pad *Pad, w *os.File, events ...[]byte) {
	t.Helper()
	for _, e := range append(events, event(evSyn, 0, 0), event(evKey, btnNorth, 1)) {
		if _, err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if b := <-pad.Presses(); b != PressGood {
		t.Fatalf("press %d, want good", b)
	}
}

// TestSticks: up is forwards and left positive, the stick farther out steers, the
// middle is a zone and beyond it nothing jumps.
func TestSticks(t *testing.T) {
	pad, w := plug(t, nil)
	for _, tt := range []struct {
		name               string
		x, y, rx           int32
		throttle, steering float64
	}{
		{"the middle", 0, 0, 0, 0, 0},
		{"worn sticks at rest", 3000, -3500, -2000, 0, 0},
		{"up and left", -32768, -32768, 0, 1, 1},
		{"down and right", 32767, 32767, 0, -1, -1},
		{"the right stick steers", 5000, -32768, 32767, 1, -1},
		{"half way", -18350, -18350, 0, 0.5, 0.5},
		{"just beyond the zone", 0, -4100, 0, 0.0058, 0},
	} {
		write(t, pad, w, event(evAbs, absX, tt.x), event(evAbs, absY, tt.y), event(evAbs, absRX, tt.rx), event(evAbs, 0x10, 1))
		throttle, steering := pad.Wish()
		if math.Abs(throttle-tt.throttle) > 0.002 || math.Abs(steering-tt.steering) > 0.002 {
			t.Errorf("%s: throttle %.4f, steering %.4f, want %v, %v", tt.name, throttle, steering, tt.throttle, tt.steering)
		}
	}
}

// TestDropped: after lost events the sticks are where the kernel says.
func TestDropped(t *testing.T) {
	again := map[uint16]int32{}
	pad, w := plug(t, again)
	write(t, pad, w, event(evAbs, absY, -32768))
	again[absY], again[absX] = 0, 32767
	write(t, pad, w, event(evSyn, synDropped, 0))
	if throttle, steering := pad.Wish(); throttle != 0 || steering != -1 {
		t.Errorf("throttle %v, steering %v after lost events, want 0, -1", throttle, steering)
	}
}

// TestPresses: each button once, when it goes down; the end of the device ends them.
func TestPresses(t *testing.T) {
	pad, w := plug(t, nil)
	var text bytes.Buffer
	for _, code := range []uint16{btnEast, btnSouth, 0x13b, btnWest} {
		for _, value := range []int32{1, 2, 0} { // down, held, up
			text.Write(event(evKey, code, value))
		}
	}
	if _, err := w.Write(text.Bytes()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []Press{PressStop, PressWheel, PressBad} {
		if b := <-pad.Presses(); b != want {
			t.Errorf("press %d, want %d", b, want)
		}
	}
	w.Close()
	if _, is := <-pad.Presses(); is {
		t.Error("a press after the end")
	}
	if err := pad.Err(); err == nil || !strings.Contains(err.Error(), "test pad is gone") {
		t.Errorf("the end: %v", err)
	}
}

// TestLayouts: the northern button is good and the western one bad on every kind of pad,
// whatever codes its driver gives them.
func TestLayouts(t *testing.T) {
	const btnX, btnY = 0x133, 0x134 // as input-event-codes.h has them
	for _, tt := range []struct {
		vendor       uint16
		name, driver string
		north, west  uint16
	}{
		{0x045e, "Xbox Wireless Controller", "xpadneo", btnY, btnX},
		{0x045e, "Xbox Wireless Controller", "microsoft", btnY, btnX},
		{0x045e, "Some later name", "hid-generic", btnY, btnX},
		{0x045e, "Microsoft X-Box 360 pad", "xpad", btnY, btnX},
		{0x0e6f, "Generic X-Box pad", "", btnY, btnX},
		{0x24c6, "PowerA XBOX One wired pad", "", btnY, btnX},
		{0x046d, "Logitech Gamepad F710", "xpad", btnY, btnX},
		{0x0e6f, "PDP pad", "xone-gip-gamepad", btnY, btnX},
		{0x054c, "Sony Interactive Entertainment Wireless Controller", "playstation", 0x133, 0x134},
		{0x054c, "DualSense Wireless Controller", "", 0x133, 0x134},
		{0x057e, "Nintendo Switch Pro Controller", "nintendo", 0x133, 0x134},
		{0, "", "", 0x133, 0x134},
	} {
		l := layoutOf(tt.vendor, tt.name, tt.driver)
		for code, want := range map[uint16]Press{tt.north: PressGood, tt.west: PressBad, btnSouth: PressWheel, btnEast: PressStop, 0x13b: PressNothing} {
			if got := l.press(code); got != want {
				t.Errorf("%04x %q of %q: code %#x is press %d, want %d", tt.vendor, tt.name, tt.driver, code, got, want)
			}
		}
	}
}

// TestXboxPad: a whole pad of that layout.
func TestXboxPad(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	pad, err := newPad(model{"Microsoft X-Box 360 pad", byLetter}, r, sticks(), DeadZone, func(uint16) (int32, error) { return 0, nil })
	if err != nil {
		t.Fatal(err)
	}
	defer pad.Close()
	if _, err := w.Write(append(event(evKey, btnWest, 1), event(evKey, btnNorth, 1)...)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []Press{PressGood, PressBad} {
		if b := <-pad.Presses(); b != want {
			t.Errorf("press %d, want %d", b, want)
		}
	}
}

// TestDriver: the driver's name stands beside the device that was plugged in; a device
// that the kernel does not say it of has none.
func TestDriver(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{"drivers/xpad", "usb/input7/event3"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"13:67": "usb/input7/event3", "usb/input7/event3/device": "..", "usb/input7/device": "..", "usb/driver": "../drivers/xpad",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if got := driverOf(dir, "13:67"); got != "xpad" {
		t.Errorf("driver %q, want xpad", got)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if number := numberOfDevice(null); number != "1:3" || driverOf(dir, number) != "" {
		t.Errorf("%s is %q with driver %q, want 1:3 without one", os.DevNull, number, driverOf(dir, number))
	}
}

// TestFind: what is no gamepad is passed over, and the reasons tell what to do.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	if _, err := Find(dir, DeadZone); !errors.Is(err, ErrNone) {
		t.Errorf("an empty folder: %v", err)
	}
	path := filepath.Join(dir, "event0")
	if err := os.WriteFile(path, event(evAbs, absX, 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(dir, DeadZone); !errors.Is(err, ErrNone) {
		t.Errorf("a file that is no device: %v", err)
	}
	if _, err := Open(path, DeadZone); err == nil || !strings.Contains(err.Error(), "no event device") {
		t.Errorf("opening it: %v", err)
	}
	if os.Getuid() == 0 {
		t.Log(tier.Mark + "not as root, who may read every device: the remedy for a device that may not be read")
		return
	}
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(dir, DeadZone); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "usermod -aG input") {
		t.Errorf("a device that may not be read: %v", err)
	}
}

// TestRealDevice opens whatever this machine has.
func TestRealDevice(t *testing.T) {
	pad, err := Find(Folder, DeadZone)
	if err != nil {
		t.Skipf("%sthe ioctls of a real gamepad: %v", tier.Mark, err)
	}
	defer pad.Close()
	if name := pad.Name(); name == "" || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("its name is %q", name)
	}
}

// TestNobodyThere: without a gamepad, and without a daemon, a session ends at once.
func TestNobodyThere(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	s := Session{Socket: filepath.Join(t.TempDir(), "c.sock"), Source: "gamepad", Out: &out, Find: func() (*Pad, error) { return nil, ErrNone }}
	if err := s.Run(ctx); !errors.Is(err, ErrNone) {
		t.Errorf("without a gamepad: %v", err)
	}
	s.Find = func() (*Pad, error) { pad, _ := plug(t, nil); return pad, nil }
	if err := s.Run(ctx); err == nil || !strings.Contains(err.Error(), "no daemon is running") {
		t.Errorf("without a daemon: %v", err)
	}
}
