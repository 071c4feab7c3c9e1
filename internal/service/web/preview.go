package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"net/http"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/resolve"
)

// previewCard is what the picture of a shared report shows.
type previewCard struct {
	Domain, Class, Words string
	Stations             []station
}

// mostPreviews is how many pictures are kept, of about 30 kB each.
const mostPreviews = 64

// previews are pictures that were drawn, by what they show. One is drawn at a time.
type previews struct {
	mu   sync.Mutex
	kept map[[sha256.Size]byte][]byte
}

// previewURL is the address of the picture of a report, for links that are shared.
func previewURL(domain string) string { return "/preview/" + domain + ".png" }

// preview answers with the picture of a report, as it was last made. It makes no requests: of a publisher
// that was not checked of late it shows the name alone.
func (p *Pages) preview(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutSuffix(r.PathValue("name"), ".png")
	domain, err := discover.CanonicalDomain(name)
	if !ok || err != nil || domain != name || len(name) > longestDomain {
		p.notFound(w, r)
		return
	}
	card := &previewCard{Domain: safe(domain), Class: "none", Words: "adagents.json, checked by avow"}
	doc, err := p.service.LastFile(r.Context(), domain)
	if err == nil && !doc.FetchedAt.IsZero() {
		h := p.service.Headline(r.Context(), doc)
		verdict := verdictFrom(&h)
		card.Class, card.Words = verdict.Class, verdict.Words
		card.Stations = p.knownStations(r.Context(), domain, doc, &h)
	}
	body, err := p.previews.of(card)
	if err != nil {
		p.failed(w, r, err, domainForm{})
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("X-Robots-Tag", "noindex")
	if !edge.Unchanged(w, r, edge.TagOf(body)) {
		sendBody(w, http.StatusOK, body)
	}
}

// knownStations are the boxes of a report that was made a moment ago; nil without one.
func (p *Pages) knownStations(ctx context.Context, domain string, doc *resolve.Document,
	h *headline.Headline) []station {
	v, err := p.service.Validate(ctx, registry.ValidateRequest{Domain: domain, Known: true})
	if err != nil || v.Discovery == nil {
		return nil
	}
	record, err := p.service.Record(ctx, domain)
	if err != nil {
		return nil
	}
	return stationsOf(v, doc, record, h)
}

// of returns the picture of a card.
func (c *previews) of(card *previewCard) ([]byte, error) {
	text, err := json.Marshal(card)
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if body := c.kept[key]; body != nil {
		return body, nil
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, card.draw())
	if err != nil {
		return nil, err
	}
	if c.kept == nil || len(c.kept) >= mostPreviews {
		c.kept = map[[sha256.Size]byte][]byte{}
	}
	c.kept[key] = b.Bytes()
	return b.Bytes(), nil
}

// Sizes of the picture in pixels, as pages that show links want them.
const (
	previewWidth, previewHeight = 1200, 630
	previewEdge, previewInner   = 60, 30
	headlineSize, textSize      = 54, 26
)

// The colours of the picture, which are those of the pages.
var previewColours = map[string]color.RGBA{
	"good": {11, 107, 58, 255}, "bad": {176, 30, 33, 255}, "none": {69, 77, 87, 255}, "unknown": {123, 78, 0, 255},
	"warn":  {123, 78, 0, 255},
	"paper": {251, 251, 249, 255}, "card": {255, 255, 255, 255}, "ink": {21, 24, 29, 255}, "quiet": {87, 96, 107, 255},
	"line": {223, 226, 230, 255},
}

// fontSet has the fonts of pictures by name. They are used by one picture at a time.
type fontSet struct {
	mu    sync.Mutex
	faces map[string]font.Face
}

var fonts = sync.OnceValue(func() *fontSet {
	made := map[string]font.Face{}
	for name, f := range map[string]struct {
		ttf  []byte
		size float64
	}{"headline": {gobold.TTF, headlineSize}, "bold": {gobold.TTF, textSize}, "text": {goregular.TTF, textSize}} {
		parsed, err := opentype.Parse(f.ttf)
		if err == nil {
			made[name], err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: f.size, DPI: 72})
		}
		if err != nil {
			panic("a font of the program cannot be read: " + err.Error())
		}
	}
	return &fontSet{faces: made}
})

// draw draws the card: the name, the headline, and the status boxes below.
func (c *previewCard) draw() image.Image {
	fonts().mu.Lock()
	defer fonts().mu.Unlock()
	img := image.NewRGBA(image.Rect(0, 0, previewWidth, previewHeight))
	fillBox(img, img.Bounds(), "paper")
	fillBox(img, image.Rect(0, 0, previewInner, previewHeight), c.Class)
	const wide = previewWidth - 2*previewEdge
	writeText(img, "bold", "quiet", c.Domain, previewEdge+previewInner/2, 90, wide, 1)
	writeText(img, "headline", c.Class, c.Words, previewEdge+previewInner/2, 175, wide, 3)
	const top, gap = 400, 12
	if n := len(c.Stations); n > 0 {
		each := (wide - (n-1)*gap) / n
		for i, s := range c.Stations {
			box := image.Rect(0, 0, each, 140).Add(image.Pt(previewEdge+previewInner/2+i*(each+gap), top))
			fillBox(img, box, "line")
			fillBox(img, box.Inset(2), "card")
			fillBox(img, image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Min.Y+12), s.Class)
			end := writeText(img, "bold", "ink", s.Title, box.Min.X+14, top+52, each-24, 2)
			writeText(img, "text", s.Class, s.Word, box.Min.X+14, end, each-24, 1)
		}
	}
	writeText(img, "text", "quiet", "adagents.json, checked by avow",
		previewEdge+previewInner/2, previewHeight-40, wide, 1)
	return img
}

func fillBox(img imagedraw.Image, where image.Rectangle, colour string) {
	imagedraw.Draw(img, where, image.NewUniform(previewColours[colour]), image.Point{}, imagedraw.Src)
}

// writeText writes a text in lines of some width, as many as there may be, and returns the height of the next.
func writeText(img imagedraw.Image, face, colour, text string, x, y, wide, most int) int {
	d := &font.Drawer{Dst: img, Src: image.NewUniform(previewColours[colour]), Face: fonts().faces[face]}
	high := d.Face.Metrics().Height.Ceil()
	broken := wrapped(d, strings.Fields(text), fixed.I(wide), most)
	for _, line := range broken {
		d.Dot = fixed.P(x, y)
		d.DrawString(line)
		y += high
	}
	return y
}

// wrapped breaks words into lines. What does not fit into the last one is cut.
func wrapped(d *font.Drawer, list []string, wide fixed.Int26_6, most int) []string {
	var out []string
	line := ""
	for i, word := range list {
		longer := strings.TrimPrefix(line+" "+word, " ")
		if d.MeasureString(longer) <= wide {
			line = longer
			continue
		}
		if len(out) == most-1 || line == "" {
			line = strings.TrimPrefix(line+" "+strings.Join(list[i:], " "), " ")
			break
		}
		out = append(out, line)
		line = word
	}
	for cut := []rune(line); d.MeasureString(line) > wide && len(cut) > 1; line = string(cut) + ellipsis {
		cut = cut[:len(cut)-1]
	}
	return append(out, line)
}
