package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/narrate"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// Traces says where a run writes its traces.
type Traces struct {
	folder string // named by the user
	nextTo bool   // in the folder .multigrain next to the manifest
}

var (
	// NoTraces writes no traces.
	NoTraces = Traces{}
	// NextToManifest writes traces into the folder .multigrain next to the manifest. Where that
	// folder cannot be written, they go into the cache folder.
	NextToManifest = Traces{nextTo: true}
)

// TracesIn writes traces into a folder. Without one, it is what otherwise says.
func TracesIn(folder string, otherwise Traces) Traces {
	if folder == "" {
		return otherwise
	}
	return Traces{folder: folder}
}

// TraceFolder returns the folder for traces of the manifests in a folder.
func TraceFolder(manifests string) string { return filepath.Join(manifests, files.TraceFolder) }

// CachedFolder returns the folder in the cache that stands in for TraceFolder.
func CachedFolder(cache, manifests string) string {
	if abs, err := filepath.Abs(manifests); err == nil {
		manifests = abs
	}
	sum := sha256.Sum256([]byte(manifests))
	return filepath.Join(cache, CachedTraces, words.FileName(filepath.Base(manifests))+"-"+hex.EncodeToString(sum[:8]))
}

// CachedTraces is the name of the folder for traces in the cache.
const CachedTraces = "traces"

// keepTrace writes a trace and returns its path, "" where there is none. The file is
// MANIFEST-PROPERTY.itf.json. After MANIFEST stands what tells runs of it apart: see apart. A trace
// that cannot be written is a warning: the result stands without it.
func (r *Run) keepTrace(traces Traces, property string, meta itf.Meta, t *wire.Trace) string {
	if traces == NoTraces {
		return ""
	}
	var out bytes.Buffer
	err := itf.Write(&out, meta, t)
	path := ""
	if err == nil {
		name := words.FileName(meta.Spec) + r.apart() + "-" + words.FileName(property) + ".itf.json"
		path, err = r.writeTrace(traces, name, out.Bytes())
	}
	if err != nil {
		r.Add(configs.Warnf(codes.Write, "Trace cannot be written", hcl.Range{},
			"%v. Name another folder with -traces.", err))
		return ""
	}
	return path
}

// KeepWitness writes a trace of a composition, named after what it shows, and returns its path; ""
// where there is none. Kind and doc say what the trace is.
func (r *Run) KeepWitness(traces Traces, name, kind, doc string, t *wire.Trace) string {
	if t == nil {
		return ""
	}
	meta := metaOf(r)
	meta.Kind, meta.Doc = kind, doc
	return r.keepTrace(traces, name, meta, t)
}

// ExploredDoc says what a trace of multigrain explore is.
const ExploredDoc = "A path that multigrain explore visited."

// KeepExplored writes a path of multigrain explore next to the manifest, with the ends of all paths
// that were visited. Its name has a digest of the path. It returns the path of the file; "" where
// it cannot be written.
func (r *Run) KeepExplored(kind string, ways []itf.Way, t *wire.Trace) string {
	meta := MetaOf(r)
	path := fnv.New32a()
	for k := range t.Steps {
		fmt.Fprintln(path, t.Steps[k].Action, narrate.ParamsText(t.Steps[k].Params))
	}
	meta.Kind, meta.Doc, meta.Explored = kind, ExploredDoc, ways
	return r.keepTrace(NextToManifest, fmt.Sprintf("explored-%08x", path.Sum32()), meta, t)
}

// MetaOf says where a trace of a run comes from.
func MetaOf(r *Run) itf.Meta { return metaOf(r) }

// longestApart bounds what tells runs of a manifest apart in the name of a file, in bytes.
const longestApart = 80

// apart tells the runs of a manifest apart in the names of their traces. It has -NAME=VALUE for
// each variable whose value is not the default, in the order of the manifest. What -set replaces
// follows, and the version of an implementation, if a flag names another one than the manifest
// does. Where a value cannot stand in a file's name, or the text is too long, it is a digest. It is
// "" where there is none.
func (r *Run) apart() string {
	var all []string
	for _, v := range r.Manifest.Variables {
		if !v.Changed() {
			continue
		}
		text := string(hclwrite.TokensForValue(v.Value).Bytes())
		if v.Value.Type() == cty.String && !v.Value.IsNull() {
			text = v.Value.AsString()
		}
		all = append(all, v.Name, text)
	}
	for _, o := range r.Manifest.Overrides {
		all = append(all, o.Name, o.Text)
	}
	if r.pinned != "" {
		all = append(all, "version", r.pinned)
	}
	var name strings.Builder
	exact := true
	for k := 0; k < len(all); k += 2 {
		fmt.Fprintf(&name, "-%s=%s", words.FileName(all[k]), words.FileName(all[k+1]))
		exact = exact && words.FileName(all[k]) == all[k] && words.FileName(all[k+1]) == all[k+1]
	}
	if exact && name.Len() <= longestApart {
		return name.String()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", all))
	return "-values=" + hex.EncodeToString(sum[:6])
}

// writeTrace writes a file where traces go and returns its path.
func (r *Run) writeTrace(traces Traces, name string, content []byte) (string, error) {
	if traces.folder != "" {
		path := filepath.Join(traces.folder, name)
		return path, files.WriteFile(path, content, 0o644)
	}
	manifests := filepath.Dir(r.Manifest.Path)
	path := filepath.Join(TraceFolder(manifests), name)
	err := files.WriteOwn(path, content)
	if err == nil {
		return path, nil
	}
	cached := filepath.Join(CachedFolder(r.Env.Cache, manifests), name)
	if files.WriteOwn(cached, content) == nil {
		return cached, nil
	}
	return "", err
}

// ReadTrace reads a trace. The error is a sentence without its period.
func ReadTrace(path string) (itf.Meta, *wire.Trace, error) {
	meta, trace, _, err := ReadTracePart(path, nil, 0, math.MaxInt)
	return meta, trace, err
}

// ReadTracePart reads the states first to last of a trace as itf.ReadPart does, from a file, or
// from a stream with that name if one is given. It returns how many states the trace has.
func ReadTracePart(name string, stream io.Reader, first, last int) (itf.Meta, *wire.Trace, int, error) {
	var text []byte
	var err error
	if stream != nil {
		if text, err = files.ReadAll(stream); err != nil {
			err = fmt.Errorf("%s cannot be read: %w", name, err)
		}
	} else {
		text, err = files.Read(name)
	}
	if err != nil {
		return itf.Meta{}, nil, 0, err
	}
	meta, trace, states, err := itf.ReadPart(text, first, last)
	if err != nil {
		return meta, nil, states, fmt.Errorf("%s cannot be read as ITF: %w", name, err)
	}
	return meta, trace, states, nil
}

// Replayed resolves the manifest of a trace with the values that its variables had, or the one
// that is asked for.
func (e *Env) Replayed(meta itf.Meta, trace, manifest string, vars []configs.Assignment) (*Run, hcl.Diagnostics) {
	if manifest != "" {
		return e.Resolve(manifest, vars), nil
	}
	found, diags := manifestOf(meta, trace)
	if diags.HasErrors() {
		return nil, diags
	}
	file, err := host.CreateTemp("", "multigrain-*.hcl")
	if err != nil {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Write, "File cannot be written", hcl.Range{}, "%v.", err)}
	}
	defer host.Remove(file.Name())
	var names []string
	for name := range meta.Variables {
		names = append(names, name)
	}
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		fmt.Fprintf(&text, "%s = %s\n", name, meta.Variables[name])
	}
	_, err = file.Write([]byte(text.String()))
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Write, "File cannot be written", hcl.Range{}, "%v.", err)}
	}
	values := []configs.Assignment{{File: file.Name()}}
	for _, name := range slices.Sorted(maps.Keys(meta.Set)) {
		values = append(values, configs.Assignment{Set: name + "=" + meta.Set[name]})
	}
	values = append(values, vars...)
	return e.ResolveWith(found, configs.Options{Assignments: values, Environ: e.Environ}), nil
}

// manifestOf finds the manifest that a trace comes from. The trace names it relative to the folder
// in which the command ran. That may be the current folder, or a folder above the trace: traces lie
// next to their manifest.
func manifestOf(meta itf.Meta, trace string) (string, hcl.Diagnostics) {
	if meta.Manifest == "" {
		return "", hcl.Diagnostics{configs.Errorf(codes.Trace, "Trace without manifest", hcl.Range{},
			"%s does not say which manifest it comes from. Name one with -manifest.", trace)}
	}
	_, err := os.Stat(meta.Manifest)
	if err == nil {
		return meta.Manifest, nil
	}
	if folder, absErr := filepath.Abs(filepath.Dir(trace)); absErr == nil && !filepath.IsAbs(meta.Manifest) {
		for above := ""; folder != above; above, folder = folder, filepath.Dir(folder) {
			if info, err := os.Stat(filepath.Join(folder, meta.Manifest)); err == nil && info.Mode().IsRegular() {
				return filepath.Join(folder, meta.Manifest), nil
			}
		}
	}
	return "", hcl.Diagnostics{configs.Errorf(codes.Trace, "Manifest of the trace not found", hcl.Range{},
		"%v: neither in the current folder nor in one above %s, which names it. "+
			"Name the manifest with -manifest.",
		files.Unread(meta.Manifest, err), trace)}
}
