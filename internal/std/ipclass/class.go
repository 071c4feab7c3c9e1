package ipclass

// A Class is a kind of address. Only Public is fit for connecting to a stranger's
// server.
type Class uint8

// The classes. The zero value is reserved, so that an unset Class never passes.
const (
	// Invalid: not an address at all.
	Invalid Class = iota
	// Public: a server on the public internet can have it.
	Public
	// Unspecified: 0.0.0.0 and ::, which many systems take for themselves.
	Unspecified
	// ThisNetwork: the rest of 0.0.0.0/8.
	ThisNetwork
	// Loopback: this machine.
	Loopback
	// Private: the private networks of IPv4.
	Private
	// Shared: between a carrier and its customers.
	Shared
	// LinkLocal: the attached network.
	LinkLocal
	// UniqueLocal: the private networks of IPv6.
	UniqueLocal
	// SiteLocal: the retired private networks of IPv6.
	SiteLocal
	// CloudEndpoint: where a cloud serves metadata and credentials.
	CloudEndpoint
	// LocalAnycast: the nearest machine of some kind in the own network.
	LocalAnycast
	// ProtocolAssignment: set aside for protocols.
	ProtocolAssignment
	// Documentation: for examples only.
	Documentation
	// Benchmarking: for measurements in a laboratory.
	Benchmarking
	// Multicast: more than one receiver.
	Multicast
	// Broadcast: every receiver.
	Broadcast
	// FutureUse: never handed out.
	FutureUse
	// Discard: for traffic that is to be dropped.
	Discard
	// SegmentRouting: instructions to routers.
	SegmentRouting
	// IPv4Mapped: an IPv4 address in IPv6 form. Of never returns it: it judges the
	// IPv4 address.
	IPv4Mapped
	// IPv4Compatible: a retired form that embeds an IPv4 address.
	IPv4Compatible
	// IPv4Translated: another form that embeds an IPv4 address.
	IPv4Translated
	// NAT64: translated to the embedded IPv4 address by the network.
	NAT64
	// SixToFour: tunnelled to the embedded IPv4 address, and the relays for it.
	SixToFour
	// Teredo: tunnelled through an embedded IPv4 address.
	Teredo
	// ISATAP: tunnelled to the IPv4 address in its second half.
	ISATAP
	// Unallocated: IPv6 that is not handed out for the public internet.
	Unallocated
)

var classNames = [...]string{
	Invalid: "invalid", Public: "public", Unspecified: "unspecified", ThisNetwork: "this_network", Loopback: "loopback",
	Private: "private", Shared: "shared", LinkLocal: "link_local", UniqueLocal: "unique_local", SiteLocal: "site_local",
	CloudEndpoint: "cloud_endpoint", LocalAnycast: "local_anycast", ProtocolAssignment: "protocol_assignment",
	Documentation: "documentation", Benchmarking: "benchmarking", Multicast: "multicast", Broadcast: "broadcast",
	FutureUse: "future_use", Discard: "discard", SegmentRouting: "segment_routing", IPv4Mapped: "ipv4_mapped",
	IPv4Compatible: "ipv4_compatible", IPv4Translated: "ipv4_translated", NAT64: "nat64", SixToFour: "6to4",
	Teredo: "teredo", ISATAP: "isatap", Unallocated: "unallocated",
}

// String returns the stable name, for logs and metrics.
func (c Class) String() string {
	if int(c) >= len(classNames) {
		return classNames[Invalid]
	}
	return classNames[c]
}

// Reserved reports whether no server on the public internet has such an address.
func (c Class) Reserved() bool { return c != Public }
