package nocatalog

// Nothing is a package without a catalog.
const Nothing = 0
