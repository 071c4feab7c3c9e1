package ops

import (
	"github.com/avow-project/avow/internal/service/registry"
)

// checkBrand refuses what is neither auto nor a URL that may be asked.
func checkBrand(brand string) error {
	if brand == "" || brand == registry.AutoBrand {
		return nil
	}
	_, ok := registry.SafeURL(brand)
	if !ok {
		return fieldError("brand", "request.value", "brand must be auto or the https URL of a brand.json", "")
	}
	return nil
}
