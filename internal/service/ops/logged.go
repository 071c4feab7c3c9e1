package ops

import (
	"context"

	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/std/hostname"
)

// speaking returns publishers with their files.
func (o *Set) speaking(ctx context.Context, publishers []string) ([]notary.Speaking, error) {
	v, err := o.service.Directory(ctx)
	if err != nil {
		return nil, err
	}
	var list []notary.Speaking
	domains := make([]hostname.Domain, 0, len(publishers))
	for _, domain := range publishers {
		domains = append(domains, hostname.Domain(domain))
	}
	for _, e := range v.Publishers(domains...) {
		list = append(list, notary.Speaking{Publisher: string(e.Domain), File: e.Standing.Location.URL})
	}
	return list, v.Err()
}
