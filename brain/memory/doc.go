// Package memory keeps a brain in a file: its field, its predictor and patterns,
// and the State that it carries from tick to tick. It knows the format and nothing
// of disks: daemon/store writes the bytes so that a power cut leaves an old file
// or a new one.
//
// # Format
//
// All numbers are little-endian. A file is a header, sections, nothing else.
//
//	offset  bytes  header
//	0       8      magic "fldbrain"
//	8       4      byte order, 0x01020304
//	12      2, 2   version, major and minor
//	16      8      length of the file
//	24      4      number of sections
//	28      4      side of a channel, 32
//	32      4      channels, 64
//	36      4      flags: 1 the channels are not of one tick, 2 taken at the stop
//	40      8, 8   shape and params, see Shape and Constants
//	56      8      calibration, a hash of its file's text
//	64      8      period in nanoseconds
//	72      8      key of the noise
//	80      8      ticks so far
//	88      8      wall time in nanoseconds since 1970
//	96      16     body, ended by zeros
//	112     48     program's version, ended by zeros
//	160     48     engine, ended by zeros
//	208     4      CRC-32C of the 208 bytes before
//
//	offset  bytes  section
//	0       12     name, ended by zeros
//	12      4      number, to tell sections of one name apart
//	16      4      version of its content
//	20      4      CRC-32C of the 20 bytes before, the 8 behind and the content
//	24      8      length of the content
//	32             content
//
//	section  number   content
//	channel  0 .. 63  float32 per distinct cell, X before Y before Z
//	learned  0        float32, field.Predictor's numbers in its order
//	library  0        float32, field.Library's numbers in its order
//	part     0 ..     float32, a part of a pattern, zeros at its end left out:
//	                  part n of pattern k is number k*16 + n
//	brain    0        brain.State in the order of its fields
//	recent   0        field.Recent in the order of its fields: the library's last 16 s
//	episode  0 .. 31  float32, cells of one of them, zeros at its end left out
//	frozen   0        of brain.Freezer, in place of brain: in recordings only
//
// Older files call the library sheet 65 and part n sheet 66 + n; they are read as well.
//
// A missing section leaves its part of the brain fresh; an unknown one makes the
// file foreign: an older program would drop it, and the next save would have lost
// it. A new kind of content takes a new name or a new version, and a new
// major version says that the header itself changed.
//
// # Errors
//
// A file that a crash, a disk or a hand has damaged gives an error that wraps
// ErrDamaged; a sound one of another kind of brain gives one that wraps
// ErrForeign. Both say what, and what to do.
//
// # Source
//
// Specification B.9. CRC-32C: Castagnoli, Braeuer, Herrmann 1993,
// doi:10.1109/26.231911.
package memory
