package gocmd

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/configs"
)

// Home returns a folder in a Go module that has the packages of this project, for builds that need
// no package of the user's. It is the checkout that this command was built from, or a module in the
// cache folder that requires the version of this command. Home makes that module.
func Home(env Env) (string, hcl.Diagnostics) {
	if dir := checkout(); dir != "" {
		return dir, nil
	}
	if d := env.refusal(); d != nil {
		return "", hcl.Diagnostics{d}
	}
	version := built()
	if version == "" {
		return "", hcl.Diagnostics{configs.Errorf(CodeNoPackage, "Framework not found", hcl.Range{},
			"This command does not know which version of %s it is, and this folder is in no Go module that requires it. Run it in such a module: go mod init, then go get %s.",
			Framework, Framework)}
	}
	files, diags := Cached(env, "homes", digest(version), func() (map[string]string, hcl.Diagnostics) { return required(env, version) })
	if diags.HasErrors() {
		return "", diags
	}
	dir := filepath.Join(env.CacheDir, "home", digest(version))
	if holds(dir, files) {
		return dir, nil
	}
	err := host.RemoveAll(dir)
	for name, text := range files {
		if err == nil {
			err = env.Store(filepath.Join(dir, name), []byte(text))
		}
	}
	if err != nil {
		return "", hcl.Diagnostics{env.CacheError(err)}
	}
	return dir, nil
}

// Version returns the version of this project that a module can require, and the folder of the
// checkout that replaces it, if this command was built from one.
func Version() (version, replace string) {
	if dir := checkout(); dir != "" {
		return "v0.0.0", filepath.Clean(dir)
	}
	return built(), ""
}

// released is the version of this command in a release, which cmd/release has the linker set.
var released string

// Recorded returns the version of this command: that of its release, or what the go command
// recorded, "(devel)" for a checkout.
func Recorded() string {
	if released != "" {
		return released
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}

// built returns the version that this command was built from, "" where it is none of a module
// proxy.
func built() string {
	if released != "" {
		return released
	}
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == Framework && m.Replace == nil {
				version = m.Version
			}
		}
	}
	if version == "(devel)" || strings.Contains(version, "+dirty") {
		return ""
	}
	return version
}

// required returns the files of a module that requires a version of this project.
func required(env Env, version string) (map[string]string, hcl.Diagnostics) {
	homes := filepath.Join(env.CacheDir, "homes")
	if err := host.MkdirAll(homes, 0o755); err != nil {
		return nil, hcl.Diagnostics{env.CacheError(err)}
	}
	dir, err := host.MkdirTemp(homes, ".new-*")
	if err != nil {
		return nil, hcl.Diagnostics{env.CacheError(err)}
	}
	defer host.RemoveAll(dir)
	files := map[string]string{
		"go.mod":  fmt.Sprintf("module multigrain-home\n\ngo 1.26\n\nrequire %s %s\n", Framework, version),
		"home.go": fmt.Sprintf("// Package home imports all that a program needs.\npackage home\n\nimport (\n\t_ %q\n\t_ %q\n)\n", programPackage, Framework+"/zab/zookeeper"),
		"go.sum":  "",
	}
	for name, text := range files {
		if err := env.Store(filepath.Join(dir, name), []byte(text)); err != nil {
			return nil, hcl.Diagnostics{env.CacheError(err)}
		}
	}
	cmd := exec.Command("go", "mod", "tidy")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		if d := machineFault(hcl.Range{}, fmt.Sprintf("%s\n%v", out, err)); d != nil {
			return nil, hcl.Diagnostics{d}
		}
		return nil, hcl.Diagnostics{configs.Errorf(CodeNoPackage, "Framework not found", hcl.Range{},
			"%s %s cannot be fetched: %s", Framework, version, strings.TrimSpace(string(out)))}
	}
	for name := range files {
		text, err := host.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, hcl.Diagnostics{env.CacheError(err)}
		}
		files[name] = string(text)
	}
	return files, nil
}

// holds reports whether a folder has these files with these contents and nothing else.
func holds(dir string, files map[string]string) bool {
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != len(files) {
		return false
	}
	for _, e := range list {
		text, err := host.ReadFile(filepath.Join(dir, e.Name()))
		if want, ok := files[e.Name()]; !ok || err != nil || !e.Type().IsRegular() || string(text) != want {
			return false
		}
	}
	return true
}

// checkout returns the folder of the sources that this command was built from, "" where they are
// not there, or not in a folder that can be built in.
func checkout() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) || strings.Contains(file, "@") { // in the module cache
		return ""
	}
	for above, dir := "", filepath.Dir(file); dir != above; above, dir = dir, filepath.Dir(dir) {
		if mod, err := host.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			if strings.HasPrefix(string(mod), "module "+Framework+"\n") {
				return dir
			}
			break
		}
	}
	return ""
}
