//go:build !unix

package shell

import "github.com/multigrain/multigrain/checker/host"

// permitted says why no files can be made in an existing folder.
func permitted(dir string) error {
	tmp, err := host.CreateTemp(dir, ".multigrain-*")
	if err != nil {
		return err
	}
	tmp.Close()
	return host.Remove(tmp.Name())
}
