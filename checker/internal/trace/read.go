package trace

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/internal/flatjson"
)

// Formats are the formats that Read reads.
//
//	etcd-raft  events of go.etcd.io/raft/v3 built with the tag with_tla: a TracingEvent of state_trace.go (v3.7.0) on each line,
//	           plain or as the field "event" of a log line whose "tag" is "trace". If an id of a server is greater than 16, the
//	           servers of the log are numbered from 1 in the order of their ids
//	ccf-raft   lines of CCF's log whose "tag" is "raft_trace"; the event's name is the field "function" of "msg". Nodes are
//	           numbered from 0 in the order of their ids, and the nodes of a configuration are a list of these numbers. "cmd" is
//	           the driver's command as a list of words, where the line has it. Commands that assert something of one node are
//	           events, too. Lines of 2023, whose "tag" is "tla", are read as such lines; see early.go
//	ccf-scenario  scripts of CCF's raft driver; a line becomes several events, see scenario.go
//	ccf-consistency  what a client of CCF saw: an object on each line; the event's name is the field "action"
//	ndjson     the project's own: an object on each line, whose "event" is the name and "node", if there is one, the node
var Formats = []string{"etcd-raft", "ccf-raft", "ccf-scenario", "ccf-consistency", "ndjson"}

// maxLine bounds the length of a line of a log, in bytes.
const maxLine = 4 << 20

// Log holds the events of a log, as far as it was read.
type Log struct {
	Events []Event
	// Skipped counts lines that are no events: other messages of the same log, and empty ones.
	Skipped int
	// Truncated is where the last line of a file is incomplete, as when the process that wrote it
	// was killed: the file and the line. It is the first such place, "" if there is none. The line
	// is left out.
	Truncated string
	// Unsaid is the first line that the specification has no counterpart of, and why. It is "" if
	// there is none. The lines after it are left out.
	Unsaid string
	// Before is the number of events before that line.
	Before int
}

// A LineError says which line of a log is none of its format.
type LineError struct {
	File string
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// Alone are the formats whose files are logs of their own, each by itself.
var Alone = []string{"ccf-scenario"}

// errOther is the answer of a format for a line that is no event.
var errOther = errors.New("no event")

// decoders turn a line into an event. An object that has a key twice means two things, so it is no
// event. In a line that is no event either, it does not matter, unless the key is one that decides.
var decoders = map[string]func(line []byte) (Event, error){
	"etcd-raft": etcdEvent,
	"ccf-raft":  ccfEvent,
	"ndjson":    ndjsonEvent,

	"ccf-consistency": clientEvent,
	"ccf-scenario":    scenarioLine,
}

// Read reads a log. The error is a *LineError, or one of r.
func Read(r io.Reader, file, format string) (Log, error) {
	decode := decoders[format]
	if decode == nil {
		return Log{}, fmt.Errorf("no format %q: it is one of %v", format, Formats)
	}
	var log Log
	in := bufio.NewReaderSize(r, 64<<10)
	for number := 1; ; number++ {
		line, err := readLine(in)
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return log, &LineError{file, number, err}
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			e, bad := decode(text)
			switch {
			case bad != nil && ended && format != "ccf-scenario" && !whole(text):
				// without a line feed
				log.Truncated, log.Before = fmt.Sprintf("%s:%d", file, number), len(log.Events)
			case errors.Is(bad, errOther):
				log.Skipped++
			case bad != nil:
				return log, &LineError{file, number, bad}
			default:
				e.File, e.Line = file, number
				log.Events = append(log.Events, e)
			}
		} else if !ended {
			log.Skipped++
		}
		if ended {
			return log, nil
		}
	}
}

// whole reports whether a line has a whole value of JSON, after what may stand before it.
func whole(line []byte) bool {
	at := max(bytes.IndexByte(line, '{'), 0)
	return json.Valid(line) || json.Valid(line[at:])
}

// readLine reads up to a line feed. With the last line it returns io.EOF.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxLine {
			return nil, fmt.Errorf("the line is longer than %d bytes", maxLine)
		}
	}
}

// ReadFiles reads logs in a format, one after the other, as one log. It returns the first error of
// a file: one that cannot be read, or that is a folder, a pipe, a device or a socket. It ends with
// the cause of ctx if ctx is done before.
func ReadFiles(ctx context.Context, paths []string, format string) (Log, error) {
	var all Log
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return all, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is a pipe, a device or a socket, and no file; - is the standard input")}
		}
		f, err := host.Open(path)
		if err != nil {
			return all, err
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return all, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is a folder; name the logs in it")}
		}
		log, err := Read(&stoppable{ctx, f}, path, format)
		f.Close()
		if err != nil {
			return all, err
		}
		if all.Truncated == "" && log.Truncated != "" {
			all.Truncated, all.Before = log.Truncated, len(all.Events)+log.Before
		}
		all.Events = slices.Concat(all.Events, log.Events)
		all.Skipped += log.Skipped
	}
	switch format {
	case "etcd-raft":
		numberServers(all.Events)
	case "ccf-raft":
		numberNodes(all.Events)
	case "ccf-scenario":
		err := interpret(&all)
		all.Before = len(all.Events)
		return all, err
	}
	return all, nil
}

// unlessDecided returns that a line is no event, or that a key twice in it decides that.
func unlessDecided(twice error, keys ...string) error {
	var x *flatjson.TwiceError
	if errors.As(twice, &x) && slices.Contains(keys, x.Key) {
		return twice
	}
	return errOther
}

// stoppable is a file that is read until ctx is done.
type stoppable struct {
	ctx  context.Context
	from io.Reader
}

func (s *stoppable) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	return s.from.Read(p)
}

// etcdEvent reads an event of etcd's library.
func etcdEvent(line []byte) (Event, error) {
	m, twice, err := decodeObject(line)
	if err != nil {
		return Event{}, err
	}
	if inner, ok := m["event"].(map[string]any); ok && (m["tag"] == nil || m["tag"] == "trace") {
		m = inner
	} else if m["tag"] != nil || m["name"] == nil {
		return Event{}, unlessDecided(twice, "event", "tag", "name")
	}
	if twice != nil {
		return Event{}, twice
	}
	name, ok := m["name"].(string)
	node, isText := m["nid"].(string)
	if !ok || !isText {
		return Event{}, errors.New(`the event has no "name" or no "nid"`)
	}
	return Event{Name: name, Node: node, Fields: m}, nil
}

// ccfEvent reads a line of CCF's log. What stands before the object, such as a prefix of the
// driver, is left out. "msg" is an object, or a text that holds one.
func ccfEvent(line []byte) (Event, error) {
	at := bytes.IndexByte(line, '{')
	if at < 0 {
		return Event{}, errOther
	}
	m, twice, err := decodeObject(line[at:])
	if err != nil {
		return Event{}, err
	}
	// the driver's commands are such lines with "cmd"
	if m["tag"] == "raft_trace" && m["msg"] == nil && twice == nil {
		if e, ok := assertion(m["cmd"]); ok {
			return e, nil
		}
	}
	if msg, ok := m["msg"].(map[string]any); ok && m["tag"] == "tla" && msg["event"] != nil {
		if twice != nil {
			return Event{}, twice
		}
		return earlyEvent(msg)
	}
	if m["tag"] != "raft_trace" || m["msg"] == nil {
		return Event{}, unlessDecided(twice, "tag", "msg")
	}
	if twice != nil {
		return Event{}, twice
	}
	if text, ok := m["msg"].(string); ok {
		inner, twice, err := decodeObject([]byte(text))
		if err = cmp.Or(err, twice); err != nil {
			return Event{}, fmt.Errorf(`"msg": %w`, err)
		}
		m["msg"] = inner
	}
	msg, _ := m["msg"].(map[string]any)
	name, ok := msg["function"].(string)
	if !ok {
		return Event{}, errors.New(`the event has no "function"`)
	}
	if cmd, ok := m["cmd"].(string); ok {
		msg["cmd"] = words(cmd)
	}
	state, _ := msg["state"].(map[string]any)
	e := Event{Name: name, Fields: msg}
	if state["node_id"] != nil {
		e.Node = fmt.Sprint(state["node_id"])
	}
	return e, nil
}

// ndjsonEvent reads a line of the project's own format.
func ndjsonEvent(line []byte) (Event, error) {
	m, twice, err := decodeObject(line)
	if err = cmp.Or(err, twice); err != nil {
		return Event{}, err
	}
	name, ok := m["event"].(string)
	if !ok {
		return Event{}, errors.New(`the line has no text "event"`)
	}
	e := Event{Name: name, Fields: m}
	if m["node"] != nil {
		e.Node = fmt.Sprint(m["node"])
	}
	return e, nil
}

// clientEvent reads a line of the log of CCF's consistency_trace_validation.
func clientEvent(line []byte) (Event, error) {
	m, twice, err := decodeObject(line)
	if err = cmp.Or(err, twice); err != nil {
		return Event{}, err
	}
	name, ok := m["action"].(string)
	if !ok {
		return Event{}, errors.New(`the line has no text "action"`)
	}
	return Event{Name: name, Fields: m}, nil
}
