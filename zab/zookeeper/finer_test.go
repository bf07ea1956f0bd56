package zookeeper_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// finer is a judgement of multigrain monitor -finer.
type finer struct {
	Occasion, Verdict, Reason string
	At                        int64
	Alarm                     *struct{ Message, Expected json.RawMessage }
}

// TestFiner lets Election at its baseline judge parts of recorded streams again, next to coarse
// Election. Both explain each election. A coarse grain that does not follow server 1 is too strict,
// and the finer one explains the message of the alarm. Of a message that was changed both raise an
// alarm. A stream without notifications cannot be judged by the finer grain.
func TestFiner(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it builds the command and three monitors; set MULTIGRAIN_SLOW=1")
	}
	command := filepath.Join(t.TempDir(), "multigrain")
	if out, err := exec.Command("go", "build", "-o", command, "../../cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	judge := func(manifest string, node int, source string) (verdict string, parts []finer) {
		t.Helper()
		run := exec.Command(command, "monitor", manifest, "-node", fmt.Sprint(node), "-source", source, "-finer", "10000", "-log", "off", "-json")
		run.Env = append(os.Environ(), "MULTIGRAIN_CACHE="+cacheDir)
		out, err := run.Output()
		var doc struct {
			Monitor struct {
				Verdict string
				Finer   []finer
			}
		}
		if bad := json.Unmarshal(out, &doc); bad != nil || err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatalf("%v, %v: %s", err, bad, out)
		}
		return doc.Monitor.Verdict, doc.Monitor.Finer
	}
	const coarse = "../../configs/zab/zookeeper.hcl"
	recorded := func(node int) string { return fmt.Sprintf("testdata/elections/%d.ndjson", node) }

	t.Run("elections", func(t *testing.T) {
		for node := range 2 {
			verdict, parts := judge(coarse, node, recorded(node))
			if verdict != "holds" || len(parts) < 5 {
				t.Errorf("node %d: %s, %d elections", node, verdict, len(parts))
			}
			for _, p := range parts {
				if p.Occasion != "election" || p.Verdict != "holds" {
					t.Errorf("node %d: %+v", node, p)
				}
			}
			t.Logf("node %d: %d elections, all explained by both grains", node, len(parts))
		}
	})
	t.Run("too strict", func(t *testing.T) {
		strict := planted(t, "election_node.go", "Guard:  func(s *State, p Pair) bool { return s.isLooking(p.I) && (LiveNode || s.mayJoin(p.I, p.J)) },\n\tEffect: func(s, n *State, p Pair) {\n\t\tn.turnToFollowing(p.I)",
			"Guard:  func(s *State, p Pair) bool { return s.isLooking(p.I) && p.J != 1 && (LiveNode || s.mayJoin(p.I, p.J)) },\n\tEffect: func(s, n *State, p Pair) {\n\t\tn.turnToFollowing(p.I)")
		verdict, parts := judge(strict, 0, recorded(0))
		if last := len(parts) - 1; verdict != "violated" || last < 0 || parts[last].Occasion != "alarm" || parts[last].Verdict != "holds" {
			t.Errorf("%s, %+v", verdict, parts)
		}
	})
	t.Run("both", func(t *testing.T) {
		text, err := os.ReadFile(recorded(0))
		if err != nil {
			t.Fatal(err)
		}
		const right, wrong = `{"event":"out","peer":2,"msg":{"Kind":"ACKLD","Zxid":{"Epoch":2,`, `{"event":"out","peer":2,"msg":{"Kind":"ACKLD","Zxid":{"Epoch":3,`
		if strings.Count(string(text), right) != 1 {
			t.Fatalf("the stream has %d lines with %s", strings.Count(string(text), right), right)
		}
		changed := filepath.Join(t.TempDir(), "changed")
		if err := os.WriteFile(changed, []byte(strings.Replace(string(text), right, wrong, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		verdict, parts := judge(coarse, 0, changed)
		if last := len(parts) - 1; verdict != "violated" || last < 0 || parts[last].Occasion != "alarm" || parts[last].Verdict != "violated" ||
			!strings.Contains(string(parts[last].Alarm.Expected), `"2"`) {
			t.Errorf("%s, %+v", verdict, parts)
		}
	})
	t.Run("without notifications", func(t *testing.T) {
		verdict, parts := judge(coarse, 0, "testdata/streams/zk-1154-0.ndjson")
		if last := len(parts) - 1; verdict != "violated" || last < 0 || parts[last].Verdict != "undecided" || !strings.Contains(parts[last].Reason, "no events of ElectionMsgs") {
			t.Errorf("%s, %+v", verdict, parts)
		}
	})
}

// planted returns the manifest zookeeper.hcl for a copy of package zab in which a text is another
// one.
func planted(t *testing.T, file, text, becomes string) (manifest string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read := func(path string) string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	write("go.mod", strings.Replace(read(filepath.Join(root, "go.mod")), "module github.com/multigrain/multigrain", "module example.org/planted", 1)+
		"\nrequire github.com/multigrain/multigrain v0.0.0\n\nreplace github.com/multigrain/multigrain => "+root+"\n")
	write("go.sum", read(filepath.Join(root, "go.sum")))
	found := false
	sources, _ := filepath.Glob(filepath.Join(root, "zab", "*.go")) // the pattern is right
	for _, path := range sources {
		name, have := filepath.Base(path), read(path)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if name == file {
			found = strings.Count(have, text) == 1
			have = strings.Replace(have, text, becomes, 1)
		}
		write(filepath.Join("spec", name), have)
	}
	if !found {
		t.Fatalf("%s does not have the text once: %s", file, text)
	}
	for folder, to := range map[string]string{"configs/zab": "manifests", "configs/zab/parts": "manifests/parts"} {
		manifests, _ := filepath.Glob(filepath.Join(root, folder, "*.hcl"))
		for _, path := range manifests {
			write(filepath.Join(to, filepath.Base(path)), strings.ReplaceAll(read(path), `"github.com/multigrain/multigrain/zab"`, `"`+filepath.Join(dir, "spec")+`"`))
		}
	}
	return filepath.Join(dir, "manifests", "zookeeper.hcl")
}
