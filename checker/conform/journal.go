package conform

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/multigrain/multigrain/checker/host"
)

// A journal is a file in which a tester notes each step before the implementation does it. If the
// process ends by itself, the file has the walk that it was on, up to the step that it was doing.
// The file is written over at each walk. It begins with four integers of 64 bits: the walk's
// number, the walks and the steps before it, and the size of its initial node. That node follows,
// and the steps as instances of 32 bits.
type journal struct {
	file        host.File
	number      int64
	walks, done int64 // begun and noted so far
	end         int64 // of the file, in bytes
}

const journalHeader = 4 * 8

// journalIn makes the journal of a worker in a folder; nil for "", and where that fails: then the
// walk is not known if the process ends.
func journalIn(folder string, worker int) *journal {
	if folder == "" {
		return nil
	}
	f, err := host.Create(filepath.Join(folder, fmt.Sprint("walk-", worker)))
	if err != nil {
		return nil
	}
	return &journal{file: f}
}

// begin notes that a walk begins; of number 0, that the last one is done once more.
func (j *journal) begin(number int64, init []byte) {
	if j == nil {
		return
	}
	j.number = cmp.Or(number, j.number)
	head := make([]byte, 0, journalHeader+len(init))
	for _, x := range []int64{j.number, j.walks, j.done, int64(len(init))} {
		head = binary.LittleEndian.AppendUint64(head, uint64(x))
	}
	j.end = int64(len(head) + len(init))
	j.file.Truncate(0)
	j.file.WriteAt(append(head, init...), 0)
	j.walks++
}

// step notes that a step begins.
func (j *journal) step(instance int) {
	if j == nil || instance == starting {
		return
	}
	j.file.WriteAt(binary.LittleEndian.AppendUint32(nil, uint32(instance)), j.end)
	j.end += 4
	j.done++
}

// Walk is a walk that a process was on when it ended.
type Walk struct {
	Number       int64 // from 1; 0 for a trace that was given
	Walks, Steps int64 // that the worker had done before it
	Init         []byte
	Instances    []int32 // the last one is the step that was being done; none: the start
}

// ReadJournals returns the walks that the journals in a folder have, in the order of their numbers.
func ReadJournals(folder string) (all []Walk, err error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		b, err := host.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			return nil, err
		}
		if len(b) < journalHeader {
			continue // no walk was begun
		}
		at := func(k int) int64 { return int64(binary.LittleEndian.Uint64(b[8*k:])) }
		w, size := Walk{Number: at(0), Walks: at(1), Steps: at(2)}, at(3)
		if b = b[journalHeader:]; size < 0 || int64(len(b)) < size {
			continue
		}
		w.Init = b[:size]
		for b = b[size:]; len(b) >= 4; b = b[4:] {
			w.Instances = append(w.Instances, int32(binary.LittleEndian.Uint32(b)))
		}
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b Walk) int { return cmp.Compare(a.Number, b.Number) })
	return all, nil
}
