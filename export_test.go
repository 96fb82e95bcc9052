package fieldbrain

import "fieldbrain/brain"

// Params returns what New tells the brain.
func (o *Options) Params() brain.Params { return o.params() }
