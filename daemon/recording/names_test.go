package recording

import (
	"reflect"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// TestNames: what a recording calls things does not follow the names of the Go fields and
// types, so that a recording of any build is read by any other.
func TestNames(t *testing.T) {
	schema, err := newMessage(reflect.TypeFor[Tick]()).schema()
	if err != nil {
		t.Fatal(err)
	}
	tick, err := parseSchema(schema, "fieldbrain.Tick")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[protoreflect.Name]bool{}
	for _, path := range [][]protoreflect.Name{
		{"heard", "state", "wheel"},
		{"heard", "state", "steering"},
		{"heard", "state", "range", "beyond"},
		{"heard", "state", "range", "told"},
		{"heard", "wheel", "hand"},
		{"heard", "setting", "dial"},
		{"told", "data"},
		{"told", "nominal"},
	} {
		at := tick
		for i, name := range path {
			f := at.Fields().ByName(name)
			if f == nil {
				t.Fatalf("no %v in %s", path, at.FullName())
			}
			if i < len(path)-1 {
				at = f.Message()
				kinds[at.Name()] = true
			}
		}
	}
	for _, kind := range []protoreflect.Name{"Heard", "State", "Reading", "Wheel", "Command"} {
		if !kinds[kind] {
			t.Errorf("no message %s among %v", kind, kinds)
		}
	}
}
