package drivers

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/configs"
)

// Installed returns the folder in which packages and modules of Python are installed for a driver.
// What is missing is among the diagnostics, with the command that installs it.
func Installed(impl *configs.Implementation, manifest, cache string, packages []string) (string, hcl.Diagnostics) {
	e, diags := environmentOf(impl, manifest, cache)
	if diags.HasErrors() {
		return "", diags
	}
	for _, d := range e.missing() {
		if e.venv != "" && !isReady(e.venv) {
			return "", hcl.Diagnostics{d}
		}
	}
	// The pattern is one.
	folders, _ := filepath.Glob(filepath.Join(e.venv, "lib", "python*", "site-packages"))
	for _, dir := range folders {
		if e.venv != "" && !slices.ContainsFunc(packages, func(p string) bool { return PackageIn(dir, p) == "" }) {
			return dir, nil
		}
	}
	return "", hcl.Diagnostics{impl.Driver.Errorf(codes.DriverCode, "Code of the driver not found",
		"The packages %s are not among those that the driver of %s requires, so a diff alone does not say what changes. Name the folder with the code by -repo.",
		strings.Join(packages, ", "), impl.Name)}
}

// PackageIn returns the path of a package or module of Python in a folder; "" if there is none.
func PackageIn(dir, name string) string {
	path := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(name, ".", "/")))
	for _, p := range []string{path, path + ".py"} {
		if info, err := os.Stat(p); err == nil && info.IsDir() == (p == path) {
			return p
		}
	}
	return ""
}

// CopyPackage copies the sources of a package from one folder to another.
func CopyPackage(from, to, name string) error {
	return filepath.WalkDir(PackageIn(from, name), func(at string, d fs.DirEntry, err error) error {
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

// ImportedFrom returns the folder that has all of some packages, the outermost first: the code's
// root, or one such as src; "" if there is none.
func ImportedFrom(root string, packages []string) (found string) {
	depth := 0
	// What cannot be read has no package.
	_ = filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rest, _ := filepath.Rel(root, at)
		deep := strings.Count(filepath.ToSlash(rest), "/")
		for _, p := range packages {
			if PackageIn(at, p) == "" {
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
