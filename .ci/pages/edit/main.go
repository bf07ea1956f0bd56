// Package edit measures what an edit of a specification costs. The measure is processor time, user
// and system, of the command and all processes that it starts. It counts from an edited action to
// the first state that is explored. For each manifest it prints the best of several runs, and the
// first run, after which the go command's build cache has what does not depend on the edit.
//
// It copies the specifications and their manifests into a module of its own in a temporary
// folder, which requires this project by a replacement. Run it in the project's folder: make
// measure-edit. An argument chooses the manifests whose name contains it.
package edit

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/multigrain/multigrain/.ci/pages/kept"
)

// project is the module path of this project; edited is that of the copy.
const (
	project = "github.com/multigrain/multigrain"
	edited  = "example.org/edited"
)

// row is a manifest with the file that is edited.
type row struct{ manifest, file string }

var rows = []row{
	{"configs/zab/mspec-3.hcl", "zab/broadcast.go"},
	{"configs/raft/reference.hcl", "raft/reference/election.go"},
	{"configs/raft/snapshot.hcl", "raft/election.go"},
}

// packages are the folders of the specifications that are copied.
var packages = []string{"zab", "raft", "raft/reference"}

// Run runs the verb. Its flags are those of package flag's command line.
func Run() error {
	runs := flag.Int("runs", 3, "measure `N` edits of each specification after the first")
	command := flag.String("command", "", "measure the command at `PATH`; the default builds that of this folder")
	flag.Parse()
	return measure(*command, *runs, flag.Args())
}

func measure(command string, runs int, names []string) error {
	dir, err := os.MkdirTemp("", "measure-edit-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if command == "" {
		command = filepath.Join(dir, "multigrain")
		if err := kept.Command(command); err != nil {
			return err
		}
	}
	if command, err = filepath.Abs(command); err != nil {
		return err
	}
	module := filepath.Join(dir, "module")
	if err := copyProject(module); err != nil {
		return err
	}
	fmt.Printf("%-28s %8s %8s   processor time in seconds\n", "manifest", "first", "best")
	for _, r := range rows {
		if len(names) > 0 && !strings.Contains(r.manifest, names[0]) {
			continue
		}
		first, best, err := r.measure(command, module, runs)
		if err != nil {
			return err
		}
		fmt.Printf("%-28s %8.2f %8.2f\n", r.manifest, first.Seconds(), best.Seconds())
	}
	return nil
}

// measure edits the specification and runs the command, once and then runs times. It returns the
// processor time of the first run, and the least of the others. It fails if a run explores no
// state.
func (r row) measure(command, module string, runs int) (first, best time.Duration, err error) {
	for k := range 1 + runs {
		if err := edit(filepath.Join(module, r.file), k); err != nil {
			return 0, 0, err
		}
		cmd := exec.Command(command, "check", "-quiet", "-max-states", "1", r.manifest)
		cmd.Dir, cmd.Env = module, append(os.Environ(), "MULTIGRAIN_CACHE="+filepath.Join(module, ".cache"))
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) || !strings.Contains(out.String(), "distinct") {
			return 0, 0, fmt.Errorf("%s explored no state: %v\n%s", r.manifest, err, out.String())
		}
		took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		switch {
		case k == 0:
			first = took
		case best == 0 || took < best:
			best = took
		}
	}
	return first, best, nil
}

// function is the head of a function that an action calls.
var function = regexp.MustCompile(`(?m)^func .*\*State.*\{$`)

// edit adds a statement to the first function of a file.
func edit(path string, number int) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	at := function.FindIndex(text)
	if at == nil {
		return fmt.Errorf("%s has no function of a State", path)
	}
	statement := fmt.Sprintf("\n\t_ = %d", number)
	return os.WriteFile(path, []byte(string(text[:at[1]])+statement+string(text[at[1]:])), 0o644)
}

// copyProject makes a module with copies of the specifications and of the manifests.
func copyProject(module string) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(module, "configs"), os.DirFS("configs")); err != nil {
		return err
	}
	for _, p := range packages {
		files, err := filepath.Glob(filepath.Join(p, "*.go"))
		if err != nil {
			return err
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			if err := copyFile(f, filepath.Join(module, f)); err != nil {
				return err
			}
		}
	}
	err = filepath.WalkDir(filepath.Join(module, "configs"), func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".hcl" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, p := range packages {
			text = bytes.ReplaceAll(text, []byte(`"`+project+"/"+p+`"`), []byte(`"`+edited+"/"+p+`"`))
		}
		return os.WriteFile(path, text, 0o644)
	})
	if err != nil {
		return err
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		return err
	}
	text := strings.Replace(string(mod), "module "+project, "module "+edited, 1)
	text += fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %s\n", project, project, here)
	if err := os.WriteFile(filepath.Join(module, "go.mod"), []byte(text), 0o644); err != nil {
		return err
	}
	return copyFile("go.sum", filepath.Join(module, "go.sum"))
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}
