package itf

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/multigrain/multigrain/modules"
)

// Value returns a value as ITF writes it, in one line. It fails for a value that has no form in
// ITF, as Write does.
func Value(v modules.View) (json.RawMessage, error) {
	e := &encoder{shapes: map[place]modules.Shape{}}
	e.value(&v, "")
	return bytes.Clone(e.out.Bytes()), e.err
}

// ReadValue reads one value of ITF. What ITF cannot tell apart comes back as an array or a
// sequence: see Write.
func ReadValue(text []byte) (modules.View, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	n, err := parse(dec, 0)
	if err != nil {
		return modules.View{}, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return modules.View{}, errors.New("something follows the value")
	}
	var d decoder
	return d.value(n, "")
}
