package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// leftovers examines the files of a case after a run: what is written is whole, and nothing
// temporary is left unless the command was killed or could not remove it. Then it is removed, but
// for the part of a checkpoint, which the next run must not take for a whole one. Parts that an
// earlier run left may stay.
func leftovers(work string, excused bool, earlier ...string) (wrong []string) {
	filepath.WalkDir(work, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() != "temp" && filepath.Base(filepath.Dir(path)) == "temp" && !excused {
				wrong = append(wrong, path+" is left in the folder of temporary files")
			}
			return nil
		}
		name := d.Name()
		temporary := strings.HasPrefix(name, ".") && name != ".gitignore" && name != ".made-by-multigrain" ||
			strings.HasSuffix(name, ".partial") || strings.HasSuffix(name, ".spill") || strings.HasSuffix(name, ".next") ||
			filepath.Base(filepath.Dir(path)) == "temp"
		switch {
		case temporary && excused && filepath.Base(filepath.Dir(path)) != kept:
			os.Remove(path)
		case temporary && slices.Contains(earlier, path):
		case temporary && !excused:
			wrong = append(wrong, path+" is a temporary file, and is left")
		case !temporary:
			if err := whole(path); err != nil {
				wrong = append(wrong, fmt.Sprintf("%s is not whole: %v", path, err))
			}
		}
		return nil
	})
	return wrong
}

// parts are the parts of checkpoints that runs have left.
func parts(work string) []string {
	found, _ := filepath.Glob(filepath.Join(work, kept, "*.partial"))
	return found
}

// whole reports what is missing of a file that a run wrote.
func whole(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	switch ext := filepath.Ext(path); ext {
	case ".json", ".sarif":
		var any any
		return json.Unmarshal(text, &any)
	case ".xml":
		for d := xml.NewDecoder(bytes.NewReader(text)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
		}
	case ".html":
		if !strings.HasSuffix(strings.TrimSpace(string(text)), "</html>") {
			return errors.New("it has no end")
		}
	case ".txt":
		if !strings.HasSuffix(string(text), "\n") {
			return errors.New("its last line has no end")
		}
	}
	return nil
}

// traces compares the trace files that a result names with the lengths that it states.
func traces(work string, r *result) (wrong []string) {
	for _, v := range r.Violations {
		if v.Trace == "" {
			continue
		}
		path := v.Trace
		if !filepath.IsAbs(path) {
			path = filepath.Join(work, path)
		}
		var trace struct {
			States []json.RawMessage `json:"states"`
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &trace)
		}
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("the trace of %s: %v", v.Invariant, err))
		} else if len(trace.States) < v.Depth+1 {
			wrong = append(wrong, fmt.Sprintf("the trace of %s has %d states, for %d steps", v.Invariant, len(trace.States), v.Depth))
		}
	}
	return wrong
}
