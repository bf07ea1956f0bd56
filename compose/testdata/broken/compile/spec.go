package compile

var System = undefined
