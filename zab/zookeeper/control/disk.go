package control

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/multigrain/multigrain/zab/zookeeper"
	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
)

// Txn is a transaction as log, snapshot and proposals have it.
type Txn struct {
	Zxid zookeeper.Zxid
	Path string // of the node that it creates; "" of other operations
}

// Disk holds what a server has in its files.
type Disk struct {
	// AcceptedEpoch and CurrentEpoch are -1 without a file.
	AcceptedEpoch, CurrentEpoch int64
	// WrittenEpoch is that of currentEpoch.tmp: a server has written it and has not renamed the
	// file. -1 without the file.
	WrittenEpoch int64
	// Snapshot is the newest snapshot's zxid, -1 without one.
	Snapshot zookeeper.Zxid
	// Saved has the nodes of the newest snapshot, except ZooKeeper's own, by the zxids that created
	// them. Log has the records of all logs.
	Saved, Log []Txn
	// History is loaded when the server starts: the nodes of the newest snapshot by their
	// zxids, and the transactions of the log after it.
	History []Txn
}

// filesDir is the folder below dataDir that has the server's files.
const filesDir = "version-2"

// Disk reads the server's files. While the server writes, the last record may be incomplete and is
// then left out. A file that does not exist is no error. One that cannot be read or decoded is.
func (n *Node) Disk() (d Disk, err error) {
	dir := filepath.Join(n.data(), filesDir)
	if d.AcceptedEpoch, err = readEpoch(filepath.Join(dir, "acceptedEpoch")); err != nil {
		return d, err
	}
	if d.CurrentEpoch, err = readEpoch(filepath.Join(dir, "currentEpoch")); err != nil {
		return d, err
	}
	if d.WrittenEpoch, err = readEpoch(filepath.Join(dir, "currentEpoch.tmp")); err != nil {
		d.WrittenEpoch = -1 // it is being written
	}
	d.Snapshot = -1
	snapshots, err := numbered(dir, "snapshot.")
	if err != nil {
		return d, err
	}
	for _, s := range slices.Backward(snapshots) {
		txns, whole, err := readSnapshot(s.path)
		if err != nil {
			return d, err
		}
		if whole {
			d.Snapshot, d.Saved, d.History = s.zxid, txns, slices.Clone(txns)
			break
		}
	}
	logs, err := numbered(dir, "log.")
	if err != nil {
		return d, err
	}
	for _, l := range logs {
		txns, err := readLog(l.path)
		if err != nil {
			return d, err
		}
		d.Log = append(d.Log, txns...)
		for _, t := range txns {
			if t.Zxid > d.Snapshot {
				d.History = append(d.History, t)
			}
		}
	}
	return d, nil
}

// readEpoch reads a file with an epoch.
func readEpoch(path string) (int64, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return -1, nil
	}
	if err != nil {
		return 0, err
	}
	epoch, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return epoch, nil
}

// file is a log or a snapshot: its name ends in a zxid.
type file struct {
	path string
	zxid zookeeper.Zxid
}

// numbered returns the files of a folder with a prefix, by their zxids.
func numbered(dir, prefix string) (out []file, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		hex, ok := strings.CutPrefix(e.Name(), prefix)
		if !ok {
			continue
		}
		if z, err := strconv.ParseUint(hex, 16, 64); err == nil {
			out = append(out, file{filepath.Join(dir, e.Name()), zookeeper.Zxid(z)})
		}
	}
	slices.SortFunc(out, func(a, b file) int { return int(min(max(a.zxid-b.zxid, -1), 1)) })
	return out, nil
}

// fileHeader is the length of FileHeader: magic number, version and identity of the database.
const fileHeader = 4 + 4 + 8

// readLog reads the transactions of a log, see FileTxnLog. Records follow the header. Each has a
// checksum, a length, the transaction and the letter B. Zeroes follow the last one.
func readLog(path string) (out []Txn, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) < fileHeader {
		return nil, nil // it has been made and not yet written
	}
	if string(b[:4]) != "ZKLG" {
		return nil, fmt.Errorf("%s does not begin like a log", path)
	}
	for at := fileHeader; ; {
		j := jute{b: b[at:]}
		j.int64() // checksum
		body := j.bytes()
		if j.bad || len(body) == 0 || len(j.b) == 0 || j.b[0] != 'B' {
			return out, nil
		}
		t, ok := readTxn(body)
		if !ok {
			return nil, fmt.Errorf("%s: the record at byte %d is no transaction", path, at)
		}
		out = append(out, t)
		at = len(b) - len(j.b) + 1
	}
}

// creates are the operations that create a node: ZooDefs.OpCode create, create2, createContainer,
// createTTL.
var creates = []int32{1, 15, 19, 21}

// readTxn reads a transaction: its header, and the path of the node that it creates.
func readTxn(b []byte) (t Txn, ok bool) {
	j := jute{b: b}
	j.int64() // client
	j.int32() // cxid
	t.Zxid = zookeeper.Zxid(j.int64())
	j.int64() // time
	op := j.int32()
	if slices.Contains(creates, op) {
		t.Path = string(j.bytes())
	}
	return t, !j.bad
}

// readSnapshot reads the nodes of a snapshot, except ZooKeeper's own, by their zxids. It reports
// whether the snapshot is whole.
func readSnapshot(path string) (out []Txn, whole bool, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, false, err
	}
	if len(b) < fileHeader || string(b[:4]) != "ZKSN" {
		return nil, false, nil
	}
	j := jute{b: b[fileHeader:]}
	for range j.count() { // sessions
		j.int64()
		j.int32()
	}
	for range j.count() { // access control lists
		j.int64()
		for range j.count() {
			j.int32()
			j.bytes()
			j.bytes()
		}
	}
	for !j.bad {
		path := string(j.bytes())
		if path == "/" {
			break
		}
		j.bytes() // data
		j.int64() // access control list
		created := zookeeper.Zxid(j.int64())
		j.skip(8 + 8 + 8 + 4 + 4 + 4 + 8 + 8) // the rest of StatPersisted
		if created > 0 && path != ownNode && !strings.HasPrefix(path, ownNode+"/") {
			out = append(out, Txn{Zxid: created, Path: path})
		}
	}
	slices.SortFunc(out, byZxid)
	return out, !j.bad, nil
}

// jute reads a record in ZooKeeper's encoding. It is bad from the first field that is not there.
type jute struct {
	b   []byte
	bad bool
}

func (j *jute) take(n int) []byte {
	if n < 0 || n > len(j.b) {
		j.bad, j.b = true, nil
	}
	if j.bad {
		return nil
	}
	out := j.b[:n]
	j.b = j.b[n:]
	return out
}

func (j *jute) skip(n int) { j.take(n) }

func (j *jute) int32() int32 {
	if b := j.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (j *jute) int64() int64 {
	if b := j.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// bytes reads a buffer or a text. A length of -1 is null.
func (j *jute) bytes() []byte { return j.take(max(int(j.int32()), 0)) }

// count reads the length of a vector or map.
func (j *jute) count() int {
	n := int(j.int32())
	if n < 0 || n > len(j.b) { // each entry has a byte at least
		return 0
	}
	return n
}

// A loss of power takes from real files what was never forced to disk.
//
// kill -9 leaves all that a process has written, since the operating system has it. So a node notes
// each file when the server has forced it. All calls of the released classes that force a file are
// at the places ForcedLog and ForcedFile (TestForces). LosePower then gives the files of a server
// that does not run the contents that were forced.
//
// These are assumptions, and file systems differ in them:
//
//   - Forcing a file makes its name durable. A file that was never forced vanishes.
//   - New names, deletions and truncations are durable at once. ZooKeeper forces none of them, so
//     they are not durable where Kept says so. A repair forces the folder of the epochs, at the
//     place ForcedName. Then their names stay, whatever Kept says. A repair of TRUNC forces the
//     shorter log, at ForcedEnd, or the folder, at ForcedDeletion. Then that log stays short, or
//     the later logs stay deleted.
//   - All that was not forced is lost. A disk may keep a part of it.
//   - The files with which a behaviour begins were forced.

// forced has the contents of files that were forced to disk, by their names.
type forced struct {
	mu    sync.Mutex
	files map[string][]byte
	// epochs has acceptedEpoch and currentEpoch as they were before acceptedEpoch was last forced.
	epochs map[string][]byte
}

// acceptedEpoch and currentEpoch are files in which a server keeps its epochs.
const (
	acceptedEpoch = "acceptedEpoch"
	currentEpoch  = "currentEpoch"
)

// Kept says what a file system has kept otherwise than the assumptions above say. File systems may
// order changes of different files as they like.
type Kept struct {
	// LastLog: the last file of the log as it is, although it was not forced.
	LastLog bool
	// CurrentEpoch and AcceptedEpoch: under these names the files of before the last epoch. The new
	// one has the name of the temporary file.
	CurrentEpoch, AcceptedEpoch bool
	// Truncated: logs as they were before TRUNC.
	Truncated bool
}

// noteForced notes the file that a thread has forced. The thread stands.
func (n *Node) noteForced(at Place, t jdwp.Thread) error {
	frames, err := t.Frames(1)
	if err != nil || len(frames) == 0 {
		return err
	}
	r := fields{}
	path, name := "", ""
	pathOf := func(local, field string) {
		v, err := frames[0].Local(local)
		r.note(err)
		object, err := v.Object()
		r.note(err)
		path = r.textOf(object, field)
		name = filepath.Base(path)
	}
	switch at {
	case ForcedLog:
		pathOf("log", "path")
	case ForcedName:
		stream, err := frames[0].This()
		r.note(err)
		if name = filepath.Base(r.textOf(stream, "origFile.path")); r.err == nil {
			n.forceName(name)
			return nil
		}
	case ForcedEnd:
		pathOf("itr", "logFile.path")
	case ForcedDeletion:
		return n.forceDeletions()
	default:
		stream, err := frames[0].This()
		r.note(err)
		path = r.textOf(stream, "tmpFile.path")
		name = filepath.Base(r.textOf(stream, "origFile.path"))
	}
	if r.err != nil {
		return fmt.Errorf("server %d has forced a file: %w", n.ID, r.err)
	}
	return n.force(path, name)
}

// force notes the contents of a file as forced. Name is the name that the file has or will get.
func (n *Node) force(path, name string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	n.forced.mu.Lock()
	defer n.forced.mu.Unlock()
	if n.forced.files == nil {
		n.forced.files = map[string][]byte{}
	}
	if name == acceptedEpoch {
		n.forced.epochs = map[string][]byte{acceptedEpoch: n.forced.files[acceptedEpoch], currentEpoch: n.forced.files[currentEpoch]}
	}
	n.forced.files[name] = b
	return nil
}

// forceName notes that the folder of a file was forced after the file got its name: it stays.
func (n *Node) forceName(name string) {
	n.forced.mu.Lock()
	defer n.forced.mu.Unlock()
	delete(n.forced.epochs, name)
}

// forceDeletions notes that the folder of the logs was forced: those that are deleted stay so.
func (n *Node) forceDeletions() error {
	names, err := n.files()
	if err != nil {
		return err
	}
	n.forced.mu.Lock()
	defer n.forced.mu.Unlock()
	maps.DeleteFunc(n.forced.files, func(name string, _ []byte) bool {
		return strings.HasPrefix(name, "log.") && !slices.Contains(names, name)
	})
	return nil
}

// forceAll notes that all files of a server are forced as they are.
func (n *Node) forceAll() error {
	n.forced.mu.Lock()
	n.forced.files = nil
	n.forced.mu.Unlock()
	names, err := n.files()
	for _, name := range names {
		err = errors.Join(err, n.force(filepath.Join(n.data(), filesDir, name), name))
	}
	return err
}

// files returns the names of a server's files.
func (n *Node) files() (out []string, err error) {
	entries, err := os.ReadDir(filepath.Join(n.data(), filesDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() {
			out = append(out, e.Name())
		}
	}
	return out, err
}

// LosePower gives the files of a server the contents that were forced to disk, and what else the
// file system has kept. It returns a line for each loss, for people. It fails if the server runs.
func (n *Node) LosePower(kept Kept) (lost []string, err error) {
	if n.process != nil {
		return nil, fmt.Errorf("server %d runs: kill it first", n.ID)
	}
	names, err := n.files()
	if err != nil {
		return nil, err
	}
	n.forced.mu.Lock()
	defer n.forced.mu.Unlock()
	last, err := n.lastLog()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		path := filepath.Join(n.data(), filesDir, name)
		have, err := os.ReadFile(path)
		if kept.LastLog && name == last {
			continue
		}
		if err != nil {
			return lost, err
		}
		was, some := n.forced.files[name]
		switch {
		case !some:
			lost = append(lost, name)
			err = os.Remove(path)
		case string(was[:min(len(was), len(have))]) != string(have):
			lost = append(lost, "the end of "+name)
			err = os.WriteFile(path, was[:min(len(was), len(have))], 0o644)
		}
		if err != nil {
			return lost, err
		}
	}
	names = nil
	for name, asked := range map[string]bool{currentEpoch: kept.CurrentEpoch, acceptedEpoch: kept.AcceptedEpoch} {
		if asked && n.forced.epochs[name] != nil && string(n.forced.epochs[name]) != string(n.forced.files[name]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(n.data(), filesDir, name)
		if err := errors.Join(os.Rename(path, path+".tmp"), os.WriteFile(path, n.forced.epochs[name], 0o644)); err != nil {
			return lost, err
		}
		lost = append(lost, "the name of "+name)
	}
	if kept.Truncated {
		back, err := n.untruncate()
		return append(lost, back...), err
	}
	return lost, nil
}

// untruncate gives logs the contents that they had when they were last forced, where they are
// shorter now or deleted.
func (n *Node) untruncate() (lost []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(n.forced.files)) {
		path := filepath.Join(n.data(), filesDir, name)
		have, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		was := n.forced.files[name]
		if err == nil && strings.HasPrefix(name, "log.") && len(have) < len(was) && string(was[:len(have)]) == string(have) {
			err = os.WriteFile(path, was, 0o644)
			lost = append(lost, "the truncation of "+name)
		}
		if err != nil {
			return lost, err
		}
	}
	return lost, nil
}

// lastLog returns the name of the log with the greatest zxid, "" if there is none.
func (n *Node) lastLog() (string, error) {
	logs, err := numbered(filepath.Join(n.data(), filesDir), "log.")
	if len(logs) == 0 || err != nil {
		return "", err
	}
	return filepath.Base(logs[len(logs)-1].path), nil
}
