// Package scaffold writes the files of a new system: a specification that runs, its manifests, a
// test, a workflow and a text that explains them. It is the verb new.
//
// It imports package command.
package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"go/token"
	"io/fs"
	"maps"
	"regexp"
	"strings"
	"text/template"

	"github.com/multigrain/multigrain/checker/conform/drivers"
)

//go:embed files/*.tmpl
var texts embed.FS

var templates = template.Must(template.ParseFS(texts, "files/*.tmpl"))

// names are the templates by the files that they make. A % stands for the name of the system.
var names = map[string]string{
	"sizes.go": "sizes.go.tmpl", "state.go": "state.go.tmpl", "client.go": "client.go.tmpl", "server.go": "server.go.tmpl",
	"network.go": "network.go.tmpl", "catalog.go": "catalog.go.tmpl", "%_test.go": "spec_test.go.tmpl",
	"%.hcl": "main.hcl.tmpl", "coarse.hcl": "coarse.hcl.tmpl", "careless.hcl": "careless.hcl.tmpl",
	"README.md": "README.md.tmpl", ".github/workflows/multigrain.yml": "workflow.yml.tmpl", "go.mod": "go.mod.tmpl", ".gitignore": "gitignore.tmpl",
}

// driven are the templates of a driver, as names has them.
var driven = map[string]map[string]string{
	"python": {"driver/driver.py": "driver.py.tmpl", "driver/driver.hcl": "driver.hcl.tmpl"},
	"c":      {"driver/driver.c": "driver.c.tmpl", "driver/driver.hcl": "driver.c.hcl.tmpl"},
	"java": {"driver/LockDriver.java": "driver.java.tmpl", "driver/pom.xml": "pom.xml.tmpl", "driver/build.sh": "build.sh.tmpl",
		"driver/driver.hcl": "driver.java.hcl.tmpl"},
	"rust": {"driver/src/main.rs": "driver.rs.tmpl", "driver/Cargo.toml": "cargo.toml.tmpl", "driver/driver.hcl": "driver.rust.hcl.tmpl"},
}

// System says what the files are about.
type System struct {
	Name   string // of the system and the package
	Module string // path of the Go module
	// Version of this project that the module requires, and Replace, a folder that stands for it.
	// Both are "" where neither is known.
	Version, Replace string
	// Driver is the language of a driver that is written, too; "": none is.
	Driver string
}

// identifier is the form of a name: that of a Go package.
var identifier = regexp.MustCompile(`^[a-z][a-z0-9]{0,29}$`)

// reserved are names of files that the system has, and of packages that it imports.
var reserved = []string{"coarse", "careless", "modules", "grains", "testing", "vettest", "main"}

// Check returns what is wrong with a name, "" for nothing.
func Check(name string) string {
	switch {
	case !identifier.MatchString(name):
		return "A name has lower-case letters and digits, begins with a letter, and has at most 30 of them"
	case token.IsKeyword(name):
		return name + " is a keyword of Go"
	}
	for _, r := range reserved {
		if name == r {
			return name + " is the name of something else in a system"
		}
	}
	return ""
}

// Files returns the texts of the system's files, by their paths with slashes. An error is a mistake
// in a template.
func (s System) Files() (map[string]string, error) {
	out := map[string]string{}
	all := maps.Clone(names)
	maps.Copy(all, driven[s.Driver])
	if kit, ok := drivers.Kit(s.Driver); ok && s.Driver != "" {
		err := fs.WalkDir(kit, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(kit, path)
			out["driver/"+path] = string(text)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for file, t := range all {
		var b bytes.Buffer
		if err := templates.ExecuteTemplate(&b, t, s); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out[strings.ReplaceAll(file, "%", s.Name)] = b.String()
	}
	return out, nil
}

// next returns the commands that follow, for a system in a folder.
func (s System) next(folder string) ([]string, error) {
	var b strings.Builder
	err := templates.ExecuteTemplate(&b, "next.txt.tmpl", map[string]any{"Folder": folder, "System": s})
	return strings.Split(strings.TrimSpace(b.String()), "\n"), err
}
