package configs

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// secret is text that no message and no source may have.
const secret = "sesame"

// shown returns all that a message about a manifest can show: the diagnostics, and the sources from
// which excerpts are taken.
func shown(m *Manifest, diags hcl.Diagnostics) string {
	var b strings.Builder
	for _, d := range diags {
		fmt.Fprintf(&b, "%s [%s]\n", d, CodeOf(d))
		for _, r := range RelatedOf(d) {
			b.WriteString(r.Message + "\n")
		}
	}
	for name, f := range m.Sources {
		fmt.Fprintf(&b, "%s: %s\n", name, f.Bytes)
	}
	return b.String()
}

// TestForeignText: no message shows the text of a file that the caller may not have meant. It can
// be reached by extends, and by a link that stands for a manifest or for values.
func TestForeignText(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("it needs symbolic links")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"shadow":        "root:" + secret + ":19000\n",
		"latin1.hcl":    "x = \"" + secret + "\xe9\"\n",
		"deep.hcl":      "x = " + strings.Repeat("[", 1000) + secret,
		"vault.hcl":     "token = \"" + secret + "\"\nlistener \"" + secret + "\" {\n}\n",
		"broken.hcl":    "system \"" + secret + "\" {\n" + secret + " = =\n",
		"values.env":    secret + " = " + secret + "\n",
		"config.json":   "{\"auths\": \"" + secret + "\"}",
		"plain.hcl":     "variable \"v\" {\n  default = 1\n}\n",
		"environ":       "PATH=" + secret + "\x00HOME=" + secret + "\x00",
		"manifest.conf": "system \"s\" {\n  source = \"./s\"\n}\nmodule \"m\" {\n  grain = \"g\"\n}\n",
	} {
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for k, name := range []string{"shadow", "latin1.hcl", "deep.hcl", "vault.hcl", "broken.hcl", "environ", "values.env", "/proc/self/environ", "/dev/null", "/dev/stdin"} {
		target := name
		if !filepath.IsAbs(name) {
			target = at(name)
		}
		if _, err := os.Stat(target); err != nil {
			continue
		}
		link := at(fmt.Sprintf("link%d.hcl", k))
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		extender := func(of string) string {
			path := at(fmt.Sprintf("extends%d-%d.hcl", k, len(of)))
			if err := os.WriteFile(path, []byte(fmt.Sprintf("extends = %q\n", of)), 0o644); err != nil {
				t.Fatal(err)
			}
			return path
		}
		for what, opt := range map[string]Options{
			extender(target): {},
			extender(link):   {},
			link:             {},
			at("plain.hcl"):  {Assignments: []Assignment{{File: link}}},
		} {
			m, diags := Load(what, opt)
			if text := shown(m, diags); strings.Contains(text, secret) || !diags.HasErrors() {
				t.Errorf("%s, %s: %s", name, what, text)
			}
		}
	}
	for _, file := range []string{"values.env", "shadow"} {
		m, diags := Load(at("plain.hcl"), Options{Assignments: []Assignment{{File: at(file)}}})
		if text := shown(m, diags); strings.Contains(text, secret) || !diags.HasErrors() {
			t.Errorf("values in %s: %s", file, text)
		}
	}
	link := at("values.json")
	if err := os.Symlink(at("config.json"), link); err != nil {
		t.Fatal(err)
	}
	m, diags := Load(at("plain.hcl"), Options{Assignments: []Assignment{{File: link}}})
	if text := shown(m, diags); strings.Contains(text, secret) || !diags.HasErrors() {
		t.Errorf("a link to JSON: %s", text)
	}
	// the caller's own file is shown, whatever is wrong with it, and links to manifests are
	// followed
	if m, diags := Load(at("broken.hcl"), Options{}); !strings.Contains(shown(m, diags), secret) {
		t.Error("the text of a file that the command line names is hidden")
	}
	if _, diags := Load(at("manifest.conf"), Options{}); diags.HasErrors() {
		t.Errorf("a manifest with another name: %v", diags)
	}
	base, top := at("base.hcl"), at("top.hcl")
	if err := os.Symlink(at("plain.hcl"), base); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(top, []byte("extends = \"base.hcl\"\nsystem \"s\" {\n  source = \"./s\"\n}\nmodule \"m\" {\n  grain = \"g\"\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, diags := Load(top, Options{}); diags.HasErrors() {
		t.Errorf("a link to a manifest: %v", diags)
	}
}
