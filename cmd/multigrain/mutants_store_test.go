package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
)

// outcome is the result of the verb interaction for one mutant and one manifest.
type outcome struct {
	// Key is a digest of the file with the mutant and of the manifest.
	Key    string    `json:"key"`
	Mutant string    `json:"mutant"`
	Code   int       `json:"code"` // the exit code
	Level  string    `json:"level"`
	Errors []atError `json:"errors,omitempty"`
	Blame  []string  `json:"blame,omitempty"` // of each difference: what may be to blame
}

// atError is the place of an error.
type atError struct {
	Code string `json:"code"`
	File string `json:"file"` // without its folder
	Line int    `json:"line"`
	Text string `json:"text"`
}

func (o *outcome) has(code string) bool {
	return slices.ContainsFunc(o.Errors, func(e atError) bool { return e.Code == code })
}

// measure returns the outcome for the mutant that the workshop holds. It takes the outcome from the
// store if there is one.
func (w *workshop) measure(t *testing.T, m mutant, manifest string) *outcome {
	t.Helper()
	key := w.key(t, m, manifest)
	if o := storedOutcomes(t)[key]; o != nil {
		return o
	}
	doc, code := w.interaction(t, m.number, manifest)
	o := &outcome{Key: key, Mutant: fmt.Sprintf("%s:%d %s: %s: %s", m.action, m.line, m.operator, m.text, manifest), Code: code, Level: "L0"}
	if x := doc.Interaction; x != nil && x.Comparison != nil {
		o.Level = "L2"
		if l1 := x.Comparison.L1; l1.NoFalse == "no" || l1.NoMissed == "no" {
			o.Level = "L1"
		}
	}
	if x := doc.Interaction; x != nil && x.Comparison != nil {
		for _, d := range x.Comparison.Differences {
			at := func(k int) string {
				if k < 1 || d.Trace == nil || k > len(d.Trace.Steps) {
					return ""
				}
				return d.Trace.Steps[k-1].Action
			}
			var way []string
			if d.Trace != nil {
				for _, s := range d.Trace.Steps {
					way = append(way, s.Action)
				}
			}
			o.Blame = append(o.Blame, fmt.Sprintf("missed=%t observer=%s cell=%s guilty=%s writer=%s cause=%s lacking=%s %v", d.Missed, d.Observer, d.Cell,
				at(d.Guilty), at(d.Writer), d.Cause, d.Lacking, way))
		}
	}
	for _, d := range doc.Diagnostics {
		if d.Severity != "error" {
			continue
		}
		if d.Code == "MG532" || d.Code == "MG531" { // the specification fails while it is compared
			o.Level = "L1"
		}
		o.Errors = append(o.Errors, atError{Code: d.Code, File: filepath.Base(d.File), Line: d.Line, Text: d.Detail})
	}
	keepOutcome(t, o)
	return o
}

// key identifies a mutant and a manifest.
func (w *workshop) key(t *testing.T, m mutant, manifest string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, manifest))
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, b := range [][]byte{[]byte(w.folder), []byte(w.file), m.source, text} {
		fmt.Fprintf(h, "%d ", len(b))
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// outcomes are those of the store, by key; nil before it is read.
var outcomes map[string]*outcome

// storedOutcomes reads the store once.
func storedOutcomes(t *testing.T) map[string]*outcome {
	t.Helper()
	if outcomes != nil {
		return outcomes
	}
	outcomes = map[string]*outcome{}
	if *mutantStore == "" {
		return outcomes
	}
	f, err := os.Open(*mutantStore)
	if os.IsNotExist(err) {
		return outcomes
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		o := new(outcome)
		// The last line of a run that was killed may be torn.
		if json.Unmarshal(lines.Bytes(), o) == nil {
			outcomes[o.Key] = o
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return outcomes
}

// keepOutcome adds an outcome to the store.
func keepOutcome(t *testing.T, o *outcome) {
	t.Helper()
	outcomes[o.Key] = o
	if *mutantStore == "" {
		return
	}
	line, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(*mutantStore, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
}

// longestMutant ends a comparison in which a step never ends: no budget of states does. All other
// comparisons should end earlier.
const longestMutant = "10m"

// levelOf returns the level up to which a manifest is compared: L2, or a lower one that it states.
func (w *workshop) levelOf(t *testing.T, manifest string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, manifest))
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []string{"L0", "L1"} {
		if strings.Contains(string(text), fmt.Sprintf("level = %q", level)) {
			return level
		}
	}
	return "L2"
}

// interaction runs the verb on a manifest of the workshop.
func (w *workshop) interaction(t *testing.T, number int, manifest string) (doc result.Document, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary(t), "interaction", manifest, "-level", w.levelOf(t, manifest), "-timeout", longestMutant, "-json", "-quiet")
	cmd.Dir, cmd.Env = w.dir, w.asGo(t, number)
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return doc, cmd.ProcessState.ExitCode()
}
