// Package feed reads what has changed, in the order in which it was committed: who may sell what
// from now on, and who may not any more.
//
// Events are made by package projection and written by the change that they are about. One that still
// holds is kept as long as it does, the others for Retention, and none of them changes: reading again
// from the same position gives the same. Only what is said of an agent is of the present.
package feed
