// Package billion writes docs/results/billion.md: a search to its end of a composition with more
// than a billion distinct states, killed once in the midst and continued from its checkpoint. In
// the folder of the checkout, on Linux:
//
//	go run ./.ci/pages billion -keep DIR
//
// The folder DIR holds the checkpoint, and what the search spills. A run that was ended after the
// kill continues there, as long as no source changes. The search is killed by SIGKILL
// after the first checkpoint that has as many states as -half. The page has figures of one run on
// one machine.
package billion

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/multigrain/multigrain/.ci/pages/kept"
)

// bounds are those of configs/raft/reference.hcl, as arguments.
var bounds = []string{"-set", "requests=4", "-set", "queue=2"}

type asked struct {
	keep, out, mem string
	every          time.Duration
	half           int64
	bounds         string
}

// Run runs the verb. Its flags are those of package flag's command line. An error is one of a
// search that does not end, or of a folder that cannot be written.
func Run() error {
	var a asked
	flag.StringVar(&a.keep, "keep", "", "the folder for the checkpoint and for what memory has no room for")
	flag.StringVar(&a.out, "out", "docs/results/billion.md", "the file that is written")
	flag.StringVar(&a.mem, "mem", "18GiB", "what the search may hold in memory")
	flag.DurationVar(&a.every, "checkpoint-interval", 4*time.Minute, "time between checkpoints")
	flag.Int64Var(&a.half, "half", 400_000_000, "kill the search after the first checkpoint with so many states")
	flag.StringVar(&a.bounds, "bounds", strings.Join(bounds, " "), "other bounds, to try the verb")
	flag.Parse()
	if a.keep == "" {
		return errors.New("name a folder with -keep")
	}
	return a.run()
}

// progress is an object of -progress json.
type progress struct {
	Depth     int     `json:"depth"`
	Distinct  int64   `json:"distinct"`
	Generated int64   `json:"generated"`
	Seconds   float64 `json:"seconds"` // of this search and of those that it continues
}

// sample is what was seen of a search at a time.
type sample struct {
	progress
	Memory, Disk int64 // bytes
}

// result has fields of the document of check.
type result struct {
	Verdict   string
	Completed bool
	progress
	Digest      string
	Collision   float64 `json:"collision_probability"`
	Bits        int     `json:"fingerprint_bits"`
	Levels      []int64
	MemoryEnd   int64 `json:"memory_end"`
	StateBytes  int   `json:"state_bytes"`
	Workers     int
	Invariants  []string
	Diagnostics []struct{ Summary string }
}

// search is a run of the command, and what was seen of it.
type search struct {
	Samples    []sample
	Checkpoint int64 // bytes of the last one
	Killed     bool
	processor  time.Duration // of user and system, if it was not killed
	result     result
}

func (a *asked) run() error {
	var err error
	if a.keep, err = filepath.Abs(a.keep); err != nil {
		return err
	}
	if err := errors.Join(os.MkdirAll(a.spill(), 0o755), kept.Command(a.command())); err != nil {
		return err
	}
	first, err := a.first()
	if err != nil {
		return err
	}
	second, err := a.search("-resume", math.MaxInt64)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(a.out, []byte(a.page(first, second)), 0o644), os.RemoveAll(a.checkpoint()), os.RemoveAll(a.spill()),
		os.Remove(a.command()), os.Remove(filepath.Join(a.keep, "first.json")))
}

// first returns the search that is killed: that of an earlier run, if the folder has it.
func (a *asked) first() (*search, error) {
	first, file := new(search), filepath.Join(a.keep, "first.json")
	if text, err := os.ReadFile(file); err == nil {
		return first, json.Unmarshal(text, first)
	}
	if err := os.RemoveAll(a.checkpoint()); err != nil {
		return nil, err
	}
	first, err := a.search("-checkpoint", a.half)
	if err != nil {
		return nil, err
	}
	if !first.Killed {
		return nil, fmt.Errorf("the search ended with %d states before it could be killed", first.result.Distinct)
	}
	text, err := json.Marshal(first)
	if err != nil {
		return nil, err
	}
	return first, os.WriteFile(file, text, 0o644)
}

func (a *asked) command() string    { return filepath.Join(a.keep, "multigrain") }
func (a *asked) spill() string      { return filepath.Join(a.keep, "spill") }
func (a *asked) checkpoint() string { return filepath.Join(a.keep, "checkpoint") }

// arguments returns the arguments of check. The caller adds -checkpoint or -resume with the folder.
func (a *asked) arguments() []string {
	return append([]string{"check", "configs/raft/reference.hcl"}, append(strings.Fields(a.bounds), "-fingerprint", "96",
		"-mem", a.mem, "-spill", a.spill(), "-checkpoint-interval", a.every.String(), "-json", "-progress", "json")...)
}

// search runs the command with flag -checkpoint or -resume. It kills it by SIGKILL after the first
// checkpoint that was written when the search had so many states.
func (a *asked) search(flag string, until int64) (*search, error) {
	cmd := exec.Command(a.command(), append(a.arguments(), flag, a.checkpoint())...)
	var document bytes.Buffer
	cmd.Stdout = &document
	reports, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := new(search)
	var written time.Time // of the last checkpoint before until
	var other []string
	var killed []int
	for lines := bufio.NewScanner(reports); lines.Scan(); {
		var line struct{ Progress *progress }
		if json.Unmarshal(lines.Bytes(), &line) != nil || line.Progress == nil {
			other = append(other, lines.Text())
			continue
		}
		at := sample{progress: *line.Progress}
		processes := family(cmd.Process.Pid)
		for _, p := range processes {
			at.Memory += resident(p)
			at.Disk += unnamed(p)
		}
		size, changed := files(a.checkpoint())
		at.Disk += size
		s.Samples = append(s.Samples, at)
		fmt.Fprintf(os.Stderr, "%6.0f s  depth %d  %d states  %.1f GiB of memory  %.1f GiB of disk\n",
			at.Seconds, at.Depth, at.Distinct, gib(at.Memory), gib(at.Disk))
		if at.Distinct < until {
			written = changed
		} else if changed.After(written) {
			s.Checkpoint, s.Killed = size, true
			killed = processes
			for _, p := range killed {
				_ = syscall.Kill(p, syscall.SIGKILL) // one that has ended needs none
			}
		}
	}
	err = cmd.Wait()
	if s.Killed { // a process has its locks until all of its memory is given back
		for _, p := range killed {
			for syscall.Kill(p, 0) == nil {
				time.Sleep(100 * time.Millisecond)
			}
		}
		return s, nil
	}
	s.processor = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if err2 := json.Unmarshal(document.Bytes(), &s.result); err != nil || err2 != nil || !s.result.Completed {
		return nil, fmt.Errorf("%w\n%s\n%s", errors.Join(errors.New("the search did not come to its end"), err, err2),
			strings.Join(other, "\n"), document.Bytes())
	}
	return s, nil
}

// family returns a process and those that it started, and so on.
func family(root int) []int {
	parents := make(map[int]int)
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		var process, parent int
		var state string
		fmt.Sscan(string(text), &process)
		fmt.Sscan(string(text[bytes.LastIndexByte(text, ')')+1:]), &state, &parent)
		parents[process] = parent
	}
	found := []int{root}
	for k := 0; k < len(found); k++ {
		for process, parent := range parents {
			if parent == found[k] {
				found = append(found, process)
			}
		}
	}
	return found
}

// resident returns the bytes of a process that are in memory, without pages of files.
func resident(process int) (bytes int64) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	for line := range strings.Lines(string(text)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "RssAnon: %d kB", &kib); n == 1 {
			bytes += kib << 10
		} else if n, _ := fmt.Sscanf(line, "RssShmem: %d kB", &kib); n == 1 {
			bytes += kib << 10
		}
	}
	return bytes
}

// unnamed returns the bytes on disk of files that a process has open and that have no name.
func unnamed(process int) (bytes int64) {
	open, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", process))
	for _, name := range open {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Nlink == 0 {
			bytes += s.Blocks * 512
		}
	}
	return bytes
}

// files returns the bytes of the files of a folder, and when the newest was written that is whole.
func files(folder string) (bytes int64, changed time.Time) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		bytes += info.Size()
		if filepath.Ext(e.Name()) != ".partial" && info.ModTime().After(changed) {
			changed = info.ModTime()
		}
	}
	return bytes, changed
}

func gib(bytes int64) float64 { return float64(bytes) / (1 << 30) }
