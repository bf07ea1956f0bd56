//go:build unix

package explore_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/multigrain/multigrain/checker/explore"
)

// stopped starts a child that explores and keeps checkpoints, and stops it while it does. The test
// kills it at its end.
func stopped(t *testing.T, folder string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for {
		cmd := exec.Command(exe)
		cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), childFolder+"="+folder), io.Discard, os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if _, err := os.Stat(filepath.Join(folder, "checkpoint")); err == nil {
				break
			}
		}
		cmd.Process.Signal(syscall.SIGSTOP)
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil {
			t.Fatal(err)
		}
		if status.Stopped() {
			t.Cleanup(func() {
				cmd.Process.Kill()
				cmd.Wait()
			})
			return cmd
		}
		os.RemoveAll(folder) // it was faster
	}
}

// TestLocked lets other runs use the folder of a run, which is refused until that one is killed.
func TestLocked(t *testing.T) {
	t.Parallel()
	if underRace {
		t.Skip("the child is slow")
	}
	folder := filepath.Join(t.TempDir(), "kept")
	child := stopped(t, folder)
	alias := filepath.Join(t.TempDir(), "alias")
	if err := os.Symlink(folder, alias); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []explore.Options{
		{Checkpoint: folder}, {Resume: folder}, {Resume: folder, Checkpoint: t.TempDir()}, {Checkpoint: alias}, {Resume: alias},
	} {
		opt.Workers = 1
		_, err := explore.Run(killed(), explore.Small(opt))
		var refused *explore.CheckpointError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "another run uses the folder") {
			t.Errorf("checkpoint %q, resume %q: %v", opt.Checkpoint, opt.Resume, err)
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait()
	if _, err := os.Stat(filepath.Join(folder, "lock")); err != nil {
		t.Errorf("the child did not leave its lock's file: %v", err)
	}
	res, err := explore.Run(killed(), explore.Small(explore.Options{Workers: 2, Resume: folder}))
	if err != nil {
		t.Fatal(err)
	}
	want := run(t, killed(), explore.Options{Workers: 1})
	same(t, &res, &want)
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestLockTogether takes and gives the lock of one folder many times at once: nobody has it while
// somebody else does.
func TestLockTogether(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var holders, taken, refused atomic.Int64
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			for range 500 {
				unlock, err := explore.LockFolder(folder)
				var used *explore.CheckpointError
				switch {
				case errors.As(err, &used):
					refused.Add(1)
					continue
				case err != nil:
					t.Error(err)
					return
				}
				taken.Add(1)
				if holders.Add(1) != 1 {
					t.Error("two have the lock")
				}
				time.Sleep(20 * time.Microsecond) // so that others come
				holders.Add(-1)
				unlock()
			}
		})
	}
	wait.Wait()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 || taken.Load() == 0 {
		t.Errorf("taken %d times, refused %d times, left: %v, %v", taken.Load(), refused.Load(), left, err)
	}
}
