package recording

import (
	"math"
	"reflect"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// A message is a struct type as protocol buffers have it: its numbered members. A tag
// `pb:"7"` gives a member another number than its place, `pb:"wheel"` another name than
// the Go field's, `pb:"-"` leaves it out.
type message struct {
	of      reflect.Type
	members []member
	scratch []byte // of nested messages while they are encoded
}

// A member is one field of a message.
type member struct {
	number protowire.Number
	name   string // as the schema has it
	index  int    // of the struct's field
	many   bool   // an array or a slice
	kind   reflect.Kind
	sub    *message // of structs
}

// newMessage takes a struct type apart. It refuses what has no place in a recording:
// pointers, maps, interfaces. All types are of this program, so that a refusal is a
// mistake in it, found by the first test run.
func newMessage(t reflect.Type) *message {
	m := &message{of: t}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("pb")
		if tag == "-" {
			continue
		}
		b := member{number: protowire.Number(i + 1), name: snake(f.Name), index: i, kind: f.Type.Kind()}
		if number, err := strconv.ParseInt(tag, 10, 32); err == nil {
			b.number = protowire.Number(number)
		} else if tag != "" {
			b.name = tag
		}
		of := f.Type
		if b.kind == reflect.Array || b.kind == reflect.Slice {
			of = f.Type.Elem()
			if b.kind != reflect.Slice || of.Kind() != reflect.Uint8 { // a slice of bytes is one value
				b.many, b.kind = true, of.Kind()
			}
		}
		switch b.kind {
		case reflect.Struct:
			b.sub = newMessage(of)
		case reflect.Pointer, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan:
			panic("recording: " + t.Name() + "." + f.Name + " cannot be recorded")
		}
		m.members = append(m.members, b)
	}
	return m
}

// snake returns a Go name as protocol buffers write it.
func snake(name string) string {
	var out []byte
	for i := range len(name) {
		c := name[i]
		if c >= 'A' && c <= 'Z' {
			if i > 0 && (name[i-1] < 'A' || name[i-1] > 'Z') {
				out = append(out, '_')
			}
			c += 'a' - 'A'
		}
		out = append(out, c)
	}
	return string(out)
}

// append adds the struct's members to data. A zero scalar is not written, as protocol
// buffers do; a negative zero and a NaN keep their bits.
func (m *message) append(data []byte, v reflect.Value) []byte {
	for i := range m.members {
		b := &m.members[i]
		f := v.Field(b.index)
		switch {
		case b.many && b.sub != nil:
			for j := range f.Len() {
				data = b.nested(data, f.Index(j))
			}
		case b.many:
			data = b.packed(data, f)
		case b.sub != nil:
			data = b.nested(data, f)
		default:
			if word, zero := b.zero(f); !zero {
				data = protowire.AppendTag(data, b.number, wireType(b.kind))
				data = b.scalar(data, f, word)
			}
		}
	}
	return data
}

// nested adds a message within the message.
func (b *member) nested(data []byte, v reflect.Value) []byte {
	b.sub.scratch = b.sub.append(b.sub.scratch[:0], v)
	data = protowire.AppendTag(data, b.number, protowire.BytesType)
	return protowire.AppendBytes(data, b.sub.scratch)
}

// packed adds a row of scalars, nothing where all are zero.
func (b *member) packed(data []byte, v reflect.Value) []byte {
	var row []byte
	some := false
	for i := range v.Len() {
		word, zero := b.zero(v.Index(i))
		some = some || !zero
		row = b.scalar(row, v.Index(i), word)
	}
	if !some {
		return data
	}
	data = protowire.AppendTag(data, b.number, protowire.BytesType)
	return protowire.AppendBytes(data, row)
}

// zero returns the bits of a scalar and whether it is the one that is not written.
func (b *member) zero(v reflect.Value) (word uint64, zero bool) {
	switch {
	case b.kind == reflect.String || b.kind == reflect.Slice:
		return 0, v.Len() == 0
	case b.kind == reflect.Bool && v.Bool():
		word = 1
	case b.kind == reflect.Bool:
	case v.CanInt():
		word = uint64(v.Int())
	case v.CanUint():
		word = v.Uint()
	case b.kind == reflect.Float32:
		word = uint64(math.Float32bits(float32(v.Float())))
	default:
		word = math.Float64bits(v.Float())
	}
	return word, word == 0
}

// scalar adds a value without its tag.
func (b *member) scalar(data []byte, v reflect.Value, word uint64) []byte {
	switch b.kind {
	case reflect.String:
		return protowire.AppendString(data, v.String())
	case reflect.Slice:
		return protowire.AppendBytes(data, v.Bytes())
	case reflect.Float32:
		return protowire.AppendFixed32(data, uint32(word))
	case reflect.Float64:
		return protowire.AppendFixed64(data, word)
	}
	return protowire.AppendVarint(data, word)
}

// wireType returns how a kind lies on the wire.
func wireType(k reflect.Kind) protowire.Type {
	switch k {
	case reflect.Float32:
		return protowire.Fixed32Type
	case reflect.Float64:
		return protowire.Fixed64Type
	case reflect.String, reflect.Slice, reflect.Struct:
		return protowire.BytesType
	}
	return protowire.VarintType
}
