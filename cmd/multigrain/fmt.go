package main

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/files"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/verdicts"
	"github.com/multigrain/multigrain/configs"
)

var fmtVerb = command.Verb{
	Name: "fmt", Args: "[FILE|DIR|-]...", Summary: "bring manifests into the canonical layout", Most: -1,
	About: `Files are rewritten in place and the names of those that change are printed. Of a folder, the working folder without
arguments, the files *.hcl are formatted. That there are none is an error. With - the standard input is formatted to the standard output.
`,
	Code:    command.RunsNone,
	Options: func() command.Options { return new(fmtOptions) },
}

const stdin = "-"

// fmtOptions are the options of fmt.
type fmtOptions struct {
	check, diff, recursive, write, list bool
}

func (o *fmtOptions) Flags(fs *flag.FlagSet) {
	fs.BoolVar(&o.check, "check", false, "write nothing, and exit 1 if a file would change")
	fs.BoolVar(&o.diff, "diff", false, "print the changes")
	fs.BoolVar(&o.recursive, "recursive", false, "format the files of subfolders too")
	fs.BoolVar(&o.write, "write", true, "rewrite the files")
	fs.BoolVar(&o.list, "list", true, "print the names of the files that change")
}

func (o *fmtOptions) Run(c *command.Call) int {
	args := c.Args
	if len(args) == 0 {
		args = []string{"."}
	}
	code, changed := shell.OK, false
	paths := o.formattable(c, args, &code)
	if len(paths) == 0 && code == shell.OK {
		diags := hcl.Diagnostics{configs.Errorf(codes.NoManifest, "No manifest found", hcl.Range{},
			"In %s no file *.hcl is found. Name a folder that has some, or add -recursive for its subfolders.", strings.Join(args, ", "))}
		c.Report(diags, nil)
		return shell.ExitOf(diags)
	}
	for _, path := range paths {
		differs, err := o.format(c, path)
		changed = changed || differs
		code = max(code, err)
	}
	if code == shell.OK && changed && o.check {
		return verdicts.Find("fmt", verdicts.Differs, "").Exit
	}
	return code
}

// formattable lists the files that the arguments mean. What cannot be read raises the exit code.
func (o *fmtOptions) formattable(c *command.Call, args []string, code *int) []string {
	var out []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if arg == stdin || err != nil || !info.IsDir() {
			out = append(out, arg)
			continue
		}
		err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != arg && (!o.recursive || strings.HasPrefix(d.Name(), ".")):
				return fs.SkipDir
			case d.Type().IsRegular() && filepath.Ext(path) == ".hcl": // a link can lead anywhere
				out = append(out, path)
			}
			return nil
		})
		if err != nil {
			c.Report(hcl.Diagnostics{configs.Errorf(configs.CodeUnreadable, "Cannot read folder", hcl.Range{}, "%v.", err)}, nil)
			*code = shell.Invalid
		}
	}
	return out
}

// format formats one file and reports whether it changes, and the exit code of what goes wrong.
func (o *fmtOptions) format(c *command.Call, path string) (changed bool, code int) {
	src, name, err := readSource(c, path)
	if err != nil {
		diags := hcl.Diagnostics{configs.CannotRead(hcl.Range{}, err, err.Error()+".")}
		c.Report(diags, nil)
		return false, shell.ExitOf(diags)
	}
	out, diags := configs.Format(name, src)
	if diags.HasErrors() {
		sources := map[string]*hcl.File{name: {Bytes: src}}
		if path != stdin && configs.Unmeant(path) {
			sources = nil // its text is not shown
		}
		c.Report(diags, sources)
		return false, shell.ExitOf(diags)
	}
	changed = string(out) != string(src)
	doc := result.File{Path: path, Changed: changed}
	if o.diff {
		doc.Diff = configs.Diff("old/"+name, "new/"+name, src, out)
	}
	list, write := o.list && path != stdin, o.write && path != stdin && !o.check
	if changed && list {
		c.PrintFile(path + "\n")
	}
	if changed && write {
		if err := rewrite(path, out); err != nil {
			c.Report(hcl.Diagnostics{configs.Errorf(codes.Write, "Cannot write file", hcl.Range{}, "%v.", err)}, nil)
			code = shell.System
		}
	}
	c.PrintFile(doc.Diff)
	printed := !list && !write && !o.diff && !o.check
	if path == stdin || printed {
		doc.Formatted = string(out)
	}
	if printed {
		c.PrintFile(doc.Formatted)
	}
	c.Doc.Files = append(c.Doc.Files, doc)
	c.Doc.Looked.Files++
	return changed, code
}

// readSource reads a file, or the standard input, and says how messages name it.
func readSource(c *command.Call, path string) (src []byte, name string, err error) {
	if path == stdin {
		src, err = files.ReadAll(c.In)
		return src, "<stdin>", err
	}
	src, err = files.Read(path)
	return src, path, err
}

// rewrite replaces a file's content and keeps its mode. A link stays one.
func rewrite(path string, content []byte) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	return files.WriteFile(real, content, info.Mode().Perm())
}
