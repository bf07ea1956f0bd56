// Package ring is an implementation of package buffer, a slice, and its adapter.
package ring

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/multigrain/multigrain/checker/conform"
	"github.com/multigrain/multigrain/cmd/multigrain/testdata/spec/buffer"
	"github.com/multigrain/multigrain/modules"
)

// Symptoms are those that the adapter looks for.
const Symptoms = `
forgets: the ring has counted fewer taken items than before
counts(taken): at the end the ring counts so many taken items
`

// Implementation is the slice. Its setting last makes the item of that number its last: it panics when it is asked for another one.
// With forgetful it counts one item less when a consumer rests. With stuck it cannot be driven through Rest. The first starts, as many
// as spoilt says, are spoilt. With dies it ends its process when it is asked for an item: in a
// goroutine of its own, by a panic (goroutine) or by an exit (exit). With
// once, which names a file, only where that is not there.
var Implementation = conform.Implementation[buffer.State]{Name: "ring", Open: open}

type ring struct {
	settings    map[string]string
	watched     []conform.Symptom
	starts      int
	forgot      bool
	made, taken uint8
	items       []uint8
	had         [buffer.Consumers]uint8
	full        [buffer.Consumers]bool
	out         io.Writer
}

func open(s conform.Setup) (conform.Adapter[buffer.State], error) {
	if s.Version == "v0" {
		return nil, errors.New("version v0 has no adapter")
	}
	return &ring{settings: s.Settings}, nil
}

func (r *ring) Variables() []string { return []string{"Made", "Taken", "Queue", "Last", "Moods"} }

func (r *ring) Start(*buffer.State) error {
	*r = ring{settings: r.settings, out: r.out, watched: r.watched, starts: r.starts + 1}
	if spoilt, _ := strconv.Atoi(r.settings["spoilt"]); r.starts <= spoilt {
		return &conform.SpoiltError{Message: "the ring is not round"}
	}
	return nil
}

func (r *ring) Watch(all []conform.Symptom) error {
	r.watched = all
	return nil
}

func (r *ring) Look() (out []conform.Sighting) {
	for _, s := range r.watched {
		x := conform.Sighting{Word: s.Word, Judged: true, Seen: r.forgot, Text: fmt.Sprintf("%d of %d items are taken", r.taken, r.made)}
		if s.Word == "counts" {
			x.Seen = s.Settings["taken"] == fmt.Sprint(r.taken)
		}
		out = append(out, x)
	}
	return out
}

func (r *ring) Log(w io.Writer) { r.out = w }

func (r *ring) Stop() error { return nil }

func (r *ring) Perform(s conform.Step[buffer.State]) error {
	if r.out != nil {
		fmt.Fprintf(r.out, "  ring %v\n", r.items)
	}
	p, _ := s.Params.(modules.One[buffer.Consumer])
	switch s.Action {
	case "Put":
		if r.settings["last"] == fmt.Sprint(r.made) {
			panic("the ring is worn out")
		}
		r.made++
		r.items = append(r.items, r.made)
	case "Take":
		r.die()
		r.had[p.I], r.full[p.I] = r.items[0], true
		r.items = r.items[1:]
		r.taken++
	case "Rest":
		if r.settings["stuck"] == "true" {
			return &conform.UndrivenError{Message: "the consumer does not rest"}
		}
		r.full[p.I] = false
		if r.settings["forgetful"] == "true" {
			r.taken, r.forgot = r.taken-1, true
		}
	default:
		return fmt.Errorf("a ring cannot do %s", s.Action)
	}
	return nil
}

// die ends the process.
func (r *ring) die() {
	if once := r.settings["once"]; once != "" {
		if _, err := os.Stat(once); err == nil || os.WriteFile(once, nil, 0o600) != nil {
			return
		}
	}
	switch r.settings["dies"] {
	case "goroutine":
		go func() { panic("the ring breaks") }()
		time.Sleep(time.Minute)
	case "exit":
		fmt.Fprintln(os.Stderr, "the ring gives up")
		os.Exit(3)
	}
}

func (r *ring) Observe(s *buffer.State) error {
	s.Made, s.Taken, s.Last = r.made, r.taken, r.had
	s.Queue.Clear()
	for _, x := range r.items {
		s.Queue.Append(x)
	}
	for k := range s.Moods {
		s.Moods[k] = buffer.Hungry
		if r.full[k] {
			s.Moods[k] = buffer.Full
		}
	}
	return nil
}
