package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/itf"
	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/configs"
)

// ReadTrace reads a trace. The error is a sentence without its period.
func ReadTrace(path string) (itf.Meta, *wire.Trace, error) {
	text, err := files.Read(path)
	if err != nil {
		return itf.Meta{}, nil, err
	}
	meta, trace, err := itf.Read(bytes.NewReader(text))
	if err != nil {
		return meta, nil, fmt.Errorf("%s cannot be read as ITF: %w", path, err)
	}
	return meta, trace, nil
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
	values := append([]configs.Assignment{{File: file.Name()}}, vars...)
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
