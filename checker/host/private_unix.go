//go:build unix

package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// mostLinks bounds how many links a path may lead through, as the system does.
const mostLinks = 40

// Private returns why somebody else than the user and root could change what is in a folder. It
// returns nil for a folder that does not exist if nobody else can make it. The error is a sentence
// without its period.
//
// The folder, the folders above it and links to them must belong to the effective user or to root.
// Others must not be able to write into them. One kind is an exception: a folder above it such as
// /tmp, whose entries belong to those who made them.
func Private(folder string) error {
	path, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	at, links := "/", 0
	if err := checkOne(at, false); err != nil {
		return err
	}
	for left := strings.Split(path, "/"); len(left) > 0; {
		name := left[0]
		left = left[1:]
		switch name {
		case "", ".":
			continue
		case "..": // of a link's target; at has no links
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		if err := checkOne(next, false); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return nil
		} else if err != nil {
			return err
		}
		to, err := os.Readlink(next)
		if err != nil { // no link
			at = next
			continue
		}
		if links++; links > mostLinks {
			return fmt.Errorf("%s leads through too many links", path)
		}
		if filepath.IsAbs(to) {
			at = "/"
		}
		left = append(strings.Split(to, "/"), left...)
	}
	return checkOne(at, true)
}

// checkOne checks a folder on the path, or a link to one; last is the folder itself.
func checkOne(path string, last bool) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("the owner of %s is unknown", path)
	}
	user := os.Geteuid()
	if owner := int(st.Uid); owner != user && owner != 0 && (last || !unmapped(owner)) {
		return fmt.Errorf("%s belongs to user %d, who could change what is in it, and this is user %d", path, owner, user)
	}
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0: // its own mode means nothing
		return nil
	case !mode.IsDir(): // there is nothing in it, and using it as a folder fails
		return nil
	case mode&fs.ModeSticky != 0 && !last:
		return nil
	case mode&0o002 != 0, mode&0o020 != 0 && !own(int(st.Gid), user):
		return fmt.Errorf("%s lets other users write (%v): chmod go-w %s", path, mode, path)
	}
	return nil
}

// own reports whether a group is the one that systems make for each user, with the user's number.
func own(group, user int) bool { return group == user && group == os.Getegid() }

// unmapped reports whether a number stands for all users that the container does not have. Such an
// owner of a folder cannot act in the container.
func unmapped(owner int) bool {
	const overflow = 65534
	ids, err := os.ReadFile("/proc/self/uid_map")
	whole := strings.Fields(string(ids))
	return err == nil && owner == overflow && (len(whole) != 3 || whole[2] != "4294967295")
}

// Regular reports whether a path is a regular file, not a link, of the user or root into which
// nobody else can write.
func Regular(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	user := os.Geteuid()
	return ok && (int(st.Uid) == user || st.Uid == 0) &&
		info.Mode()&0o002 == 0 && (info.Mode()&0o020 == 0 || own(int(st.Gid), user))
}
