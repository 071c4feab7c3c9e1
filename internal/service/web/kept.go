package web

import (
	"sync"
	"weak"

	"github.com/avow-project/avow/internal/service/registry"
)

const (
	// largeFile is the size from which pages about a file are kept: searching it for
	// secrets takes longer than all the rest.
	largeFile = 256 << 10
	// mostKept is the number of pages that are kept.
	mostKept = 64
)

// kept keeps pages about large files; not what they are made from, which may hold on to
// the whole file. The service gives the same value to all who ask
// about the same domain within a moment; it is referred to weakly, since how long it is
// kept is not decided here. The zero value is ready for use.
type kept struct {
	mu    sync.Mutex
	pages map[weak.Pointer[registry.Validation]][]byte
	order []weak.Pointer[registry.Validation]
}

// get returns the page for a check, made once for each value if that takes long.
func (k *kept) get(v *registry.Validation, build func() ([]byte, error)) ([]byte, error) {
	if len(v.Body) < largeFile {
		return build()
	}
	key := weak.Make(v)
	k.mu.Lock()
	page := k.pages[key]
	k.mu.Unlock()
	if page != nil {
		return page, nil
	}
	page, err := build()
	if err == nil {
		k.keep(key, page)
	}
	return page, err
}

func (k *kept) keep(key weak.Pointer[registry.Validation], page []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pages == nil {
		k.pages = map[weak.Pointer[registry.Validation]][]byte{}
	}
	if k.pages[key] == nil {
		k.order = append(k.order, key)
	}
	k.pages[key] = page
	if len(k.order) > mostKept {
		delete(k.pages, k.order[0])
		k.order = k.order[1:]
	}
}
