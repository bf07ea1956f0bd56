extends = "parts" # ERROR: MG001 is a folder. Name one of the manifests in it, such as testdata/invalid/parts/
