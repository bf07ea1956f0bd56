package systems

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/compose"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// Catalogs returns the catalogs of a folder, an import path or the name of a system. The name ""
// means all systems of the module of the working folder, or else the shipped ones. Errors are among
// the diagnostics; catalogs that cannot be read are left out.
func Catalogs(env compose.Env, name string) ([]*grains.Catalog, hcl.Diagnostics) {
	if name != "" {
		if from, ok := asSource(name); ok {
			return loadAll(env, ".", []string{from})
		}
	}
	if info, err := os.Stat(name); name != "" && err == nil && !info.IsDir() {
		return nil, hcl.Diagnostics{configs.Errorf(codes.UnknownName, "Not a system", hcl.Range{},
			"%s is a file. Name a folder with a specification, an import path, or a system.", name)}
	}
	dir := "."
	found, diags := specifications(dir)
	// no module here, or one that has nothing to do with specifications
	if len(found) == 0 && !diags.HasErrors() {
		if home, bad := compose.Home(env); !bad.HasErrors() {
			dir = home
			found, diags = specifications(dir)
		}
	}
	if diags.HasErrors() {
		return nil, diags
	}
	if name == "" {
		if len(found) == 0 {
			return nil, hcl.Diagnostics{configs.Errorf(codes.UnknownName, "No system found", hcl.Range{},
				"The Go module of this folder has no specification and does not require multigrain. Name a folder or an import path.")}
		}
		return loadAll(env, dir, found)
	}
	cats, diags := loadAll(env, dir, found)
	var names []string
	for _, cat := range cats {
		if cat.System == name || filepath.Base(cat.Package) == name {
			return []*grains.Catalog{cat}, nil
		}
		names = append(names, cat.System)
	}
	return nil, append(diags, configs.Errorf(codes.UnknownName, "Unknown system", hcl.Range{},
		"There is no folder and no system %q here.%s", name, configs.Hint(name, names)))
}

// asSource reports whether an argument is the source of a system by itself: a path, an import
// path, or a folder with Go files.
func asSource(arg string) (string, bool) {
	if strings.HasPrefix(arg, ".") || filepath.IsAbs(arg) {
		return arg, true
	}
	if files, _ := filepath.Glob(filepath.Join(arg, "*.go")); len(files) > 0 {
		return "./" + arg, true
	}
	if info, err := os.Stat(arg); err == nil && info.IsDir() {
		return "", false
	}
	first, _, isPath := strings.Cut(arg, "/")
	return arg, isPath && strings.Contains(first, ".")
}

// loadAll loads catalogs. Those that cannot be read are left out and reported.
func loadAll(env compose.Env, dir string, from []string) (cats []*grains.Catalog, diags hcl.Diagnostics) {
	for _, f := range from {
		cat, more := compose.LoadCatalog(dir, f, env)
		diags = append(diags, more...)
		if cat != nil && !more.HasErrors() {
			cats = append(cats, cat)
		}
	}
	return cats, diags
}

// framework is the module path of this project.
const framework = "github.com/multigrain/multigrain"

// specifications returns the import paths of the packages that declare a catalog: those of a
// folder's module and the shipped ones. They are known by importing package grains.
func specifications(dir string) ([]string, hcl.Diagnostics) {
	cmd := exec.Command("go", "list", "-e", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...", framework+"/zab/...", framework+"/raft/...")
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, hcl.Diagnostics{configs.Errorf(compose.CodeNoGo, "Go toolchain not found", hcl.Range{},
			"Specifications are Go packages and the command \"go\" is not on the PATH. Install Go.")}
	case err != nil:
		return nil, hcl.Diagnostics{configs.Errorf(codes.UnknownName, "No system found", hcl.Range{},
			"go list: %s\nName a folder or an import path.", strings.TrimSpace(stderr.String()))}
	}
	var found []string
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if len(words) < 2 || !slices.Contains(words[1:], framework+"/grains") {
			continue
		}
		own, ours := strings.CutPrefix(words[0], framework+"/")
		if ours && !strings.HasPrefix(own, "zab") && !strings.HasPrefix(own, "raft") {
			continue // the framework itself
		}
		found = append(found, words[0])
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}
