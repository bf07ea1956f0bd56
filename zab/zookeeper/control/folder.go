package control

import (
	"io"
	"os"
	"os/exec"
)

// folder is a temporary folder that does not outlive this process.
type folder struct {
	path string
	end  io.Closer // the input of the process that waits for our end
	wait func() error
}

// remover waits until its input ends and removes the folder. The servers, which the kernel ends at
// the same moment, may write for a little longer.
const remover = `cat >/dev/null; for n in 1 2 3 4 5; do rm -rf -- "$1" && [ ! -e "$1" ] && exit; sleep 0.2; done`

// newFolder makes a folder below dir, the system's temporary folder if that is "".
func newFolder(dir string) (*folder, error) {
	path, err := os.MkdirTemp(dir, "multigrain-zookeeper-")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/bin/sh", "-c", remover, "sh", path)
	input, err := cmd.StdinPipe()
	if err == nil {
		err = startSurvivor(cmd)
	}
	if err != nil {
		os.RemoveAll(path)
		return nil, err
	}
	return &folder{path: path, end: input, wait: cmd.Wait}, nil
}

// remove removes the folder.
func (f *folder) remove() error {
	f.end.Close()
	return f.wait()
}
