package relock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/locks"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// ListStale lists the stale entries of the lock files in the folder of a call, and returns the exit
// code. Entries of manifests that need no level are not looked at: nothing reads them.
func ListStale(c *command.Call) int {
	files, diags := lockFiles(c)
	if diags.HasErrors() {
		return shell.ExitOf(diags)
	}
	l := &result.Locks{Stale: []result.StaleEntry{}}
	for _, file := range files {
		if diags := list(c, file, l); diags.HasErrors() {
			c.Report(diags, nil)
			return shell.ExitOf(diags)
		}
	}
	return end(c, l)
}

// list adds the entries of a file to the list.
func list(c *command.Call, file string, l *result.Locks) hcl.Diagnostics {
	f, diags := locks.Read(file)
	if diags.HasErrors() {
		return diags
	}
	for k := range f.Entries {
		if r := stating(c, file, &f.Entries[k]); r != nil {
			entry(c, r, l)
		}
	}
	return nil
}

// end prints a list and returns the exit code.
func end(c *command.Call, l *result.Locks) int {
	l.Settle()
	c.Doc.Locks, c.Doc.Looked.Entries = l, int64(l.Entries)
	if l.Entries == 0 {
		c.Report(hcl.Diagnostics{noEntry(c.Args[0])}, nil)
		return shell.Usage
	}
	c.Print(text.Locks(l, c.Painter(c.OutWidth)))
	return c.Exit()
}

// stating returns the run of the manifest of an entry; nil if the manifest is gone, or needs no
// level above L0. Mistakes in it are reported.
func stating(c *command.Call, file string, e *locks.Entry) *session.Run {
	path := filepath.Join(filepath.Dir(file), e.Manifest+".hcl")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		c.Note("%s: the entry %q has no manifest", words.ShortPath(file), e.Manifest)
		return nil
	}
	r := c.Env(shell.Uncaught()).Resolve(path, c.Vars)
	if r.Composition == nil {
		c.Report(r.Diagnostics, r.Manifest.Sources)
		return nil
	}
	if r.Composition.Stated() == "" {
		return nil
	}
	return r
}

// entry adds the entry of a manifest to the list.
func entry(c *command.Call, r *session.Run, l *result.Locks) {
	e, reason, diags := r.Staleness()
	c.Report(diags, r.Manifest.Sources)
	if diags.HasErrors() || e == nil {
		return
	}
	l.Entries++
	if reason != "" {
		add(r, e, reason, l)
	}
}

// add adds a stale entry to the list.
func add(r *session.Run, e *locks.Entry, reason string, l *result.Locks) {
	l.Seconds += e.Seconds
	if e.Mutants != nil {
		l.Seconds += e.Mutants.Seconds
	}
	if e.Seconds == 0 {
		l.Unknown++
	}
	x := result.StaleEntry{Manifest: r.Manifest.Path, Grains: []string{}, Reason: reason}
	for _, g := range r.Composition.Chosen() {
		if g.Coarsens {
			x.Grains = append(x.Grains, g.Covers[0]+"/"+g.Name)
		}
	}
	l.Stale = append(l.Stale, x)
}

// Migrate rewrites the entries of lock files of an earlier format, those that are still about the
// composition of their manifest. The others are left out and listed. Stale entries of today's
// format are listed. It returns the exit code.
func Migrate(c *command.Call) int {
	files, diags := lockFiles(c)
	if diags.HasErrors() {
		return shell.ExitOf(diags)
	}
	l := &result.Locks{Stale: []result.StaleEntry{}}
	for _, file := range files {
		if diags := migrate(c, file, l); diags.HasErrors() {
			c.Report(diags, nil)
			return shell.ExitOf(diags)
		}
	}
	return end(c, l)
}

// migrate rewrites a file. One of today's format stays as it is.
func migrate(c *command.Call, file string, l *result.Locks) hcl.Diagnostics {
	f, diags := locks.ReadFormer(file)
	if diags.HasErrors() {
		return diags
	}
	if f == nil {
		return list(c, file, l)
	}
	var kept []locks.Entry
	for k := range f.Entries {
		r := stating(c, file, &f.Entries[k])
		if r == nil {
			continue
		}
		former, diags := r.Composition.FormerDigest()
		now, more := r.Composition.ComparisonDigest()
		if diags = append(diags, more...); diags.HasErrors() {
			return diags
		}
		l.Entries++
		e, stale := f.Find(f.Entries[k].Manifest, former)
		if stale {
			add(r, e, fmt.Sprintf("the result in %s was stale, and is left out", words.ShortPath(file)), l)
			continue
		}
		x := *e // of this manifest, or of one with the same composition
		x.Manifest, x.Digest, x.Code = r.Manifest.Name(), now.Whole, locks.CodeOf(now.Parts)
		kept = append(kept, x)
	}
	f.Entries = kept
	return f.Write(file)
}

// lockFiles returns the lock files of the folder of a call.
func lockFiles(c *command.Call) ([]string, hcl.Diagnostics) {
	files, err := locks.Files(c.Args[0])
	var diags hcl.Diagnostics
	switch {
	case err != nil:
		diags = hcl.Diagnostics{configs.Errorf(codes.NoManifest, "No lock file found", hcl.Range{}, "%v. Name a folder.", err)}
	case len(files) == 0:
		diags = hcl.Diagnostics{noEntry(c.Args[0])}
	}
	c.Report(diags, nil)
	return files, diags
}

func noEntry(folder string) *hcl.Diagnostic {
	return configs.Errorf(codes.NoManifest, "No lock file found", hcl.Range{},
		"%s has no entry of a manifest that states a level: neither in it nor below it is a file %s with one. multigrain interaction -lock MANIFEST writes one.", folder, locks.Name)
}
