package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// readFile returns the text of the editor for a file that is open, and the file otherwise.
func (s *server) readFile(path string) ([]byte, error) {
	if text, ok := s.text(uriOf(path)); ok {
		return []byte(text), nil
	}
	return files.Read(path)
}

// validate publishes the diagnostics of validate for an open manifest.
func (s *server) validate(uri string) {
	s.validating.Lock()
	defer s.validating.Unlock()
	text, ok := s.text(uri)
	path := pathOf(uri)
	if !ok || path == "" || s.ctx.Err() != nil {
		return
	}
	r := s.env.ResolveWith(path, configs.Options{Environ: s.env.Environ, ReadFile: s.readFile})
	if r.Composition != nil {
		r.Add(r.Composition.Rules()...)
		s.mu.Lock()
		s.catalogs[uri] = r.Composition.Catalog
		s.mu.Unlock()
	}
	if now, open := s.text(uri); !open || now != text {
		return // a later validation publishes
	}
	found := map[string][]problem{uri: {}}
	for _, d := range r.Diagnostics {
		at, p := s.problem(d, uri, r.Manifest.Sources)
		found[at] = append(found[at], p)
	}
	s.publish(uri, found)
}

// problem returns a diagnostic, and the URI of its file: that of the manifest if it has no place.
func (s *server) problem(d *hcl.Diagnostic, uri string, sources map[string]*hcl.File) (string, problem) {
	p := problem{Severity: 1, Code: string(configs.CodeOf(d)), Source: "multigrain", Message: d.Summary + "\n" + d.Detail}
	if d.Severity == hcl.DiagWarning {
		p.Severity = 2
	}
	textOf := func(file string) string {
		if f := sources[file]; f != nil {
			return string(f.Bytes)
		}
		return ""
	}
	for _, r := range configs.RelatedOf(d) {
		p.Related = append(p.Related, related{location{uriOf(r.At.Filename), rangeIn(textOf(r.At.Filename), r.At)}, r.Message})
	}
	if d.Subject == nil || d.Subject.Filename == "" {
		return uri, p
	}
	p.Range = rangeIn(textOf(d.Subject.Filename), *d.Subject)
	return uriOf(d.Subject.Filename), p
}

// publish shows the problems that a manifest has in its files, with those that others have there.
// Nil removes them.
func (s *server) publish(of string, found map[string][]problem) {
	s.mu.Lock()
	touched := map[string]bool{}
	for uri := range s.problems[of] {
		touched[uri] = true
	}
	for uri := range found {
		touched[uri] = true
	}
	s.problems[of] = found
	if found == nil {
		delete(s.problems, of)
	}
	var all []published
	for uri := range touched {
		p := published{URI: uri, Diagnostics: []problem{}}
		for _, by := range s.problems {
			for _, x := range by[uri] {
				same := func(y problem) bool { return y.Range == x.Range && y.Message == x.Message }
				if !slices.ContainsFunc(p.Diagnostics, same) {
					p.Diagnostics = append(p.Diagnostics, x)
				}
			}
		}
		all = append(all, p)
	}
	shut := s.shut
	s.mu.Unlock()
	for _, p := range all {
		if !shut { // an error is of no use: the editor is gone
			_ = s.rpc.Notify(s.ctx, "textDocument/publishDiagnostics", p)
		}
	}
}

// catalog returns the catalog of a manifest's system; nil if none can be read.
func (s *server) catalog(uri string) *grains.Catalog {
	s.mu.Lock()
	cat := s.catalogs[uri]
	s.mu.Unlock()
	if cat != nil {
		return cat
	}
	dir, source := s.source(pathOf(uri), 0)
	if source == "" {
		return nil
	}
	cat, diags := compose.LoadCatalog(dir, source, s.env.Composing())
	if cat == nil || diags.HasErrors() {
		return nil
	}
	s.mu.Lock()
	s.catalogs[uri] = cat
	s.mu.Unlock()
	return cat
}

// mostExtended bounds how many manifests are followed.
const mostExtended = 100

// source returns the source of a manifest's system, and the folder of the file that has it. Text
// with mistakes is read as far as it can be.
func (s *server) source(path string, depth int) (dir, source string) {
	text, err := s.readFile(path)
	if err != nil || depth > mostExtended {
		return "", ""
	}
	file, _ := configs.Parse(path, text)
	if file == nil {
		return "", ""
	}
	body, ok := file.Body.(*hclsyntax.Body)
	if !ok {
		return "", ""
	}
	literal := func(a *hclsyntax.Attribute) string {
		if a == nil {
			return ""
		}
		if v, diags := a.Expr.Value(nil); !diags.HasErrors() && v.Type().FriendlyName() == "string" && v.IsKnown() && !v.IsNull() {
			return v.AsString()
		}
		return ""
	}
	for _, b := range body.Blocks {
		if b.Type == "system" {
			if found := literal(b.Body.Attributes["source"]); found != "" {
				return filepath.Dir(path), found
			}
		}
	}
	if base := literal(body.Attributes["extends"]); base != "" {
		if !filepath.IsAbs(base) {
			base = filepath.Join(filepath.Dir(path), filepath.FromSlash(base))
		}
		return s.source(base, depth+1)
	}
	return "", ""
}

// meant is the suggestion in a message.
var meant = regexp.MustCompile(`Did you mean (?:the block )?"?([A-Za-z0-9_.-]+?)"?[?.]`)

// fix returns a quick fix for each problem that suggests a name.
func (s *server) fix(_ context.Context, p asked) (any, error) {
	out := []action{}
	text, _ := s.text(p.TextDocument.URI)
	for _, d := range p.Context.Diagnostics {
		m := meant.FindStringSubmatch(d.Message)
		if m == nil || d.Source != "multigrain" {
			continue
		}
		from, to := offsetOf(text, d.Range.Start), offsetOf(text, d.Range.End)
		if from >= to {
			continue
		}
		word := text[from:to]
		quoted := strings.HasPrefix(word, `"`) && strings.HasSuffix(word, `"`) && len(word) > 1
		if name := strings.Trim(word, `"`); strings.ContainsAny(name, "\" \n[]{}(),=") {
			continue // more than a name
		}
		fixed := m[1]
		if quoted {
			fixed = `"` + fixed + `"`
		}
		a := action{Title: fmt.Sprintf("Replace with %s", fixed), Kind: "quickfix", Diagnostics: []problem{d}, IsPreferred: true}
		a.Edit.Changes = map[string][]textEdit{p.TextDocument.URI: {{d.Range, fixed}}}
		out = append(out, a)
	}
	return out, nil
}

// unsaved reports whether the text of the editor is not that of the file.
func (s *server) unsaved(path string) bool {
	text, open := s.text(uriOf(path))
	disk, err := files.Read(path)
	return err != nil || open && string(disk) != text
}
