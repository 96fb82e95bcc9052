package main

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/alecthomas/kong"
)

// wholeNumbers makes the parser read whole numbers in base ten.
func wholeNumbers() kong.Option {
	return kong.OptionFunc(func(k *kong.Kong) error {
		for _, kind := range []reflect.Kind{reflect.Int, reflect.Int64, reflect.Uint64} {
			if err := kong.KindMapper(kind, kong.MapperFunc(baseTen)).Apply(k); err != nil {
				return err
			}
		}
		return nil
	})
}

// baseTen reads a whole number. The parser's own reading takes 010 for 8 and refuses 08, so
// that a loop over seeds padded with zeros would drive in other worlds than it names. It
// complains as that one does, for complaint to say it in a reader's words.
func baseTen(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("int")
	if err != nil {
		return err
	}
	text, bits := fmt.Sprint(token.Value), target.Type().Bits()
	if target.CanUint() {
		n, err := strconv.ParseUint(text, 10, bits)
		if err != nil {
			return fmt.Errorf("expected a valid %d bit uint but got %q", bits, text)
		}
		target.SetUint(n)
		return nil
	}
	n, err := strconv.ParseInt(text, 10, bits)
	if err != nil {
		return fmt.Errorf("expected a valid %d bit int but got %q", bits, text)
	}
	target.SetInt(n)
	return nil
}
