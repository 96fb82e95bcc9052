package picarx_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2ctest"
	"pgregory.net/rapid"

	"fieldbrain/robot"
	"fieldbrain/robot/picarx"
)

func TestServoCounts(t *testing.T) {
	tests := []struct {
		angle float64
		count uint16
	}{
		{-90, 102},
		{-30, 238},
		{-20, 261},
		{-10, 284},
		{0, 307},
		{10, 329},
		{20, 352},
		{30, 375},
		{65, 455},
		{90, 511},
		{-200, 102},
		{200, 511},
	}
	for _, tt := range tests {
		if got := picarx.ServoCount(tt.angle); got != tt.count {
			t.Errorf("ServoCount(%v) = %d, want %d (vendor's table)", tt.angle, got, tt.count)
		}
	}
}

func TestDutyCounts(t *testing.T) {
	tests := []struct {
		percent float64
		count   uint16
	}{
		{0, 0},
		{50, 0x7ff},
		{55, 0x8cc},
		{60, 0x999},
		{65, 0xa65},
		{75, 0xbff},
		{87, 0xdea},
		{90, 0xe65},
		{100, 0xfff},
		{140, 0xfff},
		{-3, 0},
	}
	for _, tt := range tests {
		if got := picarx.DutyCount(tt.percent / 100); got != tt.count {
			t.Errorf("DutyCount(%v %%) = %#x, want %#x (vendor's table)", tt.percent, got, tt.count)
		}
	}
}

func TestDecodeADC(t *testing.T) {
	if v, err := picarx.DecodeADC(0x0b, 0xf5); v != 3061 || err != nil {
		t.Errorf("DecodeADC(0b f5) = %d, %v, want 3061", v, err)
	}
	if v := picarx.BatteryVolts(3061); math.Abs(v-7.4) > 0.001 {
		t.Errorf("3061 counts are %v V, want 7.400", v)
	}
	if _, err := picarx.DecodeADC(0x10, 0); !errors.Is(err, picarx.ErrDesync) {
		t.Errorf("4096 counts: %v, want ErrDesync", err)
	}
}

func FuzzDecodeADC(f *testing.F) {
	f.Add(byte(0x0b), byte(0xf5))
	f.Add(byte(0xff), byte(0xff))
	f.Fuzz(func(t *testing.T, msb, lsb byte) {
		v, err := picarx.DecodeADC(msb, lsb)
		if err == nil && (v > 4095 || v>>8 != uint16(msb) || v&0xff != uint16(lsb)) {
			t.Errorf("DecodeADC(%x, %x) = %d", msb, lsb, v)
		}
		if (err != nil) != (msb > 15) {
			t.Errorf("DecodeADC(%x, %x): %v", msb, lsb, err)
		}
	})
}

// TestServoCountProperty: monotonic and inside the pulse range of a servo.
func TestServoCountProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(-400, 400).Draw(t, "a")
		b := rapid.Float64Range(-400, 400).Draw(t, "b")
		ca, cb := picarx.ServoCount(a), picarx.ServoCount(b)
		if ca < 102 || ca > 511 || (a < b && ca > cb) {
			t.Fatalf("ServoCount(%v) = %d, ServoCount(%v) = %d", a, ca, b, cb)
		}
	})
}

// TestStartTranscript pins every byte from the probe to the first sweep.
func TestStartTranscript(t *testing.T) {
	w := func(b ...byte) i2c3 { return i2c3{W: b} }
	ops := []i2c3{
		{R: []byte{0}},                                      // probe
		w(0x2c, 0, 0),                                       // right motor zero
		w(0x2d, 0, 0),                                       // left motor zero
		w(0x43, 0, 9),                                       // timer 3: prescaler 10
		w(0x47, 0x0f, 0xff),                                 // timer 3: period 4095
		w(0x40, 1, 0x5f),                                    // timer 0: prescaler 352
		w(0x44, 0x0f, 0xff),                                 // timer 0: period 4095
		w(0x22, 1, 0x33),                                    // steering 0 deg
		w(0x20, 1, 0x49),                                    // pan trim +10 deg
		w(0x21, 1, 0x1c),                                    // tilt trim -10 deg
		w(0x17, 0, 0), {R: []byte{0x04}}, {R: []byte{0xb0}}, // A0, floor left
		w(0x16, 0, 0), {R: []byte{0x04}}, {R: []byte{0xb0}}, // A1
		w(0x15, 0, 0), {R: []byte{0x04}}, {R: []byte{0xb0}}, // A2
		w(0x13, 0, 0), {R: []byte{0x0b}}, {R: []byte{0xf5}}, // A4, battery
	}
	bus := &i2ctest.Playback{DontPanic: true}
	for _, op := range ops {
		bus.Ops = append(bus.Ops, i2ctest.IO{Addr: 0x14, W: op.W, R: op.R})
	}
	r := newRig(t, nil)
	wire := r.wire()
	wire.Bus = inReset{bus, &r.reset}
	p := picarx.Default()
	p.Cal.Pan.Offset, p.Cal.Tilt.Offset = 10, -10
	car, err := picarx.New(wire, p)
	if err != nil {
		t.Fatal(err)
	}
	for calls := 0; bus.Count < len(bus.Ops) && calls < 1000; calls++ {
		now := r.clock.Now()
		if next := car.Service(now); next > now {
			r.clock.SleepUntil(next)
		}
	}
	if err := bus.Close(); err != nil {
		t.Error(err)
	}
	if s := car.Stats(); s.Errors != 0 {
		t.Errorf("%d bus errors, newest %v", s.Errors, s.LastError)
	}
	if got, want := whats(r.log), []string{"reset true", "right true"}; !cmp.Equal(got, want) {
		t.Errorf("lines (-got +want):\n%s", cmp.Diff(got, want))
	}
}

type i2c3 struct{ W, R []byte }

// inReset acknowledges nothing while the reset line is low, as the controller does.
type inReset struct {
	*i2ctest.Playback
	line *line
}

func (b inReset) Tx(addr uint16, w, r []byte) error {
	if !b.line.level() {
		return errNack
	}
	return b.Playback.Tx(addr, w, r)
}

var _ i2c.Bus = (*mcu)(nil)

func TestBoards(t *testing.T) {
	for _, b := range []picarx.Board{picarx.BoardV5, picarx.BoardV6, picarx.BoardFusion, "v9", ""} {
		p := picarx.Default()
		p.Board = b
		r := newRig(t, nil)
		_, err := picarx.New(r.wire(), p)
		var refused *picarx.BoardError
		if !errors.As(err, &refused) || refused.Board != b || refused.Reason == "" {
			t.Errorf("board %q: %v, want a BoardError with a reason", b, err)
		}
	}
	uuids := map[string]picarx.Board{
		"9daeea78-0000-076e-0032-582369ac3e02\x00": picarx.BoardV5,
		"9daeea78-0000-076e-003c-000000000000":     picarx.BoardV6,
		"9DAEEA78-0000-0774-000A-000000000000":     picarx.BoardFusion,
		"":                                         picarx.BoardV4,
	}
	for uuid, want := range uuids {
		if got := picarx.BoardOfUUID(uuid); got != want {
			t.Errorf("BoardOfUUID(%q) = %s, want %s", uuid, got, want)
		}
	}
}

func TestClassify(t *testing.T) {
	tests := []struct {
		err  error
		want picarx.Cause
	}{
		{errNack, picarx.NoAck},
		{syscall.EREMOTEIO, picarx.NoAck},
		{fmt.Errorf("i2c: %w", syscall.ENXIO), picarx.NoAck},
		{errors.New("sysfs-i2c: connection timed out"), picarx.Timeout},
		{errors.New("sysfs-i2c: resource temporarily unavailable"), picarx.Arbitration},
		{errors.New("sysfs-i2c: are you member of group 'plugdev'? open /dev/i2c-7: permission denied"), picarx.Access},
		{errors.New("sysfs-i2c: bus #7 is not configured: open /dev/i2c-7: no such file or directory"), picarx.Missing},
		{errors.New("sysfs-i2c: input/output error"), picarx.OtherCause},
	}
	for _, tt := range tests {
		if got := picarx.Classify(tt.err); got != tt.want {
			t.Errorf("Classify(%v) = %v, want %v", tt.err, got, tt.want)
		}
	}
}

func TestBusErrorText(t *testing.T) {
	err := &picarx.BusError{Op: "write", Device: "/dev/i2c-7", Addr: 0x14, Register: 0x2d, Count: 3, Cause: picarx.NoAck, Err: errNack}
	for _, want := range []string{"write", "left motor", "0x2d", "0x14", "/dev/i2c-7", "no acknowledge", "3 in a row", "switch on", "battery"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if !errors.Is(err, errNack) {
		t.Error("the adapter's error is not wrapped")
	}
}

func TestValidateNamesEveryKey(t *testing.T) {
	p := picarx.Default()
	p.SweepPeriod, p.Lease, p.MinSpeed, p.Sonar.Median, p.Addr = 0, 0, float32(math.NaN()), 2, 0x20
	p.Cal.Motors.Left.Forward.Gain = math.NaN()
	err := p.Validate()
	for _, key := range []string{"sweep_period", "lease", "min_speed", "sonar.median", "addr", "motors.left.forward.gain"} {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("no complaint about %s in: %v", key, err)
		}
	}
	p = picarx.Default()
	if err := p.Validate(); err != nil {
		t.Errorf("the defaults are invalid: %v", err)
	}
	if _, err := picarx.New(picarx.Wire{Sonars: []picarx.SonarWire{{Sector: robot.NumSectors}}}, p); err == nil {
		t.Error("a car without wires was made")
	}
}
