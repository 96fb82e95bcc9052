package config

// LeastQuota is the least that recordings may take, in MB: but for the first of a run, every
// file begins with a frozen brain of 2.1 MB.
const LeastQuota = 8

// Record is section [record].
type Record struct {
	Path  string `toml:"path" comment:"folder in which fieldbrain record start records; empty: it refuses. run --record records elsewhere, from the first tick"`
	Quota int64  `toml:"quota" comment:"MB that all recordings in it may take, 8 .. 1000000; the oldest go first"`
}

// DefaultRecord returns no folder, and 2 GB for whoever names one.
func DefaultRecord() Record { return Record{Quota: 2048} }

// check checks section [record].
func (c Record) check(k *checker) {
	k.text("record.path", c.Path)
	k.whole("record.quota", c.Quota, LeastQuota, 1e6)
}
