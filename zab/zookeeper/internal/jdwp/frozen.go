package jdwp

import (
	"fmt"
	"slices"
)

// frozen holds values of fields that were read while all threads stand. Nothing changes meanwhile,
// so each field is read once. A JVM takes about as long for one field as for ten fields of an
// object. So the first read of an object reads all fields that earlier reads asked for in its
// class.
type frozen struct {
	values map[fieldOf]Value
}

// fieldOf is a field of one object.
type fieldOf struct{ object, field ID }

// Freeze suspends all threads until Thaw, and makes reads cheaper. Only fields that are not static
// are remembered.
func (vm *VM) Freeze() error {
	if err := vm.Suspend(); err != nil {
		return err
	}
	vm.mu.Lock()
	defer vm.mu.Unlock()
	vm.frozen = &frozen{values: map[fieldOf]Value{}}
	return nil
}

// Thaw ends what Freeze has begun.
func (vm *VM) Thaw() error {
	vm.mu.Lock()
	vm.frozen = nil
	vm.mu.Unlock()
	return vm.Resume()
}

// instance returns the values of fields that are not static, in their order.
func (o Object) instance(class Class, fields []ID) ([]Value, error) {
	known, wanted := o.remembered(class, fields)
	if known != nil {
		return known, nil
	}
	values := make([]Value, len(wanted))
	err := o.vm.do(objectValues, func(e *encoder) {
		e.object(o.id)
		e.int(len(wanted))
		for _, id := range wanted {
			e.field(id)
		}
	}, func(d *decoder) {
		if n := d.count(); n != len(wanted) && d.err == nil {
			d.err = fmt.Errorf("%d values for %d fields", n, len(wanted))
		}
		for k := range values {
			values[k] = d.tagged()
		}
	})
	if err != nil {
		return nil, err
	}
	o.vm.mu.Lock()
	defer o.vm.mu.Unlock()
	if o.vm.frozen != nil {
		for k, id := range wanted {
			o.vm.frozen.values[fieldOf{o.id, id}] = values[k]
		}
	}
	out := make([]Value, len(fields))
	for k, id := range fields {
		out[k] = values[slices.Index(wanted, id)]
	}
	return out, nil
}

// remembered returns the values of fields if all of them are known, else the fields to read.
func (o Object) remembered(class Class, fields []ID) (known []Value, wanted []ID) {
	o.vm.mu.Lock()
	defer o.vm.mu.Unlock()
	if o.vm.frozen == nil {
		return nil, fields
	}
	for _, id := range fields {
		v, ok := o.vm.frozen.values[fieldOf{o.id, id}]
		if !ok {
			known = nil
			break
		}
		known = append(known, v)
	}
	if known != nil {
		return known, nil
	}
	often := o.vm.often[class.id]
	for _, id := range fields {
		if !slices.Contains(often, id) {
			often = append(often, id)
		}
	}
	o.vm.often[class.id] = often
	return nil, slices.Clone(often)
}
