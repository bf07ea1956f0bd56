package bytecode_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// example is the pool of a class Peer, and the method of the package's comment. Its offsets are
// those of the comment. The constants are: 1 Peer, 3 Log, 5 load()V, 8 setEpoch(J)V, 11 epoch J,
// 14 Peer.load, 15 Peer.setEpoch, 16 Log.load, 17 Peer.epoch.
func example(t *testing.T, code ...byte) *bytecode.Code {
	t.Helper()
	text := func(s string) string { return "\x01\x00" + string(rune(len(s))) + s }
	raw := "\x07\x00\x02" + text("org/Peer") + "\x07\x00\x04" + text("org/Log") +
		"\x0c\x00\x06\x00\x07" + text("load") + text("()V") +
		"\x0c\x00\x09\x00\x0a" + text("setEpoch") + text("(J)V") +
		"\x0c\x00\x0c\x00\x0d" + text("epoch") + text("J") +
		"\x0a\x00\x01\x00\x05" + "\x0a\x00\x01\x00\x08" + "\x0a\x00\x03\x00\x05" + "\x09\x00\x01\x00\x0b"
	pool, err := bytecode.ParsePool(18, []byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	c, err := bytecode.Decode("org.Peer.join(J)V", code, pool)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestComment finds the places that the package's comment lists.
func TestComment(t *testing.T) {
	c := example(t, 0x2a, 0xb6, 0, 14, 0x2a, 0x1f, 0xb6, 0, 15, 0x2a, 0x1f, 0xb6, 0, 15, 0xb1)
	load, set := bytecode.Call("org.Peer", "load", ""), bytecode.Call("org/Peer", "setEpoch", "(J)V")
	for _, x := range []struct {
		got  func() (int, error)
		want int
	}{
		{func() (int, error) { return c.Before(load, bytecode.Only) }, 1},
		{func() (int, error) { return c.After(load, bytecode.Only) }, 4},
		{func() (int, error) { return c.Before(set, bytecode.Nth(1)) }, 6},
		{func() (int, error) { return c.After(set, bytecode.Nth(1)) }, 9},
		{func() (int, error) { return c.Before(set, bytecode.FirstAfter(9)) }, 11},
		{func() (int, error) { return c.Before(set, bytecode.FirstAfter(6)) }, 11},
		{func() (int, error) { return c.After(set, bytecode.Nth(2)) }, 14},
	} {
		if got, err := x.got(); got != x.want || err != nil {
			t.Errorf("got %d, want %d; %v", got, x.want, err)
		}
	}
	if c.Entry() != 0 {
		t.Errorf("the entry is %d", c.Entry())
	}
}

// TestRefusals asks for places that do not exist, or are several.
func TestRefusals(t *testing.T) {
	// if (...) load(); setEpoch(); epoch = ...; epoch = ...; return
	c := example(t,
		0x1a, 0x99, 0, 7, // 0 iload_0, 1 ifeq 8
		0x2a, 0xb6, 0, 14, // 4 aload_0, 5 invokevirtual load
		0x2a, 0x1f, 0xb6, 0, 15, // 8 aload_0, 9 lload_1, 10 invokevirtual setEpoch
		0x2a, 0x1f, 0xb5, 0, 17, // 13 aload_0, 14 lload_1, 15 putfield epoch
		0x2a, 0x1f, 0xb5, 0, 17, 0xb1) // the same from 18 on, and 23 return
	for _, x := range []struct {
		site bytecode.Site
		pick bytecode.Pick
		want string
	}{
		{bytecode.Call("org.Log", "load", ""), bytecode.Only, "org.Peer.join(J)V has no call of org.Log.load; it has 5 invokevirtual org.Peer.load()V"},
		{bytecode.Call("", "missing", ""), bytecode.Only, "has no call of missing"},
		{bytecode.Call("", "", ""), bytecode.Only, "has 2 instructions that match call of *, at 5, 10: choose one with Nth or FirstAfter"},
		{bytecode.Write("org.Peer", "epoch"), bytecode.Only, "has 2 instructions that match write of org.Peer.epoch, at 15, 20"},
		{bytecode.Write("org.Peer", "epoch"), bytecode.Nth(3), "has no number 3 of the write of org.Peer.epoch: they are 2, at 15, 20"},
		{bytecode.Write("org.Peer", "epoch"), bytecode.FirstAfter(20), "has no write of org.Peer.epoch after offset 20, only at 15, 20"},
		{bytecode.Read("org.Peer", "epoch"), bytecode.Only, "has no read of org.Peer.epoch"},
		{bytecode.Call("org.Peer", "load", ""), bytecode.Only, "offset 8 follows the call of org.Peer.load, but is also reached by jumps from 1"},
	} {
		if _, err := c.After(x.site, x.pick); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("got %v\nwant %s", err, x.want)
		}
	}
	if at, err := c.Before(bytecode.Call("org.Peer", "load", ""), bytecode.Only); at != 5 || err != nil {
		t.Errorf("before the call is %d, want 5; %v", at, err)
	}
}

// TestDamaged decodes bytes that are no method.
func TestDamaged(t *testing.T) {
	pool, err := bytecode.ParsePool(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for want, code := range map[string][]byte{
		"offset 1: opcode 203 is unknown":                        {0, 203},
		"offset 0: the data end too early":                       {0xb6, 0},
		"constant 9 does not exist, the pool has 1 to 0":         {0xb6, 0, 9},
		"goto jumps to 1, where no instruction starts":           {0xa7, 0, 1},
		"offset 0: wide before nop":                              {0xc4, 0, 0, 0},
		"m, offset 1: the data end too early":                    {0, 0xaa, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff},
		"m, offset 0: tableswitch jumps to 1, where no instruct": {0xaa, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1},
	} {
		_, err := bytecode.Decode("m", code, pool)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("% x: got %v, want %s", code, err, want)
		}
	}
	for want, raw := range map[string]string{
		"constant 1 has tag 2":   "\x02",
		"the data end too early": "\x01\x00\x05abc",
		"1 bytes follow":         "\x07\x00\x01x",
	} {
		if _, err := bytecode.ParsePool(2, []byte(raw)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", raw, err, want)
		}
	}
	if _, err := bytecode.ReadClass([]byte("PK\x03\x04 no class")); err == nil || !strings.Contains(err.Error(), "starts with 0x504b0304") {
		t.Errorf("no class file: %v", err)
	}
}

// TestMutations reads class files with a byte changed, or with the end missing. Errors are fine,
// panics are not; and some changes must be found.
func TestMutations(t *testing.T) {
	whole := readKinds(t, "Kinds")
	rng := rand.New(rand.NewPCG(1, 2))
	failed := 0
	for k := range 300 {
		b := bytes.Clone(whole)
		if k%2 == 0 {
			b = b[:rng.IntN(len(b))]
		} else {
			b[rng.IntN(len(b))] ^= byte(1 + rng.IntN(255))
		}
		c, err := bytecode.ReadClass(b)
		if err == nil {
			for _, m := range c.Methods {
				_, e := bytecode.Decode(m.Name, m.Bytes, c.Pool)
				err = errors.Join(err, e)
			}
		}
		if err != nil {
			failed++
		} else if k%2 == 0 {
			t.Errorf("%d of %d bytes were read as a class", len(b), len(whole))
		}
	}
	if failed < 160 {
		t.Errorf("only %d of 300 damaged files were found", failed)
	}
}

// TestNames finds a field whose name has a character outside the basic plane, and a method whose
// name has a NUL. Modified UTF-8 encodes both in its own way.
func TestNames(t *testing.T) {
	c, err := bytecode.ReadClass(readKinds(t, "Kinds$Names"))
	if err != nil {
		t.Fatal(err)
	}
	code, err := c.Code("<init>", "(I)V")
	if err != nil {
		t.Fatal(err)
	}
	// aload_0, invokespecial, aload_0, iload_1, putfield, return
	if at, err := code.Before(bytecode.Write("Kinds$Names", "é\U0001d4b6"), bytecode.Only); at != 6 || err != nil {
		t.Errorf("the write is at %d, want 6; %v", at, err)
	}
	raw := "\x07\x00\x02\x01\x00\x01A\x0c\x00\x04\x00\x05\x01\x00\x04n\xc0\x80m\x01\x00\x03()V\x0a\x00\x01\x00\x03"
	pool, err := bytecode.ParsePool(7, []byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	if code, err = bytecode.Decode("m", []byte{0xb8, 0, 6, 0xb1}, pool); err != nil {
		t.Fatal(err)
	}
	if at, err := code.After(bytecode.Call("A", "n\x00m", ""), bytecode.Only); at != 3 || err != nil {
		t.Errorf("after the call is %d, want 3; %v", at, err)
	}
}

// TestCode asks for the code of methods by name.
func TestCode(t *testing.T) {
	b := readKinds(t, "Kinds")
	c, err := bytecode.ReadClass(b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Code("none", "()V"); err == nil || !strings.Contains(err.Error(), "Kinds.none()V has no code: it is abstract or native") {
		t.Errorf("code of a native method: %v", err)
	}
	if _, err := c.Code("nowhere", ""); err == nil || !strings.Contains(err.Error(), "class Kinds has 0 methods nowhere") {
		t.Errorf("code of no method: %v", err)
	}
	code, err := c.Code("dense", "")
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(code.Instructions, func(i bytecode.Instruction) bool { return i.Op.String() == "tableswitch" })
	if k < 0 || len(code.Instructions[k].Jumps) != 5 {
		t.Errorf("the switch of dense jumps to %v", code.Instructions)
	}
}
