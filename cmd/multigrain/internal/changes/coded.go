package changes

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/interaction/change"
)

// What it computes. The verdict on a change of code that is not compiled into the program: classes
// of servers that run as processes of their own. The adapter gets a folder or an archive, which
// takes the place of the release's code, and the lines that must be noted.
//
// Why it is right. It is the same as for Go, in file observe.go. Processes depend on time, so each
// difference must show again. The code before the change must follow the same walk to the end. If
// it differs there, too, the difference is none of the change's. If neither is seen, nothing is
// decided by it.
//
// What it costs. One compilation, a second one where the change departs, and the budget at most.

// Limits of walks on servers that are processes.
const (
	// CodedBudget is the time of all walks where none is asked for.
	CodedBudget = 4 * time.Minute
	// leastCoded is how many walks are taken at least.
	leastCoded = 10
	// retraceTime bounds a walk that is done again. Servers start for it.
	retraceTime = 2 * time.Minute
	// reserved is the part of the budget that is kept for walks that are done again.
	reserved = 5
)

// coded is changed code that is not compiled into the program.
type coded struct {
	after  string // a folder or an archive
	before string // "": that of the release
	based  bool   // before is known
	lines  []wire.CodeLine
	open   []string // why something is not decided
	// written says that the classes of the changed files were compared.
	written bool
	asked   uint64 // times that walks were asked for: each has a seed of its own
	start   time.Time
	until   time.Time // when the walks in the composition must end
	equal   []wire.RanPlace
	fired   map[string]bool // actions that walks took
	proven  []int64         // walks that break an invariant by the change
	// here are the places that ran in walks of this composition before any difference.
	here []wire.RanPlace
	// compared are the compositions with enough walks.
	compared []comparing
}

// comparing has what ran in walks of a composition, and the variables that they compared.
type comparing struct {
	ran       []wire.RanPlace
	variables []string
}

// Coded reports whether the changed code is not compiled into the program.
func (x *Changed) Coded() bool { return len(x.how.Packages) == 0 }

// codable reports whether changed code that is not Go can be run: an adapter connects it, and the
// change has lines.
func (x *Changed) codable() bool {
	return (x.how.Table != nil || len(x.how.Python) > 0) && (x.how.Dir != "" || change.HasLines(x.how.Diff))
}

// DefaultBudgetOf returns the time of all walks where none is asked for.
func (x *Changed) DefaultBudgetOf() time.Duration {
	if x.Coded() {
		return CodedBudget
	}
	return DefaultBudget
}

// observeCoded runs changed code that is not compiled into the program: under the composition of
// the manifest, and then under those in which the touched modules have other grains. What the
// result requires of walks counts in the manifest's composition.
func (o *observer) observeCoded(base, run *session.Run) {
	if o.coded == nil && !o.prepared(run) {
		o.out.Walked = append(o.out.Walked, *o.doc)
		return
	}
	o.x.Observed = o.out
	passes := o.codedPasses(base, run)
	o.coded.start = host.Now()
	var own result.Observed // what the manifest's composition shows
	for k, p := range passes {
		o.pass, o.rest = p, len(passes)-k
		if k > 0 && !o.rebuild() {
			continue
		}
		o.first.OfChange(o.named(), "")
		o.coded.here = nil
		over := o.walkCoded(k == 0 && len(passes) > 1)
		o.keepCompared()
		if k == 0 {
			own = *o.out
		}
		if over {
			break
		}
	}
	for _, p := range passes {
		if p.code != nil {
			o.out.Walked = append(o.out.Walked, *p.doc)
		}
	}
	// Further compositions can show differences, and compare more variables.
	if out := o.out; len(out.Found)+len(out.Broken) == 0 {
		o.pass = passes[0]
		out.Judged, out.Unjudged, out.Compared, out.Unobserved, out.Unfired = own.Judged, own.Unjudged, own.Compared, own.Unobserved, own.Unfired
		out.Unfired = slices.DeleteFunc(slices.Clone(out.Unfired), func(name string) bool { return o.coded.fired[name] })
		o.coveredCoded()
		o.comparedCoded()
	}
	o.decide()
}

// keepCompared notes which variables the walks in the composition compared, if they were enough.
func (o *observer) keepCompared() {
	if o.doc.Walks >= leastCoded {
		o.coded.compared = append(o.coded.compared, comparing{o.coded.here, o.out.Compared})
	}
}

// comparedCoded adds to the variables that are compared those of further compositions, where all of
// the changed code ran that ran in any.
func (o *observer) comparedCoded() {
	for _, x := range o.coded.compared {
		if slices.ContainsFunc(o.coded.equal, func(p wire.RanPlace) bool { return p.False || p.True }) && covers(x.ran, o.coded.equal) {
			for _, v := range x.variables {
				if !slices.Contains(o.out.Compared, v) {
					o.out.Compared = append(slices.Clone(o.out.Compared), v)
				}
			}
		}
	}
	o.out.Unobserved = slices.DeleteFunc(slices.Clone(o.out.Unobserved), func(v string) bool { return slices.Contains(o.out.Compared, v) })
}

// covers reports whether all that ran in some walks ran in others.
func covers(ran, of []wire.RanPlace) bool {
	for k, p := range of {
		if (p.False || p.True) && (k >= len(ran) || p.False && !ran[k].False || p.True && !ran[k].True) {
			return false
		}
	}
	return true
}

// prepared makes the code for the composition of the manifest.
func (o *observer) prepared(run *session.Run) bool {
	o.pass = &pass{run: run, impl: o.x.impl, doc: newWalked(run)}
	o.out.Modules = o.doc.Modules
	return o.buildCoded()
}

// mostCoded is how many compositions are walked in addition to the manifest's.
const mostCoded = 2

// codedPasses returns what is walked, the manifest's composition first: its known differences are
// stated, so its walks say most.
func (o *observer) codedPasses(base, run *session.Run) []*pass {
	own := o.pass
	out := []*pass{own}
	for _, p := range o.passes(base, run) {
		if p.run == run {
			own.of = p.of
		} else if len(out) <= mostCoded {
			out = append(out, p)
		} else {
			o.notWalked(refsOf(p.of.Touched), fmt.Sprintf("%s in addition to the manifest's are walked at most", words.Plural(mostCoded, "composition")))
		}
	}
	return out
}

// rebuild builds the program of a further composition, outside of the budget. Where that fails the
// composition is named.
func (o *observer) rebuild() bool {
	start := host.Now()
	defer func() { o.coded.start = o.coded.start.Add(host.Since(start)) }()
	if program := o.run.Program(o.impl); program != "" {
		o.code = &compose.Built{Program: program}
		return true
	}
	why := o.run.Stopped
	if why == "" {
		why = firstError(o.run.Diagnostics)
	}
	o.notWalked(refsOf(o.of.Touched), why)
	return false
}

// undecided says why nothing can be run.
func (o *observer) undecided(format string, args ...any) bool {
	o.x.Observed = o.out
	o.out.Reason = fmt.Sprintf(format, args...)
	return false
}

// buildCoded builds the program with the adapter, makes both sides, and compiles the changed one.
func (o *observer) buildCoded() bool {
	o.coded = &coded{}
	if o.by.Classes != "" && !o.given() {
		return false
	}
	program := o.run.Program(o.x.impl)
	if program == "" {
		if o.run.Stopped != "" {
			return o.undecided("%s", o.run.Stopped)
		}
		return false
	}
	o.code = &compose.Built{Program: program}
	opt := o.x.how
	if opt.Dir == "" {
		dir, why := o.originals(opt)
		if why != "" || dir == "" {
			return why != "" && o.undecided("%s", why)
		}
		opt.Dir = dir
	}
	sides, err := change.WriteSides(opt, sidesIn(o.run))
	if err != nil {
		return o.undecided("the changed code cannot be made: %v", err)
	}
	o.sides, o.out.Hash = sides, sides.Hash
	o.notedLines()
	defer func() { o.first.OfChange(o.named(), "") }()
	switch {
	case o.coded.after != "":
		return true
	case o.x.impl.Driver.IsSet():
		return o.sourcesDriven()
	case o.x.impl.Sources.Build.IsSet():
		o.coded.after = o.command(sides.After)
		return o.coded.after != ""
	}
	return o.compile()
}

// originals writes the release's sources of the changed files into the cache.
func (o *observer) originals(opt change.Options) (dir, why string) {
	names, err := opt.Files()
	if err != nil {
		return "", err.Error()
	}
	dir = filepath.Join(sidesIn(o.run), "sources-"+hashOf(o.x.impl.Name, o.x.impl.Version.Value, strings.Join(names, "\n")))
	if _, err := os.Stat(dir); err == nil {
		return dir, ""
	}
	if err := host.MkdirAll(dir, 0o755); err != nil {
		return "", err.Error()
	}
	built, why := o.made(&wire.Build{Files: names, To: dir, Original: true})
	if built == nil || built.Lacks != "" {
		host.RemoveAll(dir)
	}
	switch {
	case built == nil:
		return "", why
	case built.Lacks != "":
		return "", built.Lacks
	}
	return dir, ""
}

// made asks the program to make code of sources. Why it does not is "" where diagnostics say so.
func (o *observer) made(asked *wire.Build) (built *wire.Built, why string) {
	req := o.run.Exploration(session.Limits{}, false)
	req.Options.Conform = &wire.Conform{Build: asked}
	rep, why := o.run.AskCode(o.x.impl, o.code.Program, req, session.NoTraces)
	if rep == nil || rep.Conformance == nil || rep.Conformance.Built == nil {
		return nil, why
	}
	return rep.Conformance.Built, ""
}

// notedLines notes the changed lines with their texts.
func (o *observer) notedLines() {
	var files []string
	for file := range o.sides.Lines {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		text, err := host.ReadFile(filepath.Join(o.sides.After, filepath.FromSlash(file)))
		if err != nil {
			continue
		}
		all := strings.Split(string(text), "\n")
		for _, l := range o.sides.Lines[file] {
			line := wire.CodeLine{File: file, Number: l.Number, Removed: l.Removed}
			if l.Number <= len(all) {
				line.Text = strings.TrimSpace(all[l.Number-1])
			}
			o.coded.lines = append(o.coded.lines, line)
		}
	}
}

// given takes the code that a flag names.
func (o *observer) given() bool {
	path, err := filepath.Abs(o.by.Classes)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		o.run.Add(configs.Errorf(codes.Compiled, "Compiled code cannot be used", hcl.Range{},
			"%v. Give the folder with the classes of the changed code by -classes, or its jar by -jar.", err))
		return false
	}
	if path, err = kept(sidesIn(o.run), path); err != nil {
		return o.undecided("the compiled code cannot be copied into the cache: %v", err)
	}
	o.coded.after, o.coded.based = path, true
	return true
}

// kept copies compiled code into a folder, under a name that its content determines, so that a
// trace can be done on it again.
func kept(folder, path string) (string, error) {
	content, err := contentOf(path)
	if err != nil {
		return "", err
	}
	name := filepath.Base(path)
	dir := filepath.Join(folder, "given-"+hashOf(content, name))
	to := filepath.Join(dir, name)
	if again, err := contentOf(to); err == nil && again == content {
		return to, nil
	}
	host.RemoveAll(dir) // of a copy that was ended
	if err := host.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return to, os.CopyFS(to, os.DirFS(path))
	}
	text, err := host.ReadFile(path)
	if err != nil {
		return "", err
	}
	return to, host.WriteFile(to, text, 0o644)
}

// compile lets the adapter compile the changed files over the release. Errors of code whose base
// does not compile either say nothing about the change.
func (o *observer) compile() bool {
	if len(o.sides.Compiled) == 0 {
		return o.undecided("no changed file is one that is compiled")
	}
	built, why := o.compiled(o.sides.After, o.sides.Compiled)
	if built != nil && (built.Lacks != "" || len(built.Errors) > 0) {
		built = o.compiledWhole(built)
	}
	switch {
	case built == nil:
		return why != "" && o.undecided("%s", why)
	case built.Lacks != "":
		return o.undecided("the changed code cannot be compiled: %s", built.Lacks)
	case len(built.Errors) == 0:
		o.coded.after = built.Path
		return true
	}
	base, _ := o.compiled(o.sides.Before, o.sides.CompiledBefore)
	if len(o.sides.CompiledBefore) > 0 && base != nil && len(base.Errors) > 0 {
		return o.undecided("the code before the change does not compile over %s %s either (%s): name the version of the folder, or give the compiled code by -classes",
			o.x.impl.Name, o.x.impl.Version.Value, messageText(base.Errors[0]))
	}
	for _, m := range built.Errors {
		at := hcl.Range{}
		if m.File != "" {
			at = hcl.Range{Filename: o.userFile(m.File), Start: hcl.Pos{Line: m.Line, Column: 1}, End: hcl.Pos{Line: m.Line, Column: 1}}
		}
		o.run.Add(configs.Errorf(codes.Compile, "Change does not compile", at, "%s.", m.Text))
	}
	return false
}

// compiledWhole compiles changed files that are ignored, too, where the others alone do not compile
// over the release: they may use each other. Without a better result it returns the one that is
// given.
func (o *observer) compiledWhole(alone *wire.Built) *wire.Built {
	s := o.sides
	if len(s.Ignored) == 0 {
		return alone
	}
	all := slices.Concat(s.Compiled, s.Ignored)
	built, _ := o.compiled(s.After, all)
	if built == nil || built.Lacks != "" || len(built.Errors) > 0 {
		return alone
	}
	s.Compiled, s.CompiledBefore = all, slices.Concat(s.CompiledBefore, s.IgnoredBefore)
	return built
}

// userFile returns the path of a changed file where the user has it.
func (o *observer) userFile(name string) string {
	if o.x.how.Dir == "" {
		return name
	}
	return filepath.Join(o.x.how.Dir, filepath.FromSlash(name))
}

func messageText(m wire.BuildMessage) string {
	if m.File == "" || m.Line == 0 {
		return m.Text
	}
	return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Text)
}

// compiled compiles files of a folder, or finds the result in the cache.
func (o *observer) compiled(dir string, files []string) (*wire.Built, string) {
	to := filepath.Join(sidesIn(o.run), "classes-"+hashOf(o.x.impl.Name, o.x.impl.Version.Value, dir, strings.Join(files, "\n")))
	return o.made(&wire.Build{Dir: dir, Files: files, To: to})
}

// baseCoded makes the code before the change. It reports false where that cannot be done.
func (o *observer) baseCoded() bool {
	c := o.coded
	switch {
	case c.based:
		return true
	case o.x.impl.Sources.Build.IsSet():
		reported := len(o.run.Diagnostics)
		c.before = o.command(o.sides.Before)
		o.run.Diagnostics = o.run.Diagnostics[:reported] // it is no error of the change
		c.based = c.before != ""
		return c.based
	case len(o.sides.CompiledBefore) == 0: // all changed files are new
		c.based = true
		return true
	}
	built, _ := o.compiled(o.sides.Before, o.sides.CompiledBefore)
	if built == nil || built.Lacks != "" || len(built.Errors) > 0 {
		return false
	}
	c.before, c.based = built.Path, true
	return true
}
