package hat_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"fieldbrain/robot/picarx"
	"fieldbrain/testbench/hat"
)

const ms = time.Millisecond

// A stepped clock stands still until somebody sleeps.
type stepped struct{ now time.Duration }

func (c *stepped) Now() time.Duration            { return c.now }
func (c *stepped) SleepUntil(t time.Duration)    { c.now = max(c.now, t) }
func (c *stepped) pass(d time.Duration) *stepped { c.now += d; return c }

// A rig is a board on a stepped clock with a plant whose readings a test sets.
type rig struct {
	*hat.Board
	clock  *stepped
	wire   picarx.Wire
	analog uint16
	volts  float64
	metres float64 // distance an echo comes from; negative for none
	pack   float64 // what the board last forced the battery to
}

func newRig(t testing.TB, p hat.Params, faults ...hat.Fault) *rig {
	t.Helper()
	r := &rig{clock: &stepped{}, analog: 1234, volts: 7.4, metres: 1}
	plant := hat.Plant{
		Advance: func(_ time.Duration, _ *hat.Outputs, pack float64) float64 { r.pack = pack; return r.volts },
		Analog:  func(channel int, _ time.Duration) uint16 { return r.analog + uint16(channel) },
		Range:   func(int, time.Duration) (float64, bool) { return r.metres, r.metres >= 0 },
	}
	board, err := hat.New(p, r.clock, plant, []int{0}, faults)
	if err != nil {
		t.Fatal(err)
	}
	r.Board, r.wire = board, board.Wire()
	return r
}

// booted is a rig past its boot time.
func booted(t testing.TB, faults ...hat.Fault) *rig {
	r := newRig(t, hat.Default(), faults...)
	r.clock.pass(hat.Default().Boot)
	return r
}

// send writes registers and fails the test on a refusal.
func (r *rig) send(t testing.TB, groups ...[3]byte) {
	t.Helper()
	for _, g := range groups {
		if err := r.Tx(0x14, g[:], nil); err != nil {
			t.Fatalf("write % x: %v", g, err)
		}
	}
}

// adc runs the three transactions of one conversion.
func (r *rig) adc(channel int) (uint16, error) {
	var hi, lo [1]byte
	if err := r.Tx(0x14, []byte{0x10 | byte(7-channel), 0, 0}, nil); err != nil {
		return 0, err
	}
	if err := r.Tx(0x14, nil, hi[:]); err != nil {
		return 0, err
	}
	if err := r.Tx(0x14, nil, lo[:]); err != nil {
		return 0, err
	}
	return uint16(hi[0])<<8 | uint16(lo[0]), nil
}

func (r *rig) outputs() (out hat.Outputs) {
	r.CatchUp(func(_ time.Duration, o *hat.Outputs) { out = *o })
	return out
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

const (
	nacked = "sysfs-i2c: remote I/O error"
	hung   = "sysfs-i2c: connection timed out"
)

func TestOneAddressAnswers(t *testing.T) {
	r := booted(t)
	var x [1]byte
	for addr := uint16(0x08); addr <= 0x77; addr++ {
		want := nacked
		if addr == 0x14 {
			want = ""
		}
		if got := text(r.Tx(addr, nil, x[:])); got != want {
			t.Errorf("address %#x: %q, want %q", addr, got, want)
		}
	}
}

// The golden vectors of the vendor's library, seen from the other end.
func TestOutputs(t *testing.T) {
	servo := [][3]byte{{0x40, 0x01, 0x5F}, {0x44, 0x0F, 0xFF}}
	motor := [][3]byte{{0x43, 0x00, 0x09}, {0x47, 0x0F, 0xFF}}
	tests := []struct {
		name, why string
		writes    [][3]byte
		channel   int
		pulse     time.Duration
		duty      float64
	}{
		{"centre", "307 counts of 4.889 us", append(servo, [3]byte{0x22, 0x01, 0x33}), 2, 1500888 * time.Nanosecond, 307.0 / 4096},
		{"right", "30 deg is 375 counts", append(servo, [3]byte{0x22, 0x01, 0x77}), 2, 1833333 * time.Nanosecond, 375.0 / 4096},
		{"no servo pulse", "20 counts are 98 us: the servo holds", append(servo, [3]byte{0x22, 0x00, 0x14}), 2, 0, 20.0 / 4096},
		{"no servo frame", "1.76 kHz is no servo frame", append(motor, [3]byte{0x2D, 0x0F, 0xFF}), 13, 0, 4095.0 / 4096},
		{"half", "the vendor's speed 1", append(motor, [3]byte{0x2C, 0x07, 0xFF}), 12, 0, 2047.0 / 4096},
		{"beyond the period", "compare > ARR is always high", append(motor, [3]byte{0x2C, 0xFF, 0xFF}), 12, 0, 1},
		{"shared timer", "the pan servo follows the timer written for steering", [][3]byte{{0x20, 0x01, 0x33}, {0x44, 0x0F, 0xFF}, {0x40, 0x01, 0x5F}}, 0, 1500888 * time.Nanosecond, 307.0 / 4096},
		{"second bank", "channel 18 has timer 5", [][3]byte{{0x51, 0x01, 0x5F}, {0x55, 0x0F, 0xFF}, {0x32, 0x01, 0x33}}, 18, 1500888 * time.Nanosecond, 307.0 / 4096},
		{"unconfigured", "compare > ARR: a timer without a period is always high", [][3]byte{{0x2C, 0x0F, 0xFF}}, 12, 0, 1},
		{"unknown register", "0x60 is ignored", [][3]byte{{0x60, 0x0F, 0xFF}}, 12, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := booted(t)
			r.send(t, tt.writes...)
			out := r.outputs()
			if got := out.Pulse[tt.channel]; (got - tt.pulse).Abs() > time.Microsecond {
				t.Errorf("pulse %v, want %v: %s", got, tt.pulse, tt.why)
			}
			if got := out.Duty[tt.channel]; math.Abs(got-tt.duty) > 1e-9 {
				t.Errorf("duty %v, want %v: %s", got, tt.duty, tt.why)
			}
		})
	}
}

func TestADCSamplesAtTheCommand(t *testing.T) {
	r := booted(t)
	r.analog = 0x0BF5
	r.send(t, [3]byte{0x17, 0, 0}) // channel 0 is command 0x17
	r.analog = 1                   // too late
	var hi, lo, again [1]byte
	for _, b := range []*[1]byte{&hi, &lo, &again} {
		if err := r.Tx(0x14, nil, b[:]); err != nil {
			t.Fatal(err)
		}
	}
	if hi[0] != 0x0B || lo[0] != 0xF5 {
		t.Errorf("read %02x %02x, want 0b f5", hi[0], lo[0])
	}
	if again[0] != 0xF5 {
		t.Errorf("empty queue gave %02x, want the last byte", again[0])
	}
}

func TestADCChannelsAreInverted(t *testing.T) {
	r := booted(t)
	for channel := range 8 {
		got, err := r.adc(channel)
		if want := r.analog + uint16(channel); err != nil || got != want {
			t.Errorf("channel %d = %d, %v; want %d", channel, got, err, want)
		}
	}
}

func TestEmptyQueue(t *testing.T) {
	for empty, want := range map[hat.Empty]byte{hat.Repeat: 0, hat.Zeros: 0, hat.Ones: 0xFF} {
		p := hat.Default()
		p.Empty = empty
		r := newRig(t, p)
		r.clock.pass(p.Boot)
		var x [1]byte
		if err := r.Tx(0x14, nil, x[:]); err != nil || x[0] != want {
			t.Errorf("mode %d: %02x, %v; want %02x", empty, x[0], err, want)
		}
	}
}

func TestDesyncLastsUntilReset(t *testing.T) {
	for _, sticky := range []bool{true, false} {
		t.Run(fmt.Sprint("sticky ", sticky), func(t *testing.T) {
			p := hat.Default()
			p.StickyDesync = sticky
			r := newRig(t, p, hat.Fault{Kind: hat.Desync, Count: 1})
			r.clock.pass(p.Boot)
			r.send(t, [3]byte{0x43, 0, 9}, [3]byte{0x47, 0x0F, 0xFF}, [3]byte{0x2C, 0x0F, 0xFF})
			if moved := r.outputs().Duty[12] > 0; moved == sticky {
				t.Errorf("motor turning: %v after one lost byte", moved)
			}
			resetPulse(t, r)
			r.send(t, [3]byte{0x43, 0, 9}, [3]byte{0x47, 0x0F, 0xFF}, [3]byte{0x2C, 0x0F, 0xFF})
			if r.outputs().Duty[12] == 0 {
				t.Error("still out of step after a reset")
			}
		})
	}
}

func resetPulse(t *testing.T, r *rig) {
	t.Helper()
	for _, high := range []bool{false, true} {
		if err := r.wire.Reset.Set(high); err != nil {
			t.Fatal(err)
		}
		r.clock.pass(10 * ms)
	}
	r.clock.pass(hat.Default().Boot)
}

func TestResetLine(t *testing.T) {
	r := booted(t)
	r.send(t, [3]byte{0x43, 0, 9}, [3]byte{0x47, 0x0F, 0xFF}, [3]byte{0x2D, 0x0F, 0xFF})
	_ = r.wire.LeftDir.Set(true)
	if r.outputs().Duty[13] == 0 {
		t.Fatal("the motor does not turn")
	}
	_ = r.wire.Reset.Set(false)
	out := r.outputs()
	if out.Duty[13] != 0 || !out.Left {
		t.Errorf("held in reset: duty %v, left line %v; want 0 and unchanged", out.Duty[13], out.Left)
	}
	var x [1]byte
	if got := text(r.Tx(0x14, nil, x[:])); got != nacked {
		t.Errorf("held in reset: %q, want a refusal", got)
	}
	r.clock.pass(time.Second)
	_ = r.wire.Reset.Set(true)
	r.clock.pass(50 * ms)
	if got := text(r.Tx(0x14, nil, x[:])); got != nacked {
		t.Errorf("50 ms after reset: %q, want a refusal until 100 ms", got)
	}
	r.clock.pass(50 * ms)
	if err := r.Tx(0x14, nil, x[:]); err != nil {
		t.Errorf("100 ms after reset: %v", err)
	}
	if r.outputs().Duty[13] != 0 {
		t.Error("the duty survived the reset")
	}
}

func TestNoWatchdog(t *testing.T) {
	r := booted(t)
	r.send(t, [3]byte{0x43, 0, 9}, [3]byte{0x47, 0x0F, 0xFF}, [3]byte{0x2D, 0x0F, 0xFF})
	r.clock.pass(24 * time.Hour)
	if r.outputs().Duty[13] == 0 {
		t.Error("the motor stopped by itself")
	}
}

func TestWireTime(t *testing.T) {
	tests := []struct {
		name  string
		clock int
		w, r  int
		want  time.Duration
	}{
		{"write at 100 kHz", 100_000, 3, 0, 380 * time.Microsecond},
		{"read at 100 kHz", 100_000, 0, 1, 200 * time.Microsecond},
		{"write at 400 kHz", 400_000, 3, 0, 95 * time.Microsecond},
		{"read at 400 kHz", 400_000, 0, 1, 50 * time.Microsecond},
		{"both, joined", 100_000, 3, 2, 660 * time.Microsecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := hat.Default()
			p.Clock, p.Overhead = tt.clock, 70*time.Microsecond
			r := newRig(t, p)
			r.clock.pass(p.Boot)
			before := r.clock.now
			if err := r.Tx(0x14, make([]byte, tt.w), make([]byte, tt.r)); err != nil {
				t.Fatal(err)
			}
			if got := r.clock.now - before - p.Overhead; got != tt.want {
				t.Errorf("took %v, want %v", got, tt.want)
			}
		})
	}
}

func TestTxDoesNotAllocate(t *testing.T) {
	r := booted(t, hat.Fault{Kind: hat.Nack, Probability: 0.5})
	w, x := []byte{0x17, 0, 0}, make([]byte, 1)
	var bus any = r.Board // as the driver holds it
	tx := bus.(interface {
		Tx(uint16, []byte, []byte) error
	})
	n := testing.AllocsPerRun(1000, func() {
		_ = tx.Tx(0x14, w, nil)
		_ = tx.Tx(0x14, nil, x)
	})
	if n != 0 {
		t.Errorf("%v allocations per transaction pair", n)
	}
}

func Example() {
	clock := &stepped{}
	board, err := hat.New(hat.Default(), clock, hat.Plant{
		Advance: func(time.Duration, *hat.Outputs, float64) float64 { return 7.4 },
		Analog:  func(int, time.Duration) uint16 { return 3061 },
		Range:   func(int, time.Duration) (float64, bool) { return 0.5, true },
	}, []int{0}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	clock.SleepUntil(100 * ms) // the controller boots
	var hi, lo [1]byte
	_ = board.Tx(0x14, []byte{0x13, 0, 0}, nil) // convert channel 4, the battery
	_ = board.Tx(0x14, nil, hi[:])
	_ = board.Tx(0x14, nil, lo[:])
	raw := int(hi[0])<<8 | int(lo[0])
	fmt.Printf("%.2f V after %v\n", float64(raw)*3.3/4095*3, clock.now-100*ms)
	// Output: 7.40 V after 1.02ms
}
