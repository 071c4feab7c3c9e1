package formatkind

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// Slots returns the slots that are objects.
func (p *Part) Slots() []jsontree.Value {
	var slots []jsontree.Value
	for _, v := range p.Params.Get("slots").Elems() {
		if v.Is(jsontree.Object) {
			slots = append(slots, v)
		}
	}
	return slots
}

// slotLimits says which slots a member is for, by asset type.
var slotLimits = []struct {
	member string
	types  []string
}{
	{"max_chars", []string{"text", "markdown", "brief"}},
	{"max_size_kb", []string{"image", "video", "audio", "zip"}},
	{"pixel_ratios", []string{"image", "card"}},
	{"required_pixel_ratios", []string{"image"}},
}

// collectSlots adds the faults of slots that their table cannot express.
func (p *Part) collectSlots() {
	field := p.Table.Field("slots")
	list := p.Params.Get("slots")
	fault := func(at jsontree.Value, msg, hint string) {
		p.addWhole(field, conform.Problem{Fault: conform.BadForm, At: at, Msg: msg, Hint: hint}, list)
	}
	for _, slot := range p.Slots() {
		slotTypeFaults(slot, fault)
		group := slot.Get("asset_group_id")
		if group.Is(jsontree.String) && strings.TrimSpace(group.Str()) == "" {
			fault(group, "asset_group_id must not be empty", "")
		}
		if v := slot.Get("required_pixel_ratios"); v.Exists() && !slot.Has("pixel_ratios") {
			fault(v, "required_pixel_ratios needs pixel_ratios beside it", "")
		}
		for _, name := range []string{"logo_slots", "required_logo_slots"} {
			if v := slot.Get(name); v.Exists() && group.Is(jsontree.String) && group.Str() != "logo" {
				fault(v, name+" is for the asset group logo only, not "+conform.Quote(group.Str()), "")
			}
		}
	}
}

// slotTypeFaults finds limits that do not belong to the asset type.
func slotTypeFaults(slot jsontree.Value, fault func(at jsontree.Value, msg, hint string)) {
	t := slot.Get("asset_type").Str()
	if !slices.Contains(model.AssetTypes, t) {
		return
	}
	for _, limit := range slotLimits {
		if v := slot.Get(limit.member); v.Exists() && !slices.Contains(limit.types, t) {
			fault(v, limit.member+" is not for assets of type "+t, "remove "+limit.member)
		}
	}
}
