system "zab" { # ERROR: MG006 needs the attribute "source"
}
