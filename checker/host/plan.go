package host

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Plan says which fault takes place, and when.
type Plan struct {
	Fault string // one of Faults
	Nth   int64  // the fault's first operation, from 1, among those that it can hit
	Lasts bool   // the operations after it fail, too
	Seed  uint64 // of how a clock jumps
	// In is the process that fails: "command", "program", or "" for both. A program lies in a
	// folder programs, as in the cache.
	In string
	// Log is a file that gets a line for each fault, or "".
	Log string
}

// Faults are the names of all faults, with the operations that each can hit.
var Faults = map[string][]operation{
	"no-space":    {opMake, opWrite}, // a full disk
	"short-write": {opWrite},         // a part is written, and the device fails
	"slow-write":  {opWrite, opSync}, // takes some milliseconds
	"no-sync":     {opSync},          // the disk does not confirm
	"no-rename":   {opRename},
	"no-remove":   {opRemove},
	"no-open":     {opOpen, opMake},           // no more open files
	"no-read":     {opRead},                   // the device fails
	"clock-jumps": {opClock},                  // forward and backward, up to a day
	"clock-leaps": {opClock},                  // once, ten years forward
	"clock-back":  {opClock},                  // once, an hour backward
	"clock-stops": {opClock},                  // shows the same time from then on
	"forbidden":   {opOpen, opMake, opRename}, // no permission
}

// operation is a kind of call.
type operation uint8

const (
	opOpen operation = iota // of a file that exists
	opMake                  // of a file or a folder
	opRead
	opWrite
	opSync
	opRename
	opRemove
	opClock
)

// String returns the form that ParsePlan reads.
func (p Plan) String() string {
	return fmt.Sprintf("fault=%s nth=%d lasts=%t seed=%d in=%s log=%s", p.Fault, p.Nth, p.Lasts, p.Seed, p.In, p.Log)
}

// ParsePlan reads words of the form name=value. Only log, the last one, may hold blanks.
func ParsePlan(text string) (p Plan, err error) {
	for text != "" && err == nil {
		name, value, _ := strings.Cut(text, "=")
		if text = ""; name != "log" {
			value, text, _ = strings.Cut(value, " ")
		}
		switch name {
		case "fault":
			p.Fault = value
		case "nth":
			p.Nth, err = strconv.ParseInt(value, 10, 64)
		case "lasts":
			p.Lasts, err = strconv.ParseBool(value)
		case "seed":
			p.Seed, err = strconv.ParseUint(value, 10, 64)
		case "in":
			p.In = value
		case "log":
			p.Log = value
		default:
			err = fmt.Errorf("%q is no part of a plan", name)
		}
	}
	switch {
	case err != nil:
	case Faults[p.Fault] == nil:
		err = fmt.Errorf("%q is no fault", p.Fault)
	case p.Nth < 1:
		err = fmt.Errorf("a fault at operation %d: the first is 1", p.Nth)
	case !slices.Contains([]string{"", "command", "program"}, p.In):
		err = fmt.Errorf("%q is no process: command and program are", p.In)
	}
	return p, err
}

// Concerns reports whether the plan is for the process of an executable.
func (p Plan) Concerns(executable string) bool {
	program := filepath.Base(filepath.Dir(executable)) == "programs"
	return p.In == "" || (p.In == "program") == program
}
