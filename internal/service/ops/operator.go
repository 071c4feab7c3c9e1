package ops

import (
	"github.com/avow-project/avow/internal/service/registry"
)

// checkBrand refuses what is neither auto nor a URL that may be asked.
func (in *authorizeInput) checkBrand() error {
	if in.Brand == "" || in.Brand == registry.AutoBrand {
		return nil
	}
	_, ok := registry.SafeURL(in.Brand)
	if !ok {
		return fieldError("brand", "request.value", "brand must be auto or the https URL of a brand.json", "")
	}
	return nil
}
