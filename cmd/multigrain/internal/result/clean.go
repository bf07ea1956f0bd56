package result

// Created is a new system that was written.
type Created struct {
	Folder string   `json:"folder"`
	Files  []string `json:"files"` // paths in the folder, with slashes
	Next   []string `json:"next"`  // commands to run next
}

// Clean is what the command removed of the files that it had made.
type Clean struct {
	// Listed says that nothing was removed, since -n was given.
	Listed bool `json:"listed"`
	// Removed are the paths of files and folders that were removed; with -n those that would be.
	Removed []string `json:"removed"`
	Left    []Left   `json:"left"`
}

// Left is a file or a folder that was left, in a folder that the command made.
type Left struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}
