package starts

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"os"
	"path/filepath"
)

// zxid returns the zxid of an epoch and a counter, each from 0 to 2^31-1.
func zxid(epoch, counter int64) int64 { return epoch<<32 | counter }

// header is that of a file of a log: the magic number, version 2, and the database 0. FileTxnLog,
// FileHeader.
func header() []byte {
	b := append([]byte("ZKLG"), 0, 0, 0, 2)
	return append(b, make([]byte, 8)...)
}

// createSession is the type of the transactions of these logs. It begins a session of a client, and
// needs nothing that earlier transactions do. ZooDefs.OpCode.
const createSession = -10

// record returns the record of a transaction: checksum, length, header and body, and the mark of
// its end. FileTxnLog.append, TxnHeader, CreateSessionTxn.
func record(z int64) []byte {
	var body bytes.Buffer
	const cxid, time, timeOut = int32(0), int64(1), int32(30_000)
	// The zxid is the number of the session, too.
	for _, v := range []any{z, cxid, z, time, int32(createSession), timeOut} {
		binary.Write(&body, binary.BigEndian, v)
	}
	var b bytes.Buffer
	binary.Write(&b, binary.BigEndian, int64(adler32.Checksum(body.Bytes())))
	binary.Write(&b, binary.BigEndian, int32(body.Len()))
	b.Write(body.Bytes())
	b.WriteByte('B')
	return b.Bytes()
}

// files is the folder version-2 of a server.
type files struct {
	dir      string
	snapshot []byte // a snapshot without transactions, nil if the release writes none at a start
	err      error  // the first one
}

func (f *files) write(name string, content []byte) {
	if f.err == nil {
		f.err = os.WriteFile(filepath.Join(f.dir, name), content, 0o644)
	}
}

// log writes a file of a log with records of these zxids, and then other bytes. Its name has the
// first zxid.
func (f *files) log(zxids []int64, then ...byte) {
	content := header()
	for _, z := range zxids {
		content = append(content, record(z)...)
	}
	f.write(fmt.Sprintf("log.%x", zxids[0]), append(content, then...))
}

// snap writes a snapshot whose name has a zxid. Without its last bytes it is half written.
func (f *files) snap(z int64, without int) {
	f.write(fmt.Sprintf("snapshot.%x", z), f.snapshot[:len(f.snapshot)-without])
}

// flip changes one bit of the byte at a place of a file that was written.
func (f *files) flip(name string, at int) {
	content, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil {
		f.err = cmp.Or(f.err, err)
		return
	}
	content[at] ^= 1
	f.write(name, content)
}

// epochs writes the files of the epochs.
func (f *files) epochs(accepted, current string) {
	f.write("acceptedEpoch", []byte(accepted))
	f.write("currentEpoch", []byte(current))
}
