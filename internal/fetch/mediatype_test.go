package fetch

import (
	"mime"
	"strings"
	"testing"
)

var contentTypes = []struct {
	value   string
	essence string // empty for a malformed value
	charset string
}{
	{"application/json", "application/json", ""},
	{"Application/JSON", "application/json", ""},
	{" application/json\t", "application/json", ""},
	{"application/json;", "application/json", ""},
	{"application/json ; ;", "application/json", ""},
	{"application/json; charset=utf-8", "application/json", "utf-8"},
	{"application/json;charset=UTF-8", "application/json", "utf-8"},
	{`application/json; charset="utf-8"`, "application/json", "utf-8"},
	{`application/json; charset="ut\f-8"`, "application/json", "utf-8"},
	{"application/json; Charset=utf-16", "application/json", "utf-16"},
	{"application/json; charset = utf-16", "application/json", "utf-16"},
	{"application/json; charset='utf-8'", "application/json", "'utf-8'"},
	{"application/json; charset=", "application/json", ""},
	{"application/json; charset", "application/json", ""},
	{"application/json; utf-8", "application/json", ""},
	{"application/json; charset=utf-8; charset=utf-16", "application/json", "utf-8"},
	{`application/json; v="a;charset=utf-16"; charset=utf-8`, "application/json", "utf-8"},
	{`application/json; v="a" ; q=1`, "application/json", ""},
	{"application/json; profile=x; charset=utf-8", "application/json", "utf-8"},
	{"application/jsonp", "application/jsonp", ""},
	{"application/problem+json", "application/problem+json", ""},
	{"text/json", "text/json", ""},
	{"text/html; charset=utf-8", "text/html", "utf-8"},
	{"text/plain, application/json", "", ""},
	{"application/json, text/html", "", ""},
	{"application/json; charset=utf-8, text/html", "", ""},
	{`application/json; charset="utf-8" x`, "", ""},
	{`application/json; charset="utf-8`, "", ""},
	{`application/json; charset="utf-8\`, "", ""},
	{"application/json; =utf-8", "", ""},
	{"application/json; a b", "", ""},
	{"application/json charset=utf-8", "", ""},
	{"application/", "", ""},
	{"/json", "", ""},
	{"json", "", ""},
	{"", "", ""},
	{"*/*", "*/*", ""},
	{"application/json/x", "", ""},
	{"application /json", "", ""},
	{"application/jsön", "", ""},
	{"application/json\x00", "", ""},
}

func TestContentType(t *testing.T) {
	t.Parallel()
	for _, row := range contentTypes {
		got, err := parseContentType([]string{row.value})
		if (err != nil) != (row.essence == "") || got.essence != row.essence || got.charset != row.charset {
			t.Errorf("%q: %+v, %v", row.value, got, err)
		}
	}
	_, err := parseContentType(nil)
	if err == nil {
		t.Error("no header at all passes")
	}
	_, err = parseContentType([]string{"application/json", "application/json"})
	if err == nil {
		t.Error("two headers pass")
	}
}

func FuzzContentType(f *testing.F) {
	for _, row := range contentTypes {
		f.Add(row.value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got, err := parseContentType([]string{value})
		if err != nil {
			return
		}
		if got.essence != strings.ToLower(got.essence) || got.charset != strings.ToLower(got.charset) || strings.Count(got.essence, "/") != 1 {
			t.Errorf("%q: %+v", value, got)
		}
		// What package mime reads as another type must not pass as the one asked for.
		other, _, err := mime.ParseMediaType(value)
		if err == nil && other != got.essence {
			t.Errorf("%q is %q here and %q elsewhere", value, got.essence, other)
		}
	})
}

func TestMediaTypes(t *testing.T) {
	t.Parallel()
	web := start(t, "-- https://pub.example/f --\n200\nContent-Type: text/plain; charset=utf-8\n\nx\n")
	client := clientOf(web)
	is(t, client.Get(t.Context(), Request{URL: "https://pub.example/f"}), BadContentType)
	is(t, client.Get(t.Context(), Request{URL: "https://pub.example/f", MediaTypes: []string{"application/json", "text/plain"}}), Found)
	if accept := web.Requests()[1].Header.Get("Accept"); accept != "application/json, text/plain" {
		t.Errorf("accepts %q", accept)
	}
}

var denied = []struct {
	body string
	want bool
}{
	{"<Error><Code>AccessDenied</Code></Error>", true},
	{"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>", true},
	{"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><Error><Code>AccessDenied</Code></Error>", true},
	{"\ufeff<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", true},
	{"<Error><Code>\n  AccessDenied\n</Code></Error>", true},
	{"<error><code>accessdenied</code></error>", true},
	{"<Error xmlns=\"urn:x\"><Code x=\"y\">AccessDenied</Code></Error>", true},
	{"<s:Error xmlns:s=\"urn:x\"><s:Code>AccessDenied</s:Code></s:Error>", true},
	{"<Error><Code><![CDATA[AccessDenied]]></Code></Error>", true},
	{"<Error><Code>Access<!-- x -->Denied</Code></Error>", true},
	{"<Error><Code>&#65;ccessDenied</Code></Error>", true},
	{"<Code>AccessDenied</Code>", true},
	{"<Error><Code>AccessDenied</Code><Mess", true},
	{"<Error><Code>AccessDenied", false},
	{"<Error><Code>AccessDenied</Cod", false},
	{"<Error><Code>NoSuchKey</Code><Message>AccessDenied</Message></Error>", false},
	{"<Error><Code>AccessDeniedException</Code></Error>", false},
	{"<Error><Code>Access Denied</Code></Error>", false},
	{"<Error><Code><b>AccessDenied</b></Code></Error>", false},
	{"<Error><Code>x<b/>AccessDenied</Code></Error>", false},
	{"<Error><!-- <Code>AccessDenied</Code> --></Error>", false},
	{"<Error><Message>&lt;Code&gt;AccessDenied&lt;/Code&gt;</Message></Error>", false},
	{"<Error Code=\"AccessDenied\"/>", false},
	{"<html><body><code>AccessDenied</code></body></html>", false},
	{"<!DOCTYPE html>\n<p><code>AccessDenied</code></p>", false},
	{"<!doctype HTML PUBLIC \"x\"><Code>AccessDenied</Code>", false},
	{"{\"Code\": \"AccessDenied\"}", false},
	{"AccessDenied", false},
	{"", false},
	{"<", false},
}

func TestAccessDenied(t *testing.T) {
	t.Parallel()
	for _, row := range denied {
		if isAccessDenied([]byte(row.body)) != row.want {
			t.Errorf("%q: want %t", row.body, row.want)
		}
	}
}
