package config_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"fieldbrain/brain/steer"
	"fieldbrain/daemon/config"
)

// TestLaw: every number of the driving law is a key with its name and its limits, in the
// comment as well, and reaches the brain's parameters.
func TestLaw(t *testing.T) {
	p := steer.Default()
	section := reflect.TypeFor[config.Law]()
	if n := len(p.Numbers()); n != section.NumField() {
		t.Fatalf("%d numbers, %d keys", n, section.NumField())
	}
	for i, n := range p.Numbers() {
		tag := section.Field(i).Tag
		limits := strings.TrimSpace(fmt.Sprintf("%v .. %v %s", n.Low, n.High, n.Unit))
		if tag.Get("toml") != n.Name || !strings.Contains(tag.Get("comment"), limits) {
			t.Errorf("%s (%s): the key says %s", n.Name, limits, tag)
		}
		if *n.Value < n.Low || *n.Value > n.High {
			t.Errorf("%s: the default %v is out of %s", n.Name, *n.Value, limits)
		}
		for v, legal := range map[float64]bool{n.Low: true, n.High: true, n.Low - 0.01: false, n.High + 0.01: false} {
			c, err := config.Parse("f.toml", fmt.Appendf(nil, "[law]\n%s = %v\n", n.Name, v))
			var wrong config.Complaints
			if !legal {
				if !errors.As(err, &wrong) || wrong[0].Key != "law."+n.Name {
					t.Errorf("%s = %v: %v, want a complaint about the key", n.Name, v, err)
				}
				continue
			}
			got := c.Law.Params()
			if err != nil || *got.Numbers()[i].Value != v {
				t.Errorf("%s = %v: %+v, %v", n.Name, v, got, err)
			}
		}
	}
	p.Ramp = 0
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "steer: ramp 0 m must be within 0.1..0.6") {
		t.Errorf("%v", err)
	}
}
