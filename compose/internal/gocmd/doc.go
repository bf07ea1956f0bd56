// Package gocmd runs the go command on behalf of package compose. It finds the package of a
// specification with all that a program of it is built from, and builds programs from sources that
// exist in memory only. It caches results by the content of everything they depend on.
//
// Nothing is written into the user's folders: edited and generated files reach the go command as an
// overlay. A specification in the module cache, whose files an overlay cannot replace, is copied
// into the cache folder first.
package gocmd

import "github.com/multigrain/multigrain/configs"

// The diagnostic codes for loading and building.
const (
	// CodeNoGo: the go command cannot be run.
	CodeNoGo configs.Code = "MG301"
	// CodeNoPackage: the source names no Go package.
	CodeNoPackage configs.Code = "MG302"
	// CodeSpecInvalid: the specification does not compile.
	CodeSpecInvalid configs.Code = "MG303"
	// CodeNoSystem: the package declares no catalog, or one that cannot be read.
	CodeNoSystem configs.Code = "MG304"
	// CodeConstant: a bound or option sets a constant that does not exist.
	CodeConstant configs.Code = "MG305"
	// CodeBuild: the assembled program does not build.
	CodeBuild configs.Code = "MG306"
	// CodeCache: the cache folder cannot be used.
	CodeCache configs.Code = "MG307"
	// CodeRoom: the disk, a limit or the memory of the machine.
	CodeRoom configs.Code = configs.CodeMachine
	// CodeNetwork: modules cannot be fetched.
	CodeNetwork configs.Code = "MG310"
	// CodeRuntime: the composition cannot run next to a node.
	CodeRuntime configs.Code = "MG308"
	// CodeName: a name that the go command may not get as an argument.
	CodeName configs.Code = "MG309"
)
