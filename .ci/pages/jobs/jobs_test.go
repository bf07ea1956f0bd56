package jobs

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestFile: the file of jobs has paths that are relative to its folder.
func TestFile(t *testing.T) {
	t.Chdir(t.TempDir())
	folder, err := filepath.Abs("keep")
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(7)
	text, err := file(folder, []Job{
		{Verb: "check", Manifest: "configs/zab/new.hcl", Vars: []Var{{"crashes", "2"}}, Flags: []string{"-workers=1"}},
		{Verb: "simulate", Manifest: "configs/zab/new.hcl", Seed: &seed},
	})
	for _, want := range []string{`job "0" {`, `manifests = ["../configs/zab/new.hcl"]`, `crashes = "2"`, `flags = ["-workers=1"]`, `verb      = "simulate"`, `seeds     = "7..7"`} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s%v", want, text, err)
		}
	}
}

// TestInner: the document of a job that was compared with an expect block has that of its search.
func TestInner(t *testing.T) {
	for text, want := range map[string]string{
		`{"verdict": "undecided"}`: `{"verdict": "undecided"}`,
		`{"verb": "test", "tests": [{"ok": false, "result": {"verdict": "violated"}}]}`: `{"verdict": "violated"}`,
		`{"verb": "test", "tests": [{"ok": false}]}`:                                    `{"verb": "test", "tests": [{"ok": false}]}`,
		`no document`: `no document`,
	} {
		if got := string(inner([]byte(text))); got != want {
			t.Errorf("%s has %s, want %s", text, got, want)
		}
	}
}

// program is a command that has documents like multigrain run. It waits for its interruption after
// the first one, if the word is wait.
const program = `#!/bin/sh
while [ $# -gt 0 ]; do
	if [ "$1" = -out ]; then out=$2; fi
	shift
done
mkdir -p "$out/0" "$out/1"
echo '{"verdict": "holds"}' > "$out/0/result.json"
if [ "$WORD" = wait ]; then
	trap 'exit 20' INT
	while :; do sleep 0.05; done
fi
if [ "$WORD" = all ]; then echo trace > "$out/1/Order.trace"; echo '{"verdict": "violated"}' > "$out/1/result.json"; fi
exit 1
`

// TestRun: each document is taken once, at the latest when the run has been ended. That some or all
// are missing, and an error of the taker, are seen.
func TestRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "program")
	if err := os.WriteFile(path, []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	list := []Job{{Verb: "check", Manifest: "a.hcl"}, {Verb: "check", Manifest: "b.hcl"}}
	mine := errors.New("mine")
	for _, test := range []struct {
		word, taken, fails string
		most               time.Duration
		mine               error
	}{
		{word: "all", taken: "0:holds 1:violated "},
		{word: "one", taken: "0:holds "},
		{word: "wait", taken: "0:holds ", most: 2 * time.Second, fails: "was ended"},
		{word: "wait", mine: mine, fails: "mine"},
	} {
		taken := ""
		take := func(k int, document []byte, at string) error {
			_, verdict, _ := strings.Cut(string(document), `"verdict": "`)
			taken += string(rune('0'+k)) + ":" + strings.TrimSpace(strings.Trim(verdict, "\"}\n")) + " "
			if err := Traces(at, filepath.Join(folder, "traces")); err != nil {
				return err
			}
			return test.mine
		}
		err := Engine{on: embedded, processes: 2, most: test.most}.Run(path, folder, []string{"WORD=" + test.word}, list, take)
		if (err != nil) != (test.fails != "") || err != nil && !strings.Contains(err.Error(), test.fails) {
			t.Errorf("%s: error %v, want %q", test.word, err, test.fails)
		}
		if test.mine == nil && taken != test.taken {
			t.Errorf("%s: %q is taken, want %q", test.word, taken, test.taken)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "traces", "Order.trace")); err != nil {
		t.Error(err)
	}
	none := func(int, []byte, string) error { return nil }
	if err := (Engine{}).Run("/bin/false", folder, nil, list, none); err == nil || !strings.Contains(err.Error(), "no job has a document") {
		t.Errorf("a run without documents: %v", err)
	}
}
