# The text of a file that is extended is not shown if it does not parse as a manifest.
extends = "parts/broken.hcl" # ERROR: MG003 Line 2 of
