// Package sandtable prints tables 1, 3 and 4 of "SandTable: Scalable Distributed System Model
// Checking with Specification-Level State Exploration" (EuroSys 2024) for the systems that have a
// specification of their own, each next to the published figures. In the folder of the checkout:
//
//	go run ./.ci/pages sandtable -table 1
//	go run ./.ci/pages sandtable -table 3 -budget 1m
//	go run ./.ci/pages sandtable -table 4 -walks 20
//
// Table 1 counts lines, variables and actions. Table 3 searches a state space to its end, and one
// without an end for the budget. Table 4 takes walks of the specification, and walks of the
// implementation under it: its drivers must be set up. An argument chooses the systems whose name
// contains it. Figures are in docs/results/sandtable.md.
package sandtable

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// published are figures of the paper, as its tables print them.
type published struct{ size, small, large, speed string }

// system is a row.
type system struct {
	name, folder, manifest string
	driver                 string   // the file or folder that has the driver; empty: there is no implementation
	small, large           []string // -var of table 3
	paper                  published
}

var systems = []system{
	{"PySyncObj", "raft/pysyncobj", "configs/raft/pysyncobj.hcl", "raft/drivers/pysyncobj/driver.py",
		[]string{"servers=3", "requests=2"}, []string{"servers=3", "terms=4", "timeouts=6", "requests=4", "beats=4", "partitions=2"},
		published{"490, 12, 9, 13", "57 min, 41, 63 185 747", "1 880 642 320", "14.18, 1 798.53, 127"}},
	{"RaftOS", "raft/raftos", "configs/raft/raftos.hcl", "raft/drivers/raftos/driver.py",
		nil, []string{"servers=3", "terms=4", "timeouts=6", "requests=4", "beats=4", "duplicates=2"},
		published{"610, 12, 9, 13", "23 min, 34, 31 569 538", "3 347 361 061", "5.83, 4 813.74, 825"}},
	{"WRaft", "configs/examples/wraft", "configs/raft/wraft.hcl", "",
		[]string{"requests=2", "timeouts=2"}, []string{"terms=3", "timeouts=4", "requests=4", "beats=2", "compactions=2", "isolations=1", "wire=6"},
		published{"879, 14, 15, 13", "2.1 h, 48, 94 475 424", "1 064 901 869", "20.70, 2 496.53, 121"}},
	{"libraft", "raft/libraft", "configs/raft/libraft.hcl", "raft/drivers/libraft/driver.c",
		[]string{"requests=2"}, []string{"terms=4", "timeouts=6", "requests=4", "beats=4", "partitions=2", "wire=8"}, published{}},
	{"Ratis", "raft/ratis", "configs/raft/ratis.hcl", "raft/drivers/ratis/org",
		[]string{"requests=2"}, []string{"terms=4", "timeouts=6", "requests=4", "beats=4", "losses=2", "wire=8"}, published{}},
}

var (
	table  = 1
	budget = time.Minute
	walks  = 20
)

// command is multigrain, which Run builds.
var command string

// Run runs the verb. Its flags are those of package flag's command line.
func Run() error {
	flag.IntVar(&table, "table", table, "the table: 1, 3 or 4")
	flag.DurationVar(&budget, "budget", budget, "time for each search of table 3")
	flag.IntVar(&walks, "walks", walks, "walks of the implementation in table 4; a hundred times as many of the specification")
	flag.Parse()
	header, row, ok := strings.Cut(map[int]string{
		1: "| system | lines, variables, actions, invariants | lines of the driver | published: lines, variables, actions, invariants |\n|---|---|---|---|\n",
		3: "| system | to the end: seconds, depth, states | without an end: states a second, a day | published: time, depth, states; states in a day |\n|---|---|---|---|\n",
		4: "| system | walks of the specification: ms each, steps | of the implementation: ms each, steps | ratio for a step | published: ms, ms, ratio |\n|---|---|---|---|---|\n",
	}[table], "\n")
	if !ok {
		return fmt.Errorf("there is no table %d", table)
	}
	dir, err := os.MkdirTemp("", "sandtable")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	command = filepath.Join(dir, "multigrain")
	if out, err := exec.Command("go", "build", "-o", command, "./cmd/multigrain").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	fmt.Printf("%s\n%s", header, row)
	for _, s := range systems {
		if !strings.Contains(s.name, flag.Arg(0)) {
			continue
		}
		line, err := map[int]func(system) (string, error){1: sizes, 3: spaces, 4: speeds}[table](s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Printf("| %s | %s |\n", s.name, line)
	}
	return nil
}

// sizes is a row of table 1.
func sizes(s system) (string, error) {
	lines, variables, err := count(s.folder)
	if err != nil {
		return "", err
	}
	var doc struct {
		Systems []struct{ Actions, Invariants []json.RawMessage }
	}
	if err := multigrain(&doc, "list", "./"+s.folder); err != nil {
		return "", err
	}
	driver := "-"
	if s.driver != "" {
		n := 0
		err := filepath.WalkDir(s.driver, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			n += strings.Count(string(text), "\n")
			return err
		})
		if err != nil {
			return "", err
		}
		driver = fmt.Sprint(n)
	}
	return fmt.Sprintf("%d, %d, %d, %d | %s | %s", lines, variables, len(doc.Systems[0].Actions), len(doc.Systems[0].Invariants),
		driver, orNone(s.paper.size)), nil
}

func orNone(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// count returns the lines with code in the files of a specification, and the fields of its State.
func count(folder string) (lines, variables int, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return 0, 0, err
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return 0, 0, err
		}
		for line := range strings.Lines(string(text)) {
			if line := strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				lines++
			}
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
		if err != nil {
			return 0, 0, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == "State" {
				for _, field := range spec.Type.(*ast.StructType).Fields.List {
					variables += len(field.Names)
				}
			}
			return true
		})
	}
	return lines, variables, nil
}

// searched is what check prints.
type searched struct {
	Verdict         string
	Distinct, Depth int
	Seconds         float64
}

// spaces is a row of table 3.
func spaces(s system) (string, error) {
	var small, large searched
	if err := multigrain(&small, "check", s.manifest, vars(s.small)...); err != nil {
		return "", err
	}
	if err := multigrain(&large, "check", s.manifest, vars(s.large)...); err != nil {
		return "", err
	}
	end := fmt.Sprintf("%.1f, %d, %d", small.Seconds, small.Depth, small.Distinct)
	if small.Verdict == "undecided" {
		end = fmt.Sprintf("no end in %.0f s", small.Seconds)
	}
	rate := float64(large.Distinct) / large.Seconds
	paper := "-"
	if s.paper.small != "" {
		paper = s.paper.small + "; " + s.paper.large
	}
	return fmt.Sprintf("%s | %.0f, %.1f million | %s", end, rate, rate*86400/1e6, paper), nil
}

func vars(assigned []string) (args []string) {
	for _, v := range assigned {
		args = append(args, "-var", v)
	}
	return append(args, "-timeout", budget.String())
}

// speeds is a row of table 4.
func speeds(s system) (string, error) {
	var spec struct {
		Seconds    float64
		Simulation struct{ Walks, Steps int }
	}
	args := []string{"-number", fmt.Sprint(100 * walks), "-workers", "1"}
	if err := multigrain(&spec, "simulate", s.manifest, append(args, vars(s.large)...)...); err != nil {
		return "", err
	}
	ms := spec.Seconds * 1000 / float64(spec.Simulation.Walks)
	text := fmt.Sprintf("%.3f, %.0f", ms, float64(spec.Simulation.Steps)/float64(spec.Simulation.Walks))
	if s.driver == "" {
		return fmt.Sprintf("%s | - | - | %s", text, orNone(s.paper.speed)), nil
	}
	var impl struct {
		Conform struct {
			Traces, Steps int
			Seconds       float64
		}
	}
	if err := multigrain(&impl, "conform", s.manifest, "-walks", fmt.Sprint(walks), "-workers", "1"); err != nil {
		return "", err
	}
	c := impl.Conform
	ratio := c.Seconds / float64(c.Steps) / (spec.Seconds / float64(spec.Simulation.Steps))
	return fmt.Sprintf("%s | %.1f, %.0f | %.0f | %s", text, c.Seconds*1000/float64(c.Traces), float64(c.Steps)/float64(c.Traces), ratio,
		orNone(s.paper.speed)), nil
}

// multigrain runs a verb and decodes its document. Exit codes of verdicts are no errors.
func multigrain(doc any, verb, subject string, args ...string) error {
	cmd := exec.Command(command, append([]string{verb, subject, "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if decodes := json.Unmarshal(out, doc); decodes != nil {
		return fmt.Errorf("multigrain %s %s: %v, %v", verb, subject, err, decodes)
	}
	return nil
}
