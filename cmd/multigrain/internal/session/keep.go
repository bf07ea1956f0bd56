package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
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
// MANIFEST-PROPERTY.itf.json, with what other runs of the manifest have not after MANIFEST: see apart.
// A trace that cannot be written is a warning: the result stands without it.
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

// longestApart bounds what tells runs of a manifest apart in the name of a file, in bytes.
const longestApart = 80

// apart tells the runs of a manifest apart in the names of their traces: by the variables whose
// values are not the defaults, and by the version of an implementation if a flag names another one
// than the manifest does. It is -NAME=VALUE for each, in the order of the manifest, or a digest of
// them where a value cannot stand in a file's name or the text is too long. It is "" where there is
// none.
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
