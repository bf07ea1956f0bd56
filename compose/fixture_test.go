package compose

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/multigrain/multigrain/compose/internal/gocmd"
	"github.com/multigrain/multigrain/configs"
)

// testEnv shares one cache among the tests of a run.
func testEnv(t *testing.T) Env {
	t.Helper()
	return Env{CacheDir: sharedCache}
}

var sharedCache string

// TestMain has all tests share one cache of programs, and packages if MULTIGRAIN_CACHE is set.
func TestMain(m *testing.M) {
	if sharedCache = os.Getenv("MULTIGRAIN_CACHE"); sharedCache == "" {
		dir, err := os.MkdirTemp("", "multigrain-compose-*")
		if err != nil {
			panic(err)
		}
		sharedCache = dir
		defer os.RemoveAll(dir)
	}
	// Programs of tests run for a second: their engine, which takes longest to compile, is not
	// optimized.
	os.Setenv("GOFLAGS", "-gcflags="+gocmd.Framework+"/multigrain-...=-l")
	m.Run() // it sets the exit code
}

func load(t *testing.T, path string, vars ...string) *configs.Manifest {
	t.Helper()
	opt := configs.Options{}
	for _, v := range vars {
		opt.Assignments = append(opt.Assignments, configs.Assignment{Var: v})
	}
	m, diags := configs.Load(path, opt)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return m
}

var wanted = regexp.MustCompile(`# ERROR: (MG\d+) (.*)$`)

// TestInvalid resolves every manifest of testdata/invalid. A comment "# ERROR: CODE text" announces
// a diagnostic on its line; others are not allowed.
func TestInvalid(t *testing.T) {
	files, _ := filepath.Glob("testdata/invalid/*.hcl")
	if len(files) < 10 {
		t.Fatalf("%d fixtures", len(files))
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := map[int][2]string{}
			for n, line := range strings.Split(string(text), "\n") {
				if m := wanted.FindStringSubmatch(line); m != nil {
					want[n+1] = [2]string{m[1], m[2]}
				}
			}
			_, diags := Resolve(load(t, path), testEnv(t))
			for _, d := range diags {
				check(t, d, path, want)
			}
			for line, w := range want {
				t.Errorf("line %d: no diagnostic %s %s", line, w[0], w[1])
			}
		})
	}
}

func check(t *testing.T, d *hcl.Diagnostic, path string, want map[int][2]string) {
	t.Helper()
	if d.Subject == nil || d.Subject.Filename != path {
		t.Errorf("unexpected place: %v", d)
		return
	}
	line := d.Subject.Start.Line
	w, ok := want[line]
	if !ok || string(configs.CodeOf(d)) != w[0] || !strings.Contains(d.Detail, w[1]) {
		t.Errorf("line %d: %s %s: %s; want %v", line, configs.CodeOf(d), d.Summary, d.Detail, w)
		return
	}
	if n := len(strings.Fields(d.Summary)); n > 6 {
		t.Errorf("%q has %d words", d.Summary, n)
	}
	delete(want, line)
}

// TestBrokenPackages loads specifications that cannot be: each error is a diagnostic that points at
// the source.
func TestBrokenPackages(t *testing.T) {
	for _, x := range []struct{ dir, code, file string }{
		{"compile", "MG303", "spec.go"},
		{"nocatalog", "MG204", ""},
		{"notflat", "MG401", "spec.go"},
	} {
		t.Run(x.dir, func(t *testing.T) {
			_, diags := LoadCatalog("testdata/broken", "./"+x.dir, testEnv(t))
			if !diags.HasErrors() {
				t.Fatal("no error")
			}
			found := false
			for _, d := range diags {
				t.Log(configs.CodeOf(d), d)
				found = found || string(configs.CodeOf(d)) == x.code && (x.file == "" || d.Subject != nil && strings.HasSuffix(d.Subject.Filename, x.file))
			}
			if !found {
				t.Errorf("no %s", x.code)
			}
		})
	}
}

func TestNoToolchain(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, diags := LoadCatalog("testdata", "./toy", testEnv(t))
	if len(diags) != 1 || configs.CodeOf(diags[0]) != CodeNoGo {
		t.Fatal(diags)
	}
	if s := fmt.Sprint(diags[0].Detail); !strings.Contains(s, "Install Go") {
		t.Error(s)
	}
}

// TestMistakes: what is wrong with names is stated together with what is wrong with the manifest
// itself, and nothing that may follow from the part that could not be decoded.
func TestMistakes(t *testing.T) {
	path := toyManifest(t, "module \"maker\" {\n  grain = [1]\n}\nmodule \"carier\" {\n  grain = \"baseline\"\n}\nbounds {\n  tokes = 2\n}\n")
	m, said := configs.Load(path, configs.Options{})
	if !said.HasErrors() {
		t.Fatal("a list is a grain")
	}
	var codes []string
	for _, d := range Mistakes(m, said, testEnv(t)) {
		codes = append(codes, string(configs.CodeOf(d)))
	}
	if got := strings.Join(codes, " "); got != "MG102 MG108" {
		t.Errorf("%s: %v", got, said)
	}
}
