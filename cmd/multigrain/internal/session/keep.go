package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

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

// keepTrace writes a trace as MANIFEST-PROPERTY.itf.json and returns its path, "" where there is
// none. A trace that cannot be written is a warning: the result stands without it.
func (r *Run) keepTrace(traces Traces, property string, meta itf.Meta, t *wire.Trace) string {
	if traces == NoTraces {
		return ""
	}
	var out bytes.Buffer
	err := itf.Write(&out, meta, t)
	path := ""
	if err == nil {
		name := words.FileName(meta.Spec) + "-" + words.FileName(property) + ".itf.json"
		path, err = r.writeTrace(traces, name, out.Bytes())
	}
	if err != nil {
		r.Add(configs.Warnf(codes.Write, "Trace cannot be written", hcl.Range{},
			"%v. Name another folder with -traces.", err))
		return ""
	}
	return path
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
