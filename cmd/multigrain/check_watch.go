package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/differ"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/watch"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
)

// watched checks again whenever a file of the manifest or of the specification is saved, and shows
// what that changed. It returns the exit code of the last result once an interrupt comes. A save
// during a run ends that run, whose result nobody waits for.
func (o *checkOptions) watched(c *command.Call) int {
	if c.Json || o.Resume != "" || o.Checkpoint != "" {
		return c.Usage(&shell.UsageError{Code: codes.FlagValue, Summary: "Flags contradict each other", Detail: "-watch has a result after each save. So it excludes -json, which is one document, and -checkpoint and -resume, which continue one run. Leave one of them out."})
	}
	in := shell.Catch()
	defer in.Release()
	var last *result.Document
	known, set := []string{c.Args[0]}, c.Doc.Set
	for {
		c.Doc.Start("check")
		c.Doc.Set = set
		round, end := context.WithCancel(in.Soft)
		r := c.Env(in).Resolve(c.Args[0], c.Vars)
		known = append(known, filesOf(r)...)
		files := watch.Look(known)
		r.Env.Until(round, in.Hard)
		saved := files.Until(round, end)
		o.check(r)
		changed := saved()
		end()
		if len(changed) > 0 && in.Soft.Err() == nil {
			c.Note("%s: the run ends, and another begins", names(changed))
			continue
		}
		c.Show(r, o.verbose)
		code := c.Finished(r, o.Report)
		now := c.Doc
		if last != nil {
			c.Print("\n" + sinceLast(last, &now, c.Painter(c.OutWidth)))
		}
		last = &now
		c.Note("%s of source watched; Ctrl-C ends", words.Plural(int64(len(files.Names())), "file"))
		changed = files.Wait(in.Soft)
		if in.Soft.Err() != nil {
			return code
		}
		c.Note("\n%s", names(changed))
	}
}

// filesOf returns the files and folders that a result depends on. Of a manifest that cannot be
// resolved these are its own files.
func filesOf(r *session.Run) []string {
	out := slices.Clone(r.Manifest.Files)
	out = append(out, filepath.Join(filepath.Dir(r.Manifest.Path), "multigrain.lock"))
	if r.Composition != nil {
		out = append(out, r.Composition.Folders()...)
	}
	return out
}

// sinceLast shows in what a result differs from the one before. Times are left out: they differ
// each time.
func sinceLast(before, now *result.Document, paint text.Painter) string {
	d := differ.Compare(before, now)
	d.A, d.B = "the run before", "this one"
	d.Lines = slices.DeleteFunc(d.Lines, func(l result.DiffLine) bool { return l.Group == "time" })
	return text.Diff(d, paint)
}

// names lists saved files in a line.
func names(changed []string) string {
	short := make([]string, len(changed))
	for k, path := range changed {
		short[k] = words.ShortPath(path)
	}
	return "saved: " + strings.Join(short, ", ")
}
