package custodian

import "time"

// ReadAgain has every record read again for each question, and remembered for long.
func (k *Keeper) ReadAgain() { k.recent = newRecent(1, time.Hour, false) }

// Waiting returns how many wait for a look at a publisher that is due.
func (k *Keeper) Waiting(domain string) int { return k.looks.Waiting(domain + " " + string(ifDue)) }
