package lsp

import (
	"archive/zip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// extension is the folder of the extension for VS Code.
const extension = "../../vscode"

// TestExtension reads the files of the extension: what package.json names is there, and the
// extension starts this verb. It does not register the command of the code lens, which its client
// registers as the server names it.
func TestExtension(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(extension, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Main        string
		License     string
		Contributes struct {
			Languages     []struct{ ID, Configuration string }
			Grammars      []struct{ Language, ScopeName, Path string }
			Commands      []struct{ Command string }
			Configuration struct{ Properties map[string]any }
		}
		Dependencies, DevDependencies map[string]string
	}
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Contributes.Languages) != 1 || len(p.Contributes.Grammars) != 1 || p.License != "Apache-2.0" {
		t.Fatalf("package.json has %+v", p)
	}
	for _, name := range []string{p.Contributes.Languages[0].Configuration, p.Contributes.Grammars[0].Path} {
		file, err := os.ReadFile(filepath.Join(extension, name))
		if err != nil || !json.Valid(file) {
			t.Errorf("%s: %v, or no JSON", name, err)
		}
	}
	code, err := os.ReadFile(filepath.Join(extension, p.Main))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(code), `args: ["lsp"]`) || strings.Contains(string(code), checkCommand) {
		t.Error("the extension does not start multigrain lsp, or registers the command of the code lens")
	}
	for name := range p.Contributes.Configuration.Properties {
		if !strings.Contains(string(code), `settings.get("`+strings.TrimPrefix(name, "multigrain.")+`")`) {
			t.Errorf("the setting %s is not read", name)
		}
	}
	for _, c := range p.Contributes.Commands {
		if !strings.Contains(string(code), `registerCommand("`+c.Command+`"`) {
			t.Errorf("the command %s is not registered", c.Command)
		}
	}
	for name, version := range p.Dependencies {
		if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(version) {
			t.Errorf("%s has no exact version: %s", name, version)
		}
	}
}

// TestExtensionIsPacked packs the extension by npm. The package has the extension, its client and
// the licence, and no tool that only packs it.
func TestExtensionIsPacked(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("npm gets a client for VS Code; set MULTIGRAIN_SLOW=1")
	}
	for _, name := range []string{"npm", "node"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("the extension is packed by npm, and there is no %s", name)
		}
	}
	root := t.TempDir()
	dir := filepath.Join(root, "cmd", "multigrain", "vscode")
	if err := os.CopyFS(dir, os.DirFS(extension)); err != nil {
		t.Fatal(err)
	}
	licence, err := os.ReadFile("../../../../LICENSE")
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "LICENSE"), licence, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) ([]byte, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		return cmd.CombinedOutput()
	}
	if out, err := run("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"); err != nil {
		t.Skipf("npm cannot get the packages: %v\n%s", err, out)
	}
	if out, err := run("node", "--check", "extension.js"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := run("npm", "run", "package"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	packed, err := zip.OpenReader(filepath.Join(dir, "multigrain-0.0.0.vsix"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	has := map[string]string{}
	for _, f := range packed.File {
		if strings.Contains(f.Name, "node_modules/@vscode") || strings.HasSuffix(f.Name, "package-lock.json") {
			t.Errorf("the package has %s", f.Name)
		}
		has[f.Name] = ""
		if !strings.Contains(f.Name, "node_modules") {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			has[f.Name] = string(text)
		}
	}
	for _, name := range []string{"extension/package.json", "extension/extension.js", "extension/readme.md", "extension/LICENSE.txt",
		"extension/language-configuration.json", "extension/syntaxes/hcl.json", "extension/node_modules/vscode-languageclient/package.json"} {
		if _, ok := has[name]; !ok {
			t.Errorf("the package lacks %s", name)
		}
	}
	if has["extension/LICENSE.txt"] != string(licence) {
		t.Error("the package has another licence")
	}
}
