// Package netguard decides where a request may connect to, and connects there.
//
// Everything it connects to was named by a stranger, who may try to make avow
// talk to machines that only avow can reach. Three things together prevent that:
// a host name is checked against a narrow grammar before any DNS query is sent;
// the name is resolved once and refused when any of its addresses is not public;
// and the connection goes to one of the checked addresses, which is looked at
// once more when the socket is about to connect. There is no switch that turns
// any of this off. Tests replace the resolver and the dialer, not the checks.
package netguard
