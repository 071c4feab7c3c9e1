// Package brand gets brand data from outside: from the brand.json that a domain
// publishes itself, and from a third party that speaks the API of Brandfetch.
//
// Both write what they like. Of what they say, names, texts, colours and addresses are
// taken over member by member; whatever has another form is left out, and nothing is
// fetched that the data points to. Requests to domains go through package fetch, which
// guards them. The provider is the operator's choice and asked by a client of its own,
// which knows one origin, follows no redirect and is the only one to hold the key.
//
// Errors are those of package registry, so that a caller can tell what is not there
// from what could not be determined. No error holds the key or anything that the other
// side sent.
package brand
