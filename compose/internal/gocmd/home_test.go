package gocmd

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCheckout: a command that was built from a checkout finds it, wherever this package is there.
func TestCheckout(t *testing.T) {
	dir := checkout()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if rel, err := filepath.Rel(dir, here); dir == "" || err != nil || rel != filepath.Join("compose", "internal", "gocmd") {
		t.Errorf("checkout %q of a test in %s", dir, here)
	}
}
