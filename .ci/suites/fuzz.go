package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// fuzzTarget is a function of a test file that the go command can fuzz.
type fuzzTarget struct {
	pkg, name string
}

func (f fuzzTarget) String() string { return f.pkg + " " + f.name }

// fuzz runs fuzz targets, all or a sample, each for some time. A run of all keeps a file with the
// targets that are done, and the next run goes on with the others. When all are done, the file is
// removed. It goes on after a failure. A target that failed is not done.
func fuzz(args []string) error {
	flags := flag.NewFlagSet("fuzz", flag.ExitOnError)
	each := flags.Duration("each", 10*time.Minute, "`time` of each target")
	count := flags.Int("sample", 0, "run `N` targets, chosen by the seed; 0: all")
	seed := flags.String("seed", today(), "`seed` of the sample")
	state := flags.String("state", "", "`file` with the targets that are done (default: multigrain-fuzz in the user's cache folder)")
	list := flags.Bool("list", false, "print the targets and run none")
	flags.Parse(args)
	targets, err := fuzzTargets(".")
	if err != nil {
		return err
	}
	if *count > 0 {
		targets, _ = choose(targets, func(fuzzTarget) float64 { return 1 }, *seed, float64(*count))
		fmt.Printf("sample %s: %d fuzz targets, %v each; the same again: MULTIGRAIN_SAMPLE=%s\n", *seed, len(targets), *each, *seed)
	}
	if *list {
		for _, f := range targets {
			fmt.Println(f)
		}
		return nil
	}
	var done *doneFile
	if *count == 0 {
		if done, err = openDone(*state); err != nil {
			return err
		}
	}
	return fuzzAll(targets, *each, done, runTarget)
}

// fuzzAll runs those targets that are not done. done may be nil.
func fuzzAll(targets []fuzzTarget, each time.Duration, done *doneFile, run func(fuzzTarget, time.Duration) bool) error {
	failed := false
	for _, f := range targets {
		if done.has(f.String()) {
			fmt.Printf("%s: done by an earlier run\n", f)
			continue
		}
		if !run(f, each) {
			failed = true
		} else if err := done.add(f.String()); err != nil {
			return err
		}
	}
	if failed {
		return errFailed
	}
	return done.remove()
}

// runTarget fuzzes one target and reports whether it found nothing. The go command keeps an input
// that fails in testdata/fuzz, where it is a seed from then on.
func runTarget(f fuzzTarget, each time.Duration) bool {
	args := []string{"test", "-run=^$", "-fuzz=^" + f.name + "$", fmt.Sprintf("-fuzztime=%v", each), "-timeout=0", f.pkg}
	fmt.Println("go", strings.Join(args, " "))
	out, err := exec.Command("go", args...).CombinedOutput()
	ran := strings.Contains(string(out), "\nok ") || strings.HasPrefix(string(out), "ok ") || strings.Contains(string(out), "fuzz: elapsed")
	if (err != nil && !endedByTime(string(out))) || !ran {
		fmt.Printf("%s\n", out)
		return false
	}
	if err != nil {
		fmt.Println("  no failure: the time ended while an input ran")
		return true
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	fmt.Println(" ", lines[max(0, len(lines)-3)])
	return true
}

// endedByTime reports whether a run failed only because its time ended while an input ran, which
// Go before 1.27 can take for a failure on a busy machine (golang/go issue 75804). An input that
// fails is always kept, and the output names its file.
func endedByTime(out string) bool {
	_, failure, ok := strings.Cut(out, "--- FAIL: ")
	lines := strings.Split(failure, "\n")
	return ok && len(lines) > 2 && lines[1] == "    context deadline exceeded" && lines[2] == "FAIL" &&
		!strings.Contains(out, "Failing input written to")
}

// fuzzTargets finds the targets of all packages below a folder.
func fuzzTargets(root string) ([]fuzzTarget, error) {
	folders, err := testFolders(root)
	if err != nil {
		return nil, err
	}
	var out []fuzzTarget
	for folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && isTarget(fn) {
					out = append(out, fuzzTarget{packageOf(folder), fn.Name.Name})
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b fuzzTarget) int { return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.name, b.name)) })
	return out, nil
}

// isTarget reports whether a function has the name and the parameter of a fuzz target.
func isTarget(fn *ast.FuncDecl) bool {
	if fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Fuzz") || len(fn.Type.Params.List) != 1 {
		return false
	}
	star, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	of, ok := star.X.(*ast.SelectorExpr)
	return ok && of.Sel.Name == "F"
}

// doneFile lists what is done, a line each. The methods of a nil one do nothing.
type doneFile struct {
	path string
	done []string
}

// openDone reads the file at path, or at the usual place. A line that a kill cut off is no target,
// so its target runs again.
func openDone(path string) (*doneFile, error) {
	if path == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("%w; name a file with -state", err)
		}
		path = filepath.Join(cache, "multigrain-fuzz")
	}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return &doneFile{path, strings.Split(string(text), "\n")}, nil
}

func (d *doneFile) has(name string) bool { return d != nil && slices.Contains(d.done, name) }

func (d *doneFile) add(name string) error {
	if d == nil {
		return nil
	}
	f, err := os.OpenFile(d.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "\n%s\n", name) // the line before may be cut off
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// remove removes the file: the next run starts anew.
func (d *doneFile) remove() error {
	if d == nil {
		return nil
	}
	if err := os.Remove(d.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
