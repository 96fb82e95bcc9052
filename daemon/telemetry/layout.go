package telemetry

import (
	"hash/crc32"
	"unsafe"

	"fieldbrain/field"
)

// Version is that of both files. Whoever moves, removes, reinterprets or appends a field
// raises it; a reader refuses every other, because it would find an older element too
// short. A new section does not change it: a reader finds sections by their kind.
const Version = 4

// The files' first bytes.
const (
	pageMagic = "FBPAGE\r\n"
	ringMagic = "FBRING\r\n"
)

// headerSize is where a file's first section begins, on a memory page of its own.
const headerSize = 4096

// Limits beyond which a reader believes no file.
const (
	maxSections = 32
	maxPage     = 16 << 20 // bytes
	maxRing     = 4 << 30  // bytes
	maxStride   = 8 << 20  // bytes of an element with its entry: twice the largest, a Still
)

// Kinds of sections.
const (
	kindTick      = 1 + iota // Newest, twice
	kindHistogram            // histogram, one per stream
	kindCar                  // Car, twice
	kindField                // Field, twice
	kindGround               // Ground, twice
	kindRecord               // Tick, as often as the ring is long
	kindSetup                // Setup, twice
	kindStill                // Still, three times
)

// A section says where a part of a file lies.
type section struct {
	Kind   uint32
	Stride uint32 // bytes from one element to the next
	Size   uint32 // bytes of an element, its entry header left out
	Count  uint32 // elements
	Offset uint64 // of the first element, from the file's start
	Counts uint64 // offset of the counter: elements written, or the sequence lock of histograms
}

// A header begins a file. It is written before the file gets its name and never
// again, but for Ended.
type header struct {
	Magic    [8]byte
	Version  uint32
	Header   uint32 // headerSize
	File     uint64 // bytes
	Sections uint32
	_        uint32
	Table    [maxSections]section

	PID     uint32
	Streams uint32    // how many, NumStreams
	Period  int64     // ns from release to release
	Wall    int64     // ns since 1970 when the file was made
	Mono    int64     // CLOCK_MONOTONIC at that instant; 0: the ticks have another clock
	Boot    [40]byte  // /proc/sys/kernel/random/boot_id
	Program [64]byte  // version of the program
	Body    [16]byte  // sim or picarx
	World   [64]byte  // name of the simulated one
	Names   [512]byte // of the streams, each ended by a zero
	Sum     uint32    // CRC-32C of everything above
	_       uint32
	Ended   int64 // ns since 1970 of an orderly end, 0 before; outside the sum
}

// An entry precedes every element that is written whole: a reader believes the
// element only if both agree with what it read.
type entry struct {
	Index uint64 // number of the element since the file was made, from 1
	Sum   uint32 // CRC-32C of Index and the element
	Size  uint32 // bytes of the element
}

// A Newest is the newest tick and the loop's counters.
type Newest struct {
	Ticks    uint64 // since the start, warm-up included
	Overruns uint64 // ticks not finished at the next release, warm-up excluded
	Dropped  uint64 // whole periods left out because of them
	Tick     Tick
}

// A Field is what the field is about, a few times a second, collected in some ticks.
type Field struct {
	Number   uint64                            // of the tick that ended it
	X        [field.Channels][field.Side]int32 // output of each channel over bearing, Q15
	Input    [field.Side]float32               // of HEADING
	Blocked  [field.Side]float32               // O(x), how blocked each bearing is
	Obstacle [field.Side * field.Side]float32  // obstacle map, bearing times 32 plus range
	Index    [3]float32                        // patterns that led, -1 where there are fewer
	Cosine   [3]float32                        // of their contexts
	Weight   [3]float32                        // of the blend
	Gate     float32                           // 0..1, how far they count
	Error    float32                           // mean absolute error of the last prediction
	Trust    float32                           // mean confidence in it
}

// groundSide is how many cells of 1/32 m the ground has along each axis.
const groundSide = 256

// A Ground is the belief about the floor around the car: what is surely occupied, and
// what is surely free. Everything else is unknown.
type Ground struct {
	Number      uint64  // of the tick that ended it
	West, South int32   // world cell of the corner
	X, Y        float32 // m, the car's axle in the same frame
	Heading     float32 // rad
	_           [4]byte
	Occupied    [groundSide][groundSide / 64]uint64 // row by row from the south, bit i: the i-th cell from the west
	Free        [groundSide][groundSide / 64]uint64
}

// A Setup is what the brain was built with.
type Setup struct {
	Length uint32 // bytes of Data that count
	_      [4]byte
	Data   [setupRoom]byte // JSON, as in a recording
}

// A Still is the whole brain at one instant, from which a replay of the ring begins.
type Still struct {
	Tick   uint64 // ticks that the brain had had
	At     int64  // instant of the last of them
	Length uint32 // bytes of Data that count
	_      [4]byte
	Data   [stillRoom]byte // a frozen brain, packed with zstd, as in a recording
}

// Room of both, in bytes. A still takes about half a megabyte, and more with many patterns.
const (
	setupRoom = 64 << 10
	stillRoom = 4 << 20
	stills    = 3 // of which one may be half written
)

// castagnoli is the polynomial of every sum: processors compute it.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// bytesOf returns the memory of a value whose type holds plain numbers alone.
func bytesOf[T any](v *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v))
}
