package wire

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/modules"
)

// behaviour names the variable that says what the test's own executable does. It stands in for an
// assembled program.
const behaviour = "WIRE_TEST_BEHAVIOUR"

func TestMain(m *testing.M) {
	if b := os.Getenv(behaviour); b != "" {
		play(b)
	}
	os.Exit(m.Run())
}

func play(b string) {
	in := bufio.NewReader(os.Stdin)
	line, _ := in.ReadBytes('\n')
	var req Request
	if err := json.Unmarshal(line, &req); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	side, err := Results()
	if err != nil {
		panic(err)
	}
	out := json.NewEncoder(side.Results)
	out.Encode(Event{Begun: true})
	switch b {
	case "report":
		out.Encode(Event{Progress: &Progress{Depth: 3}})
		out.Encode(Event{Report: &Report{Verdict: "holds", Distinct: 7, Reason: req.Verb, Workers: req.Options.Workers}})
	case "until stopped":
		out.Encode(Event{Progress: &Progress{Depth: 1}})
		io.Copy(io.Discard, in)
		out.Encode(Event{Report: &Report{Verdict: "undecided"}})
	case "for ever":
		out.Encode(Event{Progress: &Progress{Depth: 1}})
		select {}
	case "error":
		out.Encode(Event{Error: &Error{Kind: ErrorCapacity, Message: "Seq is full", Field: "History[1]"}})
	case "crash":
		fmt.Fprintf(os.Stderr, "fatal error: out of memory\n\n%s\nthe end\n", strings.Repeat("goroutine 1\n", 100_000))
		os.Exit(2)
	case "full", "index":
		go func() {
			var q modules.Seq[uint8, [2]uint8]
			if b == "index" {
				q.At(5)
			}
			for range 3 {
				q.Append(1)
			}
		}()
		select {}
	case "cut off":
		io.WriteString(side.Results, `{"report":{"verdict":"ho`)
	case "chatter":
		fmt.Println(`{"report":{"verdict":"holds","distinct":99}}`)
		fmt.Print("debugging ", strings.Repeat("x", 1<<20))
		out.Encode(Event{Report: &Report{Verdict: "violated", Distinct: 7}})
	case "noise":
		io.WriteString(side.Results, "debugging\n")
		io.Copy(io.Discard, in)
	}
	os.Exit(0)
}

// program is this executable with a behaviour, which all that run at the same time must share.
func program(t *testing.T, b string) Program {
	t.Setenv(behaviour, b)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Program{Path: exe}
}

// TestFull: where nothing catches the panic of a full value, its capacity is read from what the Go
// runtime prints. Other panics have none.
func TestFull(t *testing.T) {
	for b, want := range map[string]int{"full": 2, "index": 0, "crash": 0} {
		p := program(t, b)
		_, err := p.Run(t.Context(), Request{})
		e, ok := errors.AsType[*CrashError](err)
		if !ok {
			t.Fatalf("%s: the program ended with %v", b, err)
		}
		if n := e.Full(); n != want {
			t.Errorf("%s: what was full holds %d, want %d:\n%.300s", b, n, want, e.Output)
		}
	}
}

func TestRun(t *testing.T) {
	p := program(t, "report")
	var seen []int
	report, err := Run(t.Context(), p.Path, Request{Verb: "check", Options: Options{Workers: 2}}, func(p Progress) { seen = append(seen, p.Depth) })
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict != "holds" || report.Distinct != 7 || report.Reason != "check" || report.Workers != 2 {
		t.Errorf("report %+v", report)
	}
	if len(seen) != 1 || seen[0] != 3 {
		t.Errorf("progress %v", seen)
	}
}

func TestStop(t *testing.T) {
	p := program(t, "until stopped")
	stop := make(chan struct{})
	p.Stop = stop
	p.Progress = func(Progress) { close(stop) }
	report, err := p.Run(t.Context(), Request{})
	if err != nil || report.Verdict != "undecided" {
		t.Errorf("report %+v, error %v", report, err)
	}
}

func TestKill(t *testing.T) {
	p := program(t, "for ever")
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	p.Progress = func(Progress) { cancel(cause) }
	if _, err := p.Run(ctx, Request{}); !errors.Is(err, cause) {
		t.Errorf("error %v, want %v", err, cause)
	}
}

func TestErrors(t *testing.T) {
	t.Run("error", func(t *testing.T) {
		p := program(t, "error")
		_, err := p.Run(t.Context(), Request{})
		var e *Error
		if !errors.As(err, &e) || e.Kind != ErrorCapacity || e.Field != "History[1]" {
			t.Errorf("error %v", err)
		}
	})
	t.Run("crash", func(t *testing.T) {
		p := program(t, "crash")
		_, err := p.Run(t.Context(), Request{})
		var e *CrashError
		if !errors.As(err, &e) || e.First() != "fatal error: out of memory" || e.Status != "exit status 2" {
			t.Fatalf("error %v", err)
		}
		if len(e.Output) > 3*maxOutput || !strings.HasSuffix(e.Output, "the end\n") || !strings.Contains(e.Output, "bytes are left out") {
			t.Errorf("%d bytes of output are kept", len(e.Output))
		}
	})
	t.Run("cut off", func(t *testing.T) {
		p := program(t, "cut off")
		var e *CrashError
		if _, err := p.Run(t.Context(), Request{}); !errors.As(err, &e) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("noise", func(t *testing.T) {
		p := program(t, "noise")
		if _, err := p.Run(t.Context(), Request{}); err == nil || !strings.Contains(err.Error(), "where results are expected") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("missing", func(t *testing.T) {
		p := Program{Path: t.TempDir() + "/none"}
		if _, err := p.Run(t.Context(), Request{}); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("cancelled before", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
		defer cancel()
		<-ctx.Done()
		p := program(t, "for ever")
		if _, err := p.Run(ctx, Request{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}
