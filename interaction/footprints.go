package interaction

type footprints struct{}
