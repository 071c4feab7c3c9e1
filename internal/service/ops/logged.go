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
	for _, domain := range publishers {
		e, _ := v.Publisher(hostname.Domain(domain))
		list = append(list, notary.Speaking{Publisher: domain, File: e.Standing.Location.URL})
	}
	return list, nil
}
