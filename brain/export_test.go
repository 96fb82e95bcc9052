package brain

// ShareReflexes gives one brain a copy of another's reflexes, which no saved
// state holds: what drives on from there differs in nothing else.
func ShareReflexes(to, from *Brain) { *to.reflexes = *from.reflexes }

// Asked reports whether a request waits for its tick.
func (b *Brain) Asked() bool { return b.remote.request.Load() != 0 }
