// Package gocmd runs the go command on behalf of package compose. It finds the package of a
// specification with all that a program of it is built from, builds programs from sources that
// exist in memory only, and caches results by the content of everything they depend on.
//
// Nothing is written into the user's folders: edited and generated files reach the go command as an
// overlay. A specification in the module cache, whose files an overlay cannot replace, is copied
// into the cache folder first.
package gocmd

import "github.com/multigrain/multigrain/configs"

// The diagnostic codes for loading and building.
const (
	CodeNoGo        configs.Code = "MG301"             // the go command cannot be run
	CodeNoPackage   configs.Code = "MG302"             // the source names no Go package
	CodeSpecInvalid configs.Code = "MG303"             // the specification does not compile
	CodeNoSystem    configs.Code = "MG304"             // the package declares no catalog, or one that cannot be read
	CodeConstant    configs.Code = "MG305"             // a bound or option sets a constant that does not exist
	CodeBuild       configs.Code = "MG306"             // the assembled program does not build
	CodeCache       configs.Code = "MG307"             // the cache folder cannot be used
	CodeRoom        configs.Code = configs.CodeMachine // the disk, a limit or the memory of the machine
	CodeNetwork     configs.Code = "MG310"             // modules cannot be fetched
	CodeRuntime     configs.Code = "MG308"             // the composition cannot run beside a node
	CodeName        configs.Code = "MG309"             // a name that the go command may not get as an argument
)
