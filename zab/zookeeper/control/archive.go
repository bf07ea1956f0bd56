package control

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A server that starts spends two thirds of its processor time on loading and verifying the classes
// that all servers load. Java can do that once and keep the result in an archive of shared classes
// (JEP 310). The classes remain those of the jars. A JVM that finds that its jars or its version
// are not those of the archive does without it.

// classList is the file below a server's folder that lists the classes it has loaded. Only servers
// of a prelude write it.
const classList = "classes"

// listed is the option with which a JVM writes classList.
func (n *Node) listed() string { return "-XX:DumpLoadedClassList=" + filepath.Join(n.dir, classList) }

// keepClasses notes the classes that the servers of a prelude have loaded. A last line that is not
// whole does not count: the servers were killed.
func (e *Ensemble) keepClasses() error {
	known := map[string]bool{}
	e.classes = nil
	for _, n := range e.nodes {
		b, err := os.ReadFile(filepath.Join(n.dir, classList))
		if err != nil {
			return err
		}
		for line := range bytes.Lines(b) {
			if name, whole := strings.CutSuffix(string(line), "\n"); whole && !known[name] {
				known[name] = true
				e.classes = append(e.classes, name)
			}
		}
	}
	return nil
}

// MakeArchive makes an archive of the classes that the servers of a prelude have loaded, and
// returns its file, for Archive. It is below the ensemble's folder. Without a prelude, or with a
// patch, there is none, and the file is "": Java archives the classes of jars only.
func (e *Ensemble) MakeArchive(ctx context.Context) (file string, err error) {
	if len(e.classes) == 0 || e.Patch != "" {
		return "", nil
	}
	list := filepath.Join(e.folder.path, classList)
	if err := os.WriteFile(list, []byte(strings.Join(e.classes, "\n")+"\n"), 0o644); err != nil {
		return "", err
	}
	file = filepath.Join(e.folder.path, "classes.jsa")
	args := append([]string{"-Xshare:dump", "-XX:SharedClassListFile=" + list, "-XX:SharedArchiveFile=" + file}, flags...)
	args = slices.DeleteFunc(append(args, "-cp", e.classPath()), func(arg string) bool { return arg == "-Xshare:auto" })
	cmd := exec.CommandContext(ctx, e.Java, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return "", fmt.Errorf("an archive of the servers' classes: %w: %s", err, lines[len(lines)-1])
	}
	return file, nil
}
