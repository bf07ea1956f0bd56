package zab

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// narratedEarlier are the traces in testdata of bugs that options "bug" and "variant" bring back.
// They are constants of the program, so only TestNarrationIsCurrent takes their steps.
var narratedEarlier = []string{"zk-1154", "zk-2832", "zk-2845", "zk-3911"}

// TestLogsMeet puts logs together whose transactions are known.
func TestLogsMeet(t *testing.T) {
	t.Parallel()
	a, b, c, d := txn(1, 1), txn(1, 2), txn(2, 1), txn(3, 1)
	for _, x := range []struct {
		name         string
		memory, log  History
		merged, left History
	}{
		{"nothing", history(), history(), history(), history()},
		{"no log", history(a, c), history(), history(a, c), history(a, c)},
		{"no memory", history(), history(b), history(b), history()},
		{"between", history(c), history(b), history(b, c), history(c)},
		{"behind", history(a), history(d), history(a, d), history(a)},
		{"twice", history(a, d), history(a), history(a, d), history(d)},
	} {
		if got := merge(&x.memory, &x.log); got != x.merged {
			t.Errorf("%s: merged %v, want %v", x.name, got, x.merged)
		}
		if got := merge(&x.log, &x.memory); got != x.merged {
			t.Errorf("%s: merged the other way %v, want %v", x.name, got, x.merged)
		}
		if got := without(&x.memory, &x.log); got != x.left {
			t.Errorf("%s: without %v, want %v", x.name, got, x.left)
		}
	}
}

// TestBugsAreNeeded explores the bounds of each manifest without its bug: nothing is violated.
func TestBugsAreNeeded(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it explores up to 1.3 million states for each bug; set MULTIGRAIN_SLOW=1")
	}
	dir := t.TempDir()
	command := filepath.Join(dir, "multigrain")
	if out, err := exec.Command("go", "build", "-o", command, "../cmd/multigrain").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range append(narratedEarlier, "zk-1419-sandtable") {
		manifest := filepath.Join("..", "configs", "zab", "bugs", name+".hcl")
		t.Run(name, func(t *testing.T) {
			if out, err := exec.Command(command, "check", manifest, "-var", "bug=none", "-quiet").CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
