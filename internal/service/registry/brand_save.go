package registry

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

const (
	// longestName is the longest name of a brand, in characters.
	longestName = 200
	// maxManifest is the size of brand data that may be saved: clients of the service
	// read 256 KiB of an answer.
	maxManifest = 48 << 10
	// maxManifestValues and maxManifestDepth bound its structure.
	maxManifestValues, maxManifestDepth = 2000, 12
	// maxDetails is how many faults are listed.
	maxDetails = 20
)

// SaveBrand stores brand data that a keyholder wrote. It is served unless the domain
// publishes a brand.json itself. The key that saved it first keeps it: only that key
// and moderators may replace it.
func (s *Service) SaveBrand(ctx context.Context, caller Caller, input, name string, manifest []byte) (*Brand, error) {
	err := caller.Require(ScopeWrite)
	if err != nil {
		return nil, err
	}
	domain, err := brandDomain(input)
	if err != nil {
		return nil, err
	}
	manifest, err = savedManifest(domain, name, manifest)
	if err != nil {
		return nil, err
	}
	own, err := s.storedBrand(ctx, domain, FromBrandJSON)
	if err != nil {
		return nil, err
	}
	if own != nil && s.age(own) < ownFresh {
		return nil, &Error{
			Kind: Conflict, Code: "brand_authoritative",
			Message: "The domain publishes its own brand.json, which takes precedence",
			Hint:    "change https://" + string(domain) + "/.well-known/brand.json instead",
		}
	}
	b := &Brand{Domain: domain, Source: FromCommunity, Manifest: manifest, UpdatedAt: s.moment(), By: caller.Key.ID,
		Override: caller.Key.Permits(ScopeModerate)}
	err = s.config.Store.PutBrand(ctx, b)
	if errors.Is(err, ErrConflict) {
		return nil, &Error{
			Kind: Forbidden, Code: "brand.other_key", Message: "Another key saved the data of this brand",
			Hint: "save it with that key, or ask the operator of this service: " +
				"a key with the scope " + string(ScopeModerate) + " may replace it",
		}
	}
	if err != nil {
		return nil, err
	}
	if b.Revision == 0 {
		return s.config.Store.Brand(ctx, domain, FromCommunity)
	}
	return b, nil
}

// savedManifest checks brand data and completes it with the name and the address.
func savedManifest(domain hostname.Domain, name string, manifest []byte) ([]byte, error) {
	if len(strings.TrimSpace(string(manifest))) == 0 {
		manifest = []byte("{}")
	}
	if len(manifest) > maxManifest {
		return nil, &Error{
			Kind: TooLarge, Code: "manifest_too_large", Message: "The brand manifest is too large",
			Hint: "at most " + strconv.Itoa(maxManifest) + " bytes are kept",
		}
	}
	faults := manifestFaults(manifest)
	if utf8.RuneCountInString(name) > longestName || PlainText(name, longestName) != name {
		faults = append(faults, "brand_name: a name of at most 200 characters is needed, without control characters")
	}
	if len(faults) > 0 {
		return nil, &Error{
			Kind: Invalid, Code: "manifest_invalid", Message: "The brand manifest is not valid: " + faults[0], Details: faults,
		}
	}
	var members map[string]jsontext.Value
	err := json.Unmarshal(manifest, &members)
	if err != nil {
		return nil, err
	}
	return completed(domain, name, members)
}

// completed returns a manifest that has a name and an address.
func completed(domain hostname.Domain, name string, members map[string]jsontext.Value) ([]byte, error) {
	if members == nil {
		members = map[string]jsontext.Value{}
	}
	set := func(member, value string) error {
		raw, err := json.Marshal(value)
		members[member] = raw
		return err
	}
	var err error
	if name != "" {
		err = set("name", name)
	}
	if members["name"] == nil {
		return nil, &Error{Kind: Invalid, Code: "brand_name_missing", Message: "brand_name is required"}
	}
	if members["url"] == nil {
		err = errors.Join(err, set("url", "https://"+string(domain)))
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(members, json.Deterministic(true))
}

// manifestFaults lists what is wrong with brand data, one line each.
func manifestFaults(manifest []byte) []string {
	tree, err := jsontree.Parse(manifest, jsontree.Options{MaxValues: maxManifestValues, MaxDepth: maxManifestDepth})
	if err != nil {
		return []string{"it is not a JSON document of reasonable size and depth"}
	}
	if !tree.Root().Is(jsontree.Object) {
		return []string{"it must be an object, not " + tree.Root().Kind().String()}
	}
	if len(tree.Duplicates()) > 0 {
		return []string{"member " + quoted(tree.Duplicates()[0].Name()) + " is given more than once"}
	}
	c := manifestCheck{}
	c.known(tree.Root())
	c.walk("", "", tree.Root())
	return c.faults
}
