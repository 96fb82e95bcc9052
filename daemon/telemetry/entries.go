package telemetry

import (
	"hash/crc32"
	"sync/atomic"
	"unsafe"
)

// entries are the elements of one section in a writer's memory: two of the newest
// value, or the ring's. Element n goes to entry n modulo their number, so that a
// writer that dies at an element leaves the one before whole.
type entries[T any] struct {
	counter *atomic.Uint64 // elements written
	memory  []byte
	stride  int
	count   uint64
}

// newEntries lays the entries over a mapped file.
func newEntries[T any](memory []byte, s *section) entries[T] {
	end := s.Offset + uint64(s.Stride)*uint64(s.Count)
	return entries[T]{
		counter: (*atomic.Uint64)(unsafe.Pointer(&memory[s.Counts])),
		memory:  memory[s.Offset:end:end], stride: int(s.Stride), count: uint64(s.Count),
	}
}

// put writes an element whole and then says that it is there. One goroutine may
// call it; readers never hold it up. It allocates nothing.
//
// A reader copies the counter, the entry and the element, and believes the copy if
// the entry's number is the counter's and its sum that of the bytes: so it needs no
// order between the processor's stores, only the counter's own atomicity.
func (s *entries[T]) put(v *T) {
	n := s.counter.Load() + 1
	at := s.memory[int(n%s.count)*s.stride:][:s.stride]
	h := (*entry)(unsafe.Pointer(unsafe.SliceData(at)))
	h.Index, h.Size = 0, uint32(unsafe.Sizeof(*v)) // from here on it is nobody's
	h.Sum = sumOf(n, bytesOf(v))
	copy(at[entryHead:], bytesOf(v))
	h.Index = n
	s.counter.Store(n)
}

// entryHead is the size of an entry's header in bytes.
const entryHead = int(unsafe.Sizeof(entry{}))

// sumOf returns the sum of an element and its number. Each number shifts it: an
// element never passes for another one.
func sumOf(n uint64, element []byte) uint32 {
	return crc32.Update(uint32(n)*0x9e3779b1, castagnoli, element)
}
