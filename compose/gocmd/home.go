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

	"github.com/multigrain/multigrain/configs"
)

// Home is a folder in a Go module that has the packages of this project, for what needs none of the user's: the checkout that this command was
// built from, or a module in the cache folder that requires the version of this command.
func Home(env Env) (string, hcl.Diagnostics) {
	if dir := checkout(); dir != "" {
		return dir, nil
	}
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == Framework && m.Replace == nil {
				version = m.Version
			}
		}
	}
	if version == "" || version == "(devel)" || strings.Contains(version, "+dirty") {
		return "", hcl.Diagnostics{configs.Errorf(CodeNoPackage, "Framework not found", hcl.Range{},
			"This command does not know which version of %s it is, and this folder is in no Go module that requires it. Run it in such a module: go mod init, then go get %s.",
			Framework, Framework)}
	}
	dir := filepath.Join(env.CacheDir, "home", digest(version))
	if _, err := os.Stat(filepath.Join(dir, "go.sum")); err == nil {
		return dir, nil
	}
	text := fmt.Sprintf("module multigrain-home\n\ngo 1.26\n\nrequire %s %s\n", Framework, version)
	uses := fmt.Sprintf("// Package home is what go mod tidy needs.\npackage home\n\nimport (\n\t_ %q\n\t_ %q\n)\n", programPackage, Framework+"/zab/zookeeper")
	for name, content := range map[string]string{"go.mod": text, "home.go": uses} {
		if err := env.Store(filepath.Join(dir, name), []byte(content)); err != nil {
			return "", hcl.Diagnostics{env.CacheError(err)}
		}
	}
	cmd := exec.Command("go", "mod", "tidy")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		if d := machineFault(hcl.Range{}, fmt.Sprintf("%s\n%v", out, err)); d != nil {
			return "", hcl.Diagnostics{d}
		}
		return "", hcl.Diagnostics{configs.Errorf(CodeNoPackage, "Framework not found", hcl.Range{},
			"%s %s cannot be fetched: %s", Framework, version, strings.TrimSpace(string(out)))}
	}
	return dir, nil
}

// checkout is the folder of the sources that this command was built from, "" where they are not there, or not in a folder that can be
// built in.
func checkout() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) || strings.Contains(file, "@") { // in the module cache
		return ""
	}
	dir := filepath.Join(filepath.Dir(file), "..", "..")
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !strings.HasPrefix(string(mod), "module "+Framework+"\n") {
		return ""
	}
	return dir
}
