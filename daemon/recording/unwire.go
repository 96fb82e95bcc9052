package recording

import (
	"fmt"
	"math"
	"reflect"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A decoder reads messages of a schema into a struct of this program, member by member
// of the same name: the recording may be another version's.
type decoder struct {
	targets map[protowire.Number]*target
}

// A target is where one numbered field goes.
type target struct {
	member
	sub *decoder
}

// newDecoder matches a file's schema with a struct. missing lists the members that the
// file does not have, which stay zero, and those that this program does not know.
func newDecoder(d protoreflect.MessageDescriptor, m *message, path string) (dec *decoder, differ []string) {
	dec = &decoder{targets: map[protowire.Number]*target{}}
	known := 0
	for i := range m.members {
		b := m.members[i]
		f := d.Fields().ByName(protoreflect.Name(b.name))
		if f == nil {
			differ = append(differ, path+b.name+" is not in the file")
			continue
		}
		known++
		if !suits(f, &b) {
			differ = append(differ, path+b.name+" is of another type in the file")
			continue
		}
		b.number = f.Number()
		t := &target{member: b}
		if b.sub != nil {
			var more []string
			t.sub, more = newDecoder(f.Message(), b.sub, path+b.name+".")
			differ = append(differ, more...)
		}
		dec.targets[b.number] = t
	}
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		if dec.targets[f.Number()] == nil && known < d.Fields().Len() {
			differ = append(differ, path+string(f.Name())+" is not known to this program")
		}
	}
	return dec, differ
}

// suits reports whether a field of the schema has the member's type.
func suits(f protoreflect.FieldDescriptor, b *member) bool {
	if f.IsList() != b.many {
		return false
	}
	if b.sub != nil {
		return f.Message() != nil
	}
	return f.Kind() == protoreflect.Kind(protoType(b.kind))
}

// decode fills a struct, which is zero, from a message.
func (d *decoder) decode(data []byte, v reflect.Value) error {
	at := map[protowire.Number]int(nil) // places reached in arrays of messages
	for len(data) > 0 {
		number, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		t := d.targets[number]
		if t == nil {
			if n = protowire.ConsumeFieldValue(number, kind, data); n < 0 {
				return protowire.ParseError(n)
			}
			data = data[n:]
			continue
		}
		f := v.Field(t.index)
		var err error
		switch {
		case t.many && t.sub != nil:
			if at == nil {
				at = map[protowire.Number]int{}
			}
			i := at[number]
			at[number]++
			n, err = t.element(data, kind, f, i)
		case t.many:
			n, err = t.row(data, kind, f)
		case t.sub != nil:
			n, err = t.message(data, kind, f)
		default:
			n, err = t.value(data, kind, f)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		data = data[n:]
	}
	return nil
}

// message reads a nested message.
func (t *target) message(data []byte, kind protowire.Type, v reflect.Value) (int, error) {
	if kind != protowire.BytesType {
		return 0, fmt.Errorf("wire type %d is no message", kind)
	}
	body, n := protowire.ConsumeBytes(data)
	if n < 0 {
		return 0, protowire.ParseError(n)
	}
	return n, t.sub.decode(body, v)
}

// element reads the next of several messages.
func (t *target) element(data []byte, kind protowire.Type, v reflect.Value, i int) (int, error) {
	if v.Kind() == reflect.Slice {
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		i = v.Len() - 1
	}
	if i >= v.Len() {
		return 0, fmt.Errorf("more than the %d that there can be", v.Len())
	}
	return t.message(data, kind, v.Index(i))
}

// row reads packed scalars.
func (t *target) row(data []byte, kind protowire.Type, v reflect.Value) (int, error) {
	if kind != protowire.BytesType {
		return 0, fmt.Errorf("wire type %d is no packed row", kind)
	}
	body, whole := protowire.ConsumeBytes(data)
	if whole < 0 {
		return 0, protowire.ParseError(whole)
	}
	for i := 0; len(body) > 0; i++ {
		if v.Kind() == reflect.Slice {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		}
		if i >= v.Len() {
			return 0, fmt.Errorf("more than the %d that there can be", v.Len())
		}
		n, err := t.value(body, wireType(t.kind), v.Index(i))
		if err != nil {
			return 0, err
		}
		body = body[n:]
	}
	return whole, nil
}

// value reads one scalar.
func (t *target) value(data []byte, kind protowire.Type, v reflect.Value) (n int, err error) {
	if kind != wireType(t.kind) {
		return 0, fmt.Errorf("wire type %d is not that of %v", kind, t.kind)
	}
	var word uint64
	switch kind {
	case protowire.Fixed32Type:
		var w uint32
		w, n = protowire.ConsumeFixed32(data)
		word = uint64(w)
	case protowire.Fixed64Type:
		word, n = protowire.ConsumeFixed64(data)
	case protowire.BytesType:
		var body []byte
		if body, n = protowire.ConsumeBytes(data); n >= 0 {
			if t.kind == reflect.String {
				v.SetString(string(body))
			} else {
				v.SetBytes(append([]byte(nil), body...))
			}
		}
	default:
		word, n = protowire.ConsumeVarint(data)
	}
	if n < 0 {
		return 0, protowire.ParseError(n)
	}
	switch {
	case t.kind == reflect.Bool:
		v.SetBool(word != 0)
	case v.CanInt():
		v.SetInt(int64(word))
	case v.CanUint():
		v.SetUint(word)
	case t.kind == reflect.Float32:
		*v.Addr().Interface().(*float32) = math.Float32frombits(uint32(word))
	case t.kind == reflect.Float64:
		v.SetFloat(math.Float64frombits(word))
	}
	return n, nil
}
