package bench

import (
	"bufio"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	progressLine = regexp.MustCompile(`^Progress\(\d+\).*?: [\d,]+ states generated.*?, ([\d,]+) distinct states found`)
	finalLine    = regexp.MustCompile(`^\d+ states generated, (\d+) distinct states found, 0 states left`)
)

// tlc returns TLC, for which write writes a module and its configuration into a folder.
func tlc(write func(dir string, r *row) (module string, err error)) tool {
	return tool{"TLC", func(dir string, r *row) (measured, error) {
		jar := os.Getenv("TLA2TOOLS")
		if jar == "" {
			return measured{}, errors.New("not run: TLA2TOOLS names no jar")
		}
		jar, err := filepath.Abs(jar)
		if err != nil {
			return measured{}, err
		}
		module, err := write(dir, r)
		if err != nil {
			return measured{}, err
		}
		return runTLC(dir, jar, module)
	}}
}

// runTLC runs TLC until it ends or the limit is reached. Deadlocks are not checked, as on our side.
func runTLC(dir, jar, module string) (p measured, err error) {
	cmd := exec.Command("java", "-XX:+UseParallelGC", "-cp", jar, "tlc2.TLC", "-workers", strconv.Itoa(workers), "-deadlock",
		"-metadir", filepath.Join(dir, "states"), "-config", module+".cfg", module+".tla")
	cmd.Dir = dir
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.StdoutPipe()
	if err != nil {
		return p, err
	}
	if err := cmd.Start(); err != nil {
		return p, err
	}
	end := time.Now().Add(limit)
	start := time.Now()
	last, told := "", 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "Computing initial states") {
			start = time.Now() // what went before is the Java machine and the parser
		}
		m := progressLine.FindStringSubmatch(line)
		if m == nil {
			m = finalLine.FindStringSubmatch(line)
			p.complete = m != nil
		}
		if m != nil {
			told++
			p.distinct, _ = strconv.ParseInt(strings.ReplaceAll(m[1], ",", ""), 10, 64)
			p.seconds = time.Since(start).Seconds()
		}
		if strings.HasPrefix(line, "Error:") {
			last = line
		}
		// the next line comes in a minute
		if p.complete || m != nil && time.Now().Add(time.Minute).After(end) {
			break
		}
	}
	cmd.Process.Kill() // does nothing where it has ended
	cmd.Wait()
	p.cpu, p.memory = cpu(cmd), peak(cmd)
	switch {
	case last != "":
		return p, errors.New(last)
	case failed.Len() > 0 && told == 0:
		return p, fmt.Errorf("java: %s", bytes.TrimSpace(failed.Bytes()))
	case !p.complete && told < 2: // after seconds: the machine is warm
		return p, errors.New("stopped before it printed its speed: raise -limit")
	}
	return p, nil
}

//go:embed models/TwoPhase.tla
var twoPhaseModule string

// twoPhaseTLA writes the module TwoPhase of this project and its configuration into dir, and
// returns its name.
func twoPhaseTLA(dir string, r *row) (string, error) {
	var names []string
	for k := range r.vars["managers"] {
		names = append(names, fmt.Sprintf("r%d", k))
	}
	config := "SPECIFICATION Spec\nINVARIANT Consistent\nCONSTANTS\n" + modelValues(names...) + "RM = {" + strings.Join(names, ", ") + "}\n"
	if err := os.WriteFile(filepath.Join(dir, "TwoPhase.tla"), []byte(twoPhaseModule), 0o644); err != nil {
		return "", err
	}
	return "TwoPhase", os.WriteFile(filepath.Join(dir, "TwoPhase.cfg"), []byte(config), 0o644)
}

// published copies the specification that an environment variable names into dir.
func published(dir, variable string) error {
	path := os.Getenv(variable)
	if path == "" {
		return fmt.Errorf("not run: %s names no specification", variable)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, filepath.Base(path)), text, 0o644)
}

// raft writes the module RaftS and its configuration with three servers into dir, and returns its
// name.
func raft(dir string, r *row) (string, error) {
	if err := published(dir, "RAFTS"); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("SPECIFICATION Spec\nINVARIANTS ElectionSafety LogMatching CommitAgree\nCONSTANTS\n")
	b.WriteString(modelValues("Nil", "s0", "s1", "s2"))
	b.WriteString("Server = {s0, s1, s2}\n")
	for name, of := range map[string]string{"MaxTerm": "terms", "MaxReq": "requests", "MaxCrash": "crashes", "MaxDrop": "drops", "Q": "queue"} {
		fmt.Fprintf(&b, "%s = %d\n", name, r.vars[of])
	}
	return "RaftS", os.WriteFile(filepath.Join(dir, "RaftS.cfg"), []byte(b.String()), 0o644)
}

// mspec2 writes the module MSPEC_2 with three servers into dir, and returns its name. A view leaves
// out only the notes about the last step, so states are those of configs/zab/parity-mspec2.hcl.
func mspec2(dir string, r *row) (string, error) {
	if err := published(dir, "MSPEC_2"); err != nil {
		return "", err
	}
	module := fmt.Sprintf(`---- MODULE bench ----
EXTENDS MSPEC_2
Limits == [MaxTransactionNum |-> %d, MaxCrashes |-> %d, MaxPartitions |-> %d, MaxTimeoutFailures |-> %d, MaxEpoch |-> 10]
View == <<serverVars, logVars, leaderVars, followerVars, electionVars, netVars, envVars, verifyVars, invVars, commitVars,
          initVars, [f \in DOMAIN recorder \ {"step", "pc"} |-> recorder[f]]>>
====
`, r.vars["transactions"], r.vars["crashes"], r.vars["partitions"], r.vars["timeouts"])
	config := "SPECIFICATION Spec\nVIEW View\nINVARIANTS DuringActionCheck AfterActionCheck\nCONSTANTS\nParameters <- Limits\nServer = {s0, s1, s2}\n" +
		modelValues(strings.Fields(`s0 s1 s2 LOOKING FOLLOWING LEADING ELECTION DISCOVERY SYNCHRONIZATION BROADCAST INITIAL RUNNING SHUTDOWN
			FOLLOWERINFO LEADERINFO ACKEPOCH NEWLEADER ACKLD UPTODATE PROPOSAL ACK COMMIT TRUNC DIFF NullPoint ONLINE OFFLINE`)...)
	if err := os.WriteFile(filepath.Join(dir, "bench.tla"), []byte(module), 0o644); err != nil {
		return "", err
	}
	return "bench", os.WriteFile(filepath.Join(dir, "bench.cfg"), []byte(config), 0o644)
}

// modelValues returns a line for each name that makes it a constant that stands for itself.
func modelValues(names ...string) string {
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "%s = %s\n", n, n)
	}
	return b.String()
}
