// Package watch notices saved files. It asks the file system now and then: editors that write a new
// file and rename it, folders of other machines and containers look the same that way. See
// docs/decisions/0371.
package watch

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// pause is the time between two examinations of the files.
	pause = 300 * time.Millisecond
	// settled is the time without a change after which the files count as saved: some editors
	// write several files.
	settled = 200 * time.Millisecond
)

// stamp tells two contents of a file apart.
type stamp struct {
	changed time.Time
	size    int64
}

// Files are files with what was seen of them last. Of a folder all Go files are watched, new ones
// too.
type Files struct {
	paths []string
	seen  map[string]stamp
}

// Look returns the files and folders as they are now. Those that do not exist are watched as well.
func Look(paths []string) *Files {
	f := &Files{paths: slices.Compact(slices.Sorted(slices.Values(paths)))}
	f.seen = f.look()
	return f
}

// look returns the stamps of all files that exist.
func (f *Files) look() map[string]stamp {
	out := map[string]stamp{}
	for _, path := range f.paths {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if !info.IsDir() {
			out[path] = stamp{info.ModTime(), info.Size()}
			continue
		}
		entries, _ := os.ReadDir(path) // a folder that cannot be read has no files
		for _, e := range entries {
			if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), ".go") {
				out[filepath.Join(path, e.Name())] = stamp{info.ModTime(), info.Size()}
			}
		}
	}
	return out
}

// Names returns the files that were seen, sorted.
func (f *Files) Names() []string { return slices.Sorted(maps.Keys(f.seen)) }

// changed returns the files that are other ones than those seen, sorted.
func (f *Files) changed(now map[string]stamp) (out []string) {
	for path, s := range now {
		if f.seen[path] != s {
			out = append(out, path)
		}
	}
	for path := range f.seen {
		if _, ok := now[path]; !ok {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// Wait returns the files that have changed since they were seen, once they are saved; nil when ctx
// is done.
func (f *Files) Wait(ctx context.Context) []string {
	for {
		if changed := f.changed(f.look()); len(changed) > 0 {
			for {
				before := f.look()
				if !sleep(ctx, settled) {
					return nil
				}
				if now := (&Files{seen: before}).changed(f.look()); len(now) == 0 {
					return f.changed(before)
				}
			}
		}
		if !sleep(ctx, pause) {
			return nil
		}
	}
}

// sleep reports false when ctx is done before the time is over.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// Until calls act once if a file changes before the returned function is called, which returns the
// files that have changed.
func (f *Files) Until(ctx context.Context, act func()) func() []string {
	ctx, stop := context.WithCancel(ctx)
	var changed []string
	var done sync.WaitGroup
	done.Go(func() {
		if changed = f.Wait(ctx); len(changed) > 0 {
			act()
		}
	})
	return func() []string {
		stop()
		done.Wait()
		return changed
	}
}
