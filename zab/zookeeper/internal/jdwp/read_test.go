package jdwp_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/jdwp"
)

// standing starts Probe with "values" and returns it when it stands at the start of hold.
func standing(t *testing.T) (*probe, jdwp.Class, jdwp.Thread) {
	t.Helper()
	p := launch(t, "values")
	class, main := p.load()
	r := p.stopAt(class, "hold", jdwp.EventThread)
	check(t, main.Resume())
	set := p.next()
	if !set.Has(r) || set.Events[0].Kind != jdwp.Breakpoint || set.Policy != jdwp.EventThread {
		t.Fatalf("got %v, want a BREAKPOINT in hold", set)
	}
	return p, class, set.Thread()
}

// show returns a value as Java's toString would print it: primitives, strings, and boxes.
func show(v jdwp.Value) string {
	if v.IsNull() {
		return "null"
	}
	if n, err := v.Int64(); err == nil {
		return fmt.Sprint(n)
	}
	if s, err := v.Text(); err == nil {
		return s
	}
	if f, err := v.Float64(); err == nil {
		return fmt.Sprint(f)
	}
	b, err := v.Bool()
	return fmt.Sprint(b, err)
}

// TestFields reads fields of all types, through paths from a static field.
func TestFields(t *testing.T) {
	_, class, _ := standing(t)
	state := must(must(class.Static("state")).Object())
	for path, want := range map[string]string{
		"flag": "true <nil>", "small": "-3", "letter": "8364", "middle": "-300", "number": "-70000",
		"zxid": "4294967298", "half": "1.5", "quarter": "-2.25", "text": "zażółć 😀", "empty": "",
		"nothing": "null", "shared": "5", "inherited": "77", "shadowed": "of State",
		"ints[1]": "-2", "strings[1]": "null", "strings[2]": "c", "boxed": "-9", "atomic": "1099511627776",
		"yes": "true <nil>", "phase.name": "BROADCAST", "phase.ordinal": "1",
		"list.name": "one", "list.next.name": "two", "list.next.next": "null",
	} {
		v, err := state.Path(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if got := show(v); path != "yes" && got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if b, err := must(state.Field("yes")).Bool(); !b || err != nil {
		t.Errorf("the AtomicBoolean is %v, want true; %v", b, err)
	}
	bytes := must(must(must(state.Field("bytes")).Object()).Bytes())
	if !slices.Equal(bytes, []byte{0, 255, 127}) {
		t.Errorf("bytes are %v", bytes)
	}
	none := must(must(must(state.Field("none")).Object()).Array())
	if len(none) != 0 {
		t.Errorf("the empty array has %d elements", len(none))
	}
	both := must(state.Fields("zxid", "shared", "number"))
	if show(both[0]) != "4294967298" || show(both[1]) != "5" || show(both[2]) != "-70000" {
		t.Errorf("three fields at once are %v", both)
	}
	if c := must(must(must(state.Field("list")).Object()).Class()); must(c.Name()) != "Probe$Node" {
		t.Errorf("list is of class %s", must(c.Name()))
	}
}

// TestRefusals reads what cannot be read. Each error names the place and the reason.
func TestRefusals(t *testing.T) {
	p, class, thread := standing(t)
	state := must(must(class.Static("state")).Object())
	null := must(must(state.Field("nothing")).Object())
	for _, c := range []struct {
		err    error
		isNull bool
		want   string
	}{
		{second(state.Path("list.next.next.name")), true, "path list.next.next.name: null reference: list.next.next is null"},
		{second(state.Path("list.table[0]")), true, "path list.table[0], step table[0]: jdwp: ArrayReference.GetValues: null reference"},
		{second(state.Path("list.nam")), false, "class Probe$Node has no field nam"},
		{second(state.Path("ints[3]")), false, "ArrayReference.GetValues: INVALID_INDEX (503)"},
		{second(null.Text()), true, "StringReference.Value: null reference: the object has id 0"},
		{second(null.Field("x")), true, "ObjectReference.ReferenceType: null reference"},
		{second(jdwp.Object{}.Field("x")), true, "the value belongs to no JVM"},
		{second(state.Text()), false, "StringReference.Value: INVALID_STRING (506)"},
		{second(must(state.Field("text")).Int64()), false, "an object of class java.lang.String, not a primitive"},
		{second(must(state.Field("zxid")).Object()), false, "the value has type J, not a reference"},
		{second(must(state.Field("zxid")).Bool()), false, "the value has type J, not boolean"},
		{second(must(state.Field("boxed")).Bool()), false, "the value has type J, not boolean"},
		{second(state.Items()), false, "class Probe$State is no collection that can be read, known are java.util.ArrayDeque"},
		{second(class.Static("nowhere")), false, "class Probe has no field nowhere"},
		{second(class.Method("ready", "()V")), false, "Probe declares 0 methods ready()V"},
		{second(p.vm.ClassNamed("org.example.Nothing")), false, "0 loaded classes are named org.example.Nothing"},
		{second(must(thread.Frames(1))[0].Local("absent")), false, "no local variable absent at offset 0 of hold(J)V, in scope are: zxid"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) || errors.Is(c.err, jdwp.ErrNull) != c.isNull {
			t.Errorf("got %v\nwant %s, null reference: %v", c.err, c.want, c.isNull)
		}
	}
	check(t, thread.Resume())
	_, err := thread.Frames(-1)
	if !jdwp.IsCode(err, jdwp.ThreadNotSuspended) || !strings.Contains(err.Error(), "ThreadReference.Frames: THREAD_NOT_SUSPENDED (13)") {
		t.Errorf("frames of a running thread: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestCollections compares the contents of collections with what the program printed about them.
func TestCollections(t *testing.T) {
	p, class, _ := standing(t)
	printed := map[string]string{}
	for line := range strings.Lines(p.output()) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), "=")
		printed[name] = text
	}
	held := must(must(class.Static("held")).Object())
	fields := must(must(held.Class()).Fields())
	if len(fields) < 25 {
		t.Errorf("only %d collections were found", len(fields))
	}
	for _, f := range fields {
		o := must(must(held.Field(f.Name)).Object())
		got, err := "", error(nil)
		if f.Signature == "Ljava/util/Map;" {
			got, err = mapText(o)
		} else {
			got, err = listText(o)
		}
		if want := printed[f.Name]; err != nil || got != want || want == "" {
			t.Errorf("%s is\n%s, want\n%s; %v", f.Name, got, want, err)
		}
	}
	bits := must(must(must(class.Static("bits")).Object()).Bits())
	if got, want := strings.ReplaceAll(fmt.Sprint(bits), " ", ", "), strings.Trim(printed["bits"], "{}"); got != "["+want+"]" {
		t.Errorf("bits are %s, want %s", got, want)
	}
}

func listText(o jdwp.Object) (string, error) {
	all, err := o.Items()
	var out []string
	for _, v := range all {
		out = append(out, show(v))
	}
	return "[" + strings.Join(out, ", ") + "]", err
}

func mapText(o jdwp.Object) (string, error) {
	all, err := o.Entries()
	var out []string
	for _, e := range all {
		out = append(out, show(e.Key)+"="+show(e.Value))
	}
	return "{" + strings.Join(out, ", ") + "}", err
}

// TestFrames compares a stack trace with the one that the program printed in the frame above, and
// reads this, arguments and locals.
func TestFrames(t *testing.T) {
	p, _, thread := standing(t)
	stack := must(thread.Stack())
	var printed []string
	for line := range strings.Lines(p.output()) {
		if at, ok := strings.CutPrefix(strings.TrimSpace(line), "at "); ok {
			printed = append(printed, at)
		}
	}
	if len(stack) == 0 || len(printed) < 3 || !slices.Equal(stack[1:], printed) {
		t.Errorf("the stack is %q, the program printed %q", stack, printed)
	}
	frames := must(thread.Frames(2))
	if len(frames) != 2 {
		t.Fatalf("%d frames, want 2", len(frames))
	}
	ready := frames[1]
	if this := must(ready.This()); must(must(this.Class()).Name()) != "Probe" {
		t.Error("this in ready is no Probe")
	}
	if this := must(frames[0].This()); !this.IsNull() {
		t.Error("the static method hold has a this")
	}
	for name, want := range map[string]string{"zxid": "42", "text": "argument", "local": "43"} {
		if v, err := ready.Local(name); err != nil || show(v) != want {
			t.Errorf("local %s is %s, want %s; %v", name, show(v), want, err)
		}
	}
	// JVMS 2.6.1: slot 0 is this, and a long takes two slots.
	if got := show(must(ready.Slot(1, 'J'))) + show(must(ready.Slot(3, 'L'))); got != "42argument" {
		t.Errorf("slots 1 and 3 are %s", got)
	}
	if _, err := ready.Slot(1, 'L'); err == nil {
		t.Error("a long was read as an object")
	}
	check(t, thread.Resume())
	parked := must(p.vm.ThreadsNamed(func(name string) bool { return name == "main" }))
	if len(parked) != 1 || parked[0] != thread {
		t.Fatalf("the threads named main are %v, want %v", parked, thread)
	}
	check(t, p.vm.Suspend())
	if stack := must(thread.Stack()); !strings.HasPrefix(stack[len(stack)-1], "Probe.main(") {
		t.Errorf("the stack is %q", stack)
	}
}

// TestNative prints the stack of a thread that waits in a native method.
func TestNative(t *testing.T) {
	p := launch(t, "threads")
	_, main := p.load()
	check(t, main.Resume())
	parked := awaitThread(p, "parked")
	for {
		check(t, parked.Suspend())
		stack := must(parked.Stack())
		// A thread that begins has no frames.
		if len(stack) > 0 && strings.HasSuffix(stack[0], ".park(native)") {
			if state, suspended, err := parked.Status(); state != jdwp.Waiting && state != jdwp.Running || !suspended || err != nil {
				t.Errorf("the status is %v, %v; %v", state, suspended, err)
			}
			return
		}
		check(t, parked.Resume())
	}
}

// TestFieldWatch stops before a field is stored.
func TestFieldWatch(t *testing.T) {
	p, class, thread := standing(t)
	state := must(must(class.Static("state")).Object())
	f := must(must(state.Class()).FieldNamed("watched"))
	r := must(p.vm.SetFieldWatch(f, jdwp.EventThread))
	check(t, thread.Resume())
	set := p.next()
	e := set.Events[0]
	if !set.Has(r) || e.Object != state || e.Field != f.ID || show(e.Value) != "43" || e.Class != f.Class {
		t.Errorf("got %+v", e)
	}
	if got := show(must(state.Field("watched"))); got != "0" {
		t.Errorf("the field is %s before the instruction, want 0", got)
	}
	check(t, p.vm.Clear(r))
	if at := must(e.Location.Text()); !strings.HasPrefix(at, "Probe.ready(") {
		t.Errorf("the event is at %s", at)
	}
}

// TestClass reads methods, code and the line table.
func TestClass(t *testing.T) {
	p, class, _ := standing(t)
	if can, err := p.vm.CanReadBytecodes(); !can || err != nil {
		t.Fatalf("bytecodes cannot be read: %v", err)
	}
	m := must(class.Method("drop", "(I)V"))
	if code := must(m.Bytecodes()); !slices.Equal(code, []byte{0xb1}) { // return
		t.Errorf("the code of drop is % x", code)
	}
	count, pool, err := class.ConstantPool()
	if err != nil || count < 100 || !strings.Contains(string(pool), "zażółć") && !strings.Contains(string(pool), "main runs") {
		t.Errorf("the constant pool has count %d and %d bytes; %v", count, len(pool), err)
	}
	lines := must(m.Lines())
	if len(lines) != 1 || lines[0].Index != 0 || lines[0].Line < 100 {
		t.Errorf("the lines of drop are %v", lines)
	}
	object := must(p.vm.ClassNamed("java.lang.Object"))
	if super := must(object.Superclass()); !super.IsNull() {
		t.Error("Object has a superclass")
	}
	if all := must(p.vm.ClassesBySignature("LProbe$State;")); len(all) != 1 || must(must(all[0].Superclass()).Name()) != "Probe$Base" {
		t.Errorf("the classes Probe$State are %v", all)
	}
	if v := must(class.Static("steps")); show(v) != "0" {
		t.Errorf("steps is %s", show(v))
	}
}

// TestResize reads a ConcurrentHashMap while a thread stands in the middle of its resize: some bins
// were moved to the next table, others not yet.
func TestResize(t *testing.T) {
	p := launch(t, "resize")
	class, main := p.load()
	p.stopAt(class, "grow", jdwp.EventThread)
	check(t, main.Resume())
	p.next()
	table := must(p.vm.ClassNamed("java.util.concurrent.ConcurrentHashMap"))
	set := p.stopAt(table, "setTabAt", jdwp.EventThread, main) // called for each bin with entries
	check(t, main.Resume())
	held := must(must(class.Static("held")).Object())
	moved := 0
	for k := 0; ; k++ {
		stop := p.next()
		if !stop.Has(set) {
			t.Fatalf("got %v, want a BREAKPOINT in setTabAt", stop)
		}
		text := must(mapText(must(must(held.Field("concurrentMap")).Object())))
		all := strings.Split(strings.Trim(text, "{}"), ", ")
		slices.Sort(all)
		if n := len(slices.Compact(slices.Clone(all))); n != 48 || len(all) != 48 {
			t.Fatalf("stop %d: %d entries, %d of them different, want 48: %s", k, len(all), n, text)
		}
		bins := must(must(must(must(held.Field("concurrentMap")).Path("table")).Object()).Array())
		for _, bin := range bins {
			if o := must(bin.Object()); !o.IsNull() && must(must(o.Class()).Name()) == "java.util.concurrent.ConcurrentHashMap$ForwardingNode" {
				moved++
			}
		}
		if moved > 20 {
			return
		}
		check(t, main.Resume())
	}
}

// TestFreeze reads fields while all threads stand, each twice and in another order, and compares
// them with what is read without Freeze. After Thaw a field that has changed has its new value.
func TestFreeze(t *testing.T) {
	p, class, thread := standing(t)
	state := must(must(class.Static("state")).Object())
	node := must(must(state.Field("list")).Object())
	names := []string{"watched", "text", "boxed", "atomic", "half", "ints", "nothing", "list"}
	plain := must(state.Fields(names...))
	check(t, p.vm.Freeze())
	for range 2 {
		for k := range names {
			k = len(names) - 1 - k
			if v := must(state.Field(names[k])); v != plain[k] {
				t.Errorf("%s is %s while all stand, and %s else", names[k], show(v), show(plain[k]))
			}
		}
		if v := must(state.Fields(names...)); !slices.Equal(v, plain) {
			t.Errorf("read at once they are %v, want %v", v, plain)
		}
		// Two objects of one class.
		next := must(must(node.Field("next")).Object())
		if got := must(must(node.Field("name")).Text()) + must(must(next.Field("name")).Text()); got != "onetwo" {
			t.Errorf("the list has %q", got)
		}
	}
	check(t, p.vm.Thaw())
	f := must(must(state.Class()).FieldNamed("watched"))
	r := must(p.vm.SetFieldWatch(f, jdwp.EventThread))
	check(t, thread.Resume())
	if set := p.next(); !set.Has(r) {
		t.Fatalf("got %v, want the change of watched", set)
	}
	check(t, p.vm.Clear(r))
	check(t, thread.Resume())
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		check(t, p.vm.Freeze())
		v := must(state.Field("watched"))
		check(t, p.vm.Thaw())
		if show(v) == "43" {
			return
		}
		if show(v) != "0" || time.Now().After(deadline) {
			t.Fatalf("watched is %s after it was set to 43", show(v))
		}
	}
}

// TestSet sets fields of type int, and refuses other fields.
func TestSet(t *testing.T) {
	_, class, _ := standing(t)
	state := must(must(class.Static("state")).Object())
	of := must(state.Class())
	check(t, of.SetStatic("shared", -3))
	check(t, state.Set("number", 9))
	if have := must(state.Fields("shared", "number")); show(have[0]) != "-3" || show(have[1]) != "9" {
		t.Errorf("the fields are %s and %s, want -3 and 9", show(have[0]), show(have[1]))
	}
	check(t, state.SetDouble("quarter", 0.33))
	if have := must(must(state.Field("quarter")).Float64()); have != 0.33 {
		t.Errorf("the field is %v, want 0.33", have)
	}
	for k, err := range []error{class.SetStatic("steps", 1), of.SetStatic("number", 1), state.Set("shared", 1), state.Set("zxid", 1),
		state.SetDouble("half", 1), state.SetDouble("number", 1)} {
		if err == nil || !strings.Contains(err.Error(), "is no ") {
			t.Errorf("%d: %v", k, err)
		}
	}
}
