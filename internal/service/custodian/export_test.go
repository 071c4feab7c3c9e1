package custodian

// Indexable is indexable.
var Indexable = indexable
