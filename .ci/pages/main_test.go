package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFlags: each verb says which flags it has, and has those of no other verb.
func TestFlags(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "pages")
	if text, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, v := range verbs {
		text, err := exec.Command(program, v.name, "-h").CombinedOutput()
		if err != nil || !strings.Contains(string(text), "Usage of pages "+v.name) {
			t.Errorf("%s -h: %v\n%s", v.name, err, text)
		}
		if strings.Contains(string(text), "TLC") != (v.name == "bench") {
			t.Errorf("%s has flags of another verb:\n%s", v.name, text)
		}
	}
	if text, err := exec.Command(program).CombinedOutput(); err == nil || !strings.Contains(string(text), "larger-bounds.md") {
		t.Errorf("without a verb: %v\n%s", err, text)
	}
}
