package main

import (
	"errors"
	"flag"
	"strconv"
	"time"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
)

// checkpointFlags declares the flags about what an exploration keeps on disk.
func checkpointFlags(fs *flag.FlagSet, k *session.Keeping) {
	fs.StringVar(&k.Checkpoint, "checkpoint", "", "keep a checkpoint in the folder `DIR`, written now and then and when a limit, Ctrl-C or SIGTERM ends the run")
	fs.Func("checkpoint-interval", "write a checkpoint each `duration`, such as 90s or 10m, which is the default", func(s string) (err error) {
		if k.Interval, err = time.ParseDuration(s); err != nil || k.Interval <= 0 {
			return errors.New("a positive duration with a unit is wanted, such as 90s or 10m")
		}
		return nil
	})
	fs.StringVar(&k.Resume, "resume", "", "go on from the checkpoint in the folder `DIR`, and keep the next ones there")
	fs.Func("fingerprint", "know states by `BITS` of them, 64 or, for more than a billion, 96; the default is 64", func(s string) error {
		if s != "64" && s != "96" {
			return errors.New("64 and 96 are possible")
		}
		k.Fingerprint, _ = strconv.Atoi(s)
		return nil
	})
	fs.StringVar(&k.Spill, "spill", "", "keep what -mem leaves no room for in the folder `DIR` (default: the system's folder for temporary files)")
}

const aboutCheckpoints = `
A long run keeps a checkpoint with -checkpoint DIR. One that was ended, or killed, goes on with -resume DIR and finds what a
run that was not interrupted finds; sources, bounds and options have to be the same, while workers and limits may differ. A
run that is complete takes its checkpoint away. With -mem the table of fingerprints alone has to fit into memory.
`
