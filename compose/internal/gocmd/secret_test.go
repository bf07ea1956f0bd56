package gocmd

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// TestSecret makes keys of checkpoints: one for all runs with a cache, another for another cache.
func TestSecret(t *testing.T) {
	t.Parallel()
	e := Env{CacheDir: filepath.Join(t.TempDir(), "cache")}
	keys := make([][]byte, 8)
	var wg sync.WaitGroup
	for k := range keys {
		wg.Go(func() {
			key, err := e.Secret()
			if err != nil {
				t.Error(err)
			}
			keys[k] = key
		})
	}
	wg.Wait()
	for _, key := range keys {
		if len(key) != secretBytes || !bytes.Equal(key, keys[0]) {
			t.Fatalf("two keys of one cache: %x and %x", key, keys[0])
		}
	}
	if other, err := (Env{CacheDir: filepath.Join(t.TempDir(), "cache")}).Secret(); err != nil || bytes.Equal(other, keys[0]) {
		t.Errorf("another cache: %x, %v", other, err)
	}
	path := filepath.Join(e.CacheDir, SecretFile)
	if err := os.Truncate(path, 7); err != nil {
		t.Fatal(err)
	}
	if key, err := e.Secret(); err != nil || len(key) != secretBytes || bytes.Equal(key, keys[0]) {
		t.Errorf("after damage: %x, %v", key, err)
	}
	if list, err := os.ReadDir(e.CacheDir); err != nil || len(list) != 1 {
		t.Errorf("more than the key is left: %v, %v", list, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Secret(); err == nil {
		t.Error("a key that everybody can read is used")
	}
}
