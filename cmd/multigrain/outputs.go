package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/configs"
)

// outputs refuses what flags say is to be written where nothing can be written, before anything else is done: an exploration of hours
// must not end with a result that has no place. A checkpoint to go on from has to be there, too.
func (c *call) outputs() hcl.Diagnostics {
	o := &c.opt
	var diags hcl.Diagnostics
	refuse := func(summary, flag, what string, err error) {
		if err != nil {
			diags = append(diags, configs.Errorf(CodeWrite, summary, hcl.Range{}, "%v. Name another %s with %s.", err, what, flag))
		}
	}
	for _, f := range []struct{ path, summary, flag string }{
		{o.report, "Report cannot be written", "-report"}, {o.traces, "Trace cannot be written", "-traces"}, {o.keeping.spill, "States cannot be spilled", "-spill"},
	} {
		if f.path != "" {
			refuse(f.summary, f.flag, "folder", canHold(f.path))
		}
	}
	for _, f := range []struct{ path, summary, flag string }{
		{o.sarif, "Results cannot be written", "-sarif"}, {o.junit, "Results cannot be written", "-junit"},
		{o.output, "Output cannot be written", "-o"}, {o.changing.out, "Manifest cannot be written", "-out"},
	} {
		if f.path != "" {
			err := canWrite(f.path)
			if info, statErr := os.Stat(f.path); f.flag == "-o" && c.verb.name == buildVerb.name && statErr == nil && info.IsDir() {
				err = canHold(f.path)
			}
			refuse(f.summary, f.flag, "file", err)
		}
	}
	if len(diags) > 0 { // what is written at the end in any case
		o.sarif, o.junit = writable(o.sarif), writable(o.junit)
	}
	if dir := o.keeping.resume; dir != "" {
		if _, err := os.Stat(filepath.Join(dir, checkpointFile)); err != nil {
			diags = append(diags, configs.Errorf(CodeCheckpoint, "Checkpoint cannot be used", hcl.Range{},
				"The folder %s holds no checkpoint. Name the one that the run before said it keeps its checkpoint in.", dir))
		}
	}
	return diags
}

// writable is path, or "" where it cannot be written.
func writable(path string) string {
	if path == "" || canWrite(path) != nil {
		return ""
	}
	return path
}

// checkpointFile is the checkpoint in its folder, as checker/explore names it.
const checkpointFile = "checkpoint"

// canHold says why no files can be made in a folder, which need not be there yet. Nothing is left behind.
func canHold(dir string) error {
	at := filepath.Clean(dir)
	for {
		info, err := os.Stat(at)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s cannot be written into: %s is a file and no folder", dir, at)
		case err == nil:
			tmp, err := os.CreateTemp(at, ".multigrain-*")
			if err != nil {
				return fmt.Errorf("%s cannot be written into: %w", dir, cause(err))
			}
			tmp.Close()
			return os.Remove(tmp.Name())
		case !errors.Is(err, fs.ErrNotExist) && filepath.Dir(at) == at:
			return fmt.Errorf("%s cannot be written into: %w", dir, cause(err))
		}
		at = filepath.Dir(at)
	}
}

// canWrite says why a file cannot be written, which need not be there yet, nor its folder.
func canWrite(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return fmt.Errorf("%s cannot be written: it is a folder", path)
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil // a device, or a pipe
	}
	if err := canHold(filepath.Dir(filepath.Clean(path))); err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return nil
}

// cause is an error without the path of a file that nobody named.
func cause(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}
