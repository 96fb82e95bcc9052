package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Installing works with sudo's PATH, which has no Go, makes the configuration's
// folder, and never builds: root would own the build's files.
func TestMakeInstall(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("no make on this machine: nothing installs with it here")
	}
	tree, into := t.TempDir(), t.TempDir()
	if err := os.CopyFS(filepath.Join(tree, "systemd"), os.DirFS("../../systemd")); err != nil {
		t.Fatal(err)
	}
	recipe, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(tree, "Makefile"), string(recipe))
	install := func() (string, error) {
		out, err := exec.Command("make", "-C", tree, "install", "GO=/no/such/go", "DESTDIR="+into).CombinedOutput()
		return string(out), err
	}
	if out, err := install(); err == nil || !strings.Contains(out, "run make build first, without sudo") {
		t.Errorf("without a program: %v\n%s", err, out)
	}
	write(t, filepath.Join(tree, "bin/fieldbrain"), "the program")
	if out, err := install(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const forCard = "etc/systemd/system/fieldbrain.service.d/gpu.conf"
	if _, err := os.Stat(filepath.Join(into, forCard)); err == nil {
		t.Error("the service may use a graphics card's nodes although the program for it was not built")
	}
	write(t, filepath.Join(tree, "bin/fieldbrain-gpu"), "the child")
	if out, err := install(); err != nil {
		t.Fatalf("with a child: %v\n%s", err, out)
	}
	for _, path := range []string{
		"usr/bin/fieldbrain", "usr/bin/fieldbrain-gpu", forCard, "etc/fieldbrain", "etc/systemd/system/fieldbrain.service",
		"usr/lib/sysusers.d/fieldbrain.conf", "etc/udev/rules.d/70-fieldbrain.rules",
	} {
		if _, err := os.Stat(filepath.Join(into, path)); err != nil {
			t.Error(err)
		}
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
