package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/cleanup"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/configs"
)

var cleanVerb = command.Verb{
	Name: "clean", Args: "[MANIFEST|DIR]...", Summary: "remove traces and programs that multigrain made", Most: -1,
	About: `An argument names a manifest, or a folder with manifests; the default is the working folder.
clean removes the traces in the folder .multigrain next to these manifests, and their traces in the
cache folder, where runs write them if .multigrain cannot be written. With -cache it removes the
programs, catalogs and analyses in the cache, too, with the code of changes. Later runs make them
again. Programs and the code of changes stay while change or replay uses the cache. Do not remove
programs while another verb builds one.

clean leaves and lists files that multigrain did not make. It refuses a folder without the marker
.made-by-multigrain. It follows no links.
`,
	Code:    command.RunsNone,
	Options: func() command.Options { return new(cleanOptions) },
}

// cleanOptions are the options of clean.
type cleanOptions struct {
	cache, only bool
}

func (o *cleanOptions) Flags(fs *flag.FlagSet) {
	fs.BoolVar(&o.cache, "cache", false, "remove the programs, catalogs and analyses in the cache, too")
	fs.BoolVar(&o.only, "n", false, "remove nothing, and list what would be removed")
}

func (o *cleanOptions) Run(c *command.Call) int {
	d := &result.Clean{Listed: o.only, Removed: []string{}, Left: []result.Left{}}
	c.Doc.Clean = d
	folders, diags := manifestFolders(c.Args)
	for _, folder := range folders {
		cached := session.CachedFolder(c.Cache(), folder)
		diags = append(diags, uncleaned(cleanup.Traces(session.TraceFolder(folder), d))...)
		diags = append(diags, uncleaned(cleanup.Traces(cached, d))...)
	}
	if o.cache {
		diags = append(diags, uncleaned(cleanup.Cache(c.Cache(), d))...)
	}
	if len(d.Removed)+len(d.Left) > 0 || !diags.HasErrors() {
		c.Print(text.Clean(d))
	}
	c.Report(diags, nil)
	return shell.ExitOf(diags)
}

// manifestFolders returns the folders that arguments name, or the folders of the manifests that
// they name, without duplicates.
func manifestFolders(args []string) (out []string, diags hcl.Diagnostics) {
	if len(args) == 0 {
		return []string{"."}, nil
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			diags = append(diags, configs.Errorf(configs.CodeUnreadable, "Cannot read file", hcl.Range{},
				"%v.", files.Unread(arg, err)))
			continue
		}
		folder := filepath.Clean(arg)
		if !info.IsDir() {
			folder = filepath.Dir(folder)
		}
		if !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	return out, diags
}

// uncleaned reports a folder that could not be cleaned.
func uncleaned(err error) hcl.Diagnostics {
	var foreign *cleanup.ForeignError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &foreign):
		return hcl.Diagnostics{configs.Errorf(codes.Foreign, "Folder not made by multigrain", hcl.Range{},
			"%v, so nothing in it is removed. Remove it yourself if you do not need it.", err)}
	}
	return hcl.Diagnostics{configs.Errorf(codes.Write, "Files cannot be removed", hcl.Range{}, "%v.", err)}
}
