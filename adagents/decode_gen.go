// Code generated from internal/model by internal/gen/types. DO NOT EDIT.

package adagents

import "github.com/avow-project/avow/internal/model"

// decoder fills the typed model from a tree.
type decoder struct {
	decoderState
	identifierSlab slab[Identifier]
}

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
			d.stranger(model.File, m)
		}
	}
}

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
			d.stranger(model.Contact, m)
		}
	}
}

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
			d.stranger(model.Property, m)
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
			d.stranger(model.Identifier, m)
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
			d.stranger(model.Collection, m)
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
			d.stranger(model.ContentRating, m)
		}
	}
}

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
			d.stranger(model.Talent, m)
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
			d.stranger(model.Special, m)
		}
	}
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
			d.stranger(model.LimitedSeries, m)
		}
	}
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
		case nameIdentifiers:
			x.pos[atDistributionIdentifiers] = w.Node()
			x.Identifiers = d.listDistributionIdentifier(w)
			if !w.Is(Array) {
				d.mistyped(model.Distribution, 1, w)
			}
		default:
			d.stranger(model.Distribution, m)
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
			d.stranger(model.DistributionIdentifier, m)
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
			d.stranger(model.DeadlinePolicy, m)
		}
	}
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
			d.stranger(model.MaterialStage, m)
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
			d.stranger(model.RelatedCollection, m)
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
		case namePresentationRef:
			x.pos[atPlacementPresentationRef] = w.Node()
			if w.Is(Object) {
				x.PresentationRef = part[PresentationRef](d)
				d.decodePresentationRef(w, x.PresentationRef)
			}
			if !w.Is(Object) {
				d.mistyped(model.Placement, 9, w)
			}
		case namePreviewProvider:
			x.pos[atPlacementPreviewProvider] = w.Node()
			if w.Is(Object) {
				x.PreviewProvider = part[PreviewProvider](d)
				d.decodePreviewProvider(w, x.PreviewProvider)
			}
			if !w.Is(Object) {
				d.mistyped(model.Placement, 10, w)
			}
		case nameVideoPlacementTypes:
			x.pos[atPlacementVideoPlacementTypes] = w.Node()
			x.VideoPlacementTypes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 11, w)
			}
		case nameAudioDistributionTypes:
			x.pos[atPlacementAudioDistributionTypes] = w.Node()
			x.AudioDistributionTypes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 12, w)
			}
		case nameSponsoredPlacementTypes:
			x.pos[atPlacementSponsoredPlacementTypes] = w.Node()
			x.SponsoredPlacementTypes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 13, w)
			}
		case nameSocialPlacementSurfaces:
			x.pos[atPlacementSocialPlacementSurfaces] = w.Node()
			x.SocialPlacementSurfaces = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Placement, 14, w)
			}
		case nameExt:
			x.pos[atPlacementExt] = w.Node()
			x.Ext = w
			if !w.Is(Object) {
				d.mistyped(model.Placement, 15, w)
			}
		default:
			d.stranger(model.Placement, m)
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
			d.stranger(model.FormatOption, m)
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
			d.stranger(model.LocalePolicy, m)
		}
	}
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
			d.stranger(model.FormatSchemaRef, m)
		}
	}
}

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
			d.stranger(model.V1FormatRef, m)
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
			d.stranger(model.PresentationRef, m)
		}
	}
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
			d.stranger(model.PreviewProvider, m)
		}
	}
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
			d.stranger(model.PreviewRoute, m)
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
			d.stranger(model.FormatDeclaration, m)
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
			d.stranger(model.ReferenceRenderer, m)
		}
	}
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
			d.stranger(model.RendererProvenance, m)
		}
	}
}

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
			d.stranger(model.Signal, m)
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
			d.stranger(model.SignalRange, m)
		}
	}
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
			d.stranger(model.DemographicPredicate, m)
		}
	}
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
			d.stranger(model.AgePredicate, m)
		}
	}
}

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
			d.stranger(model.Taxonomy, m)
		}
	}
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
			d.stranger(model.TaxonomyValue, m)
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
			d.stranger(model.ValueMapping, m)
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
			d.stranger(model.Onboarder, m)
		}
	}
}

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
			d.stranger(model.Modeling, m)
		}
	}
}

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
			d.stranger(model.SeedSource, m)
		}
	}
}

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
			d.stranger(model.Disclosure, m)
		}
	}
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
			d.stranger(model.DisclosureJurisdiction, m)
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
			d.stranger(model.DataSubjectRights, m)
		}
	}
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
			d.stranger(model.RightsChannel, m)
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
			d.stranger(model.Tag, m)
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
				x.Type = s
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
			d.stranger(model.Agent, m)
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
			d.stranger(model.Selector, m)
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
			d.stranger(model.CollectionSelector, m)
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
			d.stranger(model.SigningKey, m)
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
			d.stranger(model.EncryptionKey, m)
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
			d.stranger(model.Revocation, m)
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
			d.stranger(model.Feature, m)
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
			d.stranger(model.Pointer, m)
		}
	}
}

func (d *decoder) decodeImageParams(v Value, x *ImageParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameWidth:
			x.pos[atImageParamsWidth] = w.Node()
			x.Width = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageParams, 0, w)
			}
		case nameHeight:
			x.pos[atImageParamsHeight] = w.Node()
			x.Height = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageParams, 1, w)
			}
		case nameSizes:
			x.pos[atImageParamsSizes] = w.Node()
			x.Sizes = d.listSize(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageParams, 2, w)
			}
		case nameMinWidth:
			x.pos[atImageParamsMinWidth] = w.Node()
			x.MinWidth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageParams, 3, w)
			}
		case nameMaxWidth:
			x.pos[atImageParamsMaxWidth] = w.Node()
			x.MaxWidth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageParams, 4, w)
			}
		case nameMinHeight:
			x.pos[atImageParamsMinHeight] = w.Node()
			x.MinHeight = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageParams, 5, w)
			}
		case nameMaxHeight:
			x.pos[atImageParamsMaxHeight] = w.Node()
			x.MaxHeight = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageParams, 6, w)
			}
		case namePixelRatios:
			x.pos[atImageParamsPixelRatios] = w.Node()
			x.PixelRatios = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageParams, 7, w)
			}
		case nameAspectRatio:
			x.pos[atImageParamsAspectRatio] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AspectRatio = s
			} else {
				d.mistyped(model.ImageParams, 8, w)
			}
		case nameMaxFileSizeKb:
			x.pos[atImageParamsMaxFileSizeKB] = w.Node()
			x.MaxFileSizeKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageParams, 9, w)
			}
		case nameImageFormats:
			x.pos[atImageParamsImageFormats] = w.Node()
			x.ImageFormats = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageParams, 10, w)
			}
		case nameSslRequired:
			x.pos[atImageParamsSSLRequired] = w.Node()
			x.SSLRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ImageParams, 11, w)
			}
		case nameHeadlineMaxChars:
			x.pos[atImageParamsHeadlineMaxChars] = w.Node()
			x.HeadlineMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageParams, 12, w)
			}
		case nameBodyTextMaxChars:
			x.pos[atImageParamsBodyTextMaxChars] = w.Node()
			x.BodyTextMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageParams, 13, w)
			}
		case nameCtaValues:
			x.pos[atImageParamsCTAValues] = w.Node()
			x.CTAValues = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageParams, 14, w)
			}
		case nameAssetSource:
			x.pos[atImageParamsAssetSource] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AssetSource = s
			} else {
				d.mistyped(model.ImageParams, 15, w)
			}
		case nameBuyerAssetAcceptance:
			x.pos[atImageParamsBuyerAssetAcceptance] = w.Node()
			if s, ok := w.AsString(); ok {
				x.BuyerAssetAcceptance = s
			} else {
				d.mistyped(model.ImageParams, 16, w)
			}
		case nameCtvAdExperience:
			x.pos[atImageParamsCTVAdExperience] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CTVAdExperience = s
			} else {
				d.mistyped(model.ImageParams, 17, w)
			}
		case nameMotionLevel:
			x.pos[atImageParamsMotionLevel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MotionLevel = s
			} else {
				d.mistyped(model.ImageParams, 18, w)
			}
		case nameActivationMethods:
			x.pos[atImageParamsActivationMethods] = w.Node()
			x.ActivationMethods = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageParams, 19, w)
			}
		case nameSlots:
			x.pos[atImageParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageParams, 20, w)
			}
		case nameCompositionModel:
			x.pos[atImageParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.ImageParams, 21, w)
			}
		case nameProvenanceRequired:
			x.pos[atImageParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ImageParams, 22, w)
			}
		case namePlatformExtensions:
			x.pos[atImageParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageParams, 23, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atImageParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ImageParams, 24, w)
			}
		case nameRequiredConnections:
			x.pos[atImageParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageParams, 25, w)
			}
		case nameReferenceMutability:
			x.pos[atImageParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.ImageParams, 26, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atImageParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageParams, 27, w)
			}
		case nameExperimental:
			x.pos[atImageParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ImageParams, 28, w)
			}
		case nameDeprecated:
			x.pos[atImageParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ImageParams, 29, w)
			}
		case nameV1Translatable:
			x.pos[atImageParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ImageParams, 30, w)
			}
		case nameSinceVersion:
			x.pos[atImageParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.ImageParams, 31, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atImageParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.ImageParams, 32, w)
			}
		default:
			d.stranger(model.ImageParams, m)
		}
	}
}

func (d *decoder) decodeSize(v Value, x *Size) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameWidth:
			x.pos[atSizeWidth] = w.Node()
			x.Width = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Size, 0, w)
			}
		case nameHeight:
			x.pos[atSizeHeight] = w.Node()
			x.Height = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Size, 1, w)
			}
		default:
			d.stranger(model.Size, m)
		}
	}
}

func (d *decoder) listSize(v Value) []Size {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Size](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeSize(e.Value(), &list[i])
		i++
	}
	return list
}

func (d *decoder) decodeSlot(v Value, x *Slot) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameAssetGroupID:
			x.pos[atSlotAssetGroupID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AssetGroupID = s
			} else {
				d.mistyped(model.Slot, 0, w)
			}
		case nameAssetType:
			x.pos[atSlotAssetType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AssetType = s
			} else {
				d.mistyped(model.Slot, 1, w)
			}
		case nameRequired:
			x.pos[atSlotRequired] = w.Node()
			x.Required = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.Slot, 2, w)
			}
		case nameMin:
			x.pos[atSlotMin] = w.Node()
			x.Min = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Slot, 3, w)
			}
		case nameMax:
			x.pos[atSlotMax] = w.Node()
			x.Max = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Slot, 4, w)
			}
		case nameMaxChars:
			x.pos[atSlotMaxChars] = w.Node()
			x.MaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Slot, 5, w)
			}
		case nameMaxSizeKb:
			x.pos[atSlotMaxSizeKB] = w.Node()
			x.MaxSizeKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Slot, 6, w)
			}
		case namePixelRatios:
			x.pos[atSlotPixelRatios] = w.Node()
			x.PixelRatios = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.Slot, 7, w)
			}
		case nameRequiredPixelRatios:
			x.pos[atSlotRequiredPixelRatios] = w.Node()
			x.RequiredPixelRatios = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.Slot, 8, w)
			}
		case nameLogoSlots:
			x.pos[atSlotLogoSlots] = w.Node()
			x.LogoSlots = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Slot, 9, w)
			}
		case nameRequiredLogoSlots:
			x.pos[atSlotRequiredLogoSlots] = w.Node()
			x.RequiredLogoSlots = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.Slot, 10, w)
			}
		case nameDescription:
			x.pos[atSlotDescription] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Description = s
			} else {
				d.mistyped(model.Slot, 11, w)
			}
		case nameConsumedForProduction:
			x.pos[atSlotConsumedForProduction] = w.Node()
			x.ConsumedForProduction = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.Slot, 12, w)
			}
		default:
			d.stranger(model.Slot, m)
		}
	}
}

func (d *decoder) listSlot(v Value) []Slot {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Slot](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeSlot(e.Value(), &list[i])
		i++
	}
	return list
}

func (d *decoder) decodePlatformExtension(v Value, x *PlatformExtension) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameURI:
			x.pos[atPlatformExtensionURI] = w.Node()
			if s, ok := w.AsString(); ok {
				x.URI = s
			} else {
				d.mistyped(model.PlatformExtension, 0, w)
			}
		case nameDigest:
			x.pos[atPlatformExtensionDigest] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Digest = s
			} else {
				d.mistyped(model.PlatformExtension, 1, w)
			}
		default:
			d.stranger(model.PlatformExtension, m)
		}
	}
}

func (d *decoder) listPlatformExtension(v Value) []PlatformExtension {
	if !v.Is(Array) {
		return nil
	}
	list := entries[PlatformExtension](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodePlatformExtension(e.Value(), &list[i])
		i++
	}
	return list
}

func (d *decoder) decodeDownstreamConnection(v Value, x *DownstreamConnection) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameConnectionType:
			x.pos[atDownstreamConnectionType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Type = s
			} else {
				d.mistyped(model.DownstreamConnection, 0, w)
			}
		case nameProvider:
			x.pos[atDownstreamConnectionProvider] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Provider = s
			} else {
				d.mistyped(model.DownstreamConnection, 1, w)
			}
		case nameRequiredFor:
			x.pos[atDownstreamConnectionRequiredFor] = w.Node()
			x.RequiredFor = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.DownstreamConnection, 2, w)
			}
		case nameScope:
			x.pos[atDownstreamConnectionScope] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Scope = s
			} else {
				d.mistyped(model.DownstreamConnection, 3, w)
			}
		case nameStatus:
			x.pos[atDownstreamConnectionStatus] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Status = s
			} else {
				d.mistyped(model.DownstreamConnection, 4, w)
			}
		case nameConnectionID:
			x.pos[atDownstreamConnectionID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ID = s
			} else {
				d.mistyped(model.DownstreamConnection, 5, w)
			}
		case nameResourceRef:
			x.pos[atDownstreamConnectionResourceRef] = w.Node()
			x.ResourceRef = w
			if !w.Is(Object) {
				d.mistyped(model.DownstreamConnection, 6, w)
			}
		case nameAuthorizationURL:
			x.pos[atDownstreamConnectionAuthorizationURL] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AuthorizationURL = s
			} else {
				d.mistyped(model.DownstreamConnection, 7, w)
			}
		case nameAuthorizationInstructions:
			x.pos[atDownstreamConnectionAuthorizationInstructions] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AuthorizationInstructions = s
			} else {
				d.mistyped(model.DownstreamConnection, 8, w)
			}
		case nameExpiresAt:
			x.pos[atDownstreamConnectionExpiresAt] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ExpiresAt = Timestamp(s)
			} else {
				d.mistyped(model.DownstreamConnection, 9, w)
			}
		default:
			d.stranger(model.DownstreamConnection, m)
		}
	}
}

func (d *decoder) listDownstreamConnection(v Value) []DownstreamConnection {
	if !v.Is(Array) {
		return nil
	}
	list := entries[DownstreamConnection](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeDownstreamConnection(e.Value(), &list[i])
		i++
	}
	return list
}

func (d *decoder) decodeHTML5Params(v Value, x *HTML5Params) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameWidth:
			x.pos[atHTML5ParamsWidth] = w.Node()
			x.Width = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.HTML5Params, 0, w)
			}
		case nameHeight:
			x.pos[atHTML5ParamsHeight] = w.Node()
			x.Height = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.HTML5Params, 1, w)
			}
		case nameSizes:
			x.pos[atHTML5ParamsSizes] = w.Node()
			x.Sizes = d.listSize(w)
			if !w.Is(Array) {
				d.mistyped(model.HTML5Params, 2, w)
			}
		case nameMinWidth:
			x.pos[atHTML5ParamsMinWidth] = w.Node()
			x.MinWidth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.HTML5Params, 3, w)
			}
		case nameMaxWidth:
			x.pos[atHTML5ParamsMaxWidth] = w.Node()
			x.MaxWidth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.HTML5Params, 4, w)
			}
		case nameMinHeight:
			x.pos[atHTML5ParamsMinHeight] = w.Node()
			x.MinHeight = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.HTML5Params, 5, w)
			}
		case nameMaxHeight:
			x.pos[atHTML5ParamsMaxHeight] = w.Node()
			x.MaxHeight = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.HTML5Params, 6, w)
			}
		case nameMaxInitialLoadKb:
			x.pos[atHTML5ParamsMaxInitialLoadKB] = w.Node()
			x.MaxInitialLoadKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.HTML5Params, 7, w)
			}
		case nameMaxPoliteLoadKb:
			x.pos[atHTML5ParamsMaxPoliteLoadKB] = w.Node()
			x.MaxPoliteLoadKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.HTML5Params, 8, w)
			}
		case nameHostInitiatedSubload:
			x.pos[atHTML5ParamsHostInitiatedSubload] = w.Node()
			x.HostInitiatedSubload = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.HTML5Params, 9, w)
			}
		case nameMaxAnimationDurationMs:
			x.pos[atHTML5ParamsMaxAnimationDurationMS] = w.Node()
			x.MaxAnimationDurationMS = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.HTML5Params, 10, w)
			}
		case nameMaxCpuLoadPercent:
			x.pos[atHTML5ParamsMaxCPULoadPercent] = w.Node()
			x.MaxCPULoadPercent = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.HTML5Params, 11, w)
			}
		case nameMraidRequired:
			x.pos[atHTML5ParamsMRAIDRequired] = w.Node()
			x.MRAIDRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.HTML5Params, 12, w)
			}
		case nameMraidVersion:
			x.pos[atHTML5ParamsMRAIDVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MRAIDVersion = s
			} else {
				d.mistyped(model.HTML5Params, 13, w)
			}
		case nameOmSdkRequired:
			x.pos[atHTML5ParamsOMSDKRequired] = w.Node()
			x.OMSDKRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.HTML5Params, 14, w)
			}
		case nameClicktagMacro:
			x.pos[atHTML5ParamsClicktagMacro] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ClicktagMacro = s
			} else {
				d.mistyped(model.HTML5Params, 15, w)
			}
		case nameBackupImageRequired:
			x.pos[atHTML5ParamsBackupImageRequired] = w.Node()
			x.BackupImageRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.HTML5Params, 16, w)
			}
		case nameBackupImageMaxSizeKb:
			x.pos[atHTML5ParamsBackupImageMaxSizeKB] = w.Node()
			x.BackupImageMaxSizeKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.HTML5Params, 17, w)
			}
		case nameSslRequired:
			x.pos[atHTML5ParamsSSLRequired] = w.Node()
			x.SSLRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.HTML5Params, 18, w)
			}
		case nameSlots:
			x.pos[atHTML5ParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.HTML5Params, 19, w)
			}
		case nameCompositionModel:
			x.pos[atHTML5ParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.HTML5Params, 20, w)
			}
		case nameProvenanceRequired:
			x.pos[atHTML5ParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.HTML5Params, 21, w)
			}
		case namePlatformExtensions:
			x.pos[atHTML5ParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.HTML5Params, 22, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atHTML5ParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.HTML5Params, 23, w)
			}
		case nameRequiredConnections:
			x.pos[atHTML5ParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.HTML5Params, 24, w)
			}
		case nameReferenceMutability:
			x.pos[atHTML5ParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.HTML5Params, 25, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atHTML5ParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.HTML5Params, 26, w)
			}
		case nameExperimental:
			x.pos[atHTML5ParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.HTML5Params, 27, w)
			}
		case nameDeprecated:
			x.pos[atHTML5ParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.HTML5Params, 28, w)
			}
		case nameV1Translatable:
			x.pos[atHTML5ParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.HTML5Params, 29, w)
			}
		case nameSinceVersion:
			x.pos[atHTML5ParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.HTML5Params, 30, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atHTML5ParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.HTML5Params, 31, w)
			}
		default:
			d.stranger(model.HTML5Params, m)
		}
	}
}

func (d *decoder) decodeDisplayTagParams(v Value, x *DisplayTagParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameWidth:
			x.pos[atDisplayTagParamsWidth] = w.Node()
			x.Width = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DisplayTagParams, 0, w)
			}
		case nameHeight:
			x.pos[atDisplayTagParamsHeight] = w.Node()
			x.Height = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DisplayTagParams, 1, w)
			}
		case nameSizes:
			x.pos[atDisplayTagParamsSizes] = w.Node()
			x.Sizes = d.listSize(w)
			if !w.Is(Array) {
				d.mistyped(model.DisplayTagParams, 2, w)
			}
		case nameMinWidth:
			x.pos[atDisplayTagParamsMinWidth] = w.Node()
			x.MinWidth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DisplayTagParams, 3, w)
			}
		case nameMaxWidth:
			x.pos[atDisplayTagParamsMaxWidth] = w.Node()
			x.MaxWidth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DisplayTagParams, 4, w)
			}
		case nameMinHeight:
			x.pos[atDisplayTagParamsMinHeight] = w.Node()
			x.MinHeight = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DisplayTagParams, 5, w)
			}
		case nameMaxHeight:
			x.pos[atDisplayTagParamsMaxHeight] = w.Node()
			x.MaxHeight = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DisplayTagParams, 6, w)
			}
		case nameSupportedTagTypes:
			x.pos[atDisplayTagParamsSupportedTagTypes] = w.Node()
			x.SupportedTagTypes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.DisplayTagParams, 7, w)
			}
		case nameSslRequired:
			x.pos[atDisplayTagParamsSSLRequired] = w.Node()
			x.SSLRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.DisplayTagParams, 8, w)
			}
		case nameMaxRedirectDepth:
			x.pos[atDisplayTagParamsMaxRedirectDepth] = w.Node()
			x.MaxRedirectDepth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DisplayTagParams, 9, w)
			}
		case nameMaxResponseTimeMs:
			x.pos[atDisplayTagParamsMaxResponseTimeMS] = w.Node()
			x.MaxResponseTimeMS = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DisplayTagParams, 10, w)
			}
		case nameBackupImageRequired:
			x.pos[atDisplayTagParamsBackupImageRequired] = w.Node()
			x.BackupImageRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.DisplayTagParams, 11, w)
			}
		case nameBackupImageMaxSizeKb:
			x.pos[atDisplayTagParamsBackupImageMaxSizeKB] = w.Node()
			x.BackupImageMaxSizeKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DisplayTagParams, 12, w)
			}
		case nameOmSdkRequired:
			x.pos[atDisplayTagParamsOMSDKRequired] = w.Node()
			x.OMSDKRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.DisplayTagParams, 13, w)
			}
		case nameSlots:
			x.pos[atDisplayTagParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.DisplayTagParams, 14, w)
			}
		case nameCompositionModel:
			x.pos[atDisplayTagParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.DisplayTagParams, 15, w)
			}
		case nameProvenanceRequired:
			x.pos[atDisplayTagParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.DisplayTagParams, 16, w)
			}
		case namePlatformExtensions:
			x.pos[atDisplayTagParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.DisplayTagParams, 17, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atDisplayTagParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.DisplayTagParams, 18, w)
			}
		case nameRequiredConnections:
			x.pos[atDisplayTagParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.DisplayTagParams, 19, w)
			}
		case nameReferenceMutability:
			x.pos[atDisplayTagParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.DisplayTagParams, 20, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atDisplayTagParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.DisplayTagParams, 21, w)
			}
		case nameExperimental:
			x.pos[atDisplayTagParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.DisplayTagParams, 22, w)
			}
		case nameDeprecated:
			x.pos[atDisplayTagParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.DisplayTagParams, 23, w)
			}
		case nameV1Translatable:
			x.pos[atDisplayTagParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.DisplayTagParams, 24, w)
			}
		case nameSinceVersion:
			x.pos[atDisplayTagParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.DisplayTagParams, 25, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atDisplayTagParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.DisplayTagParams, 26, w)
			}
		default:
			d.stranger(model.DisplayTagParams, m)
		}
	}
}

func (d *decoder) decodeImageCarouselParams(v Value, x *ImageCarouselParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameCardAspectRatio:
			x.pos[atImageCarouselParamsCardAspectRatio] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CardAspectRatio = s
			} else {
				d.mistyped(model.ImageCarouselParams, 0, w)
			}
		case nameMinCards:
			x.pos[atImageCarouselParamsMinCards] = w.Node()
			x.MinCards = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageCarouselParams, 1, w)
			}
		case nameMaxCards:
			x.pos[atImageCarouselParamsMaxCards] = w.Node()
			x.MaxCards = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageCarouselParams, 2, w)
			}
		case nameAllowedCardMediaAssetTypes:
			x.pos[atImageCarouselParamsAllowedCardMediaAssetTypes] = w.Node()
			x.AllowedCardMediaAssetTypes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageCarouselParams, 3, w)
			}
		case nameAllowedCardAssetTypes:
			x.pos[atImageCarouselParamsAllowedCardAssetTypes] = w.Node()
			x.AllowedCardAssetTypes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageCarouselParams, 4, w)
			}
		case nameCardImageMaxFileSizeKb:
			x.pos[atImageCarouselParamsCardImageMaxFileSizeKB] = w.Node()
			x.CardImageMaxFileSizeKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageCarouselParams, 5, w)
			}
		case nameCardVideoMaxFileSizeKb:
			x.pos[atImageCarouselParamsCardVideoMaxFileSizeKB] = w.Node()
			x.CardVideoMaxFileSizeKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageCarouselParams, 6, w)
			}
		case nameCardVideoMaxDurationMs:
			x.pos[atImageCarouselParamsCardVideoMaxDurationMS] = w.Node()
			x.CardVideoMaxDurationMS = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageCarouselParams, 7, w)
			}
		case namePrimaryTextMaxChars:
			x.pos[atImageCarouselParamsPrimaryTextMaxChars] = w.Node()
			x.PrimaryTextMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageCarouselParams, 8, w)
			}
		case nameCardHeadlineMaxChars:
			x.pos[atImageCarouselParamsCardHeadlineMaxChars] = w.Node()
			x.CardHeadlineMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageCarouselParams, 9, w)
			}
		case nameCardDescriptionMaxChars:
			x.pos[atImageCarouselParamsCardDescriptionMaxChars] = w.Node()
			x.CardDescriptionMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageCarouselParams, 10, w)
			}
		case nameSslRequired:
			x.pos[atImageCarouselParamsSSLRequired] = w.Node()
			x.SSLRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ImageCarouselParams, 11, w)
			}
		case nameSlots:
			x.pos[atImageCarouselParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageCarouselParams, 12, w)
			}
		case nameCompositionModel:
			x.pos[atImageCarouselParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.ImageCarouselParams, 13, w)
			}
		case nameProvenanceRequired:
			x.pos[atImageCarouselParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ImageCarouselParams, 14, w)
			}
		case namePlatformExtensions:
			x.pos[atImageCarouselParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageCarouselParams, 15, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atImageCarouselParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ImageCarouselParams, 16, w)
			}
		case nameRequiredConnections:
			x.pos[atImageCarouselParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.ImageCarouselParams, 17, w)
			}
		case nameReferenceMutability:
			x.pos[atImageCarouselParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.ImageCarouselParams, 18, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atImageCarouselParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ImageCarouselParams, 19, w)
			}
		case nameExperimental:
			x.pos[atImageCarouselParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ImageCarouselParams, 20, w)
			}
		case nameDeprecated:
			x.pos[atImageCarouselParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ImageCarouselParams, 21, w)
			}
		case nameV1Translatable:
			x.pos[atImageCarouselParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ImageCarouselParams, 22, w)
			}
		case nameSinceVersion:
			x.pos[atImageCarouselParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.ImageCarouselParams, 23, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atImageCarouselParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.ImageCarouselParams, 24, w)
			}
		default:
			d.stranger(model.ImageCarouselParams, m)
		}
	}
}

func (d *decoder) decodeVideoHostedParams(v Value, x *VideoHostedParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameOrientation:
			x.pos[atVideoHostedParamsOrientation] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Orientation = s
			} else {
				d.mistyped(model.VideoHostedParams, 0, w)
			}
		case nameAspectRatio:
			x.pos[atVideoHostedParamsAspectRatio] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AspectRatio = s
			} else {
				d.mistyped(model.VideoHostedParams, 1, w)
			}
		case nameMinWidth:
			x.pos[atVideoHostedParamsMinWidth] = w.Node()
			x.MinWidth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoHostedParams, 2, w)
			}
		case nameMaxWidth:
			x.pos[atVideoHostedParamsMaxWidth] = w.Node()
			x.MaxWidth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoHostedParams, 3, w)
			}
		case nameMinHeight:
			x.pos[atVideoHostedParamsMinHeight] = w.Node()
			x.MinHeight = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoHostedParams, 4, w)
			}
		case nameMaxHeight:
			x.pos[atVideoHostedParamsMaxHeight] = w.Node()
			x.MaxHeight = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoHostedParams, 5, w)
			}
		case nameDurationMsRange:
			x.pos[atVideoHostedParamsDurationMSRange] = w.Node()
			x.DurationMSRange = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoHostedParams, 6, w)
			}
		case nameDurationMsExact:
			x.pos[atVideoHostedParamsDurationMSExact] = w.Node()
			x.DurationMSExact = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoHostedParams, 7, w)
			}
		case nameVideoCodecs:
			x.pos[atVideoHostedParamsVideoCodecs] = w.Node()
			x.VideoCodecs = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoHostedParams, 8, w)
			}
		case nameAudioCodecs:
			x.pos[atVideoHostedParamsAudioCodecs] = w.Node()
			x.AudioCodecs = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoHostedParams, 9, w)
			}
		case nameContainers:
			x.pos[atVideoHostedParamsContainers] = w.Node()
			x.Containers = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoHostedParams, 10, w)
			}
		case nameMinBitrateKbps:
			x.pos[atVideoHostedParamsMinBitrateKbps] = w.Node()
			x.MinBitrateKbps = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoHostedParams, 11, w)
			}
		case nameMaxBitrateKbps:
			x.pos[atVideoHostedParamsMaxBitrateKbps] = w.Node()
			x.MaxBitrateKbps = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoHostedParams, 12, w)
			}
		case nameMaxFileSizeMb:
			x.pos[atVideoHostedParamsMaxFileSizeMB] = w.Node()
			x.MaxFileSizeMB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoHostedParams, 13, w)
			}
		case nameFrameRates:
			x.pos[atVideoHostedParamsFrameRates] = w.Node()
			x.FrameRates = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoHostedParams, 14, w)
			}
		case nameCaptions:
			x.pos[atVideoHostedParamsCaptions] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Captions = s
			} else {
				d.mistyped(model.VideoHostedParams, 15, w)
			}
		case nameOmSdkRequired:
			x.pos[atVideoHostedParamsOMSDKRequired] = w.Node()
			x.OMSDKRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoHostedParams, 16, w)
			}
		case nameHeadlineMaxChars:
			x.pos[atVideoHostedParamsHeadlineMaxChars] = w.Node()
			x.HeadlineMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoHostedParams, 17, w)
			}
		case namePrimaryTextMaxChars:
			x.pos[atVideoHostedParamsPrimaryTextMaxChars] = w.Node()
			x.PrimaryTextMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoHostedParams, 18, w)
			}
		case nameBrandNameMaxChars:
			x.pos[atVideoHostedParamsBrandNameMaxChars] = w.Node()
			x.BrandNameMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoHostedParams, 19, w)
			}
		case nameCtaValues:
			x.pos[atVideoHostedParamsCTAValues] = w.Node()
			x.CTAValues = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoHostedParams, 20, w)
			}
		case nameCompanionBannerWidths:
			x.pos[atVideoHostedParamsCompanionBannerWidths] = w.Node()
			x.CompanionBannerWidths = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoHostedParams, 21, w)
			}
		case nameCompanionBannerHeights:
			x.pos[atVideoHostedParamsCompanionBannerHeights] = w.Node()
			x.CompanionBannerHeights = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoHostedParams, 22, w)
			}
		case nameAssetSource:
			x.pos[atVideoHostedParamsAssetSource] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AssetSource = s
			} else {
				d.mistyped(model.VideoHostedParams, 23, w)
			}
		case nameBuyerAssetAcceptance:
			x.pos[atVideoHostedParamsBuyerAssetAcceptance] = w.Node()
			if s, ok := w.AsString(); ok {
				x.BuyerAssetAcceptance = s
			} else {
				d.mistyped(model.VideoHostedParams, 24, w)
			}
		case nameCtvAdExperience:
			x.pos[atVideoHostedParamsCTVAdExperience] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CTVAdExperience = s
			} else {
				d.mistyped(model.VideoHostedParams, 25, w)
			}
		case nameSlots:
			x.pos[atVideoHostedParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoHostedParams, 26, w)
			}
		case nameCompositionModel:
			x.pos[atVideoHostedParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.VideoHostedParams, 27, w)
			}
		case nameProvenanceRequired:
			x.pos[atVideoHostedParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoHostedParams, 28, w)
			}
		case namePlatformExtensions:
			x.pos[atVideoHostedParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoHostedParams, 29, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atVideoHostedParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoHostedParams, 30, w)
			}
		case nameRequiredConnections:
			x.pos[atVideoHostedParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoHostedParams, 31, w)
			}
		case nameReferenceMutability:
			x.pos[atVideoHostedParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.VideoHostedParams, 32, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atVideoHostedParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoHostedParams, 33, w)
			}
		case nameExperimental:
			x.pos[atVideoHostedParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoHostedParams, 34, w)
			}
		case nameDeprecated:
			x.pos[atVideoHostedParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoHostedParams, 35, w)
			}
		case nameV1Translatable:
			x.pos[atVideoHostedParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoHostedParams, 36, w)
			}
		case nameSinceVersion:
			x.pos[atVideoHostedParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.VideoHostedParams, 37, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atVideoHostedParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.VideoHostedParams, 38, w)
			}
		default:
			d.stranger(model.VideoHostedParams, m)
		}
	}
}

func (d *decoder) decodeVideoVASTParams(v Value, x *VideoVASTParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameOrientation:
			x.pos[atVideoVASTParamsOrientation] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Orientation = s
			} else {
				d.mistyped(model.VideoVASTParams, 0, w)
			}
		case nameAspectRatio:
			x.pos[atVideoVASTParamsAspectRatio] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AspectRatio = s
			} else {
				d.mistyped(model.VideoVASTParams, 1, w)
			}
		case nameVastVersion:
			x.pos[atVideoVASTParamsVASTVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.VASTVersion = s
			} else {
				d.mistyped(model.VideoVASTParams, 2, w)
			}
		case nameVpaidEnabled:
			x.pos[atVideoVASTParamsVPAIDEnabled] = w.Node()
			x.VPAIDEnabled = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoVASTParams, 3, w)
			}
		case nameVpaidVersion:
			x.pos[atVideoVASTParamsVPAIDVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.VPAIDVersion = s
			} else {
				d.mistyped(model.VideoVASTParams, 4, w)
			}
		case nameSimidSupported:
			x.pos[atVideoVASTParamsSIMIDSupported] = w.Node()
			x.SIMIDSupported = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoVASTParams, 5, w)
			}
		case nameDurationMsRange:
			x.pos[atVideoVASTParamsDurationMSRange] = w.Node()
			x.DurationMSRange = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoVASTParams, 6, w)
			}
		case nameDurationMsExact:
			x.pos[atVideoVASTParamsDurationMSExact] = w.Node()
			x.DurationMSExact = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoVASTParams, 7, w)
			}
		case nameMinWidth:
			x.pos[atVideoVASTParamsMinWidth] = w.Node()
			x.MinWidth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoVASTParams, 8, w)
			}
		case nameMaxWidth:
			x.pos[atVideoVASTParamsMaxWidth] = w.Node()
			x.MaxWidth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoVASTParams, 9, w)
			}
		case nameMinHeight:
			x.pos[atVideoVASTParamsMinHeight] = w.Node()
			x.MinHeight = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoVASTParams, 10, w)
			}
		case nameMaxHeight:
			x.pos[atVideoVASTParamsMaxHeight] = w.Node()
			x.MaxHeight = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoVASTParams, 11, w)
			}
		case nameCreativeType:
			x.pos[atVideoVASTParamsCreativeType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CreativeType = s
			} else {
				d.mistyped(model.VideoVASTParams, 12, w)
			}
		case nameCtvAdExperience:
			x.pos[atVideoVASTParamsCTVAdExperience] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CTVAdExperience = s
			} else {
				d.mistyped(model.VideoVASTParams, 13, w)
			}
		case nameMotionLevel:
			x.pos[atVideoVASTParamsMotionLevel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MotionLevel = s
			} else {
				d.mistyped(model.VideoVASTParams, 14, w)
			}
		case nameActivationMethods:
			x.pos[atVideoVASTParamsActivationMethods] = w.Node()
			x.ActivationMethods = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoVASTParams, 15, w)
			}
		case nameLinearRequired:
			x.pos[atVideoVASTParamsLinearRequired] = w.Node()
			x.LinearRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoVASTParams, 16, w)
			}
		case nameSkippableAfterMs:
			x.pos[atVideoVASTParamsSkippableAfterMS] = w.Node()
			x.SkippableAfterMS = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoVASTParams, 17, w)
			}
		case nameMaxWrapperDepth:
			x.pos[atVideoVASTParamsMaxWrapperDepth] = w.Node()
			x.MaxWrapperDepth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoVASTParams, 18, w)
			}
		case nameSslRequired:
			x.pos[atVideoVASTParamsSSLRequired] = w.Node()
			x.SSLRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoVASTParams, 19, w)
			}
		case nameSlots:
			x.pos[atVideoVASTParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoVASTParams, 20, w)
			}
		case nameCompositionModel:
			x.pos[atVideoVASTParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.VideoVASTParams, 21, w)
			}
		case nameProvenanceRequired:
			x.pos[atVideoVASTParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoVASTParams, 22, w)
			}
		case namePlatformExtensions:
			x.pos[atVideoVASTParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoVASTParams, 23, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atVideoVASTParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoVASTParams, 24, w)
			}
		case nameRequiredConnections:
			x.pos[atVideoVASTParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.VideoVASTParams, 25, w)
			}
		case nameReferenceMutability:
			x.pos[atVideoVASTParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.VideoVASTParams, 26, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atVideoVASTParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.VideoVASTParams, 27, w)
			}
		case nameExperimental:
			x.pos[atVideoVASTParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoVASTParams, 28, w)
			}
		case nameDeprecated:
			x.pos[atVideoVASTParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoVASTParams, 29, w)
			}
		case nameV1Translatable:
			x.pos[atVideoVASTParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.VideoVASTParams, 30, w)
			}
		case nameSinceVersion:
			x.pos[atVideoVASTParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.VideoVASTParams, 31, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atVideoVASTParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.VideoVASTParams, 32, w)
			}
		default:
			d.stranger(model.VideoVASTParams, m)
		}
	}
}

func (d *decoder) decodeAudioHostedParams(v Value, x *AudioHostedParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameDurationMsRange:
			x.pos[atAudioHostedParamsDurationMSRange] = w.Node()
			x.DurationMSRange = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.AudioHostedParams, 0, w)
			}
		case nameDurationMsExact:
			x.pos[atAudioHostedParamsDurationMSExact] = w.Node()
			x.DurationMSExact = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioHostedParams, 1, w)
			}
		case nameAudioCodecs:
			x.pos[atAudioHostedParamsAudioCodecs] = w.Node()
			x.AudioCodecs = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.AudioHostedParams, 2, w)
			}
		case nameAudioSampleRates:
			x.pos[atAudioHostedParamsAudioSampleRates] = w.Node()
			x.AudioSampleRates = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.AudioHostedParams, 3, w)
			}
		case nameAudioChannels:
			x.pos[atAudioHostedParamsAudioChannels] = w.Node()
			x.AudioChannels = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.AudioHostedParams, 4, w)
			}
		case nameMinBitrateKbps:
			x.pos[atAudioHostedParamsMinBitrateKbps] = w.Node()
			x.MinBitrateKbps = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioHostedParams, 5, w)
			}
		case nameMaxBitrateKbps:
			x.pos[atAudioHostedParamsMaxBitrateKbps] = w.Node()
			x.MaxBitrateKbps = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioHostedParams, 6, w)
			}
		case nameMaxFileSizeMb:
			x.pos[atAudioHostedParamsMaxFileSizeMB] = w.Node()
			x.MaxFileSizeMB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioHostedParams, 7, w)
			}
		case nameLoudnessLufs:
			x.pos[atAudioHostedParamsLoudnessLUFS] = w.Node()
			x.LoudnessLUFS = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioHostedParams, 8, w)
			}
		case nameLoudnessToleranceDb:
			x.pos[atAudioHostedParamsLoudnessToleranceDB] = w.Node()
			x.LoudnessToleranceDB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioHostedParams, 9, w)
			}
		case nameTruePeakDbfs:
			x.pos[atAudioHostedParamsTruePeakDBFS] = w.Node()
			x.TruePeakDBFS = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioHostedParams, 10, w)
			}
		case nameAssetSource:
			x.pos[atAudioHostedParamsAssetSource] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AssetSource = s
			} else {
				d.mistyped(model.AudioHostedParams, 11, w)
			}
		case nameBuyerAssetAcceptance:
			x.pos[atAudioHostedParamsBuyerAssetAcceptance] = w.Node()
			if s, ok := w.AsString(); ok {
				x.BuyerAssetAcceptance = s
			} else {
				d.mistyped(model.AudioHostedParams, 12, w)
			}
		case nameCompanionImageRequired:
			x.pos[atAudioHostedParamsCompanionImageRequired] = w.Node()
			x.CompanionImageRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioHostedParams, 13, w)
			}
		case nameCompanionImageAspectRatio:
			x.pos[atAudioHostedParamsCompanionImageAspectRatio] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompanionImageAspectRatio = s
			} else {
				d.mistyped(model.AudioHostedParams, 14, w)
			}
		case nameCompanionImageMaxFileSizeKb:
			x.pos[atAudioHostedParamsCompanionImageMaxFileSizeKB] = w.Node()
			x.CompanionImageMaxFileSizeKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioHostedParams, 15, w)
			}
		case nameBrandNameMaxChars:
			x.pos[atAudioHostedParamsBrandNameMaxChars] = w.Node()
			x.BrandNameMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioHostedParams, 16, w)
			}
		case nameSlots:
			x.pos[atAudioHostedParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.AudioHostedParams, 17, w)
			}
		case nameCompositionModel:
			x.pos[atAudioHostedParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.AudioHostedParams, 18, w)
			}
		case nameProvenanceRequired:
			x.pos[atAudioHostedParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioHostedParams, 19, w)
			}
		case namePlatformExtensions:
			x.pos[atAudioHostedParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.AudioHostedParams, 20, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atAudioHostedParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioHostedParams, 21, w)
			}
		case nameRequiredConnections:
			x.pos[atAudioHostedParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.AudioHostedParams, 22, w)
			}
		case nameReferenceMutability:
			x.pos[atAudioHostedParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.AudioHostedParams, 23, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atAudioHostedParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioHostedParams, 24, w)
			}
		case nameExperimental:
			x.pos[atAudioHostedParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioHostedParams, 25, w)
			}
		case nameDeprecated:
			x.pos[atAudioHostedParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioHostedParams, 26, w)
			}
		case nameV1Translatable:
			x.pos[atAudioHostedParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioHostedParams, 27, w)
			}
		case nameSinceVersion:
			x.pos[atAudioHostedParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.AudioHostedParams, 28, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atAudioHostedParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.AudioHostedParams, 29, w)
			}
		default:
			d.stranger(model.AudioHostedParams, m)
		}
	}
}

func (d *decoder) decodeAudioDAASTParams(v Value, x *AudioDAASTParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameDaastVersion:
			x.pos[atAudioDAASTParamsDAASTVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.DAASTVersion = s
			} else {
				d.mistyped(model.AudioDAASTParams, 0, w)
			}
		case nameDurationMsRange:
			x.pos[atAudioDAASTParamsDurationMSRange] = w.Node()
			x.DurationMSRange = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.AudioDAASTParams, 1, w)
			}
		case nameDurationMsExact:
			x.pos[atAudioDAASTParamsDurationMSExact] = w.Node()
			x.DurationMSExact = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioDAASTParams, 2, w)
			}
		case nameLinearRequired:
			x.pos[atAudioDAASTParamsLinearRequired] = w.Node()
			x.LinearRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioDAASTParams, 3, w)
			}
		case nameMaxWrapperDepth:
			x.pos[atAudioDAASTParamsMaxWrapperDepth] = w.Node()
			x.MaxWrapperDepth = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioDAASTParams, 4, w)
			}
		case nameSslRequired:
			x.pos[atAudioDAASTParamsSSLRequired] = w.Node()
			x.SSLRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioDAASTParams, 5, w)
			}
		case nameCompanionImageRequired:
			x.pos[atAudioDAASTParamsCompanionImageRequired] = w.Node()
			x.CompanionImageRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioDAASTParams, 6, w)
			}
		case nameSlots:
			x.pos[atAudioDAASTParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.AudioDAASTParams, 7, w)
			}
		case nameCompositionModel:
			x.pos[atAudioDAASTParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.AudioDAASTParams, 8, w)
			}
		case nameProvenanceRequired:
			x.pos[atAudioDAASTParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioDAASTParams, 9, w)
			}
		case namePlatformExtensions:
			x.pos[atAudioDAASTParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.AudioDAASTParams, 10, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atAudioDAASTParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioDAASTParams, 11, w)
			}
		case nameRequiredConnections:
			x.pos[atAudioDAASTParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.AudioDAASTParams, 12, w)
			}
		case nameReferenceMutability:
			x.pos[atAudioDAASTParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.AudioDAASTParams, 13, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atAudioDAASTParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AudioDAASTParams, 14, w)
			}
		case nameExperimental:
			x.pos[atAudioDAASTParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioDAASTParams, 15, w)
			}
		case nameDeprecated:
			x.pos[atAudioDAASTParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioDAASTParams, 16, w)
			}
		case nameV1Translatable:
			x.pos[atAudioDAASTParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AudioDAASTParams, 17, w)
			}
		case nameSinceVersion:
			x.pos[atAudioDAASTParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.AudioDAASTParams, 18, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atAudioDAASTParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.AudioDAASTParams, 19, w)
			}
		default:
			d.stranger(model.AudioDAASTParams, m)
		}
	}
}

func (d *decoder) decodeSponsoredPlacementParams(v Value, x *SponsoredPlacementParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameSupportedCatalogTypes:
			x.pos[atSponsoredPlacementParamsSupportedCatalogTypes] = w.Node()
			x.SupportedCatalogTypes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.SponsoredPlacementParams, 0, w)
			}
		case nameMinItems:
			x.pos[atSponsoredPlacementParamsMinItems] = w.Node()
			x.MinItems = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.SponsoredPlacementParams, 1, w)
			}
		case nameMaxItems:
			x.pos[atSponsoredPlacementParamsMaxItems] = w.Node()
			x.MaxItems = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.SponsoredPlacementParams, 2, w)
			}
		case nameFanoutMode:
			x.pos[atSponsoredPlacementParamsFanoutMode] = w.Node()
			if s, ok := w.AsString(); ok {
				x.FanoutMode = s
			} else {
				d.mistyped(model.SponsoredPlacementParams, 3, w)
			}
		case nameRequiredCatalogFields:
			x.pos[atSponsoredPlacementParamsRequiredCatalogFields] = w.Node()
			x.RequiredCatalogFields = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.SponsoredPlacementParams, 4, w)
			}
		case nameSupportedIDTypes:
			x.pos[atSponsoredPlacementParamsSupportedIDTypes] = w.Node()
			x.SupportedIDTypes = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.SponsoredPlacementParams, 5, w)
			}
		case nameHeroAssetSupported:
			x.pos[atSponsoredPlacementParamsHeroAssetSupported] = w.Node()
			x.HeroAssetSupported = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.SponsoredPlacementParams, 6, w)
			}
		case nameItemProductionModel:
			x.pos[atSponsoredPlacementParamsItemProductionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ItemProductionModel = s
			} else {
				d.mistyped(model.SponsoredPlacementParams, 7, w)
			}
		case nameCtvAdExperience:
			x.pos[atSponsoredPlacementParamsCTVAdExperience] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CTVAdExperience = s
			} else {
				d.mistyped(model.SponsoredPlacementParams, 8, w)
			}
		case nameSlots:
			x.pos[atSponsoredPlacementParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.SponsoredPlacementParams, 9, w)
			}
		case nameCompositionModel:
			x.pos[atSponsoredPlacementParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.SponsoredPlacementParams, 10, w)
			}
		case nameProvenanceRequired:
			x.pos[atSponsoredPlacementParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.SponsoredPlacementParams, 11, w)
			}
		case namePlatformExtensions:
			x.pos[atSponsoredPlacementParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.SponsoredPlacementParams, 12, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atSponsoredPlacementParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.SponsoredPlacementParams, 13, w)
			}
		case nameRequiredConnections:
			x.pos[atSponsoredPlacementParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.SponsoredPlacementParams, 14, w)
			}
		case nameReferenceMutability:
			x.pos[atSponsoredPlacementParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.SponsoredPlacementParams, 15, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atSponsoredPlacementParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.SponsoredPlacementParams, 16, w)
			}
		case nameExperimental:
			x.pos[atSponsoredPlacementParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.SponsoredPlacementParams, 17, w)
			}
		case nameDeprecated:
			x.pos[atSponsoredPlacementParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.SponsoredPlacementParams, 18, w)
			}
		case nameV1Translatable:
			x.pos[atSponsoredPlacementParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.SponsoredPlacementParams, 19, w)
			}
		case nameSinceVersion:
			x.pos[atSponsoredPlacementParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.SponsoredPlacementParams, 20, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atSponsoredPlacementParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.SponsoredPlacementParams, 21, w)
			}
		default:
			d.stranger(model.SponsoredPlacementParams, m)
		}
	}
}

func (d *decoder) decodeNativeInFeedParams(v Value, x *NativeInFeedParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameCtvAdExperience:
			x.pos[atNativeInFeedParamsCTVAdExperience] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CTVAdExperience = s
			} else {
				d.mistyped(model.NativeInFeedParams, 0, w)
			}
		case nameMenuPlacement:
			x.pos[atNativeInFeedParamsMenuPlacement] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MenuPlacement = s
			} else {
				d.mistyped(model.NativeInFeedParams, 1, w)
			}
		case nameFocusBehavior:
			x.pos[atNativeInFeedParamsFocusBehavior] = w.Node()
			if s, ok := w.AsString(); ok {
				x.FocusBehavior = s
			} else {
				d.mistyped(model.NativeInFeedParams, 2, w)
			}
		case nameMotionLevel:
			x.pos[atNativeInFeedParamsMotionLevel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MotionLevel = s
			} else {
				d.mistyped(model.NativeInFeedParams, 3, w)
			}
		case nameActivationMethods:
			x.pos[atNativeInFeedParamsActivationMethods] = w.Node()
			x.ActivationMethods = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.NativeInFeedParams, 4, w)
			}
		case nameTitleMaxChars:
			x.pos[atNativeInFeedParamsTitleMaxChars] = w.Node()
			x.TitleMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.NativeInFeedParams, 5, w)
			}
		case nameBodyTextMaxChars:
			x.pos[atNativeInFeedParamsBodyTextMaxChars] = w.Node()
			x.BodyTextMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.NativeInFeedParams, 6, w)
			}
		case nameCtaMaxChars:
			x.pos[atNativeInFeedParamsCTAMaxChars] = w.Node()
			x.CTAMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.NativeInFeedParams, 7, w)
			}
		case nameCtaValues:
			x.pos[atNativeInFeedParamsCTAValues] = w.Node()
			x.CTAValues = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.NativeInFeedParams, 8, w)
			}
		case nameMainImageSizes:
			x.pos[atNativeInFeedParamsMainImageSizes] = w.Node()
			x.MainImageSizes = d.listSize(w)
			if !w.Is(Array) {
				d.mistyped(model.NativeInFeedParams, 9, w)
			}
		case nameIconSize:
			x.pos[atNativeInFeedParamsIconSize] = w.Node()
			if w.Is(Object) {
				x.IconSize = part[Size](d)
				d.decodeSize(w, x.IconSize)
			}
			if !w.Is(Object) {
				d.mistyped(model.NativeInFeedParams, 10, w)
			}
		case nameMaxImageFileSizeKb:
			x.pos[atNativeInFeedParamsMaxImageFileSizeKB] = w.Node()
			x.MaxImageFileSizeKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.NativeInFeedParams, 11, w)
			}
		case nameImageFormats:
			x.pos[atNativeInFeedParamsImageFormats] = w.Node()
			x.ImageFormats = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.NativeInFeedParams, 12, w)
			}
		case nameSslRequired:
			x.pos[atNativeInFeedParamsSSLRequired] = w.Node()
			x.SSLRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.NativeInFeedParams, 13, w)
			}
		case nameAssetSource:
			x.pos[atNativeInFeedParamsAssetSource] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AssetSource = s
			} else {
				d.mistyped(model.NativeInFeedParams, 14, w)
			}
		case nameBuyerAssetAcceptance:
			x.pos[atNativeInFeedParamsBuyerAssetAcceptance] = w.Node()
			if s, ok := w.AsString(); ok {
				x.BuyerAssetAcceptance = s
			} else {
				d.mistyped(model.NativeInFeedParams, 15, w)
			}
		case nameSlots:
			x.pos[atNativeInFeedParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.NativeInFeedParams, 16, w)
			}
		case nameCompositionModel:
			x.pos[atNativeInFeedParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.NativeInFeedParams, 17, w)
			}
		case nameProvenanceRequired:
			x.pos[atNativeInFeedParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.NativeInFeedParams, 18, w)
			}
		case namePlatformExtensions:
			x.pos[atNativeInFeedParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.NativeInFeedParams, 19, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atNativeInFeedParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.NativeInFeedParams, 20, w)
			}
		case nameRequiredConnections:
			x.pos[atNativeInFeedParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.NativeInFeedParams, 21, w)
			}
		case nameReferenceMutability:
			x.pos[atNativeInFeedParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.NativeInFeedParams, 22, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atNativeInFeedParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.NativeInFeedParams, 23, w)
			}
		case nameExperimental:
			x.pos[atNativeInFeedParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.NativeInFeedParams, 24, w)
			}
		case nameDeprecated:
			x.pos[atNativeInFeedParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.NativeInFeedParams, 25, w)
			}
		case nameV1Translatable:
			x.pos[atNativeInFeedParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.NativeInFeedParams, 26, w)
			}
		case nameSinceVersion:
			x.pos[atNativeInFeedParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.NativeInFeedParams, 27, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atNativeInFeedParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.NativeInFeedParams, 28, w)
			}
		default:
			d.stranger(model.NativeInFeedParams, m)
		}
	}
}

func (d *decoder) decodeResponsiveCreativeParams(v Value, x *ResponsiveCreativeParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameHeadlinesMin:
			x.pos[atResponsiveCreativeParamsHeadlinesMin] = w.Node()
			x.HeadlinesMin = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 0, w)
			}
		case nameHeadlinesMax:
			x.pos[atResponsiveCreativeParamsHeadlinesMax] = w.Node()
			x.HeadlinesMax = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 1, w)
			}
		case nameHeadlineMaxChars:
			x.pos[atResponsiveCreativeParamsHeadlineMaxChars] = w.Node()
			x.HeadlineMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 2, w)
			}
		case nameLongHeadlinesMin:
			x.pos[atResponsiveCreativeParamsLongHeadlinesMin] = w.Node()
			x.LongHeadlinesMin = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 3, w)
			}
		case nameLongHeadlinesMax:
			x.pos[atResponsiveCreativeParamsLongHeadlinesMax] = w.Node()
			x.LongHeadlinesMax = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 4, w)
			}
		case nameLongHeadlineMaxChars:
			x.pos[atResponsiveCreativeParamsLongHeadlineMaxChars] = w.Node()
			x.LongHeadlineMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 5, w)
			}
		case nameDescriptionsMin:
			x.pos[atResponsiveCreativeParamsDescriptionsMin] = w.Node()
			x.DescriptionsMin = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 6, w)
			}
		case nameDescriptionsMax:
			x.pos[atResponsiveCreativeParamsDescriptionsMax] = w.Node()
			x.DescriptionsMax = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 7, w)
			}
		case nameDescriptionMaxChars:
			x.pos[atResponsiveCreativeParamsDescriptionMaxChars] = w.Node()
			x.DescriptionMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 8, w)
			}
		case nameImagesLandscapeMin:
			x.pos[atResponsiveCreativeParamsImagesLandscapeMin] = w.Node()
			x.ImagesLandscapeMin = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 9, w)
			}
		case nameImagesLandscapeMax:
			x.pos[atResponsiveCreativeParamsImagesLandscapeMax] = w.Node()
			x.ImagesLandscapeMax = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 10, w)
			}
		case nameImagesLandscapeAspectRatio:
			x.pos[atResponsiveCreativeParamsImagesLandscapeAspectRatio] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ImagesLandscapeAspectRatio = s
			} else {
				d.mistyped(model.ResponsiveCreativeParams, 11, w)
			}
		case nameImagesSquareMin:
			x.pos[atResponsiveCreativeParamsImagesSquareMin] = w.Node()
			x.ImagesSquareMin = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 12, w)
			}
		case nameImagesSquareMax:
			x.pos[atResponsiveCreativeParamsImagesSquareMax] = w.Node()
			x.ImagesSquareMax = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 13, w)
			}
		case nameImagesVerticalMin:
			x.pos[atResponsiveCreativeParamsImagesVerticalMin] = w.Node()
			x.ImagesVerticalMin = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 14, w)
			}
		case nameImagesVerticalMax:
			x.pos[atResponsiveCreativeParamsImagesVerticalMax] = w.Node()
			x.ImagesVerticalMax = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 15, w)
			}
		case nameVideosMin:
			x.pos[atResponsiveCreativeParamsVideosMin] = w.Node()
			x.VideosMin = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 16, w)
			}
		case nameVideosMax:
			x.pos[atResponsiveCreativeParamsVideosMax] = w.Node()
			x.VideosMax = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 17, w)
			}
		case nameVideoMinDurationMs:
			x.pos[atResponsiveCreativeParamsVideoMinDurationMS] = w.Node()
			x.VideoMinDurationMS = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 18, w)
			}
		case nameVideoMaxDurationMs:
			x.pos[atResponsiveCreativeParamsVideoMaxDurationMS] = w.Node()
			x.VideoMaxDurationMS = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 19, w)
			}
		case nameLogoMin:
			x.pos[atResponsiveCreativeParamsLogoMin] = w.Node()
			x.LogoMin = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 20, w)
			}
		case nameLogoMax:
			x.pos[atResponsiveCreativeParamsLogoMax] = w.Node()
			x.LogoMax = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 21, w)
			}
		case nameLogoAspectRatios:
			x.pos[atResponsiveCreativeParamsLogoAspectRatios] = w.Node()
			x.LogoAspectRatios = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.ResponsiveCreativeParams, 22, w)
			}
		case nameBusinessNameMaxChars:
			x.pos[atResponsiveCreativeParamsBusinessNameMaxChars] = w.Node()
			x.BusinessNameMaxChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 23, w)
			}
		case nameAssetImageMaxFileSizeKb:
			x.pos[atResponsiveCreativeParamsAssetImageMaxFileSizeKB] = w.Node()
			x.AssetImageMaxFileSizeKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 24, w)
			}
		case nameSupportsCatalogInput:
			x.pos[atResponsiveCreativeParamsSupportsCatalogInput] = w.Node()
			x.SupportsCatalogInput = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ResponsiveCreativeParams, 25, w)
			}
		case nameSlots:
			x.pos[atResponsiveCreativeParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.ResponsiveCreativeParams, 26, w)
			}
		case nameCompositionModel:
			x.pos[atResponsiveCreativeParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.ResponsiveCreativeParams, 27, w)
			}
		case nameProvenanceRequired:
			x.pos[atResponsiveCreativeParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ResponsiveCreativeParams, 28, w)
			}
		case namePlatformExtensions:
			x.pos[atResponsiveCreativeParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.ResponsiveCreativeParams, 29, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atResponsiveCreativeParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ResponsiveCreativeParams, 30, w)
			}
		case nameRequiredConnections:
			x.pos[atResponsiveCreativeParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.ResponsiveCreativeParams, 31, w)
			}
		case nameReferenceMutability:
			x.pos[atResponsiveCreativeParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.ResponsiveCreativeParams, 32, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atResponsiveCreativeParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.ResponsiveCreativeParams, 33, w)
			}
		case nameExperimental:
			x.pos[atResponsiveCreativeParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ResponsiveCreativeParams, 34, w)
			}
		case nameDeprecated:
			x.pos[atResponsiveCreativeParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ResponsiveCreativeParams, 35, w)
			}
		case nameV1Translatable:
			x.pos[atResponsiveCreativeParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.ResponsiveCreativeParams, 36, w)
			}
		case nameSinceVersion:
			x.pos[atResponsiveCreativeParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.ResponsiveCreativeParams, 37, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atResponsiveCreativeParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.ResponsiveCreativeParams, 38, w)
			}
		default:
			d.stranger(model.ResponsiveCreativeParams, m)
		}
	}
}

func (d *decoder) decodeAgentPlacementParams(v Value, x *AgentPlacementParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameOutputModality:
			x.pos[atAgentPlacementParamsOutputModality] = w.Node()
			if s, ok := w.AsString(); ok {
				x.OutputModality = s
			} else {
				d.mistyped(model.AgentPlacementParams, 0, w)
			}
		case nameMaxMentionLengthChars:
			x.pos[atAgentPlacementParamsMaxMentionLengthChars] = w.Node()
			x.MaxMentionLengthChars = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AgentPlacementParams, 1, w)
			}
		case nameMaxMentionDurationMs:
			x.pos[atAgentPlacementParamsMaxMentionDurationMS] = w.Node()
			x.MaxMentionDurationMS = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AgentPlacementParams, 2, w)
			}
		case nameSupportsOfferingReference:
			x.pos[atAgentPlacementParamsSupportsOfferingReference] = w.Node()
			x.SupportsOfferingReference = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AgentPlacementParams, 3, w)
			}
		case nameSupportsLandingPageURL:
			x.pos[atAgentPlacementParamsSupportsLandingPageURL] = w.Node()
			x.SupportsLandingPageURL = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AgentPlacementParams, 4, w)
			}
		case nameDisclosureRequired:
			x.pos[atAgentPlacementParamsDisclosureRequired] = w.Node()
			x.DisclosureRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AgentPlacementParams, 5, w)
			}
		case nameToneConstraints:
			x.pos[atAgentPlacementParamsToneConstraints] = w.Node()
			x.ToneConstraints = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.AgentPlacementParams, 6, w)
			}
		case nameSlots:
			x.pos[atAgentPlacementParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.AgentPlacementParams, 7, w)
			}
		case nameCompositionModel:
			x.pos[atAgentPlacementParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.AgentPlacementParams, 8, w)
			}
		case nameProvenanceRequired:
			x.pos[atAgentPlacementParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AgentPlacementParams, 9, w)
			}
		case namePlatformExtensions:
			x.pos[atAgentPlacementParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.AgentPlacementParams, 10, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atAgentPlacementParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AgentPlacementParams, 11, w)
			}
		case nameRequiredConnections:
			x.pos[atAgentPlacementParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.AgentPlacementParams, 12, w)
			}
		case nameReferenceMutability:
			x.pos[atAgentPlacementParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.AgentPlacementParams, 13, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atAgentPlacementParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.AgentPlacementParams, 14, w)
			}
		case nameExperimental:
			x.pos[atAgentPlacementParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AgentPlacementParams, 15, w)
			}
		case nameDeprecated:
			x.pos[atAgentPlacementParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AgentPlacementParams, 16, w)
			}
		case nameV1Translatable:
			x.pos[atAgentPlacementParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.AgentPlacementParams, 17, w)
			}
		case nameSinceVersion:
			x.pos[atAgentPlacementParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.AgentPlacementParams, 18, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atAgentPlacementParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.AgentPlacementParams, 19, w)
			}
		default:
			d.stranger(model.AgentPlacementParams, m)
		}
	}
}

func (d *decoder) decodeStatefulDisplayParams(v Value, x *StatefulDisplayParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameSupplyMode:
			x.pos[atStatefulDisplayParamsSupplyMode] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SupplyMode = s
			} else {
				d.mistyped(model.StatefulDisplayParams, 0, w)
			}
		case nameStates:
			x.pos[atStatefulDisplayParamsStates] = w.Node()
			x.States = d.listState(w)
			if !w.Is(Array) {
				d.mistyped(model.StatefulDisplayParams, 1, w)
			}
		case nameInitialStateID:
			x.pos[atStatefulDisplayParamsInitialStateID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.InitialStateID = s
			} else {
				d.mistyped(model.StatefulDisplayParams, 2, w)
			}
		case nameReveal:
			x.pos[atStatefulDisplayParamsReveal] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Reveal = s
			} else {
				d.mistyped(model.StatefulDisplayParams, 3, w)
			}
		case nameTransitions:
			x.pos[atStatefulDisplayParamsTransitions] = w.Node()
			x.Transitions = d.listTransition(w)
			if !w.Is(Array) {
				d.mistyped(model.StatefulDisplayParams, 4, w)
			}
		case nameClickthrough:
			x.pos[atStatefulDisplayParamsClickthrough] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Clickthrough = s
			} else {
				d.mistyped(model.StatefulDisplayParams, 5, w)
			}
		case nameUserControls:
			x.pos[atStatefulDisplayParamsUserControls] = w.Node()
			if w.Is(Object) {
				x.UserControls = part[UserControls](d)
				d.decodeUserControls(w, x.UserControls)
			}
			if !w.Is(Object) {
				d.mistyped(model.StatefulDisplayParams, 6, w)
			}
		case nameCanvasConstraints:
			x.pos[atStatefulDisplayParamsCanvasConstraints] = w.Node()
			x.CanvasConstraints = d.listCanvasConstraint(w)
			if !w.Is(Array) {
				d.mistyped(model.StatefulDisplayParams, 7, w)
			}
		case nameDurationMsRange:
			x.pos[atStatefulDisplayParamsDurationMSRange] = w.Node()
			x.DurationMSRange = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.StatefulDisplayParams, 8, w)
			}
		case nameDurationMsExact:
			x.pos[atStatefulDisplayParamsDurationMSExact] = w.Node()
			x.DurationMSExact = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.StatefulDisplayParams, 9, w)
			}
		case nameAspectRatio:
			x.pos[atStatefulDisplayParamsAspectRatio] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AspectRatio = s
			} else {
				d.mistyped(model.StatefulDisplayParams, 10, w)
			}
		case nameContainers:
			x.pos[atStatefulDisplayParamsContainers] = w.Node()
			x.Containers = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.StatefulDisplayParams, 11, w)
			}
		case nameVideoPlayback:
			x.pos[atStatefulDisplayParamsVideoPlayback] = w.Node()
			if s, ok := w.AsString(); ok {
				x.VideoPlayback = s
			} else {
				d.mistyped(model.StatefulDisplayParams, 12, w)
			}
		case nameMaxInitialLoadKb:
			x.pos[atStatefulDisplayParamsMaxInitialLoadKB] = w.Node()
			x.MaxInitialLoadKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.StatefulDisplayParams, 13, w)
			}
		case nameMaxSubloadKb:
			x.pos[atStatefulDisplayParamsMaxSubloadKB] = w.Node()
			x.MaxSubloadKB = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.StatefulDisplayParams, 14, w)
			}
		case namePoliteLoad:
			x.pos[atStatefulDisplayParamsPoliteLoad] = w.Node()
			x.PoliteLoad = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.StatefulDisplayParams, 15, w)
			}
		case nameSlots:
			x.pos[atStatefulDisplayParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.StatefulDisplayParams, 16, w)
			}
		case nameCompositionModel:
			x.pos[atStatefulDisplayParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.StatefulDisplayParams, 17, w)
			}
		case nameProvenanceRequired:
			x.pos[atStatefulDisplayParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.StatefulDisplayParams, 18, w)
			}
		case namePlatformExtensions:
			x.pos[atStatefulDisplayParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.StatefulDisplayParams, 19, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atStatefulDisplayParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.StatefulDisplayParams, 20, w)
			}
		case nameRequiredConnections:
			x.pos[atStatefulDisplayParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.StatefulDisplayParams, 21, w)
			}
		case nameReferenceMutability:
			x.pos[atStatefulDisplayParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.StatefulDisplayParams, 22, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atStatefulDisplayParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.StatefulDisplayParams, 23, w)
			}
		case nameExperimental:
			x.pos[atStatefulDisplayParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.StatefulDisplayParams, 24, w)
			}
		case nameDeprecated:
			x.pos[atStatefulDisplayParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.StatefulDisplayParams, 25, w)
			}
		case nameV1Translatable:
			x.pos[atStatefulDisplayParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.StatefulDisplayParams, 26, w)
			}
		case nameSinceVersion:
			x.pos[atStatefulDisplayParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.StatefulDisplayParams, 27, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atStatefulDisplayParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.StatefulDisplayParams, 28, w)
			}
		default:
			d.stranger(model.StatefulDisplayParams, m)
		}
	}
}

func (d *decoder) decodeState(v Value, x *State) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameStateID:
			x.pos[atStateID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ID = s
			} else {
				d.mistyped(model.State, 0, w)
			}
		case nameAnchoring:
			x.pos[atStateAnchoring] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Anchoring = s
			} else {
				d.mistyped(model.State, 1, w)
			}
		case nameBreakpoints:
			x.pos[atStateBreakpoints] = w.Node()
			x.Breakpoints = d.listBreakpoint(w)
			if !w.Is(Array) {
				d.mistyped(model.State, 2, w)
			}
		case nameCloseAffordance:
			x.pos[atStateCloseAffordance] = w.Node()
			x.CloseAffordance = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.State, 3, w)
			}
		case nameSlotBindings:
			x.pos[atStateSlotBindings] = w.Node()
			x.SlotBindings = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.State, 4, w)
			}
		case nameMotion:
			x.pos[atStateMotion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Motion = s
			} else {
				d.mistyped(model.State, 5, w)
			}
		case nameMaxAnimationS:
			x.pos[atStateMaxAnimationSeconds] = w.Node()
			x.MaxAnimationSeconds = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.State, 6, w)
			}
		default:
			d.stranger(model.State, m)
		}
	}
}

func (d *decoder) listState(v Value) []State {
	if !v.Is(Array) {
		return nil
	}
	list := entries[State](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeState(e.Value(), &list[i])
		i++
	}
	return list
}

func (d *decoder) decodeBreakpoint(v Value, x *Breakpoint) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameBreakpointID:
			x.pos[atBreakpointID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ID = s
			} else {
				d.mistyped(model.Breakpoint, 0, w)
			}
		case nameWidth:
			x.pos[atBreakpointWidth] = w.Node()
			x.Width = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Breakpoint, 1, w)
			}
		case nameWidthRange:
			x.pos[atBreakpointWidthRange] = w.Node()
			x.WidthRange = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.Breakpoint, 2, w)
			}
		case nameWidthMode:
			x.pos[atBreakpointWidthMode] = w.Node()
			if s, ok := w.AsString(); ok {
				x.WidthMode = s
			} else {
				d.mistyped(model.Breakpoint, 3, w)
			}
		case nameHeight:
			x.pos[atBreakpointHeight] = w.Node()
			x.Height = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Breakpoint, 4, w)
			}
		case nameHeightRange:
			x.pos[atBreakpointHeightRange] = w.Node()
			x.HeightRange = d.numbers(w)
			if !w.Is(Array) {
				d.mistyped(model.Breakpoint, 5, w)
			}
		case nameViewportHeightPercent:
			x.pos[atBreakpointViewportHeightPercent] = w.Node()
			x.ViewportHeightPercent = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Breakpoint, 6, w)
			}
		case nameCanvasAspectRatio:
			x.pos[atBreakpointCanvasAspectRatio] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CanvasAspectRatio = s
			} else {
				d.mistyped(model.Breakpoint, 7, w)
			}
		default:
			d.stranger(model.Breakpoint, m)
		}
	}
}

func (d *decoder) listBreakpoint(v Value) []Breakpoint {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Breakpoint](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeBreakpoint(e.Value(), &list[i])
		i++
	}
	return list
}

func (d *decoder) decodeTransition(v Value, x *Transition) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameTransitionID:
			x.pos[atTransitionID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ID = s
			} else {
				d.mistyped(model.Transition, 0, w)
			}
		case nameFromStateID:
			x.pos[atTransitionFromStateID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.FromStateID = s
			} else {
				d.mistyped(model.Transition, 1, w)
			}
		case nameToStateID:
			x.pos[atTransitionToStateID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ToStateID = s
			} else {
				d.mistyped(model.Transition, 2, w)
			}
		case nameTrigger:
			x.pos[atTransitionTrigger] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Trigger = s
			} else {
				d.mistyped(model.Transition, 3, w)
			}
		case nameTransitionMode:
			x.pos[atTransitionMode] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Mode = s
			} else {
				d.mistyped(model.Transition, 4, w)
			}
		case nameInput:
			x.pos[atTransitionInput] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Input = s
			} else {
				d.mistyped(model.Transition, 5, w)
			}
		case nameMediaEvent:
			x.pos[atTransitionMediaEvent] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MediaEvent = s
			} else {
				d.mistyped(model.Transition, 6, w)
			}
		case nameDirection:
			x.pos[atTransitionDirection] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Direction = s
			} else {
				d.mistyped(model.Transition, 7, w)
			}
		case nameDelayMs:
			x.pos[atTransitionDelayMS] = w.Node()
			x.DelayMS = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Transition, 8, w)
			}
		case nameDurationMs:
			x.pos[atTransitionDurationMS] = w.Node()
			x.DurationMS = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Transition, 9, w)
			}
		case nameScrollThresholdPercent:
			x.pos[atTransitionScrollThresholdPercent] = w.Node()
			x.ScrollThresholdPercent = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Transition, 10, w)
			}
		case nameScrollReference:
			x.pos[atTransitionScrollReference] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ScrollReference = s
			} else {
				d.mistyped(model.Transition, 11, w)
			}
		case nameScrollStartPercent:
			x.pos[atTransitionScrollStartPercent] = w.Node()
			x.ScrollStartPercent = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Transition, 12, w)
			}
		case nameScrollEndPercent:
			x.pos[atTransitionScrollEndPercent] = w.Node()
			x.ScrollEndPercent = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Transition, 13, w)
			}
		case namePreservePlayback:
			x.pos[atTransitionPreservePlayback] = w.Node()
			x.PreservePlayback = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.Transition, 14, w)
			}
		default:
			d.stranger(model.Transition, m)
		}
	}
}

func (d *decoder) listTransition(v Value) []Transition {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Transition](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeTransition(e.Value(), &list[i])
		i++
	}
	return list
}

func (d *decoder) decodeUserControls(v Value, x *UserControls) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameDismissible:
			x.pos[atUserControlsDismissible] = w.Node()
			x.Dismissible = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.UserControls, 0, w)
			}
		case nameUserCollapsible:
			x.pos[atUserControlsUserCollapsible] = w.Node()
			x.UserCollapsible = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.UserControls, 1, w)
			}
		default:
			d.stranger(model.UserControls, m)
		}
	}
}

func (d *decoder) decodeCanvasConstraint(v Value, x *CanvasConstraint) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameConstraint:
			x.pos[atCanvasConstraintConstraint] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Constraint = s
			} else {
				d.mistyped(model.CanvasConstraint, 0, w)
			}
		case nameRegion:
			x.pos[atCanvasConstraintRegion] = w.Node()
			if w.Is(Object) {
				x.Region = part[CanvasRegion](d)
				d.decodeCanvasRegion(w, x.Region)
			}
			if !w.Is(Object) {
				d.mistyped(model.CanvasConstraint, 1, w)
			}
		case nameStateID:
			x.pos[atCanvasConstraintStateID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.StateID = s
			} else {
				d.mistyped(model.CanvasConstraint, 2, w)
			}
		case nameBreakpointID:
			x.pos[atCanvasConstraintBreakpointID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.BreakpointID = s
			} else {
				d.mistyped(model.CanvasConstraint, 3, w)
			}
		default:
			d.stranger(model.CanvasConstraint, m)
		}
	}
}

func (d *decoder) listCanvasConstraint(v Value) []CanvasConstraint {
	if !v.Is(Array) {
		return nil
	}
	list := entries[CanvasConstraint](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeCanvasConstraint(e.Value(), &list[i])
		i++
	}
	return list
}

func (d *decoder) decodeCanvasRegion(v Value, x *CanvasRegion) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameX:
			x.pos[atCanvasRegionX] = w.Node()
			x.X = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.CanvasRegion, 0, w)
			}
		case nameY:
			x.pos[atCanvasRegionY] = w.Node()
			x.Y = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.CanvasRegion, 1, w)
			}
		case nameWidth:
			x.pos[atCanvasRegionWidth] = w.Node()
			x.Width = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.CanvasRegion, 2, w)
			}
		case nameHeight:
			x.pos[atCanvasRegionHeight] = w.Node()
			x.Height = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.CanvasRegion, 3, w)
			}
		case nameUnit:
			x.pos[atCanvasRegionUnit] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Unit = s
			} else {
				d.mistyped(model.CanvasRegion, 4, w)
			}
		default:
			d.stranger(model.CanvasRegion, m)
		}
	}
}

func (d *decoder) decodeCoordinatedPlacementsParams(v Value, x *CoordinatedPlacementsParams) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameComponents:
			x.pos[atCoordinatedPlacementsParamsComponents] = w.Node()
			x.Components = d.listComponent(w)
			if !w.Is(Array) {
				d.mistyped(model.CoordinatedPlacementsParams, 0, w)
			}
		case nameSharedSlots:
			x.pos[atCoordinatedPlacementsParamsSharedSlots] = w.Node()
			x.SharedSlots = d.listSharedSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.CoordinatedPlacementsParams, 1, w)
			}
		case nameSlots:
			x.pos[atCoordinatedPlacementsParamsSlots] = w.Node()
			x.Slots = d.listSlot(w)
			if !w.Is(Array) {
				d.mistyped(model.CoordinatedPlacementsParams, 2, w)
			}
		case nameCompositionModel:
			x.pos[atCoordinatedPlacementsParamsCompositionModel] = w.Node()
			if s, ok := w.AsString(); ok {
				x.CompositionModel = s
			} else {
				d.mistyped(model.CoordinatedPlacementsParams, 3, w)
			}
		case nameProvenanceRequired:
			x.pos[atCoordinatedPlacementsParamsProvenanceRequired] = w.Node()
			x.ProvenanceRequired = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.CoordinatedPlacementsParams, 4, w)
			}
		case namePlatformExtensions:
			x.pos[atCoordinatedPlacementsParamsPlatformExtensions] = w.Node()
			x.PlatformExtensions = d.listPlatformExtension(w)
			if !w.Is(Array) {
				d.mistyped(model.CoordinatedPlacementsParams, 5, w)
			}
		case nameSynthesisNondeterministic:
			x.pos[atCoordinatedPlacementsParamsSynthesisNondeterministic] = w.Node()
			x.SynthesisNondeterministic = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.CoordinatedPlacementsParams, 6, w)
			}
		case nameRequiredConnections:
			x.pos[atCoordinatedPlacementsParamsRequiredConnections] = w.Node()
			x.RequiredConnections = d.listDownstreamConnection(w)
			if !w.Is(Array) {
				d.mistyped(model.CoordinatedPlacementsParams, 7, w)
			}
		case nameReferenceMutability:
			x.pos[atCoordinatedPlacementsParamsReferenceMutability] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ReferenceMutability = s
			} else {
				d.mistyped(model.CoordinatedPlacementsParams, 8, w)
			}
		case nameProductionWindowBusinessDays:
			x.pos[atCoordinatedPlacementsParamsProductionWindowBusinessDays] = w.Node()
			x.ProductionWindowBusinessDays = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.CoordinatedPlacementsParams, 9, w)
			}
		case nameExperimental:
			x.pos[atCoordinatedPlacementsParamsExperimental] = w.Node()
			x.Experimental = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.CoordinatedPlacementsParams, 10, w)
			}
		case nameDeprecated:
			x.pos[atCoordinatedPlacementsParamsDeprecated] = w.Node()
			x.Deprecated = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.CoordinatedPlacementsParams, 11, w)
			}
		case nameV1Translatable:
			x.pos[atCoordinatedPlacementsParamsV1Translatable] = w.Node()
			x.V1Translatable = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.CoordinatedPlacementsParams, 12, w)
			}
		case nameSinceVersion:
			x.pos[atCoordinatedPlacementsParamsSinceVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.SinceVersion = s
			} else {
				d.mistyped(model.CoordinatedPlacementsParams, 13, w)
			}
		case nameMigrationTargetVersion:
			x.pos[atCoordinatedPlacementsParamsMigrationTargetVersion] = w.Node()
			if s, ok := w.AsString(); ok {
				x.MigrationTargetVersion = s
			} else {
				d.mistyped(model.CoordinatedPlacementsParams, 14, w)
			}
		default:
			d.stranger(model.CoordinatedPlacementsParams, m)
		}
	}
}

func (d *decoder) decodeComponent(v Value, x *Component) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameComponentID:
			x.pos[atComponentID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ID = s
			} else {
				d.mistyped(model.Component, 0, w)
			}
		case namePlacementRef:
			x.pos[atComponentPlacementRef] = w.Node()
			if w.Is(Object) {
				x.PlacementRef = part[PlacementRef](d)
				d.decodePlacementRef(w, x.PlacementRef)
			}
			if !w.Is(Object) {
				d.mistyped(model.Component, 1, w)
			}
		case nameRequired:
			x.pos[atComponentRequired] = w.Node()
			x.Required = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.Component, 2, w)
			}
		case nameSequence:
			x.pos[atComponentSequence] = w.Node()
			x.Sequence = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.Component, 3, w)
			}
		case nameServingPolicy:
			x.pos[atComponentServingPolicy] = w.Node()
			if s, ok := w.AsString(); ok {
				x.ServingPolicy = s
			} else {
				d.mistyped(model.Component, 4, w)
			}
		case nameCanvasConstraints:
			x.pos[atComponentCanvasConstraints] = w.Node()
			x.CanvasConstraints = d.listCanvasConstraint(w)
			if !w.Is(Array) {
				d.mistyped(model.Component, 5, w)
			}
		case nameFormatOptionRef:
			x.pos[atComponentFormatOptionRef] = w.Node()
			if w.Is(Object) {
				x.FormatOptionRef = part[FormatOptionRef](d)
				d.decodeFormatOptionRef(w, x.FormatOptionRef)
			}
			if !w.Is(Object) {
				d.mistyped(model.Component, 6, w)
			}
		case nameFormatKind:
			x.pos[atComponentFormatKind] = w.Node()
			if s, ok := w.AsString(); ok {
				x.FormatKind = s
			} else {
				d.mistyped(model.Component, 7, w)
			}
		case nameParams:
			x.pos[atComponentParams] = w.Node()
			x.Params = w
			if !w.Is(Object) {
				d.mistyped(model.Component, 8, w)
			}
		default:
			d.stranger(model.Component, m)
		}
	}
}

func (d *decoder) listComponent(v Value) []Component {
	if !v.Is(Array) {
		return nil
	}
	list := entries[Component](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeComponent(e.Value(), &list[i])
		i++
	}
	return list
}

func (d *decoder) decodePlacementRef(v Value, x *PlacementRef) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case namePublisherDomain:
			x.pos[atPlacementRefPublisherDomain] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PublisherDomain = s
			} else {
				d.mistyped(model.PlacementRef, 0, w)
			}
		case namePlacementID:
			x.pos[atPlacementRefPlacementID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PlacementID = s
			} else {
				d.mistyped(model.PlacementRef, 1, w)
			}
		default:
			d.stranger(model.PlacementRef, m)
		}
	}
}

func (d *decoder) decodeFormatOptionRef(v Value, x *FormatOptionRef) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameScope:
			x.pos[atFormatOptionRefScope] = w.Node()
			if s, ok := w.AsString(); ok {
				x.Scope = s
			} else {
				d.mistyped(model.FormatOptionRef, 0, w)
			}
		case namePublisherDomain:
			x.pos[atFormatOptionRefPublisherDomain] = w.Node()
			if s, ok := w.AsString(); ok {
				x.PublisherDomain = s
			} else {
				d.mistyped(model.FormatOptionRef, 1, w)
			}
		case nameFormatOptionID:
			x.pos[atFormatOptionRefFormatOptionID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.FormatOptionID = s
			} else {
				d.mistyped(model.FormatOptionRef, 2, w)
			}
		default:
			d.stranger(model.FormatOptionRef, m)
		}
	}
}

func (d *decoder) decodeSharedSlot(v Value, x *SharedSlot) {
	x.Raw = v
	for m, ok := v.FirstMember(); ok; m, ok = m.Next() {
		w := m.Value()
		switch m.NameID() {
		case nameAssetGroupID:
			x.pos[atSharedSlotAssetGroupID] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AssetGroupID = s
			} else {
				d.mistyped(model.SharedSlot, 0, w)
			}
		case nameAssetType:
			x.pos[atSharedSlotAssetType] = w.Node()
			if s, ok := w.AsString(); ok {
				x.AssetType = s
			} else {
				d.mistyped(model.SharedSlot, 1, w)
			}
		case nameRequired:
			x.pos[atSharedSlotRequired] = w.Node()
			x.Required = w.Bool()
			if !w.IsBool() {
				d.mistyped(model.SharedSlot, 2, w)
			}
		case nameMin:
			x.pos[atSharedSlotMin] = w.Node()
			x.Min = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.SharedSlot, 3, w)
			}
		case nameMax:
			x.pos[atSharedSlotMax] = w.Node()
			x.Max = numberOf(w)
			if !w.Is(NumberKind) {
				d.mistyped(model.SharedSlot, 4, w)
			}
		case nameConsumedBy:
			x.pos[atSharedSlotConsumedBy] = w.Node()
			x.ConsumedBy = d.strings(w)
			if !w.Is(Array) {
				d.mistyped(model.SharedSlot, 5, w)
			}
		default:
			d.stranger(model.SharedSlot, m)
		}
	}
}

func (d *decoder) listSharedSlot(v Value) []SharedSlot {
	if !v.Is(Array) {
		return nil
	}
	list := entries[SharedSlot](d, v)
	i := 0
	for e, ok := v.FirstElem(); ok && i < len(list); e, ok = e.Next() {
		d.decodeSharedSlot(e.Value(), &list[i])
		i++
	}
	return list
}

// ImageParams returns the params of a format of kind image, and false for another kind.
func (f *FormatDeclaration) ImageParams() (ImageParams, bool) {
	var params ImageParams
	if f.Kind != "image" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeImageParams(f.Params, &params)
	return params, true
}

// HTML5Params returns the params of a format of kind html5, and false for another kind.
func (f *FormatDeclaration) HTML5Params() (HTML5Params, bool) {
	var params HTML5Params
	if f.Kind != "html5" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeHTML5Params(f.Params, &params)
	return params, true
}

// DisplayTagParams returns the params of a format of kind display_tag, and false for another kind.
func (f *FormatDeclaration) DisplayTagParams() (DisplayTagParams, bool) {
	var params DisplayTagParams
	if f.Kind != "display_tag" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeDisplayTagParams(f.Params, &params)
	return params, true
}

// ImageCarouselParams returns the params of a format of kind image_carousel, and false for another kind.
func (f *FormatDeclaration) ImageCarouselParams() (ImageCarouselParams, bool) {
	var params ImageCarouselParams
	if f.Kind != "image_carousel" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeImageCarouselParams(f.Params, &params)
	return params, true
}

// VideoHostedParams returns the params of a format of kind video_hosted, and false for another kind.
func (f *FormatDeclaration) VideoHostedParams() (VideoHostedParams, bool) {
	var params VideoHostedParams
	if f.Kind != "video_hosted" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeVideoHostedParams(f.Params, &params)
	return params, true
}

// VideoVASTParams returns the params of a format of kind video_vast, and false for another kind.
func (f *FormatDeclaration) VideoVASTParams() (VideoVASTParams, bool) {
	var params VideoVASTParams
	if f.Kind != "video_vast" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeVideoVASTParams(f.Params, &params)
	return params, true
}

// AudioHostedParams returns the params of a format of kind audio_hosted, and false for another kind.
func (f *FormatDeclaration) AudioHostedParams() (AudioHostedParams, bool) {
	var params AudioHostedParams
	if f.Kind != "audio_hosted" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeAudioHostedParams(f.Params, &params)
	return params, true
}

// AudioDAASTParams returns the params of a format of kind audio_daast, and false for another kind.
func (f *FormatDeclaration) AudioDAASTParams() (AudioDAASTParams, bool) {
	var params AudioDAASTParams
	if f.Kind != "audio_daast" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeAudioDAASTParams(f.Params, &params)
	return params, true
}

// SponsoredPlacementParams returns the params of a format of kind sponsored_placement, and false for another kind.
func (f *FormatDeclaration) SponsoredPlacementParams() (SponsoredPlacementParams, bool) {
	var params SponsoredPlacementParams
	if f.Kind != "sponsored_placement" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeSponsoredPlacementParams(f.Params, &params)
	return params, true
}

// NativeInFeedParams returns the params of a format of kind native_in_feed, and false for another kind.
func (f *FormatDeclaration) NativeInFeedParams() (NativeInFeedParams, bool) {
	var params NativeInFeedParams
	if f.Kind != "native_in_feed" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeNativeInFeedParams(f.Params, &params)
	return params, true
}

// ResponsiveCreativeParams returns the params of a format of kind responsive_creative, and false for another kind.
func (f *FormatDeclaration) ResponsiveCreativeParams() (ResponsiveCreativeParams, bool) {
	var params ResponsiveCreativeParams
	if f.Kind != "responsive_creative" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeResponsiveCreativeParams(f.Params, &params)
	return params, true
}

// AgentPlacementParams returns the params of a format of kind agent_placement, and false for another kind.
func (f *FormatDeclaration) AgentPlacementParams() (AgentPlacementParams, bool) {
	var params AgentPlacementParams
	if f.Kind != "agent_placement" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeAgentPlacementParams(f.Params, &params)
	return params, true
}

// StatefulDisplayParams returns the params of a format of kind seller_rendered_stateful_display, and false for another kind.
func (f *FormatDeclaration) StatefulDisplayParams() (StatefulDisplayParams, bool) {
	var params StatefulDisplayParams
	if f.Kind != "seller_rendered_stateful_display" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeStatefulDisplayParams(f.Params, &params)
	return params, true
}

// CoordinatedPlacementsParams returns the params of a format of kind coordinated_placements, and false for another kind.
func (f *FormatDeclaration) CoordinatedPlacementsParams() (CoordinatedPlacementsParams, bool) {
	var params CoordinatedPlacementsParams
	if f.Kind != "coordinated_placements" || !f.Params.Is(Object) {
		return params, false
	}
	var d decoder
	d.decodeCoordinatedPlacementsParams(f.Params, &params)
	return params, true
}
