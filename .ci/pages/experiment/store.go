package experiment

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// cell is a run with its result. A line of the store has one.
type cell struct {
	Kind     string `json:"kind"`
	Subject  string `json:"subject"`
	Strategy string `json:"strategy"`
	Seed     int    `json:"seed"`
	// Found says that the run detected the mistake. What names the property, or the variable that
	// differs.
	Found bool   `json:"found"`
	What  string `json:"what,omitempty"`
	// Walks and Steps are those that were taken, up to the detection.
	Walks int64 `json:"walks"`
	Steps int64 `json:"steps"`
	// Seconds of processor time, of the whole program with its start. Limit is the most that it was
	// given.
	Seconds float64 `json:"seconds"`
	Limit   float64 `json:"limit"`
	// Refused says why the strategy does not take the composition; "" if it does.
	Refused string `json:"refused,omitempty"`
}

// key identifies a cell.
func (c *cell) key() string {
	return fmt.Sprint(c.Kind, " ", c.Subject, " ", c.Strategy, " ", c.Seed)
}

// store is a file with a line for each cell.
type store struct {
	file  *os.File
	cells []cell
	known map[string]bool
	spent float64 // processor seconds
}

// openStore reads a store. A last line that was not written whole is removed.
func openStore(path string) (*store, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	s := &store{file: f, known: map[string]bool{}}
	whole := bytes.LastIndexByte(text, '\n') + 1
	lines := bufio.NewScanner(bytes.NewReader(text[:whole]))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var c cell
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		s.take(c)
	}
	if err := f.Truncate(int64(whole)); err != nil {
		return nil, err
	}
	_, err = f.Seek(int64(whole), io.SeekStart)
	return s, err
}

func (s *store) take(c cell) {
	if s.known[c.key()] {
		return
	}
	s.known[c.key()] = true
	s.cells = append(s.cells, c)
	s.spent += c.Seconds
}

func (s *store) has(c cell) bool { return s.known[c.key()] }

// add keeps a cell.
func (s *store) add(c cell) error {
	line, err := json.Marshal(c)
	if err == nil {
		_, err = s.file.Write(append(line, '\n'))
	}
	s.take(c)
	return err
}

func (s *store) close() { s.file.Close() }
