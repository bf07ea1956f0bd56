//go:build !unix

package shell

import "os"

// permitted says why no files can be made in an existing folder.
func permitted(dir string) error {
	tmp, err := os.CreateTemp(dir, ".multigrain-*")
	if err != nil {
		return err
	}
	tmp.Close()
	return os.Remove(tmp.Name())
}
