package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/interaction"
)

// goRecord is an environment variable with the name of a file. It makes this test binary, under the
// name go, a go command that fails. The command appends its arguments to the file, as a line of
// JSON.
const goRecord = "MULTIGRAIN_TEST_GO_RECORD"

// recordGo records the arguments of a go command. It reports whether this process is one.
func recordGo() bool {
	to := os.Getenv(goRecord)
	if to == "" || filepath.Base(os.Args[0]) != "go" {
		return false
	}
	f, err := os.OpenFile(to, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if err := json.NewEncoder(f).Encode(os.Args[1:]); err != nil {
		panic(err)
	}
	return true
}

// goFlags are the flags that the command gives to the go command.
var goFlags = []string{"-e", "-f", "-deps", "-json=", "-m", "--"}

// FuzzNames gives a text as a name to a verb: in the manifest, in a variable and on the command
// line. The go command, which records its arguments, must not get it as a flag.
func FuzzNames(f *testing.F) {
	bin := f.TempDir()
	self, err := os.Executable()
	if err != nil {
		f.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "go")); err != nil {
		f.Skip(err)
	}
	f.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	f.Setenv("MULTIGRAIN_CACHE", f.TempDir())
	for verb := range named {
		for _, name := range []string{"-debug-trace=FILE", "-toolexec=x", "all", "a/b", "./x", "a b=-c"} {
			f.Add(uint8(verb), name)
		}
	}
	f.Fuzz(func(t *testing.T, verb uint8, name string) {
		dir := t.TempDir()
		calls := filepath.Join(dir, "calls")
		t.Setenv(goRecord, calls)
		manifest := filepath.Join(dir, "m.hcl")
		if err := os.WriteFile(manifest, []byte(withNames(name)), 0o644); err != nil {
			t.Fatal(err)
		}
		args := named[int(verb)%len(named)](manifest, name)
		var out, errs bytes.Buffer
		a := &command.App{Verbs: verbs(), In: strings.NewReader(""), Out: &out, Err: &errs, Environ: os.Environ()}
		a.Run(args)
		text, err := os.ReadFile(calls)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var call []string
			if err := json.Unmarshal([]byte(line), &call); err != nil {
				t.Fatal(err)
			}
			for _, arg := range call {
				checkArgument(t, args, arg)
			}
		}
	})
}

// named are command lines with a name.
var named = []func(manifest, name string) []string{
	func(manifest, _ string) []string { return []string{"validate", manifest} },
	func(manifest, _ string) []string { return []string{"check", manifest} },
	func(manifest, _ string) []string { return []string{"interaction", manifest} },
	func(manifest, _ string) []string { return []string{"conform", manifest} },
	func(manifest, _ string) []string { return []string{"test", manifest} },
	func(manifest, name string) []string {
		return []string{"validate", manifest, "-var", "source=" + name, "-var", "use=given"}
	},
	func(_, name string) []string { return []string{"list", "--", name} },
	func(_, name string) []string { return []string{"list", name} },
	func(_, name string) []string { return []string{"tap", name} },
	func(manifest, name string) []string {
		return []string{"change", manifest, "-impl", name, "-repo", ".", "-base", name}
	},
	func(manifest, name string) []string { return []string{"conform", manifest, "-impl", name} },
}

// withNames returns a manifest in which a name stands wherever one may become an argument.
func withNames(name string) string {
	quoted := strconv.QuoteToGraphic(strings.ToValidUTF8(name, "?"))
	quoted = strings.NewReplacer("${", "$${", "%{", "%%{", `\x`, `\\x`, `\a`, "", `\b`, "", `\f`, "", `\v`, "").Replace(quoted)
	return `
variable "source" { default = "" }
variable "use" { default = "written" }
locals { written = ` + quoted + ` }
system "x" {
  source = var.use == "given" ? var.source : local.written
}
module "a" {
  grain = local.written
}
implementation "i" {
  adapter  = local.written
  packages = [local.written]
}
check {}
`
}

// checkArgument checks what the go command got.
func checkArgument(t *testing.T, args []string, arg string) {
	t.Helper()
	if strings.HasPrefix(arg, "-") {
		for _, flag := range goFlags {
			if arg == flag || strings.HasSuffix(flag, "=") && strings.HasPrefix(arg, flag) {
				return
			}
		}
		t.Errorf("%q: the go command gets the flag %q", args, arg)
		return
	}
	ours := map[string]bool{"list": true, "env": true, "GOVERSION": true, ".": true, "./...": true, `{{.ImportPath}} {{join .Imports " "}}`: true,
		"github.com/multigrain/multigrain/zab/...": true, "github.com/multigrain/multigrain/raft/...": true}
	if !ours[arg] && interaction.CheckImportPath(arg) != nil {
		t.Errorf("%q: the go command gets %q, which is no import path", args, arg)
	}
}
