package recording_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"pgregory.net/rapid"

	"fieldbrain/daemon/recording"
	"fieldbrain/testbench/tier"
)

// random fills every number of a struct that is recorded.
func random(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			random(t, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			random(t, v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Float32:
		special := rapid.SampledFrom([]float32{0, float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(1)), math.SmallestNonzeroFloat32})
		v.SetFloat(float64(rapid.OneOf(special, rapid.Float32()).Draw(t, "float32")))
	case reflect.Float64:
		special := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(-1)})
		v.SetFloat(rapid.OneOf(special, rapid.Float64()).Draw(t, "float64"))
	default:
		if v.CanInt() {
			v.SetInt(rapid.Int64Range(math.MinInt64>>(64-v.Type().Bits()), math.MaxInt64>>(64-v.Type().Bits())).Draw(t, "int"))
		} else {
			v.SetUint(rapid.Uint64Range(0, math.MaxUint64>>(64-v.Type().Bits())).Draw(t, "uint"))
		}
	}
}

// same reports whether two structs hold the same bits; NaN is NaN.
func same(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	}
	return a.Interface() == b.Interface()
}

// head begins every file of these tests.
func head() *recording.Head {
	return &recording.Head{Program: "test", Setup: []byte(`{"a": 1}`), Brain: []byte("mind"), Epoch: 1e18, Facts: map[string]string{"engine": "none"}}
}

// file writes ticks numbered from 0 and returns the file.
func file(t testing.TB, ticks int, change func(e *recording.Entry)) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := recording.NewWriter(&b, head())
	if err != nil {
		t.Fatal(err)
	}
	for i := range ticks {
		var e recording.Entry
		e.Input.Tick, e.Input.Now, e.Drawn = uint64(i), 5e6, i%40 == 0
		e.Input.State.Range[0].Value, e.Answer = float32(i), uint64(i)*0x9E3779B97F4A7C15
		if change != nil {
			change(&e)
		}
		if err := w.Write(&e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read returns how many ticks a file has and how it ends.
func read(data []byte) (ticks int, err error) {
	r, err := recording.NewReader(bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	defer r.Close()
	var tick recording.Tick
	for {
		if err := r.Next(&tick); err != nil {
			return ticks, err
		}
		if n := uint64(ticks); tick.Input.Tick != n || tick.Input.State.Range[0].Value != float32(n) || tick.Answer != n*0x9E3779B97F4A7C15 {
			return -1, errors.New("another tick than was written")
		}
		ticks++
	}
}

// TestReturns: whatever enters a tick comes back from the file with all its bits, and so
// does what the brain began with.
func TestReturns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var e recording.Entry
		random(t, reflect.ValueOf(&e.Tick).Elem())
		var b bytes.Buffer
		w, err := recording.NewWriter(&b, head())
		if err == nil {
			err = errors.Join(w.Write(&e), w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		r, err := recording.NewReader(&b)
		if err != nil {
			t.Fatal(err)
		}
		var got recording.Tick
		if err := r.Next(&got); err != nil {
			t.Fatal(err)
		}
		if !same(reflect.ValueOf(got), reflect.ValueOf(e.Tick)) {
			t.Fatalf("read\n%+v\nwrote\n%+v", got, e.Tick)
		}
		if err := r.Next(&got); err != io.EOF {
			t.Fatalf("behind the last tick: %v", err)
		}
		if h := r.Head; h.Program != "test" || string(h.Setup) != `{"a": 1}` || string(h.Brain) != "mind" || h.Epoch != 1e18 || h.Facts["engine"] != "none" || len(r.Differ) > 0 {
			t.Fatalf("head %+v, differ %v", h, r.Differ)
		}
	})
}

// messages returns what the schemas of a file describe.
func messages(t *testing.T, schemas map[uint16]*mcap.Schema) map[uint16]protoreflect.MessageDescriptor {
	t.Helper()
	types := map[uint16]protoreflect.MessageDescriptor{}
	for id, s := range schemas {
		set := &descriptorpb.FileDescriptorSet{}
		if err := proto.Unmarshal(s.Data, set); err != nil {
			t.Fatal(err)
		}
		files, err := protodesc.NewFiles(set)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		d, err := files.FindDescriptorByName(protoreflect.FullName(s.Name))
		if err != nil {
			t.Fatal(err)
		}
		types[id] = d.(protoreflect.MessageDescriptor)
	}
	return types
}

// TestForeignReader reads a file with the library's reader by its index, and its ticks
// with Google's protocol buffers by the schema in the file: neither knows this program.
func TestForeignReader(t *testing.T) {
	data := file(t, 500, func(e *recording.Entry) { e.Input.State.Range[0].OK = true })
	r, err := mcap.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	info, err := r.Info()
	if err != nil {
		t.Fatal(err)
	}
	if info.Statistics.MessageCount < 500 || len(info.AttachmentIndexes) != 2 || len(info.ChunkIndexes) == 0 {
		t.Errorf("index: %+v", info.Statistics)
	}
	types := messages(t, info.Schemas)
	seen := map[string]int{}
	it, err := r.Messages(mcap.UsingIndex(true))
	if err != nil {
		t.Fatal(err)
	}
	err = mcap.Range(it, func(s *mcap.Schema, c *mcap.Channel, m *mcap.Message) error {
		seen[c.Topic]++
		d := dynamicpb.NewMessage(types[s.ID])
		if err := proto.Unmarshal(m.Data, d); err != nil {
			return err
		}
		if len(d.GetUnknown()) > 0 {
			t.Errorf("%s: %d bytes that its schema does not know", c.Topic, len(d.GetUnknown()))
		}
		if c.Topic != "/fieldbrain/tick" {
			return nil
		}
		get := func(m protoreflect.Message, name string) protoreflect.Value {
			return m.Get(m.Descriptor().Fields().ByName(protoreflect.Name(name)))
		}
		heard := get(d, "heard").Message()
		front := get(get(heard, "state").Message(), "range").List().Get(0).Message()
		if n := get(heard, "tick").Uint(); get(front, "value").Float() != float64(n) || !get(front, "ok").Bool() {
			t.Errorf("tick %d has the front range %v", n, get(front, "value"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for topic, least := range map[string]int{"/fieldbrain/tick": 500, "/pose": 1, "/ranges": 1, "/field/channels": 13, "/field/obstacles": 13, "/log": 1} {
		if seen[topic] < least {
			t.Errorf("%d messages of %s, want %d or more", seen[topic], topic, least)
		}
	}
}

// TestBlank: what a power cut leaves is a recording cut short, what is no recording is
// foreign.
func TestBlank(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"no byte", nil, recording.ErrCut},
		{"zeros for bytes", make([]byte, 4096), recording.ErrCut},
		{"half a magic", []byte("\x89MCA"), recording.ErrCut},
		{"text", []byte("a text that is longer than a magic"), recording.ErrForeign},
	} {
		if _, err := recording.NewReader(bytes.NewReader(c.data)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// TestCut: a file that ends anywhere gives every tick of its whole blocks, in order, and
// then says that it is cut; it never gives a wrong tick.
func TestCut(t *testing.T) {
	tier.Alone(t, "one goroutine reads")
	data := file(t, 1500, nil)
	last, steps := 0, 0
	for n := 0; n < len(data); n += 1 + len(data)/400 {
		ticks, err := read(data[:n])
		if !errors.Is(err, recording.ErrCut) {
			t.Fatalf("%d of %d bytes: %d ticks, then %v", n, len(data), ticks, err)
		}
		if ticks < last {
			t.Fatalf("%d bytes give %d ticks, fewer gave %d", n, ticks, last)
		}
		if ticks > last {
			last, steps = ticks, steps+1
		}
	}
	if last < 1200 || steps < 3 {
		t.Errorf("the last cut gives %d of 1500 ticks, in %d steps", last, steps)
	}
	if ticks, err := read(data); ticks != 1500 || err != io.EOF {
		t.Errorf("the whole file gives %d ticks, then %v", ticks, err)
	}
}

// TestDamaged: a flipped bit is found, or does no harm; no tick before it changes.
func TestDamaged(t *testing.T) {
	tier.Alone(t, "one goroutine reads")
	data := file(t, 300, nil)
	found := 0
	for n := 9; n < len(data); n += 1 + len(data)/500 {
		bad := bytes.Clone(data)
		bad[n] ^= 1 << (n % 8)
		if ticks, err := read(bad); err != io.EOF || ticks != 300 {
			found++
			if ticks < 0 || ticks > 300 {
				t.Errorf("byte %d: %d ticks, %v", n, ticks, err)
			}
		}
	}
	if found < 100 { // what is left is the index at the end, which a Reader does not need
		t.Errorf("%d of 500 damaged files were found out", found)
	}
}
