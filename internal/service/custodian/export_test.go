package custodian

// Indexable is indexable.
var Indexable = indexable

// Waiting returns how many wait for a look at a publisher that is due.
func (k *Keeper) Waiting(domain string) int { return k.looks.Waiting(domain + " " + string(ifDue)) }
