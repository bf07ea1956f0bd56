package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/multigrain/multigrain/checker/internal/flatjson"
)

// Event is one event of a log.
type Event struct {
	File string // where it was read, and its line there, from 1
	Line int
	Name string // what happened
	Node string // whose event it is; "" where the log does not say
	// Fields is the event as the log has it. Values are nil, bool, int64, float64, string, []any
	// and map[string]any.
	Fields map[string]any
}

// decodeObject returns a line of JSON that holds an object. twice is not nil if an object in it has
// a key twice; the map has the last value then.
func decodeObject(line []byte) (m map[string]any, twice, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, nil, err
	}
	if d.More() {
		return nil, nil, fmt.Errorf("more than one value")
	}
	m, ok := normal(v).(map[string]any)
	if !ok {
		return nil, nil, fmt.Errorf("not an object")
	}
	return m, flatjson.Distinct(line), nil
}

// normal makes a decoded value one of those that Event.Fields has.
func normal(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n
		}
		f, err := v.Float64()
		if err != nil {
			return v.String()
		}
		return f
	case float64:
		if n := int64(v); float64(n) == v {
			return n
		}
	case []any:
		for k := range v {
			v[k] = normal(v[k])
		}
	case map[string]any:
		for k := range v {
			v[k] = normal(v[k])
		}
	}
	return v
}
