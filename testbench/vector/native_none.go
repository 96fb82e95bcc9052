package vector

func nativeISAs() []string { return nil }

func newNative(string) stepper { return nil }
