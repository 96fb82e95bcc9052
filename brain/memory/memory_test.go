package memory_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"testing"
	"time"

	"fieldbrain/brain"
	"fieldbrain/brain/memory"
	"fieldbrain/field"
)

var table = field.PiCarX()

// full returns a snapshot in which no number is zero and every one is legal.
func full(t testing.TB) *memory.Snapshot {
	t.Helper()
	s := memory.New(&table)
	for section, values := range s.Field {
		for i := range values {
			values[i] = float32(i%1000+section)/1e6 + 1e-6
		}
	}
	clear(s.Field[field.LibrarySection]) // no patterns
	var learned field.Predictor
	for i := range learned.W {
		learned.W[i] = float32(i) * 1e-5
	}
	learned.Store(s.Field[field.PredictorSection])
	s.Brain = brain.State{Tick: 4711, Speed: 0.25, Throttle: -1, LineFound: true}
	s.Header = memory.Header{
		Body: "sim", Program: "v1", Engine: "cpu/purego/collapsed/1", Shape: 1, Constants: 2, Calibration: 3,
		Period: 5 * time.Millisecond, Key: 7, Tick: 4711, Saved: time.Unix(1_800_000_000, 5),
	}
	s.Whole = true
	return s
}

func encoded(t testing.TB, s *memory.Snapshot) []byte {
	t.Helper()
	data, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// same fails where two snapshots differ in anything.
func same(t *testing.T, got, want *memory.Snapshot) {
	t.Helper()
	if got.Header != want.Header || got.Brain != want.Brain || got.Whole != want.Whole {
		t.Errorf("got %+v %+v, want %+v %+v", got.Header, got.Brain, want.Header, want.Brain)
	}
	for section := range want.Field {
		a, b := got.Field[section], want.Field[section]
		if len(a) != len(b) {
			t.Errorf("section %d has %d values, want %d", section, len(a), len(b))
			continue
		}
		for i := range a {
			if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
				t.Fatalf("section %d: value %d is %v, want %v", section, i, a[i], b[i])
			}
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for _, flags := range [][2]bool{{false, false}, {true, false}, {false, true}} {
		want := full(t)
		want.Mixed, want.Stop = flags[0], flags[1]
		want.Field[0][0] = float32(math.Copysign(0, -1)) // bits, not values
		want.Field[1][0] = math.SmallestNonzeroFloat32
		got, err := memory.Decode(encoded(t, want), &table)
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, want)
	}
}

// TestLayout holds the bytes to the table in the package's comment.
func TestLayout(t *testing.T) {
	data := encoded(t, full(t))
	le := binary.LittleEndian
	for _, c := range []struct {
		what      string
		got, want uint64
	}{
		{"byte order", uint64(le.Uint32(data[8:])), 0x01020304},
		{"major", uint64(le.Uint16(data[12:])), memory.Major},
		{"length", le.Uint64(data[16:]), uint64(len(data))},
		{"sections", uint64(le.Uint32(data[24:])), 64 + 3},
		{"shape", le.Uint64(data[40:]), 1},
		{"period", le.Uint64(data[64:]), 5e6},
		{"tick", le.Uint64(data[80:]), 4711},
		{"checksum", uint64(le.Uint32(data[208:])), uint64(crc32.Checksum(data[:208], crc32.MakeTable(crc32.Castagnoli)))},
		{"length of channel 0", le.Uint64(data[212+24:]), uint64(4 * table[0].Mask.Cells())},
	} {
		if c.got != c.want {
			t.Errorf("%s is %#x, want %#x", c.what, c.got, c.want)
		}
	}
	if name := string(bytes.TrimRight(data[212:224], "\x00")); name != "channel" || string(data[:8]) != "fldbrain" {
		t.Errorf("magic %q, first section %q", data[:8], name)
	}
	if n := len(data); n > 1_050_000 { // 0.73 MB of cells, 0.18 MB of State
		t.Errorf("%d bytes: want distinct cells only", n)
	}
}

// places returns offsets in a file that lie in, at and around everything it is
// made of.
func places(t *testing.T, data []byte) (at []int) {
	t.Helper()
	f, err := memory.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 { // the header and the beginning of the first section
		at = append(at, i)
	}
	begin := 212
	for _, s := range f.Sections {
		for _, i := range []int{-1, 0, 1, 12, 16, 20, 24, 31, 32, 33, 32 + len(s.Content)/2} {
			at = append(at, begin+i)
		}
		begin += 32 + len(s.Content)
	}
	if begin != len(data) {
		t.Fatalf("sections end at %d of %d bytes", begin, len(data))
	}
	return append(at, begin-2, begin-1)
}

// TestEveryCutIsNoticed: of a file that lost its end nothing is believed.
func TestEveryCutIsNoticed(t *testing.T) {
	data := encoded(t, full(t))
	for _, k := range places(t, data) {
		if k >= len(data) {
			continue
		}
		if _, err := memory.Decode(data[:k], &table); !errors.Is(err, memory.ErrDamaged) {
			t.Fatalf("cut after %d of %d bytes: %v, want ErrDamaged", k, len(data), err)
		}
	}
	if _, err := memory.Decode(append(bytes.Clone(data), 0), &table); !errors.Is(err, memory.ErrDamaged) {
		t.Errorf("a byte too many: %v", err)
	}
}

// TestEveryFlipIsNoticed: neither is one with a changed bit.
func TestEveryFlipIsNoticed(t *testing.T) {
	data := encoded(t, full(t))
	for n, k := range places(t, data) {
		if k >= len(data) {
			continue
		}
		data[k] ^= 1 << (n % 8)
		if _, err := memory.Decode(data, &table); !errors.Is(err, memory.ErrDamaged) && !errors.Is(err, memory.ErrForeign) {
			t.Fatalf("a bit of byte %d flipped: %v", k, err)
		}
		data[k] ^= 1 << (n % 8)
	}
	if _, err := memory.Decode(data, &table); err != nil {
		t.Error(err)
	}
}

// remade decodes a full snapshot's file after a change to its sections.
func remade(t *testing.T, change func(f *memory.File)) (*memory.Snapshot, error) {
	t.Helper()
	f, err := memory.Parse(encoded(t, full(t)))
	if err != nil {
		t.Fatal(err)
	}
	change(f)
	return memory.Decode(f.Bytes(), &table)
}

// TestForeign: what another program wrote is refused with the reason.
func TestForeign(t *testing.T) {
	last := func(f *memory.File) *memory.Section { return &f.Sections[len(f.Sections)-1] }
	for _, c := range []struct {
		name, says string
		is         error
		change     func(f *memory.File)
	}{
		{"an unknown section", "dreams 3: not of this brain: this program knows no such section", memory.ErrForeign, func(f *memory.File) {
			f.Sections = append(f.Sections, memory.Section{Name: "dreams", Number: 3, Version: 1})
		}},
		{"a channel too many", "channel 64", memory.ErrForeign, func(f *memory.File) { f.Sections[3].Number = 64 }},
		{"a later brain", "brain: not of this brain: its version is 99", memory.ErrForeign, func(f *memory.File) { last(f).Version = 99 }},
		{"a longer channel", "channel 1", memory.ErrForeign, func(f *memory.File) {
			f.Sections[1].Content = append(bytes.Clone(f.Sections[1].Content), 0, 0, 0, 0)
		}},
		{"a short brain", "brain: damaged", memory.ErrDamaged, func(f *memory.File) { last(f).Content = last(f).Content[1:] }},
		{"a channel twice", "channel 4: damaged: it stands twice", memory.ErrDamaged, func(f *memory.File) { f.Sections[5] = f.Sections[4] }},
		{"a brain twice", "it stands twice", memory.ErrDamaged, func(f *memory.File) { f.Sections = append(f.Sections, *last(f)) }},
		{"a cell that is not a number", "channel 2: value 1 is NaN", memory.ErrDamaged, func(f *memory.File) {
			f.Sections[2].Content = bytes.Clone(f.Sections[2].Content)
			binary.LittleEndian.PutUint32(f.Sections[2].Content[4:], math.Float32bits(float32(math.NaN())))
		}},
	} {
		if _, err := remade(t, c.change); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

// TestAbsent: sections that a file does not have stay fresh.
func TestAbsent(t *testing.T) {
	s, err := remade(t, func(f *memory.File) { f.Sections = f.Sections[:3] })
	if err != nil || s.Whole || len(s.Field[2]) == 0 || len(s.Field[3]) != 0 {
		t.Errorf("whole %v, channels of %d and %d values, %v", s.Whole, len(s.Field[2]), len(s.Field[3]), err)
	}
}

// TestVersions: a later version says so, and its checksum is not asked for.
func TestVersions(t *testing.T) {
	for _, at := range []int{12, 14} {
		data := encoded(t, full(t))
		data[at]++
		if _, err := memory.Decode(data, &table); !errors.Is(err, memory.ErrForeign) || !strings.Contains(err.Error(), "use the program that wrote it") {
			t.Errorf("a later version: %v", err)
		}
	}
}

// TestNothingBadIsSaved: what could not be restored is not written.
func TestNothingBadIsSaved(t *testing.T) {
	for says, spoil := range map[string]func(s *memory.Snapshot){
		"channel 48: value 7 is NaN": func(s *memory.Snapshot) { s.Field[48][7] = float32(math.NaN()) },
		"channel 0: value 0 is +Inf": func(s *memory.Snapshot) { s.Field[0][0] = float32(math.Inf(1)) },
		"learned":                    func(s *memory.Snapshot) { s.Field[field.PredictorSection][field.PredictorCells-1] = -1 },
		"Speed":                      func(s *memory.Snapshot) { s.Brain.Speed = math.NaN() },
	} {
		s := full(t)
		spoil(s)
		if _, err := s.Encode(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func TestFit(t *testing.T) {
	running := full(t).Header
	for _, c := range []struct {
		name    string
		change  func(h *memory.Header)
		foreign bool
		learned bool
		notes   int
	}{
		{"the same", func(*memory.Header) {}, false, true, 0},
		{"another body", func(h *memory.Header) { h.Body = "picarx" }, true, false, 0},
		{"another shape", func(h *memory.Header) { h.Shape++ }, true, false, 0},
		{"another calibration", func(h *memory.Header) { h.Calibration++ }, false, false, 1},
		{"other constants", func(h *memory.Header) { h.Constants++ }, false, true, 1},
		{"another period and seed", func(h *memory.Header) { h.Period *= 2; h.Key++ }, false, true, 2},
		{"taken of the standby", func(h *memory.Header) { h.Mixed = true }, false, true, 1},
	} {
		h := running
		c.change(&h)
		fit, err := h.Fit(&running)
		if errors.Is(err, memory.ErrForeign) != c.foreign || fit.Learned != c.learned || len(fit.Notes) != c.notes {
			t.Errorf("%s: %+v, %v", c.name, fit, err)
		}
	}
}

// TestShape: what gives a number its meaning is in it, what moves numbers is in
// the constants, and the period and the seed are in neither.
func TestShape(t *testing.T) {
	base := field.Default()
	for _, c := range []struct {
		name             string
		change           func(p *field.Params)
		shape, constants bool
	}{
		{"nothing", func(*field.Params) {}, false, false},
		{"period and key", func(p *field.Params) { p.Period, p.Key = 9e6, 9 }, false, false},
		{"a time constant", func(p *field.Params) { p.Table[48].Tau++ }, false, true},
		{"a coupling", func(p *field.Params) { p.Couplings[0].Weight++ }, false, true},
		{"a mask", func(p *field.Params) { p.Table[9].Mask = field.X }, true, true},
		{"a name", func(p *field.Params) { p.Table[9].Name = "X" }, true, true},
	} {
		p := field.Default()
		c.change(&p)
		if got := memory.Shape(&p) != memory.Shape(&base); got != c.shape {
			t.Errorf("%s changes the shape: %v", c.name, got)
		}
		if got := memory.Constants(&p) != memory.Constants(&base); got != c.constants {
			t.Errorf("%s changes the constants: %v", c.name, got)
		}
	}
}

// FuzzDecode: no bytes make it panic, take memory that the file does not
// account for, or give a snapshot that cannot be saved again.
func FuzzDecode(f *testing.F) {
	whole := encoded(f, full(f))
	file, err := memory.Parse(whole)
	if err != nil {
		f.Fatal(err)
	}
	file.Sections = append(file.Sections[1:2:2], file.Sections[len(file.Sections)-1])
	small := file.Bytes() // a channel of one axis and a brain
	f.Add(small)
	f.Add(small[:100])
	file.Sections = nil
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, mend := range []bool{false, true} {
			if mend {
				data = mended(data)
			}
			s, err := memory.Decode(data, &table)
			if err != nil {
				if !errors.Is(err, memory.ErrDamaged) && !errors.Is(err, memory.ErrForeign) {
					t.Errorf("an error of no kind: %v", err)
				}
				continue
			}
			again, err := memory.Decode(encoded(t, s), &table)
			if err != nil {
				t.Fatal(err)
			}
			same(t, again, s)
		}
	})
}

// mended gives data right checksums and a right length as far as it is a file,
// so that what they guard is reached.
func mended(data []byte) []byte {
	data = bytes.Clone(data)
	if len(data) < 212 {
		return data
	}
	le, sum := binary.LittleEndian, crc32.MakeTable(crc32.Castagnoli)
	le.PutUint64(data[16:], uint64(len(data)))
	le.PutUint32(data[208:], crc32.Checksum(data[:208], sum))
	for at := 212; at+32 <= len(data); {
		n := le.Uint64(data[at+24:])
		if n > uint64(len(data)-at-32) {
			break
		}
		end := at + 32 + int(n)
		le.PutUint32(data[at+20:], crc32.Update(crc32.Checksum(data[at:at+20], sum), sum, data[at+24:end]))
		at = end
	}
	return data
}

func ExampleDecode() {
	s := memory.New(&table)
	s.Header = memory.Header{Body: "sim", Saved: time.Unix(0, 0)}
	s.Tick = 200
	data, err := s.Encode()
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := memory.Decode(data, &table)
	fmt.Println(back.Body, back.Tick, err)
	_, err = memory.Decode(data[:1000], &table)
	fmt.Println(err)
	// Output:
	// sim 200 <nil>
	// memory: damaged: it has 1000 bytes, its header says 817964
}
