// Command release builds the commands of this project for six systems. It writes archives without
// times and owners, their checksums (SHA256SUMS), and the modules that they contain, as an SPDX
// document. Two runs of one tree with one version of Go write the same bytes.
//
//	go run ./cmd/release -version v0.1.0 -to dist
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// systems are the operating systems and processors that are built for.
var systems = [][2]string{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// commands are the packages that an archive contains as programs.
var commands = []string{"multigrain", "speclint"}

// documents are the files of the tree that an archive contains, too.
var documents = []string{"LICENSE", "README.md", "CHANGELOG.md"}

func main() {
	version := flag.String("version", "v0.0.0", "the `VERSION` that is built, in the names of files")
	to := flag.String("to", "dist", "write into the folder `DIR`")
	only := flag.String("only", "", "build for one system, as linux/amd64 (default: all)")
	flag.Parse()
	if err := release(*version, *to, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release builds for all systems, or for one, and writes all files into a folder.
func release(version, to, only string) error {
	if semver.Canonical(version) != version {
		return fmt.Errorf("%q is no version such as v0.1.0", version)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	var sums []string
	built := 0
	for _, s := range systems {
		if only != "" && only != s[0]+"/"+s[1] {
			continue
		}
		built++
		name, content, modules, err := archiveFor(version, s[0], s[1])
		if err != nil {
			return err
		}
		stem := strings.TrimSuffix(name, ".tar.gz")
		for file, b := range map[string][]byte{name: content, stem + ".spdx.json": modules} {
			if err := os.WriteFile(filepath.Join(to, file), b, 0o644); err != nil {
				return err
			}
			sums = append(sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(b), file))
		}
	}
	if built == 0 {
		return fmt.Errorf("%q is none of the systems that are built for: %v", only, systems)
	}
	slices.SortFunc(sums, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return os.WriteFile(filepath.Join(to, "SHA256SUMS"), []byte(strings.Join(sums, "")), 0o644)
}

// linked returns the flags of the linker. The commands of a release know its version. Version
// v0.0.0 is none of a module proxy, so it stands for no release.
func linked(version string) string {
	flags := "-s -w -buildid="
	if version != "v0.0.0" {
		flags += " -X github.com/multigrain/multigrain/compose/internal/gocmd.released=" + version
	}
	return flags
}

// archiveFor builds the commands for one system. It returns the name and the bytes of the archive,
// and the SPDX document of the modules.
func archiveFor(version, system, processor string) (name string, content, modules []byte, err error) {
	dir, err := os.MkdirTemp("", "multigrain-release-*")
	if err != nil {
		return "", nil, nil, err
	}
	defer os.RemoveAll(dir)
	name = fmt.Sprintf("multigrain_%s_%s_%s", version, system, processor)
	var entries []entry
	for _, c := range commands {
		program := c
		if system == "windows" {
			program += ".exe"
		}
		path := filepath.Join(dir, program)
		cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags="+linked(version), "-o", path, "./cmd/"+c)
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0", "GOFLAGS=",
			// Settings of who builds that change the bytes.
			"GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", nil, nil, fmt.Errorf("%s for %s/%s: %w\n%s", c, system, processor, err, out)
		}
		entries = append(entries, entry{name + "/" + program, path, 0o755})
		if c == commands[0] {
			if modules, err = modulesOf(path, version); err != nil {
				return "", nil, nil, err
			}
		}
	}
	for _, d := range documents {
		entries = append(entries, entry{name + "/" + d, d, 0o644})
	}
	content, err = archive(entries)
	return name + ".tar.gz", content, modules, err
}
