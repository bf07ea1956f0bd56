package drivers_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
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
	requests := []exchange{
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
	check(t, exec.Command(driver), requests)
}

// TestKitInJava: a driver in Java that uses each part of the kit answers as the protocol says, and
// refuses what is not there. An exception ends its process.
func TestKitInJava(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"javac", "java", "mvn"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	home, _ := os.UserHomeDir()
	// Where mvn keeps it.
	gson := filepath.Join(home, ".m2/repository/com/google/code/gson/gson/2.10.1/gson-2.10.1.jar")
	if _, err := os.Stat(gson); err != nil {
		gson = filepath.Join(dir, "gson-2.10.1.jar")
		if out, err := exec.Command("mvn", "-q", "-B", "dependency:copy", "-Dartifact=com.google.code.gson:gson:2.10.1", "-DoutputDirectory="+dir).CombinedOutput(); err != nil {
			t.Skipf("mvn does not get Gson: %v\n%s", err, out)
		}
	}
	path := gson + string(filepath.ListSeparator) + filepath.Join(dir, "classes")
	if out, err := exec.Command("javac", "-Xlint:all,-path,-serial", "-Werror", "-cp", path, "-d", filepath.Join(dir, "classes"),
		"java/multigrain/Driver.java", "java/multigrain/Stillness.java", "testdata/Kit.java").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	java := func() *exec.Cmd { return exec.Command("java", "-XX:TieredStopAtLevel=1", "-cp", path, "Kit") }
	requests := []exchange{
		{`"do": "hello", "version": "7", "settings": {"mood": "good"}, "actions": ["Send"]`,
			`"actions":["Send","Receive","Duplicate","Find","Lose","Trip","Rest","Spin","Throw"]`},
		{`"do": "reset", "nodes": 4`, `"refused":"this driver has at most 3 nodes"`},
		{`"do": "reset", "nodes": 2`, `"ok":{}`},
		{`"do": "observe"`, `"ok":{"variables":{"Items":[],"Mood":"good 7","Net":[[[],[]],[[],[]]],"Work":0}}`},
		{`"do": "step", "action": "Send", "params": {"I": {"#bigint": "1"}, "J": 0}`, `"ok":{}`},
		{`"do": "step", "action": "Send", "params": {"I": 1, "J": 0}`, `"ok":{}`},
		{`"do": "step", "action": "Duplicate", "params": {"I": 1, "J": 0}`, `"ok":{}`},
		{`"do": "observe"`, `"Net":[[[],[]],[[{"Text":"a"},{"Text":"aa"},{"Text":"a"}],[]]]`},
		{`"do": "step", "action": "Receive", "params": {"I": 0, "J": 1, "K": 2}`, `"ok":{}`},
		{`"do": "step", "action": "Receive", "params": {"I": 0, "J": 1, "K": 3}`, `"refused":"from 1 to 0 there is no message 3"`},
		{`"do": "step", "action": "Find", "params": {"I": 0, "J": 1, "Length": 1}`, `"ok":{}`},
		{`"do": "step", "action": "Find", "params": {"I": 0, "J": 1, "Length": 2}`, `"refused":"between 0 and 1 there is no such message"`},
		{`"do": "step", "action": "Send", "params": {"I": 0, "J": 1}`, `"ok":{}`},
		{`"do": "step", "action": "Lose", "params": {"Length": {"#bigint": "3"}}`, `"ok":{}`},
		{`"do": "observe"`, `"Items":["aa","a","lost truefalse"],"Mood":"good 7","Net":[[[],[]],[[{"Text":"a"},{"Text":"a"}],[]]]`},
		{`"do": "step", "action": "Trip", "params": {"I": 1}, "before": {"Stone": {"#set": [2]}}, "after": {"Stone": {"#map": [["a", {"#bigint": "3"}]]}}`,
			`"failed":"node 1 trips over [2.0] and [[a, 3]]"`},
		{`"do": "step", "action": "Rest", "params": {}`, `"ok":{}`},
		{`"do": "observe"`, `"Work":5`},
		{`"do": "log"`, `"ok":{"lines":["worked"]}`},
		{`"do": "log"`, `"ok":{"lines":[]}`},
		{`"do": "step", "action": "Spin", "params": {}`, `"failed":"still: false"`},
		{`"do": "step", "action": "Sing", "params": {}`, `"refused":"this driver has no action Sing"`},
		{`"do": "sing"`, `"refused":"this driver does not know the request sing"`},
		{`"do": "reset", "nodes": 3`, `"ok":{}`},
		{`"do": "observe"`, `"Net":[[[],[],[]],[[],[],[]],[[],[],[]]]`},
		{`"do": "stop"`, `"ok":{}`},
	}
	if runtime.GOOS != "linux" { // Stillness reads what Linux has
		requests = slices.DeleteFunc(requests, func(x exchange) bool {
			return strings.Contains(x.request, `"Rest"`) || strings.Contains(x.request, `"Spin"`) || strings.Contains(x.answer, "ork")
		})
	}
	check(t, java(), requests)
	lines, words, err := talk(java(), []exchange{{`"do": "reset", "nodes": 2`, ""}, {`"do": "step", "action": "Throw", "params": {}`, ""}, {`"do": "observe"`, ""}})
	if err == nil || len(lines) != 1 || !strings.Contains(words, "IllegalStateException: the implementation is wrong") {
		t.Errorf("%v, %q\n%s", err, lines, words)
	}
}

// exchange is a request without its braces and its id, and a part of the answer.
type exchange struct{ request, answer string }

// check asks a driver, and compares its answers.
func check(t *testing.T, driver *exec.Cmd, requests []exchange) {
	t.Helper()
	lines, words, err := talk(driver, requests)
	if err != nil || len(lines) != len(requests) {
		t.Fatalf("%d answers, want %d: %v\n%s\n%s", len(lines), len(requests), err, strings.Join(lines, "\n"), words)
	}
	for k, r := range requests {
		if !strings.Contains(lines[k], r.answer) {
			t.Errorf("%s\nis answered by %s\nwithout %s", r.request, lines[k], r.answer)
		}
	}
}

// talk asks a driver. Its standard input stays open until it has ended, or for two minutes.
func talk(driver *exec.Cmd, requests []exchange) (lines []string, words string, err error) {
	in, err := driver.StdinPipe()
	if err != nil {
		return nil, "", err
	}
	var out, errors strings.Builder
	driver.Stdout, driver.Stderr = &out, &errors
	if err := driver.Start(); err != nil {
		return nil, "", err
	}
	defer time.AfterFunc(2*time.Minute, func() { driver.Process.Kill() }).Stop()
	for k, r := range requests {
		if _, err := fmt.Fprintf(in, "{\"id\": %d, %s}\n", k, r.request); err != nil {
			break // it has ended, and Wait says how
		}
	}
	err = driver.Wait()
	return strings.Split(strings.TrimSpace(out.String()), "\n"), errors.String(), err
}
