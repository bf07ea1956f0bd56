// Package locks keeps decided results of interaction preservation in a file of each folder of
// manifests. The file is committed with them. The verb interaction writes it, and check reads it.
package locks

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/configs"
)

// Name is the name of the file, in the folder of the manifests that it is about.
const Name = "multigrain.lock"

// format is the version of the file's format. Digests of format 1 cover all code of a
// specification: see ReadFormer.
const format = 2

// header begins the file.
const header = `# Results of comparing coarse grains with what they coarsen: levels L1 to L3. Commit this file.
# "multigrain interaction -lock MANIFEST" writes it, "multigrain check" reads it. Do not edit it.

`

// File is a lock file.
type File struct {
	Format  int     `hcl:"format"`
	Entries []Entry `hcl:"manifest,block"`
	// Code has the digests of the entries' declarations: see Entry.Code.
	Code []code `hcl:"code,block"`
}

// Entry is the result of comparing the composition of one manifest.
type Entry struct {
	Manifest string `hcl:"name,label"`
	// Digest identifies what was compared: see compose.Composition.ComparisonDigest.
	Digest string `hcl:"digest"`
	// Code are digests of the declarations that the comparison rests on, by kind and name: see
	// CodeOf. The blocks of the file have them.
	Code map[string]string
	// Bounds are those of the comparison; "" if neither the manifest nor its interaction block sets
	// any.
	Bounds string `hcl:"bounds,optional"`
	// Seconds is the time that the comparison took; 0 if that is not known.
	Seconds int `hcl:"seconds,optional"`
	// Level is the highest level that is decided whole, L0 if none is. Reason says why it is
	// not the one that was asked.
	Level  string `hcl:"level"`
	Reason string `hcl:"reason,optional"`
	// L1 and L2 are the verdicts of the levels: preserved, gap, broken or undecided.
	L1 string `hcl:"l1"`
	L2 string `hcl:"l2"`
	// Weakest says that the weakest environment decided a level: not all states of the fine
	// composition were explored.
	Weakest bool `hcl:"weakest,optional"`
	// Endings names the liveness properties that level L2 compared, by their IDs, and deadlock.
	Endings []string `hcl:"endings,optional"`
	// Values holds, by invariant, how many values of its footprint the fine composition reaches,
	// and how many of them the coarse one does not. Unasked are branches of invariants that only
	// the fine one takes, as TextOf writes them. Both are nil if they were not recorded.
	Values      map[string][]int `hcl:"values,optional"`
	Unasked     []string         `hcl:"unasked,optional"`
	Differences []Difference     `hcl:"difference,block"`
	// Mutants is the result of level L3; nil without one.
	Mutants *Mutants `hcl:"mutants,block"`

	reused bool // the result was stored by an earlier comparison
}

// Difference is a difference that was found. A gap has an extent, which the manifest may accept.
type Difference struct {
	Kind     string `hcl:"kind"`  // gap or false
	Level    string `hcl:"level"` // L1 or L2: where it was found
	Cause    string `hcl:"cause,optional"`
	Observer string `hcl:"observer"`
	Variable string `hcl:"variable,optional"`
	Missed   int    `hcl:"missed,optional"`
	Views    int    `hcl:"views,optional"`
	Digest   string `hcl:"digest,optional"`
	// Sequences is that of wire.Extent.
	Sequences string `hcl:"sequences,optional"`
	Ending    string `hcl:"ending,optional"`   // deadlock or liveness, where the observer is one
	Complete  bool   `hcl:"complete,optional"` // both compositions were explored whole
}

// The kinds of differences.
const (
	Gap   = verdicts.Gap
	False = "false"
)

// PathFor returns the path of the lock file for a manifest.
func PathFor(manifest string) string { return filepath.Join(filepath.Dir(manifest), Name) }

// Read reads a lock file. One that does not exist has no entries.
func Read(path string) (*File, hcl.Diagnostics) { return read(path, format) }

// ReadFormer reads a lock file of format 1. It returns nil for a file of today's format.
func ReadFormer(path string) (*File, hcl.Diagnostics) {
	if f, diags := Read(path); !diags.HasErrors() && len(f.Entries) > 0 {
		return nil, nil
	}
	return read(path, 1)
}

func read(path string, format int) (*File, hcl.Diagnostics) {
	text, err := files.Read(path)
	if _, statErr := os.Stat(path); errors.Is(statErr, fs.ErrNotExist) {
		return &File{Format: format}, nil
	}
	if err != nil {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Lock, "Lock file cannot be read", hcl.Range{}, "%v.", err)}
	}
	parsed, diags := configs.Parse(path, text)
	if diags.HasErrors() {
		return nil, damaged(diags)
	}
	f := new(File)
	var version struct {
		Format int      `hcl:"format"`
		Rest   hcl.Body `hcl:",remain"`
	}
	if diags := gohcl.DecodeBody(parsed.Body, nil, &version); diags.HasErrors() {
		return nil, damaged(diags)
	}
	if version.Format != format {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Lock, "Lock file of another format", hcl.Range{Filename: path, Start: hcl.InitialPos, End: hcl.InitialPos},
			"%s has format %d, and this command reads format %d. %s", path, version.Format, format, otherFormat(path, version.Format))}
	}
	if diags := gohcl.DecodeBody(parsed.Body, nil, f); diags.HasErrors() {
		return nil, damaged(diags)
	}
	f.spread()
	return f, f.check(path)
}

// otherFormat says what to do about a file of another format.
func otherFormat(path string, version int) string {
	if version == 1 {
		return "multigrain interaction -lock -migrate " + filepath.Dir(path) + " rewrites its entries and compares nothing."
	}
	return "Use the version of multigrain that wrote it, or remove it and write it again with multigrain interaction -lock."
}

// damaged returns diagnostics about a lock file that cannot be understood: the first mistake.
func damaged(diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			at := hcl.Range{}
			if d.Subject != nil {
				at = *d.Subject
			}
			return hcl.Diagnostics{configs.Errorf(codes.Lock, "Lock file is damaged", at,
				"%s: %s Restore the file, or remove it and write it again with multigrain interaction -lock.", d.Summary, d.Detail)}
		}
	}
	return diags
}

// check reports entries that no run writes.
func (f *File) check(path string) hcl.Diagnostics {
	bad := func(format string, args ...any) hcl.Diagnostics {
		return hcl.Diagnostics{configs.Errorf(codes.Lock, "Lock file is damaged", hcl.Range{Filename: path, Start: hcl.InitialPos, End: hcl.InitialPos},
			"%s Restore the file, or remove it and write it again with multigrain interaction -lock.", fmt.Sprintf(format, args...))}
	}
	for _, c := range f.Code {
		for _, d := range c.Declarations {
			if !strings.Contains(d, " ") {
				return bad("The declaration %q has no digest.", d)
			}
		}
	}
	levels, words := []string{"L0", "L1", "L2"}, []string{verdicts.Preserved, verdicts.Gap, verdicts.Broken, verdicts.Undecided}
	seen := map[string]bool{}
	for _, e := range f.Entries {
		switch {
		case seen[e.Manifest]:
			return bad("Manifest %q has two entries.", e.Manifest)
		case !slices.Contains(levels, e.Level):
			return bad("Manifest %q has the level %q.", e.Manifest, e.Level)
		case !slices.Contains(words, e.L1) || !slices.Contains(words, e.L2):
			return bad("Manifest %q has the verdicts %q and %q.", e.Manifest, e.L1, e.L2)
		}
		for level, word := range map[string]string{"L1": e.L1, "L2": e.L2} {
			if word != e.verdict(level) {
				return bad("The verdict %q of manifest %q at level %s is not that of its differences.", word, e.Manifest, level)
			}
		}
		if why := e.Mutants.damage(); why != "" {
			return bad("Manifest %q %s.", e.Manifest, why)
		}
		seen[e.Manifest] = true
		for _, d := range e.Differences {
			if d.Kind != Gap && d.Kind != False {
				return bad("Manifest %q has a difference of the kind %q.", e.Manifest, d.Kind)
			}
		}
	}
	return nil
}

// Of returns the result of a comparison as an entry. The code is that of CodeOf.
func Of(manifest, digest string, code map[string]string, d *result.Comparison) Entry {
	e := Entry{Manifest: manifest, Digest: digest, Code: code, Bounds: d.Bounds, Level: d.Level, Seconds: int(math.Ceil(d.Seconds))}
	if d.Level < d.Asked {
		e.Reason = d.Reason
	}
	for k := range d.Differences {
		w := &d.Differences[k]
		x := Difference{Kind: False, Level: w.Level, Cause: w.Cause, Observer: w.Observer, Variable: w.Variable, Ending: w.Ending}
		if w.Missed {
			x.Kind = Gap
			if w.Extent != nil {
				x.Missed, x.Views, x.Digest, x.Complete = w.Extent.Missed, w.Extent.Views, w.Extent.Digest, w.Extent.Complete
				x.Sequences = w.Extent.Sequences
			}
		}
		e.Differences = append(e.Differences, x)
	}
	e.reused = d.Reused
	e.Weakest = d.Weakest != nil && d.Level == "L2" && !d.Sides[0].Complete
	e.L1, e.L2, e.Endings = e.verdict("L1"), e.verdict("L2"), endingsOf(d)
	e.cover(d)
	return e
}

// verdict returns the verdict of a level. A difference that was found is one, though the level is
// not decided whole.
func (e *Entry) verdict(level string) string {
	word := verdicts.Undecided
	if e.Level >= level {
		word = verdicts.Preserved
	}
	for _, d := range e.Differences {
		switch {
		case d.Level > level:
		case d.Kind == False:
			return verdicts.Broken
		default:
			word = verdicts.Gap
		}
	}
	return word
}

// At returns the differences up to a level, as the accept blocks of a manifest are compared with
// them.
func (e *Entry) At(level string) *result.Comparison {
	d := &result.Comparison{Bounds: e.Bounds, Verdict: e.verdict(level)}
	d.Level, d.Reason = e.Level, e.Reason
	for _, x := range e.Differences {
		if x.Level > level {
			continue
		}
		w := wire.Difference{Missed: x.Kind == Gap, Level: x.Level, Cause: x.Cause, Observer: x.Observer, Variable: x.Variable, Ending: x.Ending}
		if x.Digest != "" {
			w.Extent = &wire.Extent{Missed: x.Missed, Views: x.Views, Digest: x.Digest, Sequences: x.Sequences, Complete: x.Complete}
		}
		d.Differences = append(d.Differences, w)
		d.Findings = append(d.Findings, result.Finding{Variable: x.Variable, Action: cmp.Or(x.Cause, x.Observer)})
	}
	return d
}

// Files returns the lock files in a folder and below it. It leaves out hidden folders and testdata.
func Files(folder string) (paths []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != folder && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case !d.IsDir() && d.Name() == Name:
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}

// Find returns the entry with a digest. Without one it returns that of the manifest, which is
// stale. It returns nil if there is none either.
func (f *File) Find(manifest, digest string) (e *Entry, stale bool) {
	for k := range f.Entries {
		if f.Entries[k].Digest == digest && (e == nil || f.Entries[k].Level > e.Level) {
			e = &f.Entries[k]
		}
	}
	if e != nil {
		return e, false
	}
	for k := range f.Entries {
		if f.Entries[k].Manifest == manifest {
			return &f.Entries[k], true
		}
	}
	return nil, false
}

// Put replaces the entry of a manifest in the file, or adds it. Readers see the old file or the
// new one. An entry about the same composition that decides a higher level stays; Put returns false
// then.
func Put(path string, e Entry) (bool, hcl.Diagnostics) {
	f, diags := Read(path)
	if diags.HasErrors() {
		return false, diags
	}
	for _, x := range f.Entries {
		if x.Manifest == e.Manifest && x.Digest == e.Digest && x.Level > e.Level && x.Bounds == e.Bounds {
			return false, nil
		}
	}
	f.keepMutants(&e)
	f.keepSeconds(&e)
	f.Entries = slices.DeleteFunc(f.Entries, func(x Entry) bool { return x.Manifest == e.Manifest })
	f.Entries = append(f.Entries, e)
	if diags := f.Write(path); diags.HasErrors() {
		return false, diags
	}
	return true, nil
}

// keepSeconds takes the time over from the entry that e replaces, if that was about the same
// comparison and e was not compared anew: building took a part of it.
func (f *File) keepSeconds(e *Entry) {
	for k := range f.Entries {
		if x := &f.Entries[k]; x.Manifest == e.Manifest && x.Digest == e.Digest && x.Bounds == e.Bounds && e.reused {
			e.Seconds = max(e.Seconds, x.Seconds)
		}
	}
}

// Write replaces a lock file. Readers see the old file or the new one.
func (f *File) Write(path string) hcl.Diagnostics {
	slices.SortFunc(f.Entries, func(a, b Entry) int { return strings.Compare(a.Manifest, b.Manifest) })
	f.Format = format
	if err := files.WriteFile(path, f.text(), 0o644); err != nil {
		return hcl.Diagnostics{configs.Errorf(codes.Write, "Lock file cannot be written", hcl.Range{}, "%v.", err)}
	}
	return nil
}

// text returns the file as it is written.
func (f *File) text() []byte {
	out := hclwrite.NewEmptyFile()
	body := out.Body()
	body.SetAttributeValue("format", cty.NumberIntVal(int64(f.Format)))
	for _, e := range f.Entries {
		body.AppendNewline()
		b := body.AppendNewBlock("manifest", []string{e.Manifest}).Body()
		texts(b, "digest", e.Digest, "bounds", e.Bounds)
		if e.Seconds > 0 {
			b.SetAttributeValue("seconds", cty.NumberIntVal(int64(e.Seconds)))
		}
		texts(b, "level", e.Level, "reason", e.Reason, "l1", e.L1, "l2", e.L2)
		if e.Weakest {
			b.SetAttributeValue("weakest", cty.True)
		}
		e.writeCoverage(b)
		for _, d := range e.Differences {
			b.AppendNewline()
			x := b.AppendNewBlock("difference", nil).Body()
			texts(x, "kind", d.Kind, "level", d.Level, "cause", d.Cause, "observer", d.Observer, "variable", d.Variable, "ending", d.Ending)
			if d.Digest != "" {
				x.SetAttributeValue("missed", cty.NumberIntVal(int64(d.Missed)))
				x.SetAttributeValue("views", cty.NumberIntVal(int64(d.Views)))
				texts(x, "digest", d.Digest, "sequences", d.Sequences)
				x.SetAttributeValue("complete", cty.BoolVal(d.Complete))
			}
		}
		e.Mutants.write(b)
	}
	for _, c := range f.blocks() {
		c.write(body)
	}
	return append([]byte(header), hclwrite.Format(out.Bytes())...)
}

// texts sets attributes from names and values, except the empty ones.
func texts(b *hclwrite.Body, pairs ...string) {
	for k := 0; k < len(pairs); k += 2 {
		if pairs[k+1] != "" {
			b.SetAttributeValue(pairs[k], cty.StringVal(pairs[k+1]))
		}
	}
}
