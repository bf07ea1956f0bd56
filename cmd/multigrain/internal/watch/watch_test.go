package watch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestWait: what is saved, renamed over, added and removed is noticed. A file of another kind in a
// folder is not.
func TestWait(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string)
		want   []string
	}{
		"saved":   {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "m.hcl"), "other") }, []string{"m.hcl"}},
		"new":     {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "spec", "b.go"), "package b") }, []string{"spec/b.go"}},
		"other":   {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "spec", "b.txt"), "x") }, nil},
		"not yet": {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "late.hcl"), "x") }, []string{"late.hcl"}},
		"nothing": {func(*testing.T, string) {}, nil},
		"removed": {func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "spec", "a.go")) }, []string{"spec/a.go"}},
		"renamed over": {func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "new"), "longer")
			os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "m.hcl"))
		}, []string{"m.hcl"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "spec"), 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "m.hcl"), "text")
			write(t, filepath.Join(dir, "spec", "a.go"), "package a")
			f := Look([]string{filepath.Join(dir, "m.hcl"), filepath.Join(dir, "spec"), filepath.Join(dir, "late.hcl")})
			limit := 30 * time.Second
			if c.want == nil {
				limit = time.Second
			}
			ctx, end := context.WithTimeout(context.Background(), limit)
			defer end()
			acted := false
			stop := f.Until(ctx, func() { acted = true; end() })
			c.change(t, dir)
			<-ctx.Done()
			var got []string
			for _, path := range stop() {
				name, _ := filepath.Rel(dir, path)
				got = append(got, filepath.ToSlash(name))
			}
			if !slices.Equal(got, c.want) || acted != (c.want != nil) {
				t.Errorf("changed: %q, want %q; acted: %v", got, c.want, acted)
			}
		})
	}
}
