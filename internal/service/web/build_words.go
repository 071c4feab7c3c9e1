package web

import (
	"cmp"
	"regexp"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/model"
)

// initialisms are words of names that people write otherwise.
var initialisms = map[string]string{
	"id": "ID", "ids": "IDs", "url": "URL", "uri": "URI", "kb": "kB", "kbps": "kbit/s", "etag": "ETag", "ssl": "SSL",
	"om": "OM", "sdk": "SDK", "cta": "CTA", "ctv": "CTV",
	"html5": "HTML5", "vast": "VAST", "daast": "DAAST", "ccpa": "CCPA", "sla": "SLA", "ai": "AI", "dts": "DTS",
	"adcp": "AdCP", "kid": "Key ID", "kty": "Key type", "crv": "Curve", "alg": "Algorithm",
	"ar": "AR", "asin": "ASIN", "css": "CSS", "dooh": "DOOH", "eidr": "EIDR", "guid": "GUID", "html": "HTML",
	"iheart": "iHeart", "imdb": "IMDb", "ios": "iOS", "javascript": "JavaScript",
	"openooh": "OpenOOH", "qr": "QR", "rss": "RSS", "tiktok": "TikTok", "tv": "TV", "youtube": "YouTube", "zip": "ZIP",
}

// titleOf is the name of a member for people: "Property IDs" for property_ids.
func titleOf(name string) string {
	list := strings.Split(strings.TrimPrefix(name, "$"), "_")
	for i, word := range list {
		if known, ok := initialisms[word]; ok {
			list[i] = known
		} else if i == 0 && word != "" {
			list[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(list, " ")
}

// labels are values whose name is not made of their words.
var labels = map[string]string{
	"by_id": "By ID", "by_tag": "By tag",
	"ctv": "Connected TV", "ctv_app": "Connected TV app", "dooh": "Digital out of home", "ooh": "Out of home",
	"olv": "Online video", "1x1_redirect": "1 × 1 redirect",
	"fm_am_broadcast": "FM or AM broadcast", "tv_ott_or_stb_device": "TV, OTT or set-top box",
	"public_record_voter_file": "Public record: voter file", "public_record_census": "Public record: census",
	"public_record_other": "Public record: other",
	"intra_day":           "Several times a day", "bi_monthly": "Every two months", "bi_annually": "Twice a year",
	"annually": "Once a year", "text_to_speech": "Text to speech", "tune_in": "Tune in", "in_scene": "In the scene",
	"native_in_feed": "Native, in the feed", "video_hosted": "Video, hosted", "video_vast": "Video, VAST",
	"audio_hosted": "Audio, hosted", "audio_daast": "Audio, DAAST", "racial_ethnic_origin": "Racial or ethnic origin",
	"sex_life_sexual_orientation": "Sex life or sexual orientation", "ios_bundle": "iOS bundle",
}

// plainValue matches values that are made of words.
var plainValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`) })

// label names the values of a type. Values that are no words, such as addresses and codes, stand
// for themselves.
func (m *formModel) label(t *formType) {
	for _, value := range t.Enum {
		title := cmp.Or(model.SelectionOf(value).Title, labels[value])
		switch {
		case title != "":
			m.Labels[value] = title
		case plainValue().MatchString(value):
			m.Labels[value] = titleOf(value)
		}
	}
	if t.Elem != nil {
		m.label(t.Elem)
	}
}
