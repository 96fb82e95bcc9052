package config

// Forensics is section [forensics].
type Forensics struct {
	Path  string `toml:"path" comment:"folder of the bundles that say why a tick came late, see fieldbrain misses; \"off\" keeps none. Empty: picarx: the service's, STATE_DIRECTORY or /var/lib/fieldbrain; sim: beside the control socket"`
	Quota int    `toml:"quota" comment:"MB that the bundles may take, 1 .. 1000; the oldest go first"`
	Trace bool   `toml:"trace" comment:"keep the last seconds of Go's execution trace beside each bundle (go tool trace). It makes every tick slower and fills the heap while the car is armed: for a search only"`
}

// DefaultForensics returns 16 MB of bundles without traces.
func DefaultForensics() Forensics { return Forensics{Quota: 16} }

// check checks section [forensics].
func (c Forensics) check(k *checker) {
	k.text("forensics.path", c.Path)
	k.whole("forensics.quota", int64(c.Quota), 1, 1000)
}
