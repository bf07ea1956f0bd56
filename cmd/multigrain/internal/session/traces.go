package session

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

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
	if meta.Manifest == "" {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Trace, "Trace without manifest", hcl.Range{},
			"%s does not say which manifest it comes from. Name one with -manifest.", trace)}
	}
	if _, err := os.Stat(meta.Manifest); err != nil {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Trace, "Manifest of the trace not found", hcl.Range{},
			"%v. Run this from the folder from which the trace was written, or name the manifest with -manifest.", files.Unread(meta.Manifest, err))}
	}
	file, err := os.CreateTemp("", "multigrain-*.hcl")
	if err != nil {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Write, "File cannot be written", hcl.Range{}, "%v.", err)}
	}
	defer os.Remove(file.Name())
	var names []string
	for name := range meta.Variables {
		names = append(names, name)
	}
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		fmt.Fprintf(&text, "%s = %s\n", name, meta.Variables[name])
	}
	_, err = file.WriteString(text.String())
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, hcl.Diagnostics{configs.Errorf(codes.Write, "File cannot be written", hcl.Range{}, "%v.", err)}
	}
	values := append([]configs.Assignment{{File: file.Name()}}, vars...)
	return e.ResolveWith(meta.Manifest, configs.Options{Assignments: values, Environ: e.Environ}), nil
}
