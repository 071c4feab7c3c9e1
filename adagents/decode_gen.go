// Code generated from internal/model by internal/gen/types. DO NOT EDIT.

package adagents

import "github.com/avow-project/avow/internal/model"

// decoder fills the typed model from a tree.
type decoder struct {
	decoderState
	identifierSlab slab[Identifier]
}

func (x *File) subject() subject { return subject{x, x.Raw, model.File.Fields, x.pos[:]} }

func (d *decoder) decodeFile(v Value, x *File) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameSchema:
			x.pos[atFileSchema] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Schema = s
			} else {
				d.mistyped(model.File, 0, w)
			}
		case nameVersion:
			x.pos[atFileVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Version = s
			} else {
				d.mistyped(model.File, 1, w)
			}
		case nameContact:
			x.pos[atFileContact] = w.Node()
			if w.Is(Object) {
				x.Contact = part[Contact](d)
				d.decodeContact(w, x.Contact)
			}
			if !w.Is(Object) {
				d.mistyped(model.File, 2, w)
			}
		case nameCatalogETag:
			x.pos[atFileCatalogETag] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CatalogETag = s
			} else {
				d.mistyped(model.File, 3, w)
			}
		case nameCatalogRole:
			x.pos[atFileCatalogRole] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CatalogRole = s
			} else {
				d.mistyped(model.File, 4, w)
			}
		case nameProperties:
			x.pos[atFileProperties] = w.Node()
			x.Properties = d.properties(w)
			if !w.Is(Array) {
				d.mistyped(model.File, 5, w)
			}
		case nameCollections:
			x.pos[atFileCollections] = w.Node()
			x.Collections = d.listCollection(w)
			if !w.Is(Array) {
				d.mistyped(model.File, 6, w)
			}
		case namePlacements:
			x.pos[atFilePlacements] = w.Node()
			x.Placements = d.listPlacement(w)
			if !w.Is(Array) {
				d.mistyped(model.File, 7, w)
			}
		case nameFormats:
			x.pos[atFileFormats] = w.Node()
			x.Formats = d.listFormatDeclaration(w)
			if !w.Is(Array) {
				d.mistyped(model.File, 8, w)
			}
		case nameSignals:
			x.pos[atFileSignals] = w.Node()
			x.Signals = d.listSignal(w)
			if !w.Is(Array) {
				d.mistyped(model.File, 9, w)
			}
		case nameTags:
			x.pos[atFileTags] = w.Node()
			x.Tags = d.mapTag(w)
			if !w.Is(Object) {
				d.mistyped(model.File, 10, w)
			}
		case namePlacementTags:
			x.pos[atFilePlacementTags] = w.Node()
			x.PlacementTags = d.mapTag(w)
			if !w.Is(Object) {
				d.mistyped(model.File, 11, w)
			}
		case nameSignalTags:
			x.pos[atFileSignalTags] = w.Node()
			x.SignalTags = d.mapTag(w)
			if !w.Is(Object) {
				d.mistyped(model.File, 12, w)
			}
		case nameAuthorizedAgents:
			x.pos[atFileAgents] = w.Node()
			x.Agents = d.listAgent(w)
			if !w.Is(Array) {
				d.mistyped(model.File, 13, w)
			}
		case nameRevokedPublisherDomains:
			x.pos[atFileRevocations] = w.Node()
			x.Revocations = d.listRevocation(w)
			if !w.Is(Array) {
				d.mistyped(model.File, 14, w)
			}
		case namePropertyFeatures:
			x.pos[atFileFeatures] = w.Node()
			x.Features = d.listFeature(w)
			if !w.Is(Array) {
				d.mistyped(model.File, 15, w)
			}
		case nameSupersededBy:
			x.pos[atFileSupersededBy] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SupersededBy = s
			} else {
				d.mistyped(model.File, 16, w)
			}
		case nameLastUpdated:
			x.pos[atFileLastUpdated] = w.Node()
			if s, ok := w.AsString(); ok {
				x.LastUpdated = Timestamp(s)
			} else {
				d.mistyped(model.File, 17, w)
			}
		default:
			d.addUnknown(model.File, v, m)
		}
	}
}

func (x *Contact) subject() subject { return subject{x, x.Raw, model.Contact.Fields, x.pos[:]} }

func (d *decoder) decodeContact(v Value, x *Contact) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameName:
			x.pos[atContactName] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Name = s
			} else {
				d.mistyped(model.Contact, 0, w)
			}
		case nameEmail:
			x.pos[atContactEmail] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Email = s
			} else {
				d.mistyped(model.Contact, 1, w)
			}
		case nameDomain:
			x.pos[atContactDomain] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Domain = s
			} else {
				d.mistyped(model.Contact, 2, w)
			}
		case nameSellerID:
			x.pos[atContactSellerID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SellerID = s
			} else {
				d.mistyped(model.Contact, 3, w)
			}
		case nameTagID:
			x.pos[atContactTagID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.TagID = s
			} else {
				d.mistyped(model.Contact, 4, w)
			}
		case namePrivacyPolicyURL:
			x.pos[atContactPrivacyPolicyURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PrivacyPolicyURL = s
			} else {
				d.mistyped(model.Contact, 5, w)
			}
		default:
			d.addUnknown(model.Contact, v, m)
		}
	}
}

func (x *Property) subject() subject { return subject{x, x.Raw, model.Property.Fields, x.pos[:]} }

func (d *decoder) decodeProperty(v Value, x *Property) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case namePropertyID:
			x.pos[atPropertyID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ID = s
			} else {
				d.mistyped(model.Property, 0, w)
			}
		case namePropertyType:
			x.pos[atPropertyType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Type = s
			} else {
				d.mistyped(model.Property, 1, w)
			}
		case nameName:
			x.pos[atPropertyName] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Name = s
			} else {
				d.mistyped(model.Property, 2, w)
			}
		case nameIdentifiers:
			x.pos[atPropertyIdentifiers] = w.Node()
			x.Identifiers = d.listIdentifier(w)
			if !w.Is(Array) {
				d.mistyped(model.Property, 3, w)
			}
		case nameTags:
			x.pos[atPropertyTags] = w.Node()
			x.Tags = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Property, 4, w)
			}
		case nameSupportedChannels:
			x.pos[atPropertyChannels] = w.Node()
			x.Channels = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Property, 5, w)
			}
		case namePublisherDomain:
			x.pos[atPropertyPublisherDomain] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PublisherDomain = s
			} else {
				d.mistyped(model.Property, 6, w)
			}
		default:
			d.addUnknown(model.Property, v, m)
		}
	}
}

func (d *decoder) listProperty(v Value) []Property {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Property](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeProperty(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *Identifier) subject() subject { return subject{x, x.Raw, model.Identifier.Fields, x.pos[:]} }

func (d *decoder) decodeIdentifier(v Value, x *Identifier) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameType:
			x.pos[atIdentifierType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Type = s
			} else {
				d.mistyped(model.Identifier, 0, w)
			}
		case nameValue:
			x.pos[atIdentifierValue] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Value = s
			} else {
				d.mistyped(model.Identifier, 1, w)
			}
		default:
			d.addUnknown(model.Identifier, v, m)
		}
	}
}

func (d *decoder) listIdentifier(v Value) []Identifier {
	if !v.Is(Array) {
		return nil
	}
	list := d.identifierSlab.take(d.allowed, v.Len())
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeIdentifier(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *Collection) subject() subject { return subject{x, x.Raw, model.Collection.Fields, x.pos[:]} }

func (d *decoder) decodeCollection(v Value, x *Collection) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameCollectionID:
			x.pos[atCollectionID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ID = s
			} else {
				d.mistyped(model.Collection, 0, w)
			}
		case nameName:
			x.pos[atCollectionName] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Name = s
			} else {
				d.mistyped(model.Collection, 1, w)
			}
		case nameKind:
			x.pos[atCollectionKind] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Kind = s
			} else {
				d.mistyped(model.Collection, 2, w)
			}
		case nameDescription:
			x.pos[atCollectionDescription] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Description = s
			} else {
				d.mistyped(model.Collection, 3, w)
			}
		case nameGenre:
			x.pos[atCollectionGenres] = w.Node()
			x.Genres = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Collection, 4, w)
			}
		case nameGenreTaxonomy:
			x.pos[atCollectionGenreTaxonomy] = w.Node()
			if s, ok := w.AsString(); ok {
				x.GenreTaxonomy = s
			} else {
				d.mistyped(model.Collection, 5, w)
			}
		case nameLanguage:
			x.pos[atCollectionLanguage] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Language = s
			} else {
				d.mistyped(model.Collection, 6, w)
			}
		case nameContentRating:
			x.pos[atCollectionContentRating] = w.Node()
			if w.Is(Object) {
				x.ContentRating = part[ContentRating](d)
				d.decodeContentRating(w, x.ContentRating)
			}
			if !w.Is(Object) {
				d.mistyped(model.Collection, 7, w)
			}
		case nameCadence:
			x.pos[atCollectionCadence] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Cadence = s
			} else {
				d.mistyped(model.Collection, 8, w)
			}
		case nameSeason:
			x.pos[atCollectionSeason] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Season = s
			} else {
				d.mistyped(model.Collection, 9, w)
			}
		case nameStatus:
			x.pos[atCollectionStatus] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Status = s
			} else {
				d.mistyped(model.Collection, 10, w)
			}
		case nameProductionQuality:
			x.pos[atCollectionProductionQuality] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ProductionQuality = s
			} else {
				d.mistyped(model.Collection, 11, w)
			}
		case nameTalent:
			x.pos[atCollectionTalent] = w.Node()
			x.Talent = d.listTalent(w)
			if !w.Is(Array) {
				d.mistyped(model.Collection, 12, w)
			}
		case nameSpecial:
			x.pos[atCollectionSpecial] = w.Node()
			if w.Is(Object) {
				x.Special = part[Special](d)
				d.decodeSpecial(w, x.Special)
			}
			if !w.Is(Object) {
				d.mistyped(model.Collection, 13, w)
			}
		case nameLimitedSeries:
			x.pos[atCollectionLimitedSeries] = w.Node()
			if w.Is(Object) {
				x.LimitedSeries = part[LimitedSeries](d)
				d.decodeLimitedSeries(w, x.LimitedSeries)
			}
			if !w.Is(Object) {
				d.mistyped(model.Collection, 14, w)
			}
		case nameDistribution:
			x.pos[atCollectionDistribution] = w.Node()
			x.Distribution = d.listDistribution(w)
			if !w.Is(Array) {
				d.mistyped(model.Collection, 15, w)
			}
		case nameDeadlinePolicy:
			x.pos[atCollectionDeadlinePolicy] = w.Node()
			if w.Is(Object) {
				x.DeadlinePolicy = part[DeadlinePolicy](d)
				d.decodeDeadlinePolicy(w, x.DeadlinePolicy)
			}
			if !w.Is(Object) {
				d.mistyped(model.Collection, 16, w)
			}
		case nameRelatedCollections:
			x.pos[atCollectionRelatedCollections] = w.Node()
			x.RelatedCollections = d.listRelatedCollection(w)
			if !w.Is(Array) {
				d.mistyped(model.Collection, 17, w)
			}
		case nameExt:
			x.pos[atCollectionExt] = w.Node()
			x.Ext = w
			if !w.Is(Object) {
				d.mistyped(model.Collection, 18, w)
			}
		default:
			d.addUnknown(model.Collection, v, m)
		}
	}
}

func (d *decoder) listCollection(v Value) []Collection {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Collection](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeCollection(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *ContentRating) subject() subject {
	return subject{x, x.Raw, model.ContentRating.Fields, x.pos[:]}
}

func (d *decoder) decodeContentRating(v Value, x *ContentRating) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameSystem:
			x.pos[atContentRatingSystem] = w.Node()
			if s, ok := w.AsString(); ok {
				x.System = s
			} else {
				d.mistyped(model.ContentRating, 0, w)
			}
		case nameRating:
			x.pos[atContentRatingRating] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Rating = s
			} else {
				d.mistyped(model.ContentRating, 1, w)
			}
		default:
			d.addUnknown(model.ContentRating, v, m)
		}
	}
}

func (x *Talent) subject() subject { return subject{x, x.Raw, model.Talent.Fields, x.pos[:]} }

func (d *decoder) decodeTalent(v Value, x *Talent) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameRole:
			x.pos[atTalentRole] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Role = s
			} else {
				d.mistyped(model.Talent, 0, w)
			}
		case nameName:
			x.pos[atTalentName] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Name = s
			} else {
				d.mistyped(model.Talent, 1, w)
			}
		case nameBrandURL:
			x.pos[atTalentBrandURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.BrandURL = s
			} else {
				d.mistyped(model.Talent, 2, w)
			}
		default:
			d.addUnknown(model.Talent, v, m)
		}
	}
}

func (d *decoder) listTalent(v Value) []Talent {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Talent](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeTalent(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *Special) subject() subject { return subject{x, x.Raw, model.Special.Fields, x.pos[:]} }

func (d *decoder) decodeSpecial(v Value, x *Special) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameName:
			x.pos[atSpecialName] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Name = s
			} else {
				d.mistyped(model.Special, 0, w)
			}
		case nameCategory:
			x.pos[atSpecialCategory] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Category = s
			} else {
				d.mistyped(model.Special, 1, w)
			}
		case nameStarts:
			x.pos[atSpecialStarts] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Starts = Timestamp(s)
			} else {
				d.mistyped(model.Special, 2, w)
			}
		case nameEnds:
			x.pos[atSpecialEnds] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Ends = Timestamp(s)
			} else {
				d.mistyped(model.Special, 3, w)
			}
		default:
			d.addUnknown(model.Special, v, m)
		}
	}
}

func (x *LimitedSeries) subject() subject {
	return subject{x, x.Raw, model.LimitedSeries.Fields, x.pos[:]}
}

func (d *decoder) decodeLimitedSeries(v Value, x *LimitedSeries) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameTotalInstallments:
			x.pos[atLimitedSeriesTotalInstallments] = w.Node()
			x.TotalInstallments = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.LimitedSeries, 0, w)
			}
		case nameStarts:
			x.pos[atLimitedSeriesStarts] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Starts = Timestamp(s)
			} else {
				d.mistyped(model.LimitedSeries, 1, w)
			}
		case nameEnds:
			x.pos[atLimitedSeriesEnds] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Ends = Timestamp(s)
			} else {
				d.mistyped(model.LimitedSeries, 2, w)
			}
		default:
			d.addUnknown(model.LimitedSeries, v, m)
		}
	}
}

func (x *Distribution) subject() subject {
	return subject{x, x.Raw, model.Distribution.Fields, x.pos[:]}
}

func (d *decoder) decodeDistribution(v Value, x *Distribution) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case namePublisherDomain:
			x.pos[atDistributionPublisherDomain] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PublisherDomain = s
			} else {
				d.mistyped(model.Distribution, 0, w)
			}
		case namePropertyIDs:
			x.pos[atDistributionPropertyIDs] = w.Node()
			x.PropertyIDs = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Distribution, 1, w)
			}
		case nameIdentifiers:
			x.pos[atDistributionIdentifiers] = w.Node()
			x.Identifiers = d.listDistributionIdentifier(w)
			if !w.Is(Array) {
				d.mistyped(model.Distribution, 2, w)
			}
		default:
			d.addUnknown(model.Distribution, v, m)
		}
	}
}

func (d *decoder) listDistribution(v Value) []Distribution {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Distribution](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeDistribution(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *DistributionIdentifier) subject() subject {
	return subject{x, x.Raw, model.DistributionIdentifier.Fields, x.pos[:]}
}

func (d *decoder) decodeDistributionIdentifier(v Value, x *DistributionIdentifier) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameType:
			x.pos[atDistributionIdentifierType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Type = s
			} else {
				d.mistyped(model.DistributionIdentifier, 0, w)
			}
		case nameValue:
			x.pos[atDistributionIdentifierValue] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Value = s
			} else {
				d.mistyped(model.DistributionIdentifier, 1, w)
			}
		default:
			d.addUnknown(model.DistributionIdentifier, v, m)
		}
	}
}

func (d *decoder) listDistributionIdentifier(v Value) []DistributionIdentifier {
	if !v.Is(Array) {
		return nil
	}
	list := entries[DistributionIdentifier](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeDistributionIdentifier(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *DeadlinePolicy) subject() subject {
	return subject{x, x.Raw, model.DeadlinePolicy.Fields, x.pos[:]}
}

func (d *decoder) decodeDeadlinePolicy(v Value, x *DeadlinePolicy) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameBookingLeadDays:
			x.pos[atDeadlinePolicyBookingLeadDays] = w.Node()
			x.BookingLeadDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DeadlinePolicy, 0, w)
			}
		case nameCancellationLeadDays:
			x.pos[atDeadlinePolicyCancellationLeadDays] = w.Node()
			x.CancellationLeadDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DeadlinePolicy, 1, w)
			}
		case nameMaterialStages:
			x.pos[atDeadlinePolicyMaterialStages] = w.Node()
			x.MaterialStages = d.listMaterialStage(w)
			if !w.Is(Array) {
				d.mistyped(model.DeadlinePolicy, 2, w)
			}
		case nameBusinessDaysOnly:
			x.pos[atDeadlinePolicyBusinessDaysOnly] = w.Node()
			x.BusinessDaysOnly = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.DeadlinePolicy, 3, w)
			}
		default:
			d.addUnknown(model.DeadlinePolicy, v, m)
		}
	}
}

func (x *MaterialStage) subject() subject {
	return subject{x, x.Raw, model.MaterialStage.Fields, x.pos[:]}
}

func (d *decoder) decodeMaterialStage(v Value, x *MaterialStage) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameStage:
			x.pos[atMaterialStageStage] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Stage = s
			} else {
				d.mistyped(model.MaterialStage, 0, w)
			}
		case nameLeadDays:
			x.pos[atMaterialStageLeadDays] = w.Node()
			x.LeadDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.MaterialStage, 1, w)
			}
		case nameLabel:
			x.pos[atMaterialStageLabel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Label = s
			} else {
				d.mistyped(model.MaterialStage, 2, w)
			}
		default:
			d.addUnknown(model.MaterialStage, v, m)
		}
	}
}

func (d *decoder) listMaterialStage(v Value) []MaterialStage {
	if !v.Is(Array) {
		return nil
	}
	list := entries[MaterialStage](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeMaterialStage(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *RelatedCollection) subject() subject {
	return subject{x, x.Raw, model.RelatedCollection.Fields, x.pos[:]}
}

func (d *decoder) decodeRelatedCollection(v Value, x *RelatedCollection) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameCollectionID:
			x.pos[atRelatedCollectionCollectionID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CollectionID = s
			} else {
				d.mistyped(model.RelatedCollection, 0, w)
			}
		case nameRelationship:
			x.pos[atRelatedCollectionRelationship] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Relationship = s
			} else {
				d.mistyped(model.RelatedCollection, 1, w)
			}
		default:
			d.addUnknown(model.RelatedCollection, v, m)
		}
	}
}

func (d *decoder) listRelatedCollection(v Value) []RelatedCollection {
	if !v.Is(Array) {
		return nil
	}
	list := entries[RelatedCollection](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeRelatedCollection(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *Placement) subject() subject { return subject{x, x.Raw, model.Placement.Fields, x.pos[:]} }

func (d *decoder) decodePlacement(v Value, x *Placement) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case namePlacementID:
			x.pos[atPlacementID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ID = s
			} else {
				d.mistyped(model.Placement, 0, w)
			}
		case nameName:
			x.pos[atPlacementName] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Name = s
			} else {
				d.mistyped(model.Placement, 1, w)
			}
		case nameDescription:
			x.pos[atPlacementDescription] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Description = s
			} else {
				d.mistyped(model.Placement, 2, w)
			}
		case namePropertyIDs:
			x.pos[atPlacementPropertyIDs] = w.Node()
			x.PropertyIDs = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 3, w)
			}
		case namePropertyTags:
			x.pos[atPlacementPropertyTags] = w.Node()
			x.PropertyTags = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 4, w)
			}
		case nameCollectionIDs:
			x.pos[atPlacementCollectionIDs] = w.Node()
			x.CollectionIDs = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 5, w)
			}
		case nameTags:
			x.pos[atPlacementTags] = w.Node()
			x.Tags = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 6, w)
			}
		case nameChannels:
			x.pos[atPlacementChannels] = w.Node()
			x.Channels = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 7, w)
			}
		case nameFormatOptions:
			x.pos[atPlacementFormatOptions] = w.Node()
			x.FormatOptions = d.listFormatOption(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 8, w)
			}
		case nameIdentifiers:
			x.pos[atPlacementIdentifiers] = w.Node()
			x.Identifiers = d.listIdentifier(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 9, w)
			}
		case nameDoohPlacementAttributes:
			x.pos[atPlacementDOOH] = w.Node()
			if w.Is(Object) {
				x.DOOH = part[DOOHPlacement](d)
				d.decodeDOOHPlacement(w, x.DOOH)
			}
			if !w.Is(Object) {
				d.mistyped(model.Placement, 10, w)
			}
		case namePresentationRef:
			x.pos[atPlacementPresentationRef] = w.Node()
			if w.Is(Object) {
				x.PresentationRef = part[PresentationRef](d)
				d.decodePresentationRef(w, x.PresentationRef)
			}
			if !w.Is(Object) {
				d.mistyped(model.Placement, 11, w)
			}
		case namePreviewProvider:
			x.pos[atPlacementPreviewProvider] = w.Node()
			if w.Is(Object) {
				x.PreviewProvider = part[PreviewProvider](d)
				d.decodePreviewProvider(w, x.PreviewProvider)
			}
			if !w.Is(Object) {
				d.mistyped(model.Placement, 12, w)
			}
		case nameVideoPlacementTypes:
			x.pos[atPlacementVideoPlacementTypes] = w.Node()
			x.VideoPlacementTypes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 13, w)
			}
		case nameAudioDistributionTypes:
			x.pos[atPlacementAudioDistributionTypes] = w.Node()
			x.AudioDistributionTypes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 14, w)
			}
		case nameSponsoredPlacementTypes:
			x.pos[atPlacementSponsoredPlacementTypes] = w.Node()
			x.SponsoredPlacementTypes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 15, w)
			}
		case nameSocialPlacementSurfaces:
			x.pos[atPlacementSocialPlacementSurfaces] = w.Node()
			x.SocialPlacementSurfaces = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 16, w)
			}
		case nameExt:
			x.pos[atPlacementExt] = w.Node()
			x.Ext = w
			if !w.Is(Object) {
				d.mistyped(model.Placement, 17, w)
			}
		default:
			d.addUnknown(model.Placement, v, m)
		}
	}
}

func (d *decoder) listPlacement(v Value) []Placement {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Placement](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodePlacement(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *FormatOption) subject() subject {
	return subject{x, x.Raw, model.FormatOption.Fields, x.pos[:]}
}

func (d *decoder) decodeFormatOption(v Value, x *FormatOption) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameFormatOptionID:
			x.pos[atFormatOptionOptionID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.OptionID = s
			} else {
				d.mistyped(model.FormatOption, 0, w)
			}
		case nameFormatKind:
			x.pos[atFormatOptionKind] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Kind = s
			} else {
				d.mistyped(model.FormatOption, 1, w)
			}
		case namePublisherDomain:
			x.pos[atFormatOptionPublisherDomain] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PublisherDomain = s
			} else {
				d.mistyped(model.FormatOption, 2, w)
			}
		case nameDisplayName:
			x.pos[atFormatOptionDisplayName] = w.Node()
			if s, ok := w.AsString(); ok {
				x.DisplayName = s
			} else {
				d.mistyped(model.FormatOption, 3, w)
			}
		case nameSampleRenderURL:
			x.pos[atFormatOptionSampleRenderURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SampleRenderURL = s
			} else {
				d.mistyped(model.FormatOption, 4, w)
			}
		case nameAppliesToChannels:
			x.pos[atFormatOptionAppliesToChannels] = w.Node()
			x.AppliesToChannels = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.FormatOption, 5, w)
			}
		case nameSellerPreference:
			x.pos[atFormatOptionSellerPreference] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SellerPreference = s
			} else {
				d.mistyped(model.FormatOption, 6, w)
			}
		case nameLocalePolicy:
			x.pos[atFormatOptionLocalePolicy] = w.Node()
			if w.Is(Object) {
				x.LocalePolicy = part[LocalePolicy](d)
				d.decodeLocalePolicy(w, x.LocalePolicy)
			}
			if !w.Is(Object) {
				d.mistyped(model.FormatOption, 7, w)
			}
		case nameCanonicalFormatsOnly:
			x.pos[atFormatOptionCanonicalFormatsOnly] = w.Node()
			x.CanonicalFormatsOnly = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.FormatOption, 8, w)
			}
		case nameExperimental:
			x.pos[atFormatOptionExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.FormatOption, 9, w)
			}
		case nameFormatShape:
			x.pos[atFormatOptionShape] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Shape = s
			} else {
				d.mistyped(model.FormatOption, 10, w)
			}
		case nameFormatSchema:
			x.pos[atFormatOptionSchema] = w.Node()
			if w.Is(Object) {
				x.Schema = part[FormatSchemaRef](d)
				d.decodeFormatSchemaRef(w, x.Schema)
			}
			if !w.Is(Object) {
				d.mistyped(model.FormatOption, 11, w)
			}
		case nameV1FormatRef:
			x.pos[atFormatOptionV1FormatRefs] = w.Node()
			x.V1FormatRefs = d.listV1FormatRef(w)
			if !w.Is(Array) {
				d.mistyped(model.FormatOption, 12, w)
			}
		case nameParams:
			x.pos[atFormatOptionParams] = w.Node()
			x.Params = w
			if !w.Is(Object) {
				d.mistyped(model.FormatOption, 13, w)
			}
		default:
			d.addUnknown(model.FormatOption, v, m)
		}
	}
}

func (d *decoder) listFormatOption(v Value) []FormatOption {
	if !v.Is(Array) {
		return nil
	}
	list := entries[FormatOption](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeFormatOption(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *LocalePolicy) subject() subject {
	return subject{x, x.Raw, model.LocalePolicy.Fields, x.pos[:]}
}

func (d *decoder) decodeLocalePolicy(v Value, x *LocalePolicy) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameAcceptedLanguageRanges:
			x.pos[atLocalePolicyAcceptedLanguageRanges] = w.Node()
			x.AcceptedLanguageRanges = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.LocalePolicy, 0, w)
			}
		default:
			d.addUnknown(model.LocalePolicy, v, m)
		}
	}
}

func (x *FormatSchemaRef) subject() subject {
	return subject{x, x.Raw, model.FormatSchemaRef.Fields, x.pos[:]}
}

func (d *decoder) decodeFormatSchemaRef(v Value, x *FormatSchemaRef) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameURI:
			x.pos[atFormatSchemaRefURI] = w.Node()
			if s, ok := w.AsString(); ok {
				x.URI = s
			} else {
				d.mistyped(model.FormatSchemaRef, 0, w)
			}
		case nameDigest:
			x.pos[atFormatSchemaRefDigest] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Digest = s
			} else {
				d.mistyped(model.FormatSchemaRef, 1, w)
			}
		default:
			d.addUnknown(model.FormatSchemaRef, v, m)
		}
	}
}

func (x *V1FormatRef) subject() subject { return subject{x, x.Raw, model.V1FormatRef.Fields, x.pos[:]} }

func (d *decoder) decodeV1FormatRef(v Value, x *V1FormatRef) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameAgentURL:
			x.pos[atV1FormatRefAgentURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AgentURL = s
			} else {
				d.mistyped(model.V1FormatRef, 0, w)
			}
		case nameID:
			x.pos[atV1FormatRefID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ID = s
			} else {
				d.mistyped(model.V1FormatRef, 1, w)
			}
		case nameWidth:
			x.pos[atV1FormatRefWidth] = w.Node()
			x.Width = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.V1FormatRef, 2, w)
			}
		case nameHeight:
			x.pos[atV1FormatRefHeight] = w.Node()
			x.Height = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.V1FormatRef, 3, w)
			}
		case nameDurationMs:
			x.pos[atV1FormatRefDurationMS] = w.Node()
			x.DurationMS = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.V1FormatRef, 4, w)
			}
		case namePixelRatio:
			x.pos[atV1FormatRefPixelRatio] = w.Node()
			x.PixelRatio = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.V1FormatRef, 5, w)
			}
		default:
			d.addUnknown(model.V1FormatRef, v, m)
		}
	}
}

func (d *decoder) listV1FormatRef(v Value) []V1FormatRef {
	if !v.Is(Array) {
		return nil
	}
	list := entries[V1FormatRef](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeV1FormatRef(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *DOOHPlacement) subject() subject {
	return subject{x, x.Raw, model.DOOHPlacement.Fields, x.pos[:]}
}

func (d *decoder) decodeDOOHPlacement(v Value, x *DOOHPlacement) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameLocation:
			x.pos[atDOOHPlacementLocation] = w.Node()
			if w.Is(Object) {
				x.Location = part[DOOHLocation](d)
				d.decodeDOOHLocation(w, x.Location)
			}
			if !w.Is(Object) {
				d.mistyped(model.DOOHPlacement, 0, w)
			}
		default:
			d.addUnknown(model.DOOHPlacement, v, m)
		}
	}
}

func (x *DOOHLocation) subject() subject {
	return subject{x, x.Raw, model.DOOHLocation.Fields, x.pos[:]}
}

func (d *decoder) decodeDOOHLocation(v Value, x *DOOHLocation) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameLat:
			x.pos[atDOOHLocationLat] = w.Node()
			x.Lat = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DOOHLocation, 0, w)
			}
		case nameLon:
			x.pos[atDOOHLocationLon] = w.Node()
			x.Lon = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DOOHLocation, 1, w)
			}
		case nameAddress:
			x.pos[atDOOHLocationAddress] = w.Node()
			if w.Is(Object) {
				x.Address = part[DOOHAddress](d)
				d.decodeDOOHAddress(w, x.Address)
			}
			if !w.Is(Object) {
				d.mistyped(model.DOOHLocation, 2, w)
			}
		default:
			d.addUnknown(model.DOOHLocation, v, m)
		}
	}
}

func (x *DOOHAddress) subject() subject { return subject{x, x.Raw, model.DOOHAddress.Fields, x.pos[:]} }

func (d *decoder) decodeDOOHAddress(v Value, x *DOOHAddress) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameLine1:
			x.pos[atDOOHAddressLine1] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Line1 = s
			} else {
				d.mistyped(model.DOOHAddress, 0, w)
			}
		case nameLine2:
			x.pos[atDOOHAddressLine2] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Line2 = s
			} else {
				d.mistyped(model.DOOHAddress, 1, w)
			}
		case nameCity:
			x.pos[atDOOHAddressCity] = w.Node()
			if s, ok := w.AsString(); ok {
				x.City = s
			} else {
				d.mistyped(model.DOOHAddress, 2, w)
			}
		case nameRegion:
			x.pos[atDOOHAddressRegion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Region = s
			} else {
				d.mistyped(model.DOOHAddress, 3, w)
			}
		case namePostalCode:
			x.pos[atDOOHAddressPostalCode] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PostalCode = s
			} else {
				d.mistyped(model.DOOHAddress, 4, w)
			}
		case nameCountry:
			x.pos[atDOOHAddressCountry] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Country = s
			} else {
				d.mistyped(model.DOOHAddress, 5, w)
			}
		default:
			d.addUnknown(model.DOOHAddress, v, m)
		}
	}
}

func (x *PresentationRef) subject() subject {
	return subject{x, x.Raw, model.PresentationRef.Fields, x.pos[:]}
}

func (d *decoder) decodePresentationRef(v Value, x *PresentationRef) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameURI:
			x.pos[atPresentationRefURI] = w.Node()
			if s, ok := w.AsString(); ok {
				x.URI = s
			} else {
				d.mistyped(model.PresentationRef, 0, w)
			}
		case nameDigest:
			x.pos[atPresentationRefDigest] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Digest = s
			} else {
				d.mistyped(model.PresentationRef, 1, w)
			}
		case nameMediaType:
			x.pos[atPresentationRefMediaType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MediaType = s
			} else {
				d.mistyped(model.PresentationRef, 2, w)
			}
		case nameSchemaVersion:
			x.pos[atPresentationRefSchemaVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SchemaVersion = s
			} else {
				d.mistyped(model.PresentationRef, 3, w)
			}
		default:
			d.addUnknown(model.PresentationRef, v, m)
		}
	}
}

func (x *PreviewProvider) subject() subject {
	return subject{x, x.Raw, model.PreviewProvider.Fields, x.pos[:]}
}

func (d *decoder) decodePreviewProvider(v Value, x *PreviewProvider) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameAgentURL:
			x.pos[atPreviewProviderAgentURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AgentURL = s
			} else {
				d.mistyped(model.PreviewProvider, 0, w)
			}
		case nameAuthority:
			x.pos[atPreviewProviderAuthority] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Authority = s
			} else {
				d.mistyped(model.PreviewProvider, 1, w)
			}
		case nameRoutes:
			x.pos[atPreviewProviderRoutes] = w.Node()
			x.Routes = d.listPreviewRoute(w)
			if !w.Is(Array) {
				d.mistyped(model.PreviewProvider, 2, w)
			}
		default:
			d.addUnknown(model.PreviewProvider, v, m)
		}
	}
}

func (x *PreviewRoute) subject() subject {
	return subject{x, x.Raw, model.PreviewRoute.Fields, x.pos[:]}
}

func (d *decoder) decodePreviewRoute(v Value, x *PreviewRoute) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameFormatOptionID:
			x.pos[atPreviewRouteFormatOptionID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.FormatOptionID = s
			} else {
				d.mistyped(model.PreviewRoute, 0, w)
			}
		case nameCapabilityID:
			x.pos[atPreviewRouteCapabilityID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CapabilityID = s
			} else {
				d.mistyped(model.PreviewRoute, 1, w)
			}
		case nameCoversPlacementPresentation:
			x.pos[atPreviewRouteCoversPlacementPresentation] = w.Node()
			x.CoversPlacementPresentation = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.PreviewRoute, 2, w)
			}
		default:
			d.addUnknown(model.PreviewRoute, v, m)
		}
	}
}

func (d *decoder) listPreviewRoute(v Value) []PreviewRoute {
	if !v.Is(Array) {
		return nil
	}
	list := entries[PreviewRoute](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodePreviewRoute(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *FormatDeclaration) subject() subject {
	return subject{x, x.Raw, model.FormatDeclaration.Fields, x.pos[:]}
}

func (d *decoder) decodeFormatDeclaration(v Value, x *FormatDeclaration) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameFormatKind:
			x.pos[atFormatDeclarationKind] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Kind = s
			} else {
				d.mistyped(model.FormatDeclaration, 0, w)
			}
		case nameFormatOptionID:
			x.pos[atFormatDeclarationOptionID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.OptionID = s
			} else {
				d.mistyped(model.FormatDeclaration, 1, w)
			}
		case namePublisherDomain:
			x.pos[atFormatDeclarationPublisherDomain] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PublisherDomain = s
			} else {
				d.mistyped(model.FormatDeclaration, 2, w)
			}
		case nameDisplayName:
			x.pos[atFormatDeclarationDisplayName] = w.Node()
			if s, ok := w.AsString(); ok {
				x.DisplayName = s
			} else {
				d.mistyped(model.FormatDeclaration, 3, w)
			}
		case nameSampleRenderURL:
			x.pos[atFormatDeclarationSampleRenderURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SampleRenderURL = s
			} else {
				d.mistyped(model.FormatDeclaration, 4, w)
			}
		case nameAppliesToChannels:
			x.pos[atFormatDeclarationAppliesToChannels] = w.Node()
			x.AppliesToChannels = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.FormatDeclaration, 5, w)
			}
		case nameSellerPreference:
			x.pos[atFormatDeclarationSellerPreference] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SellerPreference = s
			} else {
				d.mistyped(model.FormatDeclaration, 6, w)
			}
		case nameLocalePolicy:
			x.pos[atFormatDeclarationLocalePolicy] = w.Node()
			if w.Is(Object) {
				x.LocalePolicy = part[LocalePolicy](d)
				d.decodeLocalePolicy(w, x.LocalePolicy)
			}
			if !w.Is(Object) {
				d.mistyped(model.FormatDeclaration, 7, w)
			}
		case nameCanonicalFormatsOnly:
			x.pos[atFormatDeclarationCanonicalFormatsOnly] = w.Node()
			x.CanonicalFormatsOnly = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.FormatDeclaration, 8, w)
			}
		case nameExperimental:
			x.pos[atFormatDeclarationExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.FormatDeclaration, 9, w)
			}
		case nameFormatShape:
			x.pos[atFormatDeclarationShape] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Shape = s
			} else {
				d.mistyped(model.FormatDeclaration, 10, w)
			}
		case nameFormatSchema:
			x.pos[atFormatDeclarationSchema] = w.Node()
			if w.Is(Object) {
				x.Schema = part[FormatSchemaRef](d)
				d.decodeFormatSchemaRef(w, x.Schema)
			}
			if !w.Is(Object) {
				d.mistyped(model.FormatDeclaration, 11, w)
			}
		case nameV1FormatRef:
			x.pos[atFormatDeclarationV1FormatRefs] = w.Node()
			x.V1FormatRefs = d.listV1FormatRef(w)
			if !w.Is(Array) {
				d.mistyped(model.FormatDeclaration, 12, w)
			}
		case nameAppliesToPropertyIDs:
			x.pos[atFormatDeclarationAppliesToPropertyIDs] = w.Node()
			x.AppliesToPropertyIDs = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.FormatDeclaration, 13, w)
			}
		case nameAppliesToPropertyTags:
			x.pos[atFormatDeclarationAppliesToPropertyTags] = w.Node()
			x.AppliesToPropertyTags = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.FormatDeclaration, 14, w)
			}
		case nameParams:
			x.pos[atFormatDeclarationParams] = w.Node()
			x.Params = w
			if !w.Is(Object) {
				d.mistyped(model.FormatDeclaration, 15, w)
			}
		case nameReferenceRenderer:
			x.pos[atFormatDeclarationReferenceRenderer] = w.Node()
			if w.Is(Object) {
				x.ReferenceRenderer = part[ReferenceRenderer](d)
				d.decodeReferenceRenderer(w, x.ReferenceRenderer)
			}
			if !w.Is(Object) {
				d.mistyped(model.FormatDeclaration, 16, w)
			}
		case nameFormatRevision:
			x.pos[atFormatDeclarationRevision] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Revision = s
			} else {
				d.mistyped(model.FormatDeclaration, 17, w)
			}
		default:
			d.addUnknown(model.FormatDeclaration, v, m)
		}
	}
}

func (d *decoder) listFormatDeclaration(v Value) []FormatDeclaration {
	if !v.Is(Array) {
		return nil
	}
	list := entries[FormatDeclaration](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeFormatDeclaration(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *ReferenceRenderer) subject() subject {
	return subject{x, x.Raw, model.ReferenceRenderer.Fields, x.pos[:]}
}

func (d *decoder) decodeReferenceRenderer(v Value, x *ReferenceRenderer) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameRuntime:
			x.pos[atReferenceRendererRuntime] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Runtime = s
			} else {
				d.mistyped(model.ReferenceRenderer, 0, w)
			}
		case namePackage:
			x.pos[atReferenceRendererPackage] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Package = s
			} else {
				d.mistyped(model.ReferenceRenderer, 1, w)
			}
		case nameVersion:
			x.pos[atReferenceRendererVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Version = s
			} else {
				d.mistyped(model.ReferenceRenderer, 2, w)
			}
		case nameExport:
			x.pos[atReferenceRendererExport] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Export = s
			} else {
				d.mistyped(model.ReferenceRenderer, 3, w)
			}
		case nameFormatRevision:
			x.pos[atReferenceRendererFormatRevision] = w.Node()
			if s, ok := w.AsString(); ok {
				x.FormatRevision = s
			} else {
				d.mistyped(model.ReferenceRenderer, 4, w)
			}
		case nameIntegrity:
			x.pos[atReferenceRendererIntegrity] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Integrity = s
			} else {
				d.mistyped(model.ReferenceRenderer, 5, w)
			}
		case nameProvenance:
			x.pos[atReferenceRendererProvenance] = w.Node()
			if w.Is(Object) {
				x.Provenance = part[RendererProvenance](d)
				d.decodeRendererProvenance(w, x.Provenance)
			}
			if !w.Is(Object) {
				d.mistyped(model.ReferenceRenderer, 6, w)
			}
		default:
			d.addUnknown(model.ReferenceRenderer, v, m)
		}
	}
}

func (x *RendererProvenance) subject() subject {
	return subject{x, x.Raw, model.RendererProvenance.Fields, x.pos[:]}
}

func (d *decoder) decodeRendererProvenance(v Value, x *RendererProvenance) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameSourceRepository:
			x.pos[atRendererProvenanceSourceRepository] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SourceRepository = s
			} else {
				d.mistyped(model.RendererProvenance, 0, w)
			}
		case nameWorkflowPath:
			x.pos[atRendererProvenanceWorkflowPath] = w.Node()
			if s, ok := w.AsString(); ok {
				x.WorkflowPath = s
			} else {
				d.mistyped(model.RendererProvenance, 1, w)
			}
		default:
			d.addUnknown(model.RendererProvenance, v, m)
		}
	}
}

func (x *Signal) subject() subject { return subject{x, x.Raw, model.Signal.Fields, x.pos[:]} }

func (d *decoder) decodeSignal(v Value, x *Signal) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameCatalogURL:
			x.pos[atSignalCatalogURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CatalogURL = s
			} else {
				d.mistyped(model.Signal, 0, w)
			}
		case nameRelationship:
			x.pos[atSignalRelationship] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Relationship = s
			} else {
				d.mistyped(model.Signal, 1, w)
			}
		case nameID:
			x.pos[atSignalID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ID = s
			} else {
				d.mistyped(model.Signal, 2, w)
			}
		case nameName:
			x.pos[atSignalName] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Name = s
			} else {
				d.mistyped(model.Signal, 3, w)
			}
		case nameDescription:
			x.pos[atSignalDescription] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Description = s
			} else {
				d.mistyped(model.Signal, 4, w)
			}
		case nameValueType:
			x.pos[atSignalValueType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ValueType = s
			} else {
				d.mistyped(model.Signal, 5, w)
			}
		case nameCategory:
			x.pos[atSignalCategory] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Category = s
			} else {
				d.mistyped(model.Signal, 6, w)
			}
		case nameTags:
			x.pos[atSignalTags] = w.Node()
			x.Tags = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Signal, 7, w)
			}
		case nameAllowedValues:
			x.pos[atSignalAllowedValues] = w.Node()
			x.AllowedValues = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Signal, 8, w)
			}
		case nameRange:
			x.pos[atSignalRange] = w.Node()
			if w.Is(Object) {
				x.Range = part[SignalRange](d)
				d.decodeSignalRange(w, x.Range)
			}
			if !w.Is(Object) {
				d.mistyped(model.Signal, 9, w)
			}
		case nameRestrictedAttributes:
			x.pos[atSignalRestrictedAttributes] = w.Node()
			x.RestrictedAttributes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Signal, 10, w)
			}
		case nameDemographicPredicate:
			x.pos[atSignalDemographicPredicate] = w.Node()
			if w.Is(Object) {
				x.DemographicPredicate = part[DemographicPredicate](d)
				d.decodeDemographicPredicate(w, x.DemographicPredicate)
			}
			if !w.Is(Object) {
				d.mistyped(model.Signal, 11, w)
			}
		case namePolicyCategories:
			x.pos[atSignalPolicyCategories] = w.Node()
			x.PolicyCategories = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Signal, 12, w)
			}
		case nameTaxonomy:
			x.pos[atSignalTaxonomy] = w.Node()
			if w.Is(Object) {
				x.Taxonomy = part[Taxonomy](d)
				d.decodeTaxonomy(w, x.Taxonomy)
			}
			if !w.Is(Object) {
				d.mistyped(model.Signal, 13, w)
			}
		case nameSegmentationCriteria:
			x.pos[atSignalSegmentationCriteria] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SegmentationCriteria = s
			} else {
				d.mistyped(model.Signal, 14, w)
			}
		case nameCriteriaURL:
			x.pos[atSignalCriteriaURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CriteriaURL = s
			} else {
				d.mistyped(model.Signal, 15, w)
			}
		case nameDataSources:
			x.pos[atSignalDataSources] = w.Node()
			x.DataSources = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Signal, 16, w)
			}
		case nameMethodology:
			x.pos[atSignalMethodology] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Methodology = s
			} else {
				d.mistyped(model.Signal, 17, w)
			}
		case nameAudienceExpansion:
			x.pos[atSignalAudienceExpansion] = w.Node()
			x.AudienceExpansion = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.Signal, 18, w)
			}
		case nameDeviceExpansion:
			x.pos[atSignalDeviceExpansion] = w.Node()
			x.DeviceExpansion = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.Signal, 19, w)
			}
		case nameRefreshCadence:
			x.pos[atSignalRefreshCadence] = w.Node()
			if s, ok := w.AsString(); ok {
				x.RefreshCadence = s
			} else {
				d.mistyped(model.Signal, 20, w)
			}
		case nameLookbackWindow:
			x.pos[atSignalLookbackWindow] = w.Node()
			if s, ok := w.AsString(); ok {
				x.LookbackWindow = s
			} else {
				d.mistyped(model.Signal, 21, w)
			}
		case nameOnboarder:
			x.pos[atSignalOnboarder] = w.Node()
			if w.Is(Object) {
				x.Onboarder = part[Onboarder](d)
				d.decodeOnboarder(w, x.Onboarder)
			}
			if !w.Is(Object) {
				d.mistyped(model.Signal, 22, w)
			}
		case nameSubjectType:
			x.pos[atSignalSubjectType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SubjectType = s
			} else {
				d.mistyped(model.Signal, 23, w)
			}
		case nameResolutionMethod:
			x.pos[atSignalResolutionMethod] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ResolutionMethod = s
			} else {
				d.mistyped(model.Signal, 24, w)
			}
		case nameIDTypes:
			x.pos[atSignalIDTypes] = w.Node()
			x.IDTypes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Signal, 25, w)
			}
		case nameAudienceScope:
			x.pos[atSignalAudienceScope] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AudienceScope = s
			} else {
				d.mistyped(model.Signal, 26, w)
			}
		case nameOriginatingDomain:
			x.pos[atSignalOriginatingDomain] = w.Node()
			if s, ok := w.AsString(); ok {
				x.OriginatingDomain = s
			} else {
				d.mistyped(model.Signal, 27, w)
			}
		case nameCountries:
			x.pos[atSignalCountries] = w.Node()
			x.Countries = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Signal, 28, w)
			}
		case nameConsentBasis:
			x.pos[atSignalConsentBasis] = w.Node()
			x.ConsentBasis = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Signal, 29, w)
			}
		case nameArt9Basis:
			x.pos[atSignalArt9Basis] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Art9Basis = s
			} else {
				d.mistyped(model.Signal, 30, w)
			}
		case nameModeling:
			x.pos[atSignalModeling] = w.Node()
			if w.Is(Object) {
				x.Modeling = part[Modeling](d)
				d.decodeModeling(w, x.Modeling)
			}
			if !w.Is(Object) {
				d.mistyped(model.Signal, 31, w)
			}
		case nameDataSubjectRights:
			x.pos[atSignalDataSubjectRights] = w.Node()
			if w.Is(Object) {
				x.DataSubjectRights = part[DataSubjectRights](d)
				d.decodeDataSubjectRights(w, x.DataSubjectRights)
			}
			if !w.Is(Object) {
				d.mistyped(model.Signal, 32, w)
			}
		case nameLastUpdated:
			x.pos[atSignalLastUpdated] = w.Node()
			if s, ok := w.AsString(); ok {
				x.LastUpdated = Timestamp(s)
			} else {
				d.mistyped(model.Signal, 33, w)
			}
		case nameDTSCompliantVersion:
			x.pos[atSignalDTSCompliantVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.DTSCompliantVersion = s
			} else {
				d.mistyped(model.Signal, 34, w)
			}
		default:
			d.addUnknown(model.Signal, v, m)
		}
	}
}

func (d *decoder) listSignal(v Value) []Signal {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Signal](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeSignal(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *SignalRange) subject() subject { return subject{x, x.Raw, model.SignalRange.Fields, x.pos[:]} }

func (d *decoder) decodeSignalRange(v Value, x *SignalRange) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameMin:
			x.pos[atSignalRangeMin] = w.Node()
			x.Min = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.SignalRange, 0, w)
			}
		case nameMax:
			x.pos[atSignalRangeMax] = w.Node()
			x.Max = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.SignalRange, 1, w)
			}
		case nameUnit:
			x.pos[atSignalRangeUnit] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Unit = s
			} else {
				d.mistyped(model.SignalRange, 2, w)
			}
		default:
			d.addUnknown(model.SignalRange, v, m)
		}
	}
}

func (x *DemographicPredicate) subject() subject {
	return subject{x, x.Raw, model.DemographicPredicate.Fields, x.pos[:]}
}

func (d *decoder) decodeDemographicPredicate(v Value, x *DemographicPredicate) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameAge:
			x.pos[atDemographicPredicateAge] = w.Node()
			if w.Is(Object) {
				x.Age = part[AgePredicate](d)
				d.decodeAgePredicate(w, x.Age)
			}
			if !w.Is(Object) {
				d.mistyped(model.DemographicPredicate, 0, w)
			}
		default:
			d.addUnknown(model.DemographicPredicate, v, m)
		}
	}
}

func (x *AgePredicate) subject() subject {
	return subject{x, x.Raw, model.AgePredicate.Fields, x.pos[:]}
}

func (d *decoder) decodeAgePredicate(v Value, x *AgePredicate) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameMin:
			x.pos[atAgePredicateMin] = w.Node()
			x.Min = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AgePredicate, 0, w)
			}
		case nameMax:
			x.pos[atAgePredicateMax] = w.Node()
			x.Max = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AgePredicate, 1, w)
			}
		case nameIncludeUnknown:
			x.pos[atAgePredicateIncludeUnknown] = w.Node()
			x.IncludeUnknown = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AgePredicate, 2, w)
			}
		default:
			d.addUnknown(model.AgePredicate, v, m)
		}
	}
}

func (x *Taxonomy) subject() subject { return subject{x, x.Raw, model.Taxonomy.Fields, x.pos[:]} }

func (d *decoder) decodeTaxonomy(v Value, x *Taxonomy) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameRef:
			x.pos[atTaxonomyRef] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Ref = s
			} else {
				d.mistyped(model.Taxonomy, 0, w)
			}
		case nameVersion:
			x.pos[atTaxonomyVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Version = s
			} else {
				d.mistyped(model.Taxonomy, 1, w)
			}
		case nameSegtax:
			x.pos[atTaxonomySegtax] = w.Node()
			x.Segtax = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Taxonomy, 2, w)
			}
		case nameETag:
			x.pos[atTaxonomyETag] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ETag = s
			} else {
				d.mistyped(model.Taxonomy, 3, w)
			}
		case nameValues:
			x.pos[atTaxonomyValues] = w.Node()
			x.Values = d.listTaxonomyValue(w)
			if !w.Is(Array) {
				d.mistyped(model.Taxonomy, 4, w)
			}
		case nameValueMappings:
			x.pos[atTaxonomyValueMappings] = w.Node()
			x.ValueMappings = d.listValueMapping(w)
			if !w.Is(Array) {
				d.mistyped(model.Taxonomy, 5, w)
			}
		case nameParentMatchBehavior:
			x.pos[atTaxonomyParentMatchBehavior] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ParentMatchBehavior = s
			} else {
				d.mistyped(model.Taxonomy, 6, w)
			}
		default:
			d.addUnknown(model.Taxonomy, v, m)
		}
	}
}

func (x *TaxonomyValue) subject() subject {
	return subject{x, x.Raw, model.TaxonomyValue.Fields, x.pos[:]}
}

func (d *decoder) decodeTaxonomyValue(v Value, x *TaxonomyValue) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameID:
			x.pos[atTaxonomyValueID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ID = s
			} else {
				d.mistyped(model.TaxonomyValue, 0, w)
			}
		case namePath:
			x.pos[atTaxonomyValuePath] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Path = s
			} else {
				d.mistyped(model.TaxonomyValue, 1, w)
			}
		case nameModifiers:
			x.pos[atTaxonomyValueModifiers] = w.Node()
			x.Modifiers = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.TaxonomyValue, 2, w)
			}
		default:
			d.addUnknown(model.TaxonomyValue, v, m)
		}
	}
}

func (d *decoder) listTaxonomyValue(v Value) []TaxonomyValue {
	if !v.Is(Array) {
		return nil
	}
	list := entries[TaxonomyValue](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeTaxonomyValue(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *ValueMapping) subject() subject {
	return subject{x, x.Raw, model.ValueMapping.Fields, x.pos[:]}
}

func (d *decoder) decodeValueMapping(v Value, x *ValueMapping) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameValue:
			x.pos[atValueMappingValue] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Value = s
			} else {
				d.mistyped(model.ValueMapping, 0, w)
			}
		case nameTaxonomyValueID:
			x.pos[atValueMappingTaxonomyValueID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.TaxonomyValueID = s
			} else {
				d.mistyped(model.ValueMapping, 1, w)
			}
		case namePath:
			x.pos[atValueMappingPath] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Path = s
			} else {
				d.mistyped(model.ValueMapping, 2, w)
			}
		case nameModifiers:
			x.pos[atValueMappingModifiers] = w.Node()
			x.Modifiers = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.ValueMapping, 3, w)
			}
		default:
			d.addUnknown(model.ValueMapping, v, m)
		}
	}
}

func (d *decoder) listValueMapping(v Value) []ValueMapping {
	if !v.Is(Array) {
		return nil
	}
	list := entries[ValueMapping](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeValueMapping(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *Onboarder) subject() subject { return subject{x, x.Raw, model.Onboarder.Fields, x.pos[:]} }

func (d *decoder) decodeOnboarder(v Value, x *Onboarder) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameMatchKeys:
			x.pos[atOnboarderMatchKeys] = w.Node()
			x.MatchKeys = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Onboarder, 0, w)
			}
		case namePreOnboardingAudienceExpansion:
			x.pos[atOnboarderPreOnboardingAudienceExpansion] = w.Node()
			x.PreOnboardingAudienceExpansion = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.Onboarder, 1, w)
			}
		case namePreOnboardingDeviceExpansion:
			x.pos[atOnboarderPreOnboardingDeviceExpansion] = w.Node()
			x.PreOnboardingDeviceExpansion = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.Onboarder, 2, w)
			}
		case namePreOnboardingPrecisionLevel:
			x.pos[atOnboarderPreOnboardingPrecisionLevel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PreOnboardingPrecisionLevel = s
			} else {
				d.mistyped(model.Onboarder, 3, w)
			}
		default:
			d.addUnknown(model.Onboarder, v, m)
		}
	}
}

func (x *Modeling) subject() subject { return subject{x, x.Raw, model.Modeling.Fields, x.pos[:]} }

func (d *decoder) decodeModeling(v Value, x *Modeling) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameMethod:
			x.pos[atModelingMethod] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Method = s
			} else {
				d.mistyped(model.Modeling, 0, w)
			}
		case nameSeedSource:
			x.pos[atModelingSeedSource] = w.Node()
			if w.Is(Object) {
				x.SeedSource = part[SeedSource](d)
				d.decodeSeedSource(w, x.SeedSource)
			}
			if !w.Is(Object) {
				d.mistyped(model.Modeling, 1, w)
			}
		case nameTrainingDataJurisdictions:
			x.pos[atModelingTrainingDataJurisdictions] = w.Node()
			x.TrainingDataJurisdictions = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Modeling, 2, w)
			}
		case nameAiActRiskClass:
			x.pos[atModelingAIActRiskClass] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AIActRiskClass = s
			} else {
				d.mistyped(model.Modeling, 3, w)
			}
		case nameDisclosure:
			x.pos[atModelingDisclosure] = w.Node()
			if w.Is(Object) {
				x.Disclosure = part[Disclosure](d)
				d.decodeDisclosure(w, x.Disclosure)
			}
			if !w.Is(Object) {
				d.mistyped(model.Modeling, 4, w)
			}
		default:
			d.addUnknown(model.Modeling, v, m)
		}
	}
}

func (x *SeedSource) subject() subject { return subject{x, x.Raw, model.SeedSource.Fields, x.pos[:]} }

func (d *decoder) decodeSeedSource(v Value, x *SeedSource) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameType:
			x.pos[atSeedSourceType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Type = s
			} else {
				d.mistyped(model.SeedSource, 0, w)
			}
		case nameProviderSigned:
			x.pos[atSeedSourceProviderSigned] = w.Node()
			x.ProviderSigned = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.SeedSource, 1, w)
			}
		default:
			d.addUnknown(model.SeedSource, v, m)
		}
	}
}

func (x *Disclosure) subject() subject { return subject{x, x.Raw, model.Disclosure.Fields, x.pos[:]} }

func (d *decoder) decodeDisclosure(v Value, x *Disclosure) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameRequired:
			x.pos[atDisclosureRequired] = w.Node()
			x.Required = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.Disclosure, 0, w)
			}
		case nameJurisdictions:
			x.pos[atDisclosureJurisdictions] = w.Node()
			x.Jurisdictions = d.listDisclosureJurisdiction(w)
			if !w.Is(Array) {
				d.mistyped(model.Disclosure, 1, w)
			}
		case nameNotes:
			x.pos[atDisclosureNotes] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Notes = s
			} else {
				d.mistyped(model.Disclosure, 2, w)
			}
		default:
			d.addUnknown(model.Disclosure, v, m)
		}
	}
}

func (x *DisclosureJurisdiction) subject() subject {
	return subject{x, x.Raw, model.DisclosureJurisdiction.Fields, x.pos[:]}
}

func (d *decoder) decodeDisclosureJurisdiction(v Value, x *DisclosureJurisdiction) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameCountry:
			x.pos[atDisclosureJurisdictionCountry] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Country = s
			} else {
				d.mistyped(model.DisclosureJurisdiction, 0, w)
			}
		case nameRegion:
			x.pos[atDisclosureJurisdictionRegion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Region = s
			} else {
				d.mistyped(model.DisclosureJurisdiction, 1, w)
			}
		case nameRegulation:
			x.pos[atDisclosureJurisdictionRegulation] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Regulation = s
			} else {
				d.mistyped(model.DisclosureJurisdiction, 2, w)
			}
		case nameDisclosureText:
			x.pos[atDisclosureJurisdictionDisclosureText] = w.Node()
			if s, ok := w.AsString(); ok {
				x.DisclosureText = s
			} else {
				d.mistyped(model.DisclosureJurisdiction, 3, w)
			}
		case nameDisclosureURL:
			x.pos[atDisclosureJurisdictionDisclosureURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.DisclosureURL = s
			} else {
				d.mistyped(model.DisclosureJurisdiction, 4, w)
			}
		case nameAudience:
			x.pos[atDisclosureJurisdictionAudience] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Audience = s
			} else {
				d.mistyped(model.DisclosureJurisdiction, 5, w)
			}
		default:
			d.addUnknown(model.DisclosureJurisdiction, v, m)
		}
	}
}

func (d *decoder) listDisclosureJurisdiction(v Value) []DisclosureJurisdiction {
	if !v.Is(Array) {
		return nil
	}
	list := entries[DisclosureJurisdiction](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeDisclosureJurisdiction(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *DataSubjectRights) subject() subject {
	return subject{x, x.Raw, model.DataSubjectRights.Fields, x.pos[:]}
}

func (d *decoder) decodeDataSubjectRights(v Value, x *DataSubjectRights) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameUpstreamSourceDomain:
			x.pos[atDataSubjectRightsUpstreamSourceDomain] = w.Node()
			if s, ok := w.AsString(); ok {
				x.UpstreamSourceDomain = s
			} else {
				d.mistyped(model.DataSubjectRights, 0, w)
			}
		case nameChannels:
			x.pos[atDataSubjectRightsChannels] = w.Node()
			x.Channels = d.listRightsChannel(w)
			if !w.Is(Array) {
				d.mistyped(model.DataSubjectRights, 1, w)
			}
		case nameResponseSlaDays:
			x.pos[atDataSubjectRightsResponseSLADays] = w.Node()
			x.ResponseSLADays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DataSubjectRights, 2, w)
			}
		case nameCcpaOptOutURL:
			x.pos[atDataSubjectRightsCCPAOptOutURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CCPAOptOutURL = s
			} else {
				d.mistyped(model.DataSubjectRights, 3, w)
			}
		default:
			d.addUnknown(model.DataSubjectRights, v, m)
		}
	}
}

func (x *RightsChannel) subject() subject {
	return subject{x, x.Raw, model.RightsChannel.Fields, x.pos[:]}
}

func (d *decoder) decodeRightsChannel(v Value, x *RightsChannel) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameRights:
			x.pos[atRightsChannelRights] = w.Node()
			x.Rights = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.RightsChannel, 0, w)
			}
		case nameURL:
			x.pos[atRightsChannelURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.URL = s
			} else {
				d.mistyped(model.RightsChannel, 1, w)
			}
		case nameEmail:
			x.pos[atRightsChannelEmail] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Email = s
			} else {
				d.mistyped(model.RightsChannel, 2, w)
			}
		case nameLanguages:
			x.pos[atRightsChannelLanguages] = w.Node()
			x.Languages = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.RightsChannel, 3, w)
			}
		case nameCountries:
			x.pos[atRightsChannelCountries] = w.Node()
			x.Countries = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.RightsChannel, 4, w)
			}
		default:
			d.addUnknown(model.RightsChannel, v, m)
		}
	}
}

func (d *decoder) listRightsChannel(v Value) []RightsChannel {
	if !v.Is(Array) {
		return nil
	}
	list := entries[RightsChannel](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeRightsChannel(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *Tag) subject() subject { return subject{x, x.Raw, model.Tag.Fields, x.pos[:]} }

func (d *decoder) decodeTag(v Value, x *Tag) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameName:
			x.pos[atTagName] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Name = s
			} else {
				d.mistyped(model.Tag, 0, w)
			}
		case nameDescription:
			x.pos[atTagDescription] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Description = s
			} else {
				d.mistyped(model.Tag, 1, w)
			}
		default:
			d.addUnknown(model.Tag, v, m)
		}
	}
}

func (d *decoder) mapTag(v Value) []Tag {
	list := mapEntries[Tag](d, v)
	for m, ok := v.FirstMember(); ok && len(list) < cap(list); m, ok = m.Next() {
		list = append(list, Tag{Key: m.Name()})
		d.decodeTag(m.Value(), &list[len(list)-1])
	}
	return list
}

func (x *Agent) subject() subject { return subject{x, x.Raw, model.Agent.Fields, x.pos[:]} }

func (d *decoder) decodeAgent(v Value, x *Agent) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameURL:
			x.pos[atAgentURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.URL = s
			} else {
				d.mistyped(model.Agent, 0, w)
			}
		case nameAuthorizedFor:
			x.pos[atAgentAuthorizedFor] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AuthorizedFor = s
			} else {
				d.mistyped(model.Agent, 1, w)
			}
		case nameAuthorizationType:
			x.pos[atAgentType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Type = AuthorizationType(s)
			} else {
				d.mistyped(model.Agent, 2, w)
			}
		case namePropertyIDs:
			x.pos[atAgentPropertyIDs] = w.Node()
			x.PropertyIDs = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Agent, 3, w)
			}
		case namePropertyTags:
			x.pos[atAgentPropertyTags] = w.Node()
			x.PropertyTags = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Agent, 4, w)
			}
		case nameProperties:
			x.pos[atAgentProperties] = w.Node()
			x.Properties = d.listProperty(w)
			if !w.Is(Array) {
				d.mistyped(model.Agent, 5, w)
			}
		case namePublisherProperties:
			x.pos[atAgentSelectors] = w.Node()
			x.Selectors = d.listSelector(w)
			if !w.Is(Array) {
				d.mistyped(model.Agent, 6, w)
			}
		case nameSignalIDs:
			x.pos[atAgentSignalIDs] = w.Node()
			x.SignalIDs = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Agent, 7, w)
			}
		case nameSignalTags:
			x.pos[atAgentSignalTags] = w.Node()
			x.SignalTags = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Agent, 8, w)
			}
		case nameDelegationType:
			x.pos[atAgentDelegationType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.DelegationType = s
			} else {
				d.mistyped(model.Agent, 9, w)
			}
		case nameCollections:
			x.pos[atAgentCollections] = w.Node()
			x.Collections = d.listCollectionSelector(w)
			if !w.Is(Array) {
				d.mistyped(model.Agent, 10, w)
			}
		case namePlacementIDs:
			x.pos[atAgentPlacementIDs] = w.Node()
			x.PlacementIDs = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Agent, 11, w)
			}
		case namePlacementTags:
			x.pos[atAgentPlacementTags] = w.Node()
			x.PlacementTags = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Agent, 12, w)
			}
		case nameCountries:
			x.pos[atAgentCountries] = w.Node()
			x.Countries = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Agent, 13, w)
			}
		case nameEffectiveFrom:
			x.pos[atAgentEffectiveFrom] = w.Node()
			if s, ok := w.AsString(); ok {
				x.EffectiveFrom = Timestamp(s)
			} else {
				d.mistyped(model.Agent, 14, w)
			}
		case nameEffectiveUntil:
			x.pos[atAgentEffectiveUntil] = w.Node()
			if s, ok := w.AsString(); ok {
				x.EffectiveUntil = Timestamp(s)
			} else {
				d.mistyped(model.Agent, 15, w)
			}
		case nameExclusive:
			x.pos[atAgentExclusive] = w.Node()
			x.Exclusive = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.Agent, 16, w)
			}
		case nameSigningKeys:
			x.pos[atAgentSigningKeys] = w.Node()
			x.SigningKeys = d.listSigningKey(w)
			if !w.Is(Array) {
				d.mistyped(model.Agent, 17, w)
			}
		case nameEncryptionKeys:
			x.pos[atAgentEncryptionKeys] = w.Node()
			x.EncryptionKeys = d.listEncryptionKey(w)
			if !w.Is(Array) {
				d.mistyped(model.Agent, 18, w)
			}
		case nameLastUpdated:
			x.pos[atAgentLastUpdated] = w.Node()
			if s, ok := w.AsString(); ok {
				x.LastUpdated = Timestamp(s)
			} else {
				d.mistyped(model.Agent, 19, w)
			}
		default:
			d.addUnknown(model.Agent, v, m)
		}
	}
}

func (d *decoder) listAgent(v Value) []Agent {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Agent](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeAgent(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *Selector) subject() subject { return subject{x, x.Raw, model.Selector.Fields, x.pos[:]} }

func (d *decoder) decodeSelector(v Value, x *Selector) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case namePublisherDomain:
			x.pos[atSelectorPublisherDomain] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PublisherDomain = s
			} else {
				d.mistyped(model.Selector, 0, w)
			}
		case namePublisherDomains:
			x.pos[atSelectorPublisherDomains] = w.Node()
			x.PublisherDomains = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Selector, 1, w)
			}
		case nameSelectionType:
			x.pos[atSelectorSelectionType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SelectionType = s
			} else {
				d.mistyped(model.Selector, 2, w)
			}
		case namePropertyIDs:
			x.pos[atSelectorPropertyIDs] = w.Node()
			x.PropertyIDs = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Selector, 3, w)
			}
		case namePropertyTags:
			x.pos[atSelectorPropertyTags] = w.Node()
			x.PropertyTags = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Selector, 4, w)
			}
		default:
			d.addUnknown(model.Selector, v, m)
		}
	}
}

func (d *decoder) listSelector(v Value) []Selector {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Selector](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeSelector(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *CollectionSelector) subject() subject {
	return subject{x, x.Raw, model.CollectionSelector.Fields, x.pos[:]}
}

func (d *decoder) decodeCollectionSelector(v Value, x *CollectionSelector) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case namePublisherDomain:
			x.pos[atCollectionSelectorPublisherDomain] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PublisherDomain = s
			} else {
				d.mistyped(model.CollectionSelector, 0, w)
			}
		case nameCollectionIDs:
			x.pos[atCollectionSelectorCollectionIDs] = w.Node()
			x.CollectionIDs = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.CollectionSelector, 1, w)
			}
		default:
			d.addUnknown(model.CollectionSelector, v, m)
		}
	}
}

func (d *decoder) listCollectionSelector(v Value) []CollectionSelector {
	if !v.Is(Array) {
		return nil
	}
	list := entries[CollectionSelector](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeCollectionSelector(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *SigningKey) subject() subject { return subject{x, x.Raw, model.SigningKey.Fields, x.pos[:]} }

func (d *decoder) decodeSigningKey(v Value, x *SigningKey) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameKID:
			x.pos[atSigningKeyKid] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Kid = s
			} else {
				d.mistyped(model.SigningKey, 0, w)
			}
		case nameKty:
			x.pos[atSigningKeyKty] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Kty = s
			} else {
				d.mistyped(model.SigningKey, 1, w)
			}
		case nameAlg:
			x.pos[atSigningKeyAlg] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Alg = s
			} else {
				d.mistyped(model.SigningKey, 2, w)
			}
		case nameUse:
			x.pos[atSigningKeyUse] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Use = s
			} else {
				d.mistyped(model.SigningKey, 3, w)
			}
		case nameKeyOps:
			x.pos[atSigningKeyKeyOps] = w.Node()
			x.KeyOps = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.SigningKey, 4, w)
			}
		case nameCrv:
			x.pos[atSigningKeyCrv] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Crv = s
			} else {
				d.mistyped(model.SigningKey, 5, w)
			}
		case nameX:
			x.pos[atSigningKeyX] = w.Node()
			if s, ok := w.AsString(); ok {
				x.X = s
			} else {
				d.mistyped(model.SigningKey, 6, w)
			}
		case nameY:
			x.pos[atSigningKeyY] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Y = s
			} else {
				d.mistyped(model.SigningKey, 7, w)
			}
		case nameN:
			x.pos[atSigningKeyN] = w.Node()
			if s, ok := w.AsString(); ok {
				x.N = s
			} else {
				d.mistyped(model.SigningKey, 8, w)
			}
		case nameE:
			x.pos[atSigningKeyE] = w.Node()
			if s, ok := w.AsString(); ok {
				x.E = s
			} else {
				d.mistyped(model.SigningKey, 9, w)
			}
		case nameAdcpUse:
			x.pos[atSigningKeyAdcpUse] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AdcpUse = s
			} else {
				d.mistyped(model.SigningKey, 10, w)
			}
		case nameRevokedAt:
			x.pos[atSigningKeyRevokedAt] = w.Node()
			if s, ok := w.AsString(); ok {
				x.RevokedAt = Timestamp(s)
			} else {
				d.mistyped(model.SigningKey, 11, w)
			}
		default:
			d.addUnknown(model.SigningKey, v, m)
		}
	}
}

func (d *decoder) listSigningKey(v Value) []SigningKey {
	if !v.Is(Array) {
		return nil
	}
	list := entries[SigningKey](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeSigningKey(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *EncryptionKey) subject() subject {
	return subject{x, x.Raw, model.EncryptionKey.Fields, x.pos[:]}
}

func (d *decoder) decodeEncryptionKey(v Value, x *EncryptionKey) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameKID:
			x.pos[atEncryptionKeyKid] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Kid = s
			} else {
				d.mistyped(model.EncryptionKey, 0, w)
			}
		case nameKty:
			x.pos[atEncryptionKeyKty] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Kty = s
			} else {
				d.mistyped(model.EncryptionKey, 1, w)
			}
		case nameCrv:
			x.pos[atEncryptionKeyCrv] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Crv = s
			} else {
				d.mistyped(model.EncryptionKey, 2, w)
			}
		case nameUse:
			x.pos[atEncryptionKeyUse] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Use = s
			} else {
				d.mistyped(model.EncryptionKey, 3, w)
			}
		case nameX:
			x.pos[atEncryptionKeyX] = w.Node()
			if s, ok := w.AsString(); ok {
				x.X = s
			} else {
				d.mistyped(model.EncryptionKey, 4, w)
			}
		default:
			d.addUnknown(model.EncryptionKey, v, m)
		}
	}
}

func (d *decoder) listEncryptionKey(v Value) []EncryptionKey {
	if !v.Is(Array) {
		return nil
	}
	list := entries[EncryptionKey](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeEncryptionKey(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *Revocation) subject() subject { return subject{x, x.Raw, model.Revocation.Fields, x.pos[:]} }

func (d *decoder) decodeRevocation(v Value, x *Revocation) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case namePublisherDomain:
			x.pos[atRevocationPublisherDomain] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PublisherDomain = s
			} else {
				d.mistyped(model.Revocation, 0, w)
			}
		case nameRevokedAt:
			x.pos[atRevocationRevokedAt] = w.Node()
			if s, ok := w.AsString(); ok {
				x.RevokedAt = Timestamp(s)
			} else {
				d.mistyped(model.Revocation, 1, w)
			}
		case nameReason:
			x.pos[atRevocationReason] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Reason = s
			} else {
				d.mistyped(model.Revocation, 2, w)
			}
		default:
			d.addUnknown(model.Revocation, v, m)
		}
	}
}

func (d *decoder) listRevocation(v Value) []Revocation {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Revocation](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeRevocation(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *Feature) subject() subject { return subject{x, x.Raw, model.Feature.Fields, x.pos[:]} }

func (d *decoder) decodeFeature(v Value, x *Feature) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameURL:
			x.pos[atFeatureURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.URL = s
			} else {
				d.mistyped(model.Feature, 0, w)
			}
		case nameName:
			x.pos[atFeatureName] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Name = s
			} else {
				d.mistyped(model.Feature, 1, w)
			}
		case nameFeatures:
			x.pos[atFeatureFeatures] = w.Node()
			x.Features = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Feature, 2, w)
			}
		case namePublisherID:
			x.pos[atFeaturePublisherID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PublisherID = s
			} else {
				d.mistyped(model.Feature, 3, w)
			}
		default:
			d.addUnknown(model.Feature, v, m)
		}
	}
}

func (d *decoder) listFeature(v Value) []Feature {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Feature](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeFeature(e.Value(), &list[i])
		i++
	}
	return list
}

func (x *Pointer) subject() subject { return subject{x, x.Raw, model.Pointer.Fields, x.pos[:]} }

func (d *decoder) decodePointer(v Value, x *Pointer) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameSchema:
			x.pos[atPointerSchema] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Schema = s
			} else {
				d.mistyped(model.Pointer, 0, w)
			}
		case nameAuthoritativeLocation:
			x.pos[atPointerAuthoritativeLocation] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AuthoritativeLocation = s
			} else {
				d.mistyped(model.Pointer, 1, w)
			}
		case nameLastUpdated:
			x.pos[atPointerLastUpdated] = w.Node()
			if s, ok := w.AsString(); ok {
				x.LastUpdated = Timestamp(s)
			} else {
				d.mistyped(model.Pointer, 2, w)
			}
		default:
			d.addUnknown(model.Pointer, v, m)
		}
	}
}
