package drivers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestKitInC: a driver in C that uses each part of the kit answers as the protocol says, and
// refuses what is not there. Of what a walk took no memory is left.
func TestKitInC(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("cc", "-fsyntax-only", "-include", "cjson/cJSON.h", "-x", "c", os.DevNull).CombinedOutput(); err != nil {
		t.Skipf("cc finds no cjson/cJSON.h: %v\n%s", err, out)
	}
	driver := filepath.Join(t.TempDir(), "kit")
	args := []string{"-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-Ic", "-o", driver, "testdata/kit.c", "c/multigrain.c", "-lcjson"}
	if out, err := exec.Command("cc", append([]string{"-g", "-fsanitize=address,undefined"}, args...)...).CombinedOutput(); err != nil {
		t.Logf("without sanitizers: %v\n%s", err, out)
		if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	requests := []struct{ request, answer string }{
		{`"do": "hello", "version": "7", "settings": {"mood": "good"}, "actions": ["Send"]`,
			`"ok":{"actions":["Send","Receive","Take","Duplicate","Cut","Heal","Crash","Trip","Rest"],"variables":["Name","Odd","Items","Settled","Net"],"needs":["Stone"],"protocol":1,"name":"kit","version":"7","asserts":true}`},
		{`"do": "reset", "nodes": 4`, `"refused":"this driver has at most 3 nodes"`},
		{`"do": "reset", "nodes": 2`, `"ok":{}`},
		{`"do": "observe"`, `"ok":{"variables":{"Name":["n0","n1"],"Odd":[false,true],"Items":[],"Settled":0,"Net":[[[],[]],[[],[]]]}}`},
		{`"do": "step", "action": "Send", "params": {"I": {"#bigint": "1"}, "J": 0}`, `"ok":{}`},
		{`"do": "step", "action": "Send", "params": {"I": 1, "J": 0}`, `"ok":{}`},
		{`"do": "step", "action": "Duplicate", "params": {"I": 1, "J": 0}`, `"ok":{}`},
		{`"do": "step", "action": "Rest", "params": {}`, `"ok":{}`},
		{`"do": "observe"`, `"Items":["aa","aaa"],"Settled":4,"Net":[[[],[]],[[{"Text":"aa"},{"Text":"aaa"},{"Text":"aa"}],[]]]`},
		{`"do": "step", "action": "Receive", "params": {"I": 0, "J": 1, "K": 2}`, `"ok":{}`},
		{`"do": "step", "action": "Receive", "params": {"I": 0, "J": 1, "K": 3}`, `"refused":"from 1 to 0 there is no message 3"`},
		{`"do": "step", "action": "Duplicate", "params": {"I": 0, "J": 1}`, `"refused":"from 0 to 1 there is no message 1"`},
		{`"do": "observe"`, `"Net":[[[],[]],[[{"Text":"aa"},{"Text":"aa"}],[]]]`},
		{`"do": "step", "action": "Cut", "params": {"I": 0, "J": 1}`, `"ok":{}`},
		{`"do": "step", "action": "Send", "params": {"I": 1, "J": 0}`, `"ok":{}`},
		{`"do": "observe"`, `"Items":["aa","aaa","aaaa","lost"],"Settled":9,"Net":[[[],{"cut":true,"messages":[]}],[{"cut":true,"messages":[]},[]]]`},
		{`"do": "step", "action": "Heal", "params": {"I": 1, "J": 0}`, `"ok":{}`},
		{`"do": "step", "action": "Send", "params": {"I": 0, "J": 1}`, `"ok":{}`},
		{`"do": "step", "action": "Receive", "params": {"I": 1, "J": 0}`, `"failed":"the text aaaaa is too long"`},
		{`"do": "step", "action": "Send", "params": {"I": 0, "J": 1}`, `"ok":{}`},
		{`"do": "step", "action": "Crash", "params": {"I": 1}`, `"ok":{}`},
		{`"do": "observe"`, `"Net":[[[],[]],[[],[]]]`},
		{`"do": "step", "action": "Take", "params": {"K": 6}`, `"ok":{}`},
		{`"do": "step", "action": "Take", "params": {"K": 6}`, `"refused":"there is no item 6"`},
		{`"do": "step", "action": "Trip", "params": {"I": 1}, "after": {"Stone": 3}`, `"failed":"node 1 trips over 3"`},
		{`"do": "assert", "action": "Trip", "params": {"I": 1}, "after": {"Stone": 3}`, `"ok":{}`},
		{`"do": "assert", "action": "Rest", "params": {}`, `"failed":"no assertion of the implementation fails"`},
		{`"do": "step", "action": "Rest", "params": {"I": 2}`, `"refused":"there is no node 2 or 0"`},
		{`"do": "step", "action": "Sing", "params": {}`, `"refused":"this driver has no action Sing"`},
		{`"do": "reset", "nodes": 3`, `"ok":{}`},
		{`"do": "observe"`, `"Items":[],"Settled":0,"Net":[[[],[],[]],[[],[],[]],[[],[],[]]]`},
		{`"do": "sing"`, `"refused":"this driver does not know the request sing"`},
		{`"do": "stop"`, `"ok":{}`},
	}
	var in strings.Builder
	for k, r := range requests {
		in.WriteString(`{"id": ` + string(rune('0'+k%10)) + `, ` + r.request + "}\n")
	}
	cmd := exec.Command(driver)
	cmd.Stdin = strings.NewReader(in.String())
	var words strings.Builder
	cmd.Stderr = &words
	out, err := cmd.Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != len(requests) {
		t.Fatalf("%d answers, want %d: %v\n%s\n%s", len(lines), len(requests), err, out, words.String())
	}
	for k, r := range requests {
		if !strings.Contains(lines[k], r.answer) {
			t.Errorf("%s\nis answered by %s\nwithout %s", r.request, lines[k], r.answer)
		}
	}
}
