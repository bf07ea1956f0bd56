package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// TestArchive writes an archive twice and reads it.
func TestArchive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("program"), 0o600); err != nil {
		t.Fatal(err)
	}
	entries := []entry{{"m/program", path, 0o755}, {"m/LICENSE", "../../LICENSE", 0o644}}
	first, err := archive(entries)
	if err != nil {
		t.Fatal(err)
	}
	if second, _ := archive(entries); !bytes.Equal(first, second) {
		t.Error("two archives of the same files differ")
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(unzipped)
	for _, want := range entries {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r)
		if h.Name != want.name || h.Mode != int64(want.mode) || h.ModTime.Unix() > 0 || h.Uname != "" || len(text) == 0 {
			t.Errorf("%s: header %+v, %d bytes", want.name, h, len(text))
		}
	}
	if _, err := archive([]entry{{"m/none", path + "-none", 0o644}}); err == nil {
		t.Error("a missing file is left out without an error")
	}
}

// TestModules compares the modules of a program with those that the go command prints.
func TestModules(t *testing.T) {
	self := filepath.Join(t.TempDir(), "speclint")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", self, "../speclint").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := modulesOf(self, "v1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	var d spdx
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, p := range d.Packages {
		have[p.Name] = p.Version
	}
	out, err := exec.Command("go", "version", "-m", self).Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := 0
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) > 2 && f[0] == "dep" {
			deps++
			if have[f[1]] != f[2] {
				t.Errorf("%s: version %q, the go command has %q", f[1], have[f[1]], f[2])
			}
		}
	}
	if deps == 0 || len(have) != deps+2 || have["github.com/multigrain/multigrain"] != "v1.2.3" || len(d.Relations) != deps+2 {
		t.Errorf("%d dependencies, %d packages, %d relationships", deps, len(have), len(d.Relations))
	}
	if err := release("v0.1", t.TempDir(), runtime.GOOS+"/"+runtime.GOARCH); err == nil {
		t.Error("a version that is none ends without an error")
	}
	if err := release("v0.1.0", t.TempDir(), "plan9/amd64"); err == nil {
		t.Error("a system that is not built for ends without an error")
	}
}

// TestRelease makes a release for this system twice. The bytes are equal and have the sums of
// SHA256SUMS, and the command knows its version.
func TestRelease(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it links all commands twice; set MULTIGRAIN_SLOW=1")
	}
	t.Chdir("../..") // documents of the tree are part of it
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		if err := release("v1.2.3", dir, runtime.GOOS+"/"+runtime.GOARCH); err != nil {
			t.Fatal(err)
		}
	}
	sums, err := os.ReadFile(filepath.Join(first, "SHA256SUMS"))
	if err != nil || strings.Count(string(sums), "\n") != 2 {
		t.Fatalf("sums: %v\n%s", err, sums)
	}
	for line := range strings.Lines(string(sums)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		for _, dir := range []string{first, second} {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if have := fmt.Sprintf("%x", sha256.Sum256(content)); err != nil || have != sum {
				t.Errorf("%s: sum %s, want %s, %v", name, have, sum, err)
			}
		}
	}
	stem := "multigrain_v1.2.3_" + runtime.GOOS + "_" + runtime.GOARCH
	if out, err := exec.Command("tar", "xzf", filepath.Join(first, stem+".tar.gz"), "-C", first).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(first, stem, "multigrain"), "version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "multigrain v1.2.3 ") {
		t.Errorf("version of a release: %v, %s", err, out)
	}
}

// TestInstall installs the command as the documents say, with go install and @latest, from a proxy
// made of this tree. Outside of a clone it checks a system that is shipped, one that it wrote, and
// one with a driver.
func TestInstall(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it compiles this project once more, as a module of the module cache; set MULTIGRAIN_SLOW=1")
	}
	const version = "v0.0.1"
	known, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	proxy, bin, user := t.TempDir(), t.TempDir(), t.TempDir()
	publish(t, proxy, module.Version{Path: "github.com/multigrain/multigrain", Version: version})
	env := append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(filepath.Join(strings.TrimSpace(string(known)), "cache", "download")),
		"GOSUMDB=off", "GOFLAGS=-modcacherw", "GOMODCACHE="+t.TempDir(), "GOBIN="+bin, "GOWORK=off", "MULTIGRAIN_CACHE="+t.TempDir())
	run := func(dir, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run(user, "go", "install", "github.com/multigrain/multigrain/cmd/multigrain@latest")
	multigrain := filepath.Join(bin, "multigrain")
	if out := run(user, multigrain, "version"); !strings.Contains(out, version) {
		t.Errorf("version: %s", out)
	}
	run(user, multigrain, "new", "queue")
	folder := filepath.Join(user, "queue")
	manifests, _ := filepath.Glob(filepath.Join(folder, "*.hcl"))
	if len(manifests) == 0 {
		t.Fatal("new wrote no manifest")
	}
	run(folder, "go", "mod", "tidy")
	if out := run(folder, multigrain, "test", "."); !strings.Contains(out, ", 0 not") {
		t.Errorf("test of the new system: %s", out)
	}
	shipped, err := os.ReadFile("../../configs/raft/reference.hcl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "reference.hcl"), shipped, 0o644); err != nil {
		t.Fatal(err)
	}
	out := run(folder, multigrain, "check", "reference.hcl", "-set", "terms=2", "-set", "requests=1", "-set", "crashes=0", "-set", "drops=0", "-set", "queue=1")
	if !strings.Contains(out, "holds within the bounds") {
		t.Errorf("check of a shipped system: %s", out)
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no Python for the driver")
	}
	run(user, multigrain, "new", "-driver", "python", "driven")
	folder = filepath.Join(user, "driven")
	run(folder, "go", "mod", "tidy")
	run(folder, multigrain, "driver-check", "driver/driver.hcl")
	if out := run(folder, multigrain, "conform", "driver/driver.hcl"); !strings.Contains(out, "conforms: driven 1 does what the specification does") {
		t.Errorf("walks on the driver: %s", out)
	}
}

// publish writes this tree as a version of a module into the folder of a proxy.
func publish(t *testing.T, proxy string, v module.Version) {
	t.Helper()
	dir := filepath.Join(proxy, filepath.FromSlash(v.Path), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, v.Version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := zip.CreateFromDir(f, v, "../.."); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{v.Version + ".mod": string(mod), v.Version + ".info": `{"Version":"` + v.Version + `"}`, "list": v.Version + "\n"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
