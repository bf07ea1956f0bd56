package changes

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/drivers"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/configs"
)

// leastDriven is how many walks a driver takes at least. A step takes less than a millisecond.
const leastDriven = 300

// least returns how many walks are taken at least, if nothing differs.
func (o *observer) least() int64 {
	if o.x.impl.Driver.IsSet() {
		return leastDriven
	}
	return leastCoded
}

// placeless says why no changed line can be noted.
func (o *observer) placeless() string {
	if o.x.impl.Driver.IsSet() && o.coded != nil && len(o.coded.lines) > 0 && o.out.Steps > 0 {
		return "no changed line is one that can run, or the driver does not say which lines ran"
	}
	return "no changed line is one that can run"
}

func namesOf(a configs.Attr[[]configs.Text]) (out []string) {
	for _, t := range a.Value {
		out = append(out, t.Value)
	}
	return out
}

// installed returns a folder in the cache with the packages that conform -setup has installed: what
// a diff alone is about.
func installed(o *session.Run, impl *configs.Implementation, packages []string) (string, *hcl.Diagnostic) {
	from, diags := drivers.Installed(impl, o.Manifest.Path, o.Env.Cache, packages)
	if diags.HasErrors() {
		return "", diags[0]
	}
	to := filepath.Join(sidesIn(o), "installed-"+hashOf(append([]string{from}, packages...)...))
	for _, p := range packages {
		if err := copyPackage(from, to, p); err != nil {
			return "", impl.Driver.Errorf(codes.Change, "Change cannot be read", "The packages %s cannot be copied into the cache: %v.", strings.Join(packages, ", "), err)
		}
	}
	return to, nil
}

// copyPackage copies the sources of a package from one folder to another.
func copyPackage(from, to, name string) error {
	return filepath.WalkDir(drivers.PackageIn(from, name), func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "__pycache__":
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		rest, err := filepath.Rel(from, at)
		if err != nil {
			return err
		}
		text, err := host.ReadFile(at)
		if err != nil {
			return err
		}
		if err := host.MkdirAll(filepath.Dir(filepath.Join(to, rest)), 0o755); err != nil {
			return err
		}
		return host.WriteFile(filepath.Join(to, rest), text, 0o644)
	})
}

// sourcesDriven takes the sources of both sides as the code that the driver runs.
func (o *observer) sourcesDriven() bool {
	c := o.coded
	if c.after = importedFrom(o.sides.After, o.x.how.Python); c.after == "" {
		return o.undecided("the code after the change does not have the packages %s in one folder", strings.Join(o.x.how.Python, ", "))
	}
	c.before = importedFrom(o.sides.Before, o.x.how.Python)
	c.based = c.before != ""
	return true
}

// importedFrom returns the folder that has all of some packages, the outermost first: the code's
// root, or one such as src; "" if there is none.
func importedFrom(root string, packages []string) (found string) {
	depth := 0
	// What cannot be read has no package.
	_ = filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rest, _ := filepath.Rel(root, at)
		deep := strings.Count(filepath.ToSlash(rest), "/")
		for _, p := range packages {
			if drivers.PackageIn(at, p) == "" {
				return nil
			}
		}
		if found == "" || deep < depth || at == root {
			found, depth = at, deep
		}
		if at == root {
			return filepath.SkipAll
		}
		return nil
	})
	return found
}
