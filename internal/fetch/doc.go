// Package fetch makes guarded requests and keeps evidence of each.
//
// A request goes to a host that a stranger named and brings back bytes that a
// stranger chose. Client therefore resolves and checks addresses through a guard,
// follows redirects only as far as the kind of file allows, bounds time and size
// while reading, and adopts complete messages only. Whatever happens, the caller
// gets a Result with one Exchange for every request that was made: what was asked,
// who answered, what came back, and an Outcome with a name. An absent file, an
// unreachable host and a refused answer are different outcomes, because they
// lead to different decisions.
//
// A Client is polite. Requests for the same thing at the same time become one;
// a host and a site (the hosts of one registrable domain) have limits of what
// they are asked at the same time; and a site is asked eight times at once at
// most, then twice a second, unless Config says otherwise. Those who wait are served in their order, and how
// long they waited is on record. What failed for a passing reason is asked again
// after a pause that grows and is spread at random, or as long as the server asks
// for in Retry-After, if that ends within the budget.
//
// What an Exchange says is for the operator. Strangers get Result.PublicError,
// which does not tell a guarded address from a closed port.
package fetch
