package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A site is a source tree that was built, and a root to install into.
type site struct {
	t          *testing.T
	tree, into string
}

// newSite copies the files that make install needs. The program is a shell script
// that prints its words.
func newSite(t *testing.T) *site {
	t.Helper()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("no make on this machine: nothing installs with it here")
	}
	s := &site{t, t.TempDir(), t.TempDir()}
	if err := os.CopyFS(filepath.Join(s.tree, "systemd"), os.DirFS("../../systemd")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"Makefile", "README.md", "docs/robot.md", "docs/guard.md", "docs/troubleshooting.md"} {
		text, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(s.tree, path), string(text))
	}
	return s
}

// build makes programs.
func (s *site) build(names ...string) {
	s.t.Helper()
	for _, name := range names {
		path := filepath.Join(s.tree, "bin", name)
		write(s.t, path, "#!/bin/sh\necho \"# $* of "+name+"\"\n")
		if err := os.Chmod(path, 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
}

// make runs a target with sudo's PATH, which has no Go.
func (s *site) make(words ...string) (string, error) {
	out, err := exec.Command("make", append([]string{"-C", s.tree, "GO=/no/such/go", "DESTDIR=" + s.into}, words...)...).CombinedOutput()
	return string(out), err
}

// done is make, which must succeed.
func (s *site) done(words ...string) string {
	s.t.Helper()
	out, err := s.make(words...)
	if err != nil {
		s.t.Fatalf("make %q: %v\n%s", words, err, out)
	}
	return out
}

// files lists what lies in the root, with modes.
func (s *site) files() (list []string) {
	s.t.Helper()
	err := filepath.WalkDir(s.into, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		name, _ := filepath.Rel(s.into, path)
		list = append(list, info.Mode().String()+" "+name)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return list
}

// text reads an installed file.
func (s *site) text(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.into, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

const (
	unitInstalled  = "usr/local/lib/systemd/system/fieldbrain.service"
	sleepInstalled = "usr/local/lib/systemd/system/fieldbrain-sleep.service"
	forCard        = unitInstalled + ".d/gpu.conf"
)

// Installing never builds, since root would own the build's files, may be
// repeated, and puts nothing onto the ground of packages.
func TestMakeInstall(t *testing.T) {
	s := newSite(t)
	if out, err := s.make("install"); err == nil || !strings.Contains(out, "run make build first, without sudo") {
		t.Errorf("without a program: %v\n%s", err, out)
	}
	s.build("fieldbrain")
	s.done("install")
	want := []string{
		"-rw-r--r-- etc/fieldbrain/fieldbrain.toml.example",
		"-rw-r--r-- etc/udev/rules.d/70-fieldbrain.rules",
		"-rwxr-xr-x usr/local/bin/fieldbrain",
		"-rw-r--r-- " + sleepInstalled,
		"-rw-r--r-- usr/local/lib/systemd/system/fieldbrain-web.service",
		"-rw-r--r-- " + unitInstalled,
		"Lrwxrwxrwx usr/local/lib/systemd/system/sleep.target.wants/fieldbrain-sleep.service",
		"-rw-r--r-- usr/local/lib/sysusers.d/fieldbrain.conf",
		"-rw-r--r-- usr/local/share/bash-completion/completions/fieldbrain",
		"-rw-r--r-- usr/local/share/doc/fieldbrain/README.md",
		"-rw-r--r-- usr/local/share/doc/fieldbrain/docs/guard.md",
		"-rw-r--r-- usr/local/share/doc/fieldbrain/docs/robot.md",
		"-rw-r--r-- usr/local/share/doc/fieldbrain/docs/troubleshooting.md",
		"-rw-r--r-- usr/local/share/fish/vendor_completions.d/fieldbrain.fish",
		"-rw-r--r-- usr/local/share/man/man1/fieldbrain.1",
		"-rw-r--r-- usr/local/share/zsh/site-functions/_fieldbrain",
	}
	if got := s.files(); !slices.Equal(got, want) {
		t.Errorf("installed:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for name, words := range map[string]string{
		"etc/fieldbrain/fieldbrain.toml.example":                    "# config doc of fieldbrain\n",
		"usr/local/share/man/man1/fieldbrain.1":                     "# man of fieldbrain\n",
		"usr/local/share/fish/vendor_completions.d/fieldbrain.fish": "# completion fish of fieldbrain\n",
	} {
		if got := s.text(name); got != words {
			t.Errorf("%s is %q, want %q", name, got, words)
		}
	}
	unit := s.text(unitInstalled)
	if !strings.Contains(unit, "ExecStart=/usr/local/bin/fieldbrain run") || !strings.Contains(unit, "ExecStopPost=/usr/local/bin/fieldbrain halt") ||
		!strings.Contains(unit, "Documentation=file:///usr/local/share/doc/fieldbrain/docs/robot.md") || strings.Contains(unit, "/usr/bin/") {
		t.Errorf("the unit is not of its PREFIX:\n%s", unit)
	}
	s.done("install")
	if got := s.files(); !slices.Equal(got, want) {
		t.Errorf("installed twice:\n%s", strings.Join(got, "\n"))
	}
	s.done("install", "PREFIX=/usr")
	if got := s.text("usr/lib/systemd/system/fieldbrain.service"); !strings.Contains(got, "ExecStart=/usr/bin/fieldbrain run") {
		t.Errorf("a package's unit:\n%s", got)
	}
	if rules := s.text("usr/lib/udev/rules.d/70-fieldbrain.rules"); !strings.Contains(rules, "i2c") {
		t.Errorf("a package's rules: %q", rules)
	}
}

// What units and rules cannot take as PREFIX is refused before anything is written, with
// its name and the remedy; a DESTDIR may have any characters but make's own.
func TestMakeInstallPlaces(t *testing.T) {
	s := newSite(t)
	s.build("fieldbrain")
	for _, c := range []struct{ name, value, why string }{
		{"PREFIX", "opt/x", "begin it with /"},
		{"PREFIX", "/opt/a b", "letters, digits"},
		{"PREFIX", "/opt/a'b", "letters, digits"},
		{"PREFIX", `/opt/a"b`, "letters, digits"},
		{"PREFIX", "/opt/100%", "letters, digits"},
		{"PREFIX", `/opt/a\b`, "letters, digits"},
		{"PREFIX", "/opt/für", "letters, digits"},
		{"PREFIX", "/opt/$HOME", "write the path out"},
		{"PREFIX", "/opt/$$HOME", "write the path out"},
		{"PREFIX", "/../usr", "write it out"},
		{"PREFIX", "/opt/./x", "write it out"},
		{"DESTDIR", s.into + "/$x", "write the path out"},
	} {
		for _, target := range []string{"install", "uninstall"} {
			out, err := s.make(target, c.name+"="+c.value)
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(out, c.name+" is ") || !strings.Contains(out, c.why) {
				t.Errorf("%s %s=%s: %v, want 2, the name and %q:\n%s", target, c.name, c.value, err, c.why, out)
			}
		}
		if files := s.files(); len(files) > 0 {
			t.Fatalf("%s=%s was refused and %q written", c.name, c.value, files)
		}
	}
	s.done("install", "PREFIX=//usr//")
	if rules := s.text("usr/lib/udev/rules.d/70-fieldbrain.rules"); !strings.Contains(rules, "i2c") {
		t.Errorf("a package's rules: %q", rules)
	}
	if unit := s.text("usr/lib/systemd/system/fieldbrain.service"); !strings.Contains(unit, "ExecStart=/usr/bin/fieldbrain run") {
		t.Errorf("slashes of PREFIX stay in the unit:\n%s", unit)
	}
	odd := filepath.Join(s.into, `d'5 "x" %`)
	s.done("install", "DESTDIR="+odd+"/")
	s.done("install", "DESTDIR=gathered")
	for _, root := range []string{odd, filepath.Join(s.tree, "gathered")} {
		if _, err := os.Stat(filepath.Join(root, unitInstalled)); err != nil {
			t.Errorf("installed below %s: %v", root, err)
		}
	}
	s.done("uninstall", "DESTDIR="+odd)
	if _, err := os.Stat(filepath.Join(odd, unitInstalled)); err == nil {
		t.Errorf("%s was not uninstalled", odd)
	}
}

// A DESTDIR that is not absolute lies where people call the script.
func TestInstallFromElsewhere(t *testing.T) {
	s := newSite(t)
	s.build("fieldbrain")
	call := exec.Command(filepath.Join(s.tree, "systemd/install.sh"), "install")
	call.Dir, call.Env = s.into, append(os.Environ(), "DESTDIR=gathered", "PREFIX=/opt/x")
	if out, err := call.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if unit := s.text("gathered/opt/x/lib/systemd/system/fieldbrain.service"); !strings.Contains(unit, "ExecStart=/opt/x/bin/fieldbrain run") {
		t.Errorf("the unit is not of its PREFIX:\n%s", unit)
	}
}

// The service may use a graphics card's nodes exactly while the program for it is
// installed.
func TestMakeInstallForCard(t *testing.T) {
	s := newSite(t)
	s.build("fieldbrain")
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(s.into, name))
		return err == nil
	}
	s.done("install")
	if there(forCard) {
		t.Error("a drop-in without a program")
	}
	s.build("fieldbrain-gpu")
	s.done("install")
	if !there(forCard) || !there("usr/local/bin/fieldbrain-gpu") {
		t.Error("the program for the card was built and is not installed")
	}
	for _, path := range []string{filepath.Join(s.tree, "bin/fieldbrain-gpu"), filepath.Join(s.into, "usr/local/bin/fieldbrain-gpu")} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	s.done("install")
	if there(forCard) || there(filepath.Dir(forCard)) {
		t.Error("the drop-in stays although the program is gone")
	}
}

// The car is stopped before a sleep, whoever asked for that and without anything to
// enable, and the machine waits for it some seconds at most.
func TestInstallForSleep(t *testing.T) {
	s := newSite(t)
	s.build("fieldbrain")
	s.done("install")
	link := filepath.Join(s.into, filepath.Dir(sleepInstalled), "sleep.target.wants/fieldbrain-sleep.service")
	to, err := filepath.EvalSymlinks(link)
	own, ownErr := filepath.EvalSymlinks(filepath.Join(s.into, sleepInstalled))
	if err != nil || ownErr != nil || to != own {
		t.Errorf("sleep.target wants %s (%v), not %s (%v)", to, err, own, ownErr)
	}
	unit := strings.Split(s.text(sleepInstalled), "\n")
	at := -1
	for _, want := range []string{
		"Before=sleep.target", "ConditionPathExists=|/run/fieldbrain/control.sock.stop", "ConditionPathExists=|/run/fieldbrain-guard/guard.sock.stop",
		"Type=oneshot", "ExecStart=/usr/local/bin/fieldbrain estop", "ExecStart=/bin/sleep 0.3", "TimeoutStartSec=5",
	} {
		i := slices.Index(unit, want)
		if i <= at {
			t.Errorf("line %d has %q, want it after line %d", i+1, want, at+1)
		}
		at = i
	}
}

// Uninstalling leaves the files that people made, and works a second time.
func TestMakeUninstall(t *testing.T) {
	s := newSite(t)
	s.build("fieldbrain", "fieldbrain-gpu", "fieldbrain-guard")
	s.done("install")
	if unit := s.text("usr/local/lib/systemd/system/fieldbrain-guard.service"); !strings.Contains(unit, "ExecStart=/usr/local/bin/fieldbrain-guard ") {
		t.Errorf("the guard's unit is not of its PREFIX:\n%s", unit)
	}
	own := []string{"etc/fieldbrain/fieldbrain.toml", unitInstalled + ".d/own.conf", "etc/systemd/system/fieldbrain.service"}
	for _, name := range own {
		write(t, filepath.Join(s.into, name), "made by a person\n")
	}
	if out := s.done("install"); !strings.Contains(out, "/etc/systemd/system/fieldbrain.service overrides the installed unit") {
		t.Errorf("nothing is said about a unit that wins over the installed one:\n%s", out)
	}
	for range 2 {
		out := s.done("uninstall")
		for _, word := range []string{"kept: /etc/fieldbrain ", "/var/lib/fieldbrain ", "/var/lib/fieldbrain-web ", "users and groups fieldbrain and fieldbrain-web"} {
			if !strings.Contains(out, word) {
				t.Errorf("make does not name what stays, %s:\n%s", word, out)
			}
		}
		var left []string
		for _, line := range s.files() {
			left = append(left, strings.Fields(line)[1])
		}
		if want := slices.Sorted(slices.Values(own)); !slices.Equal(left, want) {
			t.Errorf("left %q, want %q", left, want)
		}
	}
}

// A program for another processor cannot print its manual here: make says so and
// installs the rest.
func TestMakeInstallForeign(t *testing.T) {
	s := newSite(t)
	write(t, filepath.Join(s.tree, "bin/fieldbrain"), "\x7fELF of another processor")
	if out := s.done("install"); !strings.Contains(out, "left out: /usr/local/share/man/man1/fieldbrain.1") {
		t.Errorf("make does not name the part it left out:\n%s", out)
	}
	if !strings.Contains(s.text("usr/local/bin/fieldbrain"), "another processor") {
		t.Error("the program was not installed")
	}
}

// systemd itself finds nothing wrong with the installed unit.
func TestUnitVerifies(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("no systemd-analyze on this machine: the test cannot verify the unit here")
	}
	s := newSite(t)
	s.build("fieldbrain", "fieldbrain-guard")
	s.done("install")
	folder := t.TempDir()
	var paths []string
	for _, name := range []string{"fieldbrain.service", "fieldbrain-guard.service", "fieldbrain-web.service", "fieldbrain-sleep.service"} {
		// The units name programs that are not on this machine: name those of the root.
		unit := strings.ReplaceAll(s.text(filepath.Join(filepath.Dir(unitInstalled), name)), "/usr/local/bin/", filepath.Join(s.into, "usr/local/bin")+"/")
		paths = append(paths, filepath.Join(folder, name))
		write(t, paths[len(paths)-1], unit)
	}
	if out, err := exec.Command("systemd-analyze", append([]string{"verify"}, paths...)...).CombinedOutput(); err != nil || strings.Contains(string(out), "Unknown key") {
		t.Errorf("%v\n%s", err, out)
	}
}

// write makes a file and the folders above it.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
