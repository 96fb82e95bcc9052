package gpu

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbrain/field"
)

func TestSetupSurvivesBitForBit(t *testing.T) {
	s := Setup{Params: field.Default(), Step: field.Dense, Half: true, Wait: WaitYield, Profile: true, Priority: 48}
	s.Params.Heading.Forward = 0.1 // no finite binary fraction
	s.Params.Table[9].Regime.Resting = float32(math.Copysign(0, -1))
	s.Params.Table[3].Diffusion = math.SmallestNonzeroFloat32
	raw, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := DecodeSetup(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&s, back); d != "" {
		t.Error(d)
	}
	if !math.Signbit(float64(back.Params.Table[9].Regime.Resting)) {
		t.Error("the sign of zero was lost")
	}
	if s.Hash() != back.Hash() || s.Hash() == 0 {
		t.Errorf("hashes %#x and %#x", s.Hash(), back.Hash())
	}
	back.Params.Table[3].Diffusion *= 2
	if s.Hash() == back.Hash() {
		t.Error("one bit changed and the hash did not")
	}
	if len(raw) > maxSetup/2 {
		t.Errorf("a setup has %d bytes", len(raw))
	}
}

func TestSetupRefusals(t *testing.T) {
	good := Setup{Params: field.Default(), Wait: WaitSpin}
	raw, err := good.Encode()
	if err != nil {
		t.Fatal(err)
	}
	edit := func(old, new string) string { return strings.Replace(string(raw), old, new, 1) }
	for name, c := range map[string]struct{ text, want string }{
		"unknown key": {edit(`"Half"`, `"Quarter"`), "one version"},
		"cut off":     {string(raw[:len(raw)-2]), "read the setup"},
		"nothing":     {"", "read the setup"},
		"more":        {string(raw) + "{}", "something follows"},
		"wait":        {edit(`"spin"`, `"pray"`), "choose spin, yield or block"},
		"step":        {edit(`"Step":0`, `"Step":7`), "choose collapsed or dense"},
		"low":         {edit(`"Priority":0`, `"Priority":-1`), "outside the kernel's 1 .. 99"},
		"high":        {edit(`"Priority":0`, `"Priority":100`), "outside the kernel's 1 .. 99"},
		"raised spin": {edit(`"Priority":0`, `"Priority":48`), "own a processor for ever"},
		"parameters":  {edit(`"LineTau":50000000`, `"LineTau":0`), "line tau"},
	} {
		if _, err := DecodeSetup(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
	for _, w := range []Wait{WaitYield, WaitBlock} {
		raised := Setup{Params: field.Default(), Wait: w, Priority: 99}
		if err := raised.Validate(); err != nil {
			t.Errorf("priority 99, wait %s: %v", w, err)
		}
	}
	good.Params.Heading.Plan = float32(math.NaN())
	if _, err := good.Encode(); err == nil || good.Hash() != 0 {
		t.Error("a setup with NaN was encoded")
	}
}
