package changes

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsimple"
)

// commit is one of a library's repository.
type commit struct {
	Hash string `hcl:"hash,label"`
	// Expect is the class that a reader expects: none (it cannot matter), harmless, protocol (it
	// changes the protocol) or outside (of the model).
	Expect string `hcl:"expect"`
	What   string `hcl:"what"`
}

// commits reads a table.
func commits(file string, text []byte) ([]commit, error) {
	var all struct {
		Commits []commit `hcl:"commit,block"`
	}
	if err := hclsimple.Decode(file, text, nil, &all); err != nil {
		return nil, err
	}
	for _, c := range all.Commits {
		switch {
		case len(c.Hash) != 40:
			return nil, fmt.Errorf("%s: %q is no hash of a commit", file, c.Hash)
		case c.Expect != "none" && c.Expect != "harmless" && c.Expect != "protocol" && c.Expect != "outside":
			return nil, fmt.Errorf("%s: commit %s: expect is none, harmless, protocol or outside, not %q", file, c.Hash[:7], c.Expect)
		}
	}
	return all.Commits, nil
}

// realRow is a commit with the results of two commands. The commit is run as it is in the
// repository, and on the release that the adapter requires: taken back from it, or applied to it.
type realRow struct {
	commit
	asIs, onRelease *outcome
	version         string // of the adapter with which asIs compiles, if it is an older one
	how             string // onRelease: taken back, applied or does not apply
}

// lacks reports whether a result of the row is not known.
func (r *realRow) lacks() bool { return r.asIs == nil || r.how != conflicts && r.onRelease == nil }

// real runs the commits of the library.
func (a *asked) real(l library) (rows []realRow, err error) {
	if a.repo == "" && !a.keptOnly {
		return nil, errors.New("name a clone of the library with -repo")
	}
	all, err := commits("real-"+a.library+".hcl", l.real)
	if err != nil {
		return nil, err
	}
	w, err := a.workAt(l)
	if err != nil {
		return nil, err
	}
	manifest, err := filepath.Abs(filepath.Join(l.manifests, l.realManifest+".hcl"))
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		if !strings.Contains(c.Hash+" "+c.What, a.only) {
			continue
		}
		r := realRow{commit: c}
		if err := w.checkout(c.Hash); err != nil {
			return nil, err
		}
		args := append([]string{manifest, "-repo", w.dir, "-base", c.Hash + "^"}, l.flags...)
		if r.asIs, r.version, err = a.fitting(l, c.Hash+" as it is "+l.realManifest, args); err != nil {
			return nil, err
		}
		print(c, strings.TrimSpace("as it is "+r.version), r.asIs)
		if r.how, err = w.onRelease(c.Hash); err != nil {
			return nil, err
		}
		if r.how != conflicts {
			args := append([]string{manifest, "-repo", w.dir}, l.onRelease...)
			if r.onRelease, err = a.runner.change(c.Hash+" "+r.how+" "+l.realManifest, l.home, args...); err != nil {
				return nil, err
			}
		}
		print(c, r.how, r.onRelease)
		rows = append(rows, r)
	}
	return rows, nil
}

// fitting runs a change with the first adapter with which it compiles: the manifest's, or that of
// an older release, whose version it returns. If there is none, the outcome is that of the
// manifest's.
func (a *asked) fitting(l library, key string, args []string) (o *outcome, version string, err error) {
	first, err := a.runner.change(key, l.home, args...)
	if err != nil || first == nil || first.unfit() == "" || first.unbuildable() {
		return first, "", err
	}
	for _, version := range l.older {
		o, err := a.runner.change(key+" "+version, l.home, append(slices.Clone(args), "-var", "version="+version)...)
		if err != nil || o != nil && o.unfit() == "" {
			return o, version, err
		}
	}
	return first, "", nil
}

func print(c commit, how string, o *outcome) {
	if o == nil {
		fmt.Fprintf(os.Stderr, "%s %s: %s\n", c.Hash[:7], c.Expect, how)
		return
	}
	fmt.Fprintf(os.Stderr, "%s %s, %s: %s, exit code %d, %.0f s (%.0f s of processors); %s %s\n", c.Hash[:7], c.Expect, how, o.verdict(), o.Exit, o.Wall, o.CPU,
		strings.Join(o.broken(), ", "), o.where())
}

// unfit says why a change does not compile with the adapter, or why the adapter cannot read it; ""
// where it can.
func (o *outcome) unfit() string {
	for _, g := range o.Document.Diagnostics {
		if strings.Contains(g.Summary, "does not compile") || strings.Contains(g.Detail, "the code does not compile") {
			first, _, _ := strings.Cut(g.Detail, "\n")
			return first
		}
	}
	if where := o.where(); strings.Contains(where, "does not compile") || strings.Contains(where, misfit) {
		return where
	}
	return ""
}

// misfit is what adapters say that compile and find another field or function in the library than
// they read.
const misfit = "the adapter does not fit this version"

// misfits reports whether an adapter compiles with the changed code and cannot read it.
func (o *outcome) misfits() bool { return strings.Contains(o.unfit(), misfit) }

// unbuildable reports whether the changed code does not compile by itself, without an adapter.
func (o *outcome) unbuildable() bool { return o.unfit() != "" && o.Document.Change == nil }

// work is a repository in which commits are checked out.
type work struct {
	dir     string
	release string // the commit that has the release
	paths   []string
}

// workAt makes a repository with the objects of the clone and a commit with the release that the
// adapter requires.
func (a *asked) workAt(l library) (*work, error) {
	w := &work{dir: filepath.Join(a.runner.keep, "work-"+a.library), paths: l.paths}
	if err := os.RemoveAll(w.dir); err != nil {
		return nil, err
	}
	if out, err := exec.Command("git", "clone", "-q", "--shared", "--no-checkout", a.repo, w.dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("git clone: %w: %s", err, out)
	}
	release, err := l.files()
	if err != nil {
		return nil, err
	}
	if _, err := w.git("checkout", "-q", "--orphan", "release"); err != nil {
		return nil, err
	}
	// Git may have written the files of the clone's commit.
	_, _ = w.git("rm", "-rqf", "--cached", ".") // nothing may be there
	if _, err := w.git("clean", "-qfdx"); err != nil {
		return nil, err
	}
	if err := os.CopyFS(filepath.Join(w.dir, l.folder), release); err != nil {
		return nil, err
	}
	if _, err := w.git("add", "-Af"); err != nil {
		return nil, err
	}
	if _, err := w.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--no-verify", "-m", "release"); err != nil {
		return nil, err
	}
	hash, err := w.git("rev-parse", "HEAD")
	w.release = strings.TrimSpace(hash)
	return w, err
}

func (w *work) git(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, errs.String())
	}
	return string(out), err
}

// checkout makes the folder that of a commit.
func (w *work) checkout(hash string) error {
	_, err := w.git("checkout", "-qf", "--detach", hash)
	if err == nil {
		_, err = w.git("clean", "-qfdx")
	}
	return err
}

// What can be done with a commit on the release.
const (
	takenBack = "taken back"
	applied   = "applied"
	conflicts = "does not apply"
)

// onRelease makes the folder that of the release without a commit or, if the release does not have
// it, with it.
func (w *work) onRelease(hash string) (how string, err error) {
	diff, err := w.git(append([]string{"diff", "--no-color", "--full-index", hash + "^", hash, "--"}, w.paths...)...)
	if err != nil {
		return "", err
	}
	file := filepath.Join(filepath.Dir(w.dir), "commit.diff")
	if err := os.WriteFile(file, []byte(diff), 0o644); err != nil {
		return "", err
	}
	for _, try := range []struct {
		how  string
		args []string
	}{{takenBack, []string{"apply", "--3way", "-R", file}}, {applied, []string{"apply", "--3way", file}}} {
		if err := w.checkout(w.release); err != nil {
			return "", err
		}
		if _, err := w.git(try.args...); err != nil {
			continue
		}
		if out, err := w.git("diff", "--name-only", "HEAD"); err != nil || strings.TrimSpace(out) != "" {
			return try.how, err
		}
	}
	return conflicts, w.checkout(w.release)
}
