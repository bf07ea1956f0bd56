extends = null # ERROR: MG010 only the quoted path
