system "zab" {
  source = "../zab"
}

module { # ERROR: MG009 needs the name of a module
  grain = "coarse"
}

module "election" "discovery" { # ERROR: MG009 takes only the name of a module
  grain = "coarse"
}

bounds "small" { # ERROR: MG009 A block of type bounds takes no label
  servers = 3
}

variable "3servers" { # ERROR: MG009 cannot be the name of a variable
  default = 3
}

module "" { # ERROR: MG009 cannot be the name of a module
  grain = "coarse"
}
