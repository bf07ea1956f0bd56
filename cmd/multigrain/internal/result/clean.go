package result

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
