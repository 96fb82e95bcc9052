package telemetry

import (
	"math/bits"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Shape of the histograms: HdrHistogram's with these three numbers, 1 % up to a
// minute. The library computes with them on the reading side; the loop's thread
// counts in the mapped memory itself, by the same index.
const (
	lowest      = 1
	highest     = int64(time.Minute)
	digits      = 2
	magnitude   = 7 // half of the 256 sub-buckets that two digits need, as a power of 2
	half        = 1 << magnitude
	numBuckets  = 29 // until 256 << 28 passes a minute
	countsTotal = (numBuckets + 1) * half
)

// A histogram is one stream's, in mapped memory.
type histogram struct {
	Max    int64               // ns, exact
	Total  uint64              // lengths counted
	Counts [countsTotal]uint64 // HdrHistogram's of 1 ns to a minute with two digits
}

// indexOf returns the place of a value from 0 to highest.
func indexOf(v int64) int {
	bucket := bits.Len64(uint64(v)|(2*half-1)) - (magnitude + 1)
	return bucket<<magnitude + int(v>>bucket)
}

// record counts a length, forced into the range.
func (h *histogram) record(d time.Duration) { h.add(d, 1) }

// add counts a length several times.
func (h *histogram) add(d time.Duration, times uint64) {
	v := min(max(int64(d), 0), highest)
	h.Counts[indexOf(v)] += times
	h.Total += times
	h.Max = max(h.Max, v)
}

// A Histogram is one stream's lengths as a reader gets them.
type Histogram struct {
	*hdrhistogram.Histogram               // ns
	Longest                 time.Duration // exact
}

// read returns the library's histogram of the same counts.
func (h *histogram) read() Histogram {
	counts := make([]int64, countsTotal)
	for i, n := range h.Counts {
		counts[i] = int64(min(n, 1<<53))
	}
	return Histogram{
		hdrhistogram.Import(&hdrhistogram.Snapshot{
			LowestTrackableValue: lowest, HighestTrackableValue: highest, SignificantFigures: digits, Counts: counts,
		}),
		time.Duration(min(max(h.Max, 0), highest)),
	}
}

// At returns the length below which so many percent lie.
func (h Histogram) At(percent float64) time.Duration {
	return min(time.Duration(h.ValueAtPercentile(percent)), h.Longest)
}
