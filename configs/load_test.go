package configs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is wrong with the file that is named on the command line has no place
// in any file.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("mspec-1.hcl", "")
	large := write("large.hcl", strings.Repeat("#\n", maxSize/2+1))
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ path, want string }{
		{filepath.Join(dir, "mspec_1.hcl"), "does not exist. Did you mean \"" + filepath.Join(dir, "mspec-1.hcl") + `"?`},
		{filepath.Join(dir, "no", "folder.hcl"), "does not exist."},
		{dir, "is a folder. Name one of the manifests in it, such as " + filepath.Join(dir, "large.hcl")},
		{empty, "is a folder. Name a manifest, which is a file."},
		{large, "larger than 256 KiB"},
		{filepath.Join(large, "below.hcl"), "cannot be read: not a directory."},
		{"", "does not exist"},
		{"a\x00b", "cannot be read: invalid argument."},
	}
	for _, test := range tests {
		m, diags := Load(test.path, Options{})
		if len(diags) != 1 || CodeOf(diags[0]) != CodeUnreadable || diags[0].Subject != nil || !strings.Contains(diags[0].Detail, test.want) {
			t.Errorf("%q: %v, want one about %q", test.path, diags, test.want)
		}
		if m == nil || m.System != nil || len(m.Files) != 0 {
			t.Errorf("%q: manifest %+v", test.path, m)
		}
	}
	denied := func(string) ([]byte, error) {
		return nil, &fs.PathError{Op: "open", Path: "m.hcl", Err: fs.ErrPermission}
	}
	_, diags := Load("m.hcl", Options{ReadFile: denied})
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, "m.hcl cannot be read: permission denied.") {
		t.Errorf("no permission: %v", diags)
	}
	_, diags = Load("m.hcl", Options{ReadFile: func(string) ([]byte, error) { return nil, errors.New("disk on fire") }})
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, "disk on fire") {
		t.Errorf("other error: %v", diags)
	}
}

// Nesting without end is a diagnostic, never the end of the process: a stack
// that outgrows its limit cannot be recovered.
func TestNesting(t *testing.T) {
	t.Parallel()
	const size = maxSize - 100
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for _, text := range []string{
		"a = " + repeat("("), "a = " + repeat("f("), "a = " + repeat("["), "a = " + repeat("{a="), repeat("a {\n"),
		"a = " + repeat("!") + "true\n", "a = " + repeat("-") + "1\n", "a = 1" + repeat("+1") + "\n",
		"a = " + repeat("true?1:") + "1\n", "a = " + repeat("\"${"), "a = (" + repeat("1+\n") + "1)\n",
	} {
		if _, err := ParseFormula(text); err == nil || !strings.Contains(err.Error(), "nested too deep") {
			t.Errorf("a formula %.20q...: %.200v", text, err)
		}
		_, diags := Load("m.hcl", Options{ReadFile: memory(map[string]string{"m.hcl": text})})
		if len(diags) != 1 || CodeOf(diags[0]) != CodeSyntax || diags[0].Summary != "Expression nested too deep" {
			t.Errorf("%.20q...: %.200v", text, diags)
		}
	}
	wide := "system \"zab\" {\n  source = \".\"\n}\noptions {\n  a = [" + strings.Repeat("[1 + 1], ", 2000) + "]\n" +
		"}\nbounds {\n" + strings.Repeat("# - - -\n", 1000) + "}\n"
	if _, diags := Load("m.hcl", Options{ReadFile: memory(map[string]string{"m.hcl": wide})}); len(diags) > 0 {
		t.Errorf("a long list: %v", diags)
	}
}

// A chain of links that leads back to the manifest is a cycle, whatever names
// it goes by.
func TestCycleThroughLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.hcl")
	if err := os.WriteFile(path, []byte(`extends = "loop/a.hcl"`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".", filepath.Join(dir, "loop")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	_, diags := Load(path, Options{})
	if len(diags) != 1 || CodeOf(diags[0]) != CodeExtendsCycle {
		t.Errorf("got %v, want one cycle", diags)
	}
}

// The manifests that are shipped load without a complaint and are formatted.
func TestShipped(t *testing.T) {
	t.Parallel()
	var found int
	for _, system := range []string{"examples", "zab", "raft"} {
		if _, err := os.Stat(system); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		err := filepath.WalkDir(system, func(path string, e fs.DirEntry, err error) error {
			if e != nil && e.IsDir() && e.Name() == "parts" { // of manifests
				return fs.SkipDir
			}
			if err != nil || e.IsDir() || filepath.Ext(path) != ".hcl" {
				return err
			}
			found++
			m, diags := Load(path, Options{})
			for _, d := range diags {
				t.Errorf("%s [%s]", d, CodeOf(d))
			}
			src := m.Sources[path].Bytes
			formatted, _ := Format(path, src)
			if diff := Diff(path, "formatted", src, formatted); diff != "" {
				t.Errorf("not formatted:\n%s", diff)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if found == 0 {
		t.Skip("no manifest is shipped with this copy")
	}
}

// Whatever a file contains, Load and Format return, every diagnostic has the
// common form, and formatting a second time changes nothing.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/valid/*.hcl", "testdata/invalid/*.hcl", "testdata/invalid/parts/*.hcl"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(src)
		}
	}
	f.Add([]byte("\xef\xbb\xbfsystem \"zab\" {}\r\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		m, diags := Load("m.hcl", Options{
			ReadFile:    memory(map[string]string{"m.hcl": string(src)}),
			Assignments: []Assignment{{Var: "servers=4"}},
		})
		for _, d := range diags {
			checkForm(t, d, m)
		}
		if !diags.HasErrors() {
			dump(m)
		}
		formatted, diags := Format("m.hcl", src)
		if diags.HasErrors() {
			return
		}
		if again, diags := Format("m.hcl", formatted); diags.HasErrors() {
			t.Errorf("formatting damages the file: %v\n%q", diags, formatted)
		} else if string(again) != string(formatted) {
			t.Logf("formatted once %q, twice %q", formatted, again)
		}
	})
}
