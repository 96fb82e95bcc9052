package recording

import (
	"fmt"
	"reflect"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// fullName returns the name of a message: the well-known one, such as that of Foxglove's
// schemas for the shapes of this package, else fieldbrain's own, after the Go type.
func fullName(t reflect.Type) string {
	if in, is := wellKnown[t]; is {
		return in
	}
	return "fieldbrain." + t.Name()
}

// schema returns a message as a FileDescriptorSet with everything that it is made of,
// as MCAP wants the schemas of protocol buffers.
func (m *message) schema() ([]byte, error) {
	files := map[string]*descriptorpb.FileDescriptorProto{}
	seen := map[reflect.Type]bool{}
	var order []string
	describe(m, files, seen, &order)
	set := &descriptorpb.FileDescriptorSet{}
	for _, pkg := range order {
		set.File = append(set.File, files[pkg])
	}
	return proto.MarshalOptions{Deterministic: true}.Marshal(set)
}

// describe adds a message and those within it to the files of their packages; order
// lists the packages such that each comes behind those it needs.
func describe(m *message, files map[string]*descriptorpb.FileDescriptorProto, seen map[reflect.Type]bool, order *[]string) {
	if seen[m.of] {
		return
	}
	seen[m.of] = true
	pkg, name := cut(fullName(m.of))
	d := &descriptorpb.DescriptorProto{Name: proto.String(name)}
	var needs []string
	for _, b := range m.members {
		f := &descriptorpb.FieldDescriptorProto{
			Name: proto.String(b.name), Number: proto.Int32(int32(b.number)), Type: protoType(b.kind).Enum(),
			Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
		}
		if b.many {
			f.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
		}
		if b.sub != nil {
			describe(b.sub, files, seen, order)
			of := fullName(b.sub.of)
			f.TypeName = proto.String("." + of)
			if other, _ := cut(of); other != pkg {
				needs = append(needs, other)
			}
		}
		d.Field = append(d.Field, f)
	}
	file := files[pkg]
	if file == nil {
		file = &descriptorpb.FileDescriptorProto{
			Name: proto.String(fileName(pkg)), Package: proto.String(pkg), Syntax: proto.String("proto3"),
		}
		files[pkg] = file
		*order = append(*order, pkg)
	}
	for _, n := range needs {
		if name := fileName(n); !contains(file.Dependency, name) {
			file.Dependency = append(file.Dependency, name)
		}
	}
	file.MessageType = append(file.MessageType, d)
}

func contains(list []string, s string) bool {
	for _, have := range list {
		if have == s {
			return true
		}
	}
	return false
}

// cut splits a full name into package and name.
func cut(full string) (pkg, name string) {
	at := strings.LastIndexByte(full, '.')
	return full[:at], full[at+1:]
}

// fileName returns the file in which a package's messages stand.
func fileName(pkg string) string { return strings.ReplaceAll(pkg, ".", "/") + ".proto" }

// protoType returns the type of a kind in a schema.
func protoType(k reflect.Kind) descriptorpb.FieldDescriptorProto_Type {
	switch k {
	case reflect.Bool:
		return descriptorpb.FieldDescriptorProto_TYPE_BOOL
	case reflect.Int32:
		return descriptorpb.FieldDescriptorProto_TYPE_INT32
	case reflect.Int, reflect.Int64, reflect.Int16, reflect.Int8:
		return descriptorpb.FieldDescriptorProto_TYPE_INT64
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return descriptorpb.FieldDescriptorProto_TYPE_UINT32
	case reflect.Uint, reflect.Uint64:
		return descriptorpb.FieldDescriptorProto_TYPE_UINT64
	case reflect.Float32:
		return descriptorpb.FieldDescriptorProto_TYPE_FLOAT
	case reflect.Float64:
		return descriptorpb.FieldDescriptorProto_TYPE_DOUBLE
	case reflect.String:
		return descriptorpb.FieldDescriptorProto_TYPE_STRING
	case reflect.Slice:
		return descriptorpb.FieldDescriptorProto_TYPE_BYTES
	}
	return descriptorpb.FieldDescriptorProto_TYPE_MESSAGE
}

// parseSchema returns the message of a name in a FileDescriptorSet.
func parseSchema(data []byte, name string) (protoreflect.MessageDescriptor, error) {
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(data, set); err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	d, err := files.FindDescriptorByName(protoreflect.FullName(name))
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	m, is := d.(protoreflect.MessageDescriptor)
	if !is {
		return nil, fmt.Errorf("schema %s: it is no message", name)
	}
	return m, nil
}
