package bench

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

//go:embed models/Cargo.toml models/twophase.rs
var rust embed.FS

var staterightDone = regexp.MustCompile(`unique=(\d+),(?: depth=\d+,)? sec=([\d.e-]+)`)

// cargo writes the model of two-phase commit into dir, and so the version of stateright, and builds
// it.
func cargo(dir string) error {
	if _, err := exec.LookPath("cargo"); err != nil {
		return errors.New("not run: there is no cargo")
	}
	for _, name := range []string{"Cargo.toml", "twophase.rs"} {
		text, err := rust.ReadFile("models/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return build(dir, "cargo", "build", "--release", "--quiet")
}

// staterightTwoPhase explores two-phase commit with stateright, by breadth.
func staterightTwoPhase(dir string, r *row) (measured, error) {
	if n := r.vars["managers"]; n < 1 || n > 16 {
		return measured{}, fmt.Errorf("the model of stateright has 1 to 16 resource managers, not %d", n)
	}
	if err := cargo(dir); err != nil {
		return measured{}, err
	}
	return staterightRun(filepath.Join(dir, "target", "release", "twophase"), strconv.Itoa(r.vars["managers"]), strconv.Itoa(workers))
}

// staterightPaxos explores the example that the crate of stateright has, by breadth. It takes a
// thread for each processor.
func staterightPaxos(dir string, r *row) (measured, error) {
	if err := cargo(dir); err != nil {
		return measured{}, err
	}
	list := exec.Command("cargo", "metadata", "--format-version", "1")
	list.Dir = dir
	out, err := list.Output()
	if err != nil {
		return measured{}, fmt.Errorf("cargo metadata: %w", err)
	}
	crate, err := crateFolder(out)
	if err != nil {
		return measured{}, err
	}
	here := filepath.Join(dir, "stateright")
	if err := os.CopyFS(here, os.DirFS(crate)); err != nil {
		return measured{}, err
	}
	if err := build(here, "cargo", "build", "--release", "--quiet", "--example", "paxos"); err != nil {
		return measured{}, err
	}
	return staterightRun(filepath.Join(here, "target", "release", "examples", "paxos"), "check-bfs", strconv.Itoa(r.vars["clients"]))
}

// crateFolder returns the folder of the crate stateright in the answer of cargo metadata.
func crateFolder(metadata []byte) (string, error) {
	var m struct {
		Packages []struct {
			Name     string
			Manifest string `json:"manifest_path"`
		}
	}
	if err := json.Unmarshal(metadata, &m); err != nil {
		return "", err
	}
	for _, p := range m.Packages {
		if p.Name == "stateright" {
			return filepath.Dir(p.Manifest), nil
		}
	}
	return "", errors.New("cargo metadata has no package stateright")
}

// staterightRun runs a program of stateright that prints its states and seconds.
func staterightRun(program string, args ...string) (measured, error) {
	return fastest(func() (m measured, err error) {
		cmd := exec.Command(program, args...)
		out, err := cmd.CombinedOutput()
		all := staterightDone.FindAllSubmatch(out, -1)
		if err != nil || len(all) == 0 {
			return m, fmt.Errorf("%s: %v\n%s", filepath.Base(program), err, out)
		}
		last := all[len(all)-1]
		m.distinct, _ = strconv.ParseInt(string(last[1]), 10, 64)
		m.seconds, _ = strconv.ParseFloat(string(last[2]), 64)
		m.complete, m.cpu, m.memory = true, cpu(cmd), peak(cmd)
		return m, nil
	})
}
