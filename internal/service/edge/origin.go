package edge

import (
	"net/http"
	"regexp"
	"sync"

	"github.com/avow-project/avow/internal/service/registry"
)

// hostPattern is the Host of a request that is repeated in an example: a name or an
// address, perhaps with a port. Anything else is not shown.
var hostPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-zA-Z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(:[0-9]{1,5})?$`)
})

// Origin returns where the service is reached, and whether that is certain: the operator
// has set it. Otherwise it is what the request says, if that can be a host, and else what
// is configured, which may be nothing. What is not certain must not be cached for others.
func Origin(r *http.Request, configured string, known bool) (string, bool) {
	switch {
	case known:
		return configured, true
	case !hostPattern().MatchString(r.Host):
		return configured, false
	case registry.CallOf(r.Context()).Secure:
		return "https://" + r.Host, false
	}
	return "http://" + r.Host, false
}
