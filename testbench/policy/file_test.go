package policy

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fieldbrain/testbench/noise"
	"fieldbrain/testbench/plant"
)

// saved returns a policy with its origin, and its file.
func saved(t *testing.T) (Saved, []byte) {
	t.Helper()
	s := Saved{random(t, plant.P1, 5, 3), Origin{Family: "room", Seed: 3, Generations: 40, Cost: 0.7}}
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return s, text
}

// TestFile: what is written is read again, to the bit.
func TestFile(t *testing.T) {
	s, text := saved(t)
	path := filepath.Join(t.TempDir(), "a.policy")
	if err := s.Write(path); err != nil {
		t.Fatal(err)
	}
	on, err := os.ReadFile(path)
	if err != nil || string(on) != string(text) {
		t.Fatalf("the file differs from what Encode gives: %v", err)
	}
	back, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back.weights, s.weights) || back.Origin != s.Origin || back.hidden != s.hidden || back.profile != s.profile {
		t.Errorf("read %+v, wrote %+v", back, s)
	}
}

// refused wants a complaint that names the file and a remedy.
func refused(t *testing.T, what string, text []byte) {
	t.Helper()
	_, err := Decode("x.policy", text)
	var wrong *FileError
	if !errors.As(err, &wrong) || wrong.File != "x.policy" || wrong.Reason == "" || wrong.Remedy == "" {
		t.Errorf("%s: %v", what, err)
	}
}

// TestDamagedFiles: a cut file, one with a changed byte and foreign ones are refused
// by name and with a remedy; nothing panics.
func TestDamagedFiles(t *testing.T) {
	sound, text := saved(t)
	for n := range len(text) - 2 { // without its last line feed it is whole
		refused(t, "cut", text[:n])
	}
	dice := noise.New(1, "damage")
	for range 500 {
		spoilt := slices.Clone(text)
		i := int(dice.Uint64() % uint64(len(text)-1))
		spoilt[i] ^= 1 << (dice.Uint64() % 7)
		if s, err := Decode("x.policy", spoilt); err == nil && (s.Origin != sound.Origin || !slices.Equal(s.weights, sound.weights)) {
			t.Errorf("byte %d: %q for %q goes unnoticed", i, spoilt[i], text[i])
		}
	}
	for what, foreign := range map[string]string{
		"empty": "", "blanks": "  \n", "null": "null", "number": "7", "list": "[1,2]", "object": "{}",
		"toml": "title = \"room\"\n", "binary": "\x7fELF\x02\x01\x01\x00", "deep": strings.Repeat("[", 100_000),
		"no content": `{"fieldbrain_policy": 1, "sha256": ""}`,
		"next form":  `{"fieldbrain_policy": 2, "sha256": "", "content": {}}`,
		"no hash":    `{"fieldbrain_policy": 1, "content": {"profile": "P1", "hidden": 5, "weights": []}}`,
		"a scene":    `{"fieldbrain_policy": "yes"}`,
		"large":      strings.Repeat(" ", maxFile+1),
	} {
		refused(t, what, []byte(foreign))
	}
}

// TestPlaces: no file, a folder and a pipe that nobody writes into are refused alike.
func TestPlaces(t *testing.T) {
	folder := t.TempDir()
	for _, path := range []string{filepath.Join(folder, "none.policy"), folder, "/dev/zero"} {
		_, err := Read(path)
		var wrong *FileError
		if !errors.As(err, &wrong) || wrong.File != path || !strings.Contains(err.Error(), "fieldbrain train") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
