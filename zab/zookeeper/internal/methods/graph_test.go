package methods

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// program has each kind of call, of overriding methods, and of code that belongs to other code.
const program = `package prog;

import java.util.function.Supplier;

interface Step<T> { void run(T t); }

abstract class Base implements Step<String> {
    int count;
    public void twice() { run("a"); hook(); }
    abstract void hook();
}

class Fine extends Base {
    static final int LIMIT = Integer.parseInt("3");
    static final Object LOCK = new Fine();
    private int secret;
    @Override public void run(String s) { count++; }
    @Override void hook() { super.toString(); }
    class Inner { int peek() { return secret; } }
}

class Inherits extends Fine implements Named { }

interface Named { void twice(); }

class Makes extends Thread {
    Step<String> step;
    Supplier<String> name = () -> helper();
    static String helper() { return "" + Fine.LIMIT; }
    void lambda(Base b) { step = s -> b.twice(); }
    void reference(Base b) { step = b::run; }
    void anonymous(Base b) { step = new Step<String>() { public void run(String s) { b.hook(); } }; }
    void byInterface(Step<String> s) { s.run("x"); }
    void named(Named n) { n.twice(); }
    @Override public void run() { System.exit(1); }
    static void start(int n) { new Makes().start(); }
}
`

// compiled returns the graph of the program.
func compiled(t *testing.T) (*Graph, string) {
	t.Helper()
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "Program.java")
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("javac", "--release", "8", "-Xlint:-options", "-d", dir, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	names, err := filepath.Glob(filepath.Join(dir, "prog", "*.class"))
	if err != nil {
		t.Fatal(err)
	}
	var classes []*bytecode.Class
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := bytecode.ReadClass(b)
		if err != nil {
			t.Fatal(err)
		}
		classes = append(classes, c)
	}
	g, err := NewGraph(classes)
	if err != nil {
		t.Fatal(err)
	}
	return g, dir
}

// TestGraph compares what the methods of the program do with what its text says.
func TestGraph(t *testing.T) {
	t.Parallel()
	g, _ := compiled(t)
	for name, want := range map[string]string{
		// Calls name the class that declares the method. Overriding methods say so themselves.
		"Base.twice":        "calls Base.hook Step.run over Named.twice",
		"Fine.run":          "over Step.run uses Base.count",
		"Fine.hook":         "over Base.hook",
		"Inherits.Inherits": "calls Fine.Fine",
		// The methods that javac makes to reach private fields are not there.
		"Fine.Inner.peek": "uses Fine.secret",
		// The initialiser of a class.
		"Makes.helper":  "uses Fine.LIMIT",
		"Fine.<clinit>": "calls Fine.Fine uses Fine.LIMIT Fine.LOCK",
		// Lambdas, references and anonymous classes belong to the method that makes them.
		"Makes.lambda":    "calls Base.twice over Step.run uses Makes.step",
		"Makes.reference": "calls Step.run over Step.run uses Makes.step",
		"Makes.anonymous": "calls Base.hook over Step.run uses Makes.step",
		// A lambda of a field belongs to the constructor, which also calls what Thread may call.
		"Makes.Makes":       "calls Makes.anonymous Makes.byInterface Makes.helper Makes.lambda Makes.named Makes.reference Makes.run uses Makes.name outside",
		"Makes.byInterface": "calls Step.run",
		"Makes.named":       "calls Named.twice",
		"Makes.run":         "outside",
		"Makes.start":       "calls Makes.Makes outside",
	} {
		m := g.Methods["prog."+name]
		if m == nil {
			t.Errorf("%s is not there", name)
			continue
		}
		var parts []string
		for _, x := range []struct {
			word  string
			names []string
		}{{"calls", m.Calls}, {"over", m.Over}, {"uses", m.Uses}} {
			if len(x.names) > 0 {
				parts = append(parts, x.word+" "+strings.ReplaceAll(strings.Join(x.names, " "), "prog.", ""))
			}
		}
		if m.Outside {
			parts = append(parts, "outside")
		}
		if got := strings.Join(parts, " "); got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
	if !g.Constants["prog.Fine.LIMIT"] || g.Constants["prog.Fine.LOCK"] || g.Constants["prog.Base.count"] {
		t.Errorf("constants %v", g.Constants)
	}
}
