system "zab" {
  source = "../zab"
}

modul "election" { # ERROR: MG004 A manifest has no block of type "modul". Did you mean "module"?
  grain = "coarse"
}

interaction {
  bound { # ERROR: MG004 Interaction has no block of type "bound". Did you mean "bounds"?
    servers = 3
  }
}

module "election" {
  grain = "coarse"
  bounds { # ERROR: MG004 It stands at the top of a manifest.
    servers = 3
  }
}

extends {} # ERROR: MG004 It is an attribute: write extends =
