package starts

import "fmt"

// State is a state of the files that a start can find.
type State struct {
	Name string
	What string // in words, for the table
	// Where says which code decides: class, method, and the line in 3.9.5.
	Where string
	make  func(f *files)
}

// one are three transactions of epoch 1.
var one = []int64{zxid(1, 1), zxid(1, 2), zxid(1, 3)}

// half returns the first bytes of a record.
func half(z int64) []byte { r := record(z); return r[:len(r)-6] }

// States returns the states, those of epochs first. Where a state has nothing else, the files are a
// snapshot of zxid 0, a log of three transactions of epoch 1, and epochs of 1.
func States() []State {
	return []State{
		{"whole", "nothing is missing", "QuorumPeer.loadDataBase, 1147", func(f *files) {
			f.snap(0, 0)
			f.log(one)
			f.epochs("1", "1")
		}},
		{"current-epoch-older", "currentEpoch is older than the last transaction", "QuorumPeer.loadDataBase, 1177", func(f *files) {
			f.snap(0, 0)
			f.log([]int64{zxid(1, 1), zxid(2, 1)})
			f.epochs("2", "1")
		}},
		{"current-epoch-tmp", "the same, and currentEpoch.tmp has the epoch", "QuorumPeer.loadDataBase, 1172", func(f *files) {
			f.snap(0, 0)
			f.log([]int64{zxid(1, 1), zxid(2, 1)})
			f.epochs("2", "1")
			f.write("currentEpoch.tmp", []byte("2"))
		}},
		{"accepted-epoch-older", "acceptedEpoch is older than currentEpoch", "QuorumPeer.loadDataBase, 1197", func(f *files) {
			f.snap(0, 0)
			f.log(one)
			f.epochs("1", "2")
		}},
		{"epoch-empty", "currentEpoch is an empty file", "QuorumPeer.readLongFromFile, 2208", func(f *files) {
			f.snap(0, 0)
			f.log(one)
			f.epochs("1", "")
		}},
		{"epochs-missing", "there is no file of an epoch", "QuorumPeer.loadDataBase, 1160 and 1188", func(f *files) {
			f.snap(0, 0)
			f.log(one)
		}},
		{"accepted-epoch-missing", "there is no acceptedEpoch", "QuorumPeer.loadDataBase, 1188", func(f *files) {
			f.snap(0, 0)
			f.log(one)
			f.write("currentEpoch", []byte("1"))
		}},
		{"accepted-epoch-empty", "acceptedEpoch is an empty file", "QuorumPeer.readLongFromFile, 2208", func(f *files) {
			f.snap(0, 0)
			f.log(one)
			f.epochs("", "1")
		}},
		{"log-without-snapshot", "there is a log, and no snapshot", "FileTxnSnapLog.restore, 290", func(f *files) {
			f.log(one)
			f.epochs("1", "1")
		}},
		{"snapshot-half", "the newest snapshot, of 1:2, is half written; one of zxid 0 is whole", "FileSnap.findNValidSnapshots, 176", func(f *files) {
			f.snap(0, 0)
			f.snap(zxid(1, 2), 20)
			f.log(one)
			f.epochs("1", "1")
		}},
		{"snapshots-half", "the only snapshot is half written", "FileTxnSnapLog.restore, 290", func(f *files) {
			f.snap(0, 20)
			f.log(one)
			f.epochs("1", "1")
		}},
		{"snapshot-empty", "the newest snapshot, of 1:2, is an empty file; one of zxid 0 is whole", "FileSnap.findNValidSnapshots, 176", func(f *files) {
			f.snap(0, 0)
			f.write(fmt.Sprintf("snapshot.%x", zxid(1, 2)), nil)
			f.log(one)
			f.epochs("1", "1")
		}},
		{"snapshots-empty", "the only snapshot is an empty file", "FileTxnSnapLog.restore, 290", func(f *files) {
			f.snap(0, len(f.snapshot))
			f.log(one)
			f.epochs("1", "1")
		}},
		{"snapshot-corrupt", "one byte within the newest snapshot, of 1:2, is another one; one of zxid 0 is whole", "FileSnap.deserialize, 110", func(f *files) {
			f.snap(0, 0)
			f.snap(zxid(1, 2), 0)
			f.flip(fmt.Sprintf("snapshot.%x", zxid(1, 2)), len(f.snapshot)/2)
			f.log(one)
			f.epochs("1", "1")
		}},
		{"snapshot-ahead", "the newest snapshot is of 1:5, and the log ends with 1:3", "FileTxnSnapLog.fastForwardFromEdits, 330", func(f *files) {
			f.snap(0, 0)
			f.snap(zxid(1, 5), 0)
			f.log(one)
			f.epochs("1", "1")
		}},
		{"snapshot-between", "the newest snapshot is of 2:5, of another history than the log's: 1:1, 1:2 and 3:1", "FileTxnSnapLog.fastForwardFromEdits, 344", func(f *files) {
			f.snap(0, 0)
			f.snap(zxid(2, 5), 0)
			f.log([]int64{zxid(1, 1), zxid(1, 2), zxid(3, 1)})
			f.epochs("3", "3")
		}},
		{"snapshot-later", "the newest snapshot is of 3:1, later than the log: that of another history", "FileTxnSnapLog.fastForwardFromEdits, 330", func(f *files) {
			f.snap(0, 0)
			f.snap(zxid(3, 1), 0)
			f.log(one)
			f.epochs("3", "3")
		}},
		{"snapshot-before-gap", "the snapshot is of 1:1, and the log begins with 1:3", "FileTxnSnapLog.fastForwardFromEdits, 344", func(f *files) {
			f.snap(zxid(1, 1), 0)
			f.log([]int64{zxid(1, 3)})
			f.epochs("1", "1")
		}},
		{"log-file-missing", "the file of the log with 1:2 is missing between those of 1:1 and 1:3", "FileTxnLog.FileTxnIterator.next, 806", func(f *files) {
			f.snap(0, 0)
			f.log(one[:1])
			f.log(one[2:])
			f.epochs("1", "1")
		}},
		{"log-half-within", "1:2 is half written at the end of a file, and 1:3 is in the next file", "FileTxnLog.FileTxnIterator.next, 806", func(f *files) {
			f.snap(0, 0)
			f.log(one[:1], half(zxid(1, 2))...)
			f.log(one[2:])
			f.epochs("1", "1")
		}},
		{"log-half-at-end", "1:3 is half written, and the file ends", "FileTxnLog.FileTxnIterator.next, 806", func(f *files) {
			f.snap(0, 0)
			f.log(one[:2], half(zxid(1, 3))...)
			f.epochs("1", "1")
		}},
		{"log-half-padded", "1:3 is half written, and zeros follow, as in a file that is made long at once", "Util.readTxnBytes, 166", func(f *files) {
			f.snap(0, 0)
			f.log(one[:2], append(half(zxid(1, 3)), make([]byte, 100)...)...)
			f.epochs("1", "1")
		}},
		{"log-corrupt", "one byte of 1:3 is another one", "FileTxnLog.FileTxnIterator.next, 800", func(f *files) {
			f.snap(0, 0)
			last := record(zxid(1, 3))
			last[20] ^= 1
			f.log(one[:2], last...)
			f.epochs("1", "1")
		}},
		{"log-corrupt-within", "one byte of 1:2 is another one, and 1:3 follows", "FileTxnLog.FileTxnIterator.next, 800", func(f *files) {
			f.snap(0, 0)
			second := record(zxid(1, 2))
			second[20] ^= 1
			f.log(one[:1], append(second, record(zxid(1, 3))...)...)
			f.epochs("1", "1")
		}},
		{"log-file-zeros", "the last file of the log has a header and zeros, and no record", "Util.readTxnBytes, 166", func(f *files) {
			f.snap(0, 0)
			f.log(one)
			f.write("log.100000004", append(header(), make([]byte, 100)...))
			f.epochs("1", "1")
		}},
		{"log-file-empty", "the last file of the log is empty", "FileTxnLog.FileTxnIterator.goToNextLog, 724", func(f *files) {
			f.snap(0, 0)
			f.log(one)
			f.write("log.100000004", nil)
			f.epochs("1", "1")
		}},
		{"log-header-half", "the last file of the log has half a header", "FileTxnLog.FileTxnIterator.goToNextLog, 732", func(f *files) {
			f.snap(0, 0)
			f.log(one)
			f.write("log.100000004", header()[:6])
			f.epochs("1", "1")
		}},
		{"log-backwards", "the log has 2:1 before 1:2", "FileTxnSnapLog.fastForwardFromEdits, 345", func(f *files) {
			f.snap(0, 0)
			f.log([]int64{zxid(1, 1), zxid(2, 1), zxid(1, 2)})
			f.epochs("2", "2")
		}},
	}
}
