package main

import (
	"fmt"
	"slices"
	"strings"
)

// causes lists, for each kind of fault, texts that name it. An error or a reason contains one of
// them.
var causes = map[string][]string{
	"no-space":     {"no space left"},
	"short-write":  {"input/output error"},
	"no-sync":      {"input/output error"},
	"no-rename":    {"input/output error"},
	"no-remove":    {"permission denied"},
	"no-open":      {"too many open files"},
	"no-read":      {"input/output error"},
	"forbidden":    {"permission denied"},
	"limit -n":     {"too many open files", "Limit of open files"},
	"limit -f":     {"file too large", "file size limit"},
	"KILL program": {"signal: killed"},
	"INT command":  {"nterrupted"},
	"TERM command": {"nterrupted"},
	"INT program":  {"nterrupted", "signal: interrupt"},
	"TERM program": {"nterrupted", "signal: terminated"},
}

const (
	exitUndecided = 20
	exitInvalid   = 150
	exitSystem    = 153
)

// judgeExit compares how a disturbed run ended with the undisturbed one. It returns what is wrong,
// one sentence each.
func (t *trial) judgeExit(of *row, p *process, got *result) (wrong []string) {
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	// lines are wrapped
	all := strings.Join(strings.Fields(p.stdout.String()+p.stderr.String()), " ")
	if got != nil {
		all += " " + got.Reason
	}
	if p.hung {
		bad("it did not end within %v", longest)
		return wrong
	}
	if strings.Contains(all, "goroutine ") || strings.Contains(all, "panic:") || strings.Contains(all, "internal error") {
		bad("it panicked")
	}
	switch {
	case p.code < 0:
		if t.to != "command" {
			bad("a signal ended the command")
		}
	case p.code == of.code:
		if got != nil && got.Verdict != "" {
			wrong = append(wrong, t.judgeVerdict(of, all, got)...)
		} else if slices.Contains(t.options, "-json") {
			bad("exit code %d without a result", p.code)
		}
	case p.code == exitUndecided:
		wrong = append(wrong, t.judgeUndecided(of, all, got)...)
	case p.code == exitSystem, p.code == exitInvalid && t.fault() == "forbidden": // no permission to read a source
		if !t.named(all) {
			bad("exit code %d, and no text names the cause: one of %q", p.code, causes[t.fault()])
		}
	default:
		bad("exit code %d, undisturbed %d", p.code, of.code)
	}
	return wrong
}

// judgeVerdict compares a result. A run that found a violation, and ended early for a reason that
// it gives, has seen less.
func (t *trial) judgeVerdict(of *row, all string, got *result) (wrong []string) {
	if got.Verdict != "violated" || got.Reason == "" {
		return differences(of.want, got)
	}
	wrong = t.judgeUndecided(of, all, got)
	want := shortest(of.want)
	for name, depth := range shortest(got) {
		if have, ok := want[name]; !ok || depth != have {
			wrong = append(wrong, fmt.Sprintf("a counterexample of %d steps for %s, undisturbed %d", depth, name, have))
		}
	}
	return wrong
}

// named reports whether a text names the trial's fault.
func (t *trial) named(text string) bool {
	return slices.ContainsFunc(causes[t.fault()], func(cause string) bool { return strings.Contains(text, cause) })
}

// judgeUndecided expects a reason: a limit that an option sets, or the fault.
func (t *trial) judgeUndecided(of *row, all string, got *result) (wrong []string) {
	limits := map[string]string{"-mem": "memory limit", "-max-states": "distinct states is reached"}
	known := t.named(all)
	for option, text := range limits {
		known = known || slices.Contains(t.options, option) && strings.Contains(all, text)
	}
	if !known {
		wrong = append(wrong, "it is undecided, and no text names the cause")
	}
	if got != nil && got.Distinct > of.want.Distinct {
		wrong = append(wrong, fmt.Sprintf("%d distinct states, undisturbed %d", got.Distinct, of.want.Distinct))
	}
	return wrong
}

// differences compares two results with a verdict.
func differences(want, got *result) (wrong []string) {
	differ := func(what string, a, b any) {
		if fmt.Sprint(a) != fmt.Sprint(b) {
			wrong = append(wrong, fmt.Sprintf("%s %v, undisturbed %v", what, b, a))
		}
	}
	differ("verdict", want.Verdict, got.Verdict)
	differ("distinct", want.Distinct, got.Distinct)
	differ("generated", want.Generated, got.Generated)
	differ("depth", want.Depth, got.Depth)
	differ("digest", want.Digest, got.Digest)
	differ("levels", want.Levels, got.Levels)
	differ("shortest counterexamples", shortest(want), shortest(got))
	return wrong
}

// shortest is the length of the shortest counterexample of each invariant. Which others there are
// may depend on the workers.
func shortest(r *result) map[string]int {
	out := map[string]int{}
	for _, v := range r.Violations {
		name := v.Kind + " " + v.Invariant
		if have, ok := out[name]; !ok || v.Depth < have {
			out[name] = v.Depth
		}
	}
	return out
}
