package bytecode_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// printed is an instruction as javap -c prints it.
type printed struct {
	offset   int
	mnemonic string
	rest     string // operands and comment
	jumps    []int
}

var (
	instructionLine = regexp.MustCompile(`^\s+(\d+): ([a-z]\w*)\s*(.*)$`)
	switchLine      = regexp.MustCompile(`^\s+(-?\d+|default): (\d+)$`)
)

// readJavap returns the instructions of each method with code, for each class, in javap's order.
func readJavap(t *testing.T, out []byte) (classes [][][]printed) {
	t.Helper()
	var methods [][]printed
	scan := bufio.NewScanner(bytes.NewReader(out))
	scan.Buffer(nil, 1<<24)
	for scan.Scan() {
		line := scan.Text()
		if line == "}" {
			classes, methods = append(classes, methods), nil
			continue
		}
		if line == "    Code:" {
			methods = append(methods, nil)
			continue
		}
		if len(methods) == 0 {
			continue
		}
		code := &methods[len(methods)-1]
		if m := instructionLine.FindStringSubmatch(line); m != nil {
			*code = append(*code, printed{number(t, m[1]), m[2], m[3], nil})
		} else if m := switchLine.FindStringSubmatch(line); m != nil {
			last := &(*code)[len(*code)-1]
			if m[1] == "default" {
				last.jumps = append([]int{number(t, m[2])}, last.jumps...)
			} else {
				last.jumps = append(last.jumps, number(t, m[2]))
			}
		}
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
	return classes
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// javap runs javap -c -p on classes of a class path.
func javap(t *testing.T, path string, classes ...string) []byte {
	t.Helper()
	args := append([]string{"-J-XX:TieredStopAtLevel=1", "-c", "-p", "-cp", path}, classes...)
	out, err := exec.Command("javap", args...).Output()
	if err != nil {
		t.Fatalf("javap: %v", err)
	}
	return out
}

// needs skips a test where a tool of the JDK is missing.
func needs(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("a JDK is needed: %v", err)
		}
	}
}

// text prints an instruction in javap's form: offset, mnemonic, jumps, constant, and member.
func text(i bytecode.Instruction) string {
	out := fmt.Sprintf("%d: %v", i.Offset, i.Op)
	if i.Wide {
		out += "_w"
	}
	if i.Index > 0 {
		out += fmt.Sprintf(" #%d", i.Index)
	}
	if i.Member != nil {
		out += " " + i.Member.Class + " " + i.Member.Name + ":" + i.Member.Descriptor
	}
	if len(i.Jumps) > 0 {
		out += fmt.Sprint(" ", i.Jumps)
	}
	return out
}

var (
	constant = regexp.MustCompile(`^#(\d+)`)
	member   = regexp.MustCompile(`// (Method|InterfaceMethod|Field|InvokeDynamic) (.*)$`)
	target   = regexp.MustCompile(`^\d+$`)
)

// text prints the same from javap's output. It names no class where the class is the method's own.
func (p printed) text(own string) string {
	out := fmt.Sprintf("%d: %s", p.offset, p.mnemonic)
	if m := constant.FindStringSubmatch(p.rest); m != nil {
		out += " #" + m[1]
	}
	if m := member.FindStringSubmatch(p.rest); m != nil {
		name, descriptor, _ := cutMember(m[2])
		class := own
		if m[1] == "InvokeDynamic" {
			class, name = "", name[strings.Index(name, ":")+1:]
		} else if k := strings.LastIndex(name, "."); k >= 0 {
			class, name = strings.Trim(strings.ReplaceAll(name[:k], "/", "."), `"`), name[k+1:]
		}
		out += " " + class + " " + strings.Trim(name, `"`) + ":" + descriptor
	}
	jumps := p.jumps
	if strings.HasPrefix(p.mnemonic, "if") || strings.HasPrefix(p.mnemonic, "goto") || strings.HasPrefix(p.mnemonic, "jsr") {
		if target.MatchString(strings.TrimSpace(p.rest)) {
			n, _ := strconv.Atoi(strings.TrimSpace(p.rest))
			jumps = []int{n}
		}
	}
	if len(jumps) > 0 {
		out += fmt.Sprint(" ", jumps)
	}
	return out
}

// cutMember cuts javap's name:descriptor at the last colon.
func cutMember(s string) (name, descriptor string, ok bool) {
	k := strings.LastIndex(s, ":")
	return s[:k], s[k+1:], true
}

// compare compares every method of a class with javap's output, and returns the number of
// instructions and the mnemonics that occurred.
func compare(t *testing.T, c *bytecode.Class, want [][]printed, seen map[string]int) {
	t.Helper()
	k := 0
	for _, m := range c.Methods {
		if m.Bytes == nil {
			continue
		}
		if k == len(want) {
			t.Errorf("%s: javap prints %d methods with code, there are more", c.Name, len(want))
			return
		}
		code, err := c.Code(m.Name, m.Descriptor)
		if err != nil {
			t.Error(err)
			return
		}
		if len(code.Instructions) != len(want[k]) {
			t.Errorf("%s.%s has %d instructions, javap prints %d", c.Name, m.Name, len(code.Instructions), len(want[k]))
			return
		}
		for n, i := range code.Instructions {
			if got, want := text(i), want[k][n].text(c.Name); got != want {
				t.Errorf("%s.%s%s: got %s, javap prints %s", c.Name, m.Name, m.Descriptor, got, want)
				return
			}
			seen[want[k][n].mnemonic]++
		}
		k++
	}
	if k != len(want) {
		t.Errorf("%s has %d methods with code, javap prints %d", c.Name, k, len(want))
	}
}

// TestZooKeeper compares all methods of ZooKeeper's jar with javap.
func TestZooKeeper(t *testing.T) {
	const jarFile = "/usr/share/java/zookeeper.jar"
	needs(t, "javap")
	if _, err := os.Stat(jarFile); err != nil {
		t.Skipf("the Debian package libzookeeper-java is needed: %v", err)
	}
	jar, err := bytecode.OpenJar(jarFile)
	if err != nil {
		t.Fatal(err)
	}
	defer jar.Close()
	names := jar.Classes()
	if len(names) < 600 {
		t.Errorf("the jar has only %d classes", len(names))
	}
	want := readJavap(t, javap(t, jarFile, names...))
	if len(want) != len(names) {
		t.Fatalf("javap printed %d classes of %d", len(want), len(names))
	}
	seen := map[string]int{}
	for k, name := range names {
		c, err := jar.Class(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Name != name {
			t.Errorf("class %s calls itself %s", name, c.Name)
		}
		compare(t, c, want[k], seen)
	}
	t.Logf("%d classes, %d kinds of instructions, %d calls of invokevirtual", len(names), len(seen), seen["invokevirtual"])
}

// TestLines finds calls in Learner.syncWithLeader of Debian's ZooKeeper 3.8.0, and compares their
// source lines with those of upstream's tag release-3.8.0-1.
func TestLines(t *testing.T) {
	const jarFile, version = "/usr/share/java/zookeeper.jar", "zookeeper-3.8.0.jar"
	if _, err := os.Stat(filepath.Join(filepath.Dir(jarFile), version)); err != nil {
		t.Skipf("the Debian package libzookeeper-java with version 3.8.0 is needed: %v", err)
	}
	jar, err := bytecode.OpenJar(jarFile)
	if err != nil {
		t.Fatal(err)
	}
	defer jar.Close()
	const quorum = "org.apache.zookeeper.server.quorum."
	c, err := jar.Class(quorum + "Learner")
	if err != nil {
		t.Fatal(err)
	}
	code, err := c.Code("syncWithLeader", "(J)V")
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(c.Methods, func(m bytecode.Method) bool { return m.Name == "syncWithLeader" })
	line := func(at int) (out int) {
		best := -1
		for _, l := range c.Methods[k].Lines {
			if l.Offset <= at && l.Offset > best {
				best, out = l.Offset, l.Line
			}
		}
		return out
	}
	epoch := bytecode.Call(quorum+"QuorumPeer", "setCurrentEpoch", "(J)V")
	log := bytecode.Call(quorum+"FollowerZooKeeperServer", "logRequest", "")
	before, err := code.Before(epoch, bytecode.Nth(2))
	if err != nil || line(before) != 752 {
		t.Errorf("setCurrentEpoch is called in line %d, want 752; %v", line(before), err)
	}
	after, err := code.After(epoch, bytecode.Nth(2))
	if err != nil || line(after) != 753 {
		t.Errorf("the instruction after setCurrentEpoch is in line %d, want 753; %v", line(after), err)
	}
	next, err := code.Before(log, bytecode.FirstAfter(before))
	if err != nil || line(next) != 764 {
		t.Errorf("logRequest is called in line %d, want 764; %v", line(next), err)
	}
}
