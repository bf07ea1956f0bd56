package result

// Created is a new system that was written.
type Created struct {
	Folder string   `json:"folder"`
	Files  []string `json:"files"` // paths in the folder, with slashes
	Next   []string `json:"next"`  // commands to run next
}

// Clean lists the files of the command's own that it removed.
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
