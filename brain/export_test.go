package brain

// ShareReflexes gives one brain a copy of another's reflexes, which no saved
// state holds: what drives on from there differs in nothing else.
func ShareReflexes(to, from *Brain) { *to.reflexes = *from.reflexes }
