package adagents

var encryptionKeyRules = []rule[*EncryptionKey]{}
