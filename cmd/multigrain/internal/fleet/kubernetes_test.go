package fleet

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestKubernetes compares the manifests of docs/how-to/fleet with the published schemas of
// Kubernetes 1.31, by the Python package kubernetes-validate. It refuses a manifest with a wrong
// type, one with an unknown field and one without a field that is required.
func TestKubernetes(t *testing.T) {
	if os.Getenv("MULTIGRAIN_SLOW") == "" {
		t.Skip("it installs a Python package: set MULTIGRAIN_SLOW=1")
	}
	python := filepath.Join(t.TempDir(), "python")
	for _, args := range [][]string{
		{"python3", "-m", "venv", python},
		{filepath.Join(python, "bin", "pip"), "install", "-q", "kubernetes-validate==1.37.0"},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	text, err := os.ReadFile("../../../../docs/how-to/fleet/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	validate := func(text string) (string, error) {
		file := filepath.Join(t.TempDir(), "manifest.yaml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(filepath.Join(python, "bin", "kubernetes-validate"), "--strict", "-k", "1.31", file).CombinedOutput()
		return string(out), err
	}
	if out, err := validate(string(text)); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for before, after := range map[string]string{
		"replicas: 10":    "replicas: ten",
		"backoffLimit: 0": "backOffLimit: 0",
		"  selector:\n    matchLabels: {app: multigrain-worker}\n": "",
	} {
		wrong := strings.Replace(string(text), before, after, 1)
		if out, err := validate(wrong); err == nil || wrong == string(text) {
			t.Errorf("%q is valid as %q: %s", before, after, out)
		}
	}
}
