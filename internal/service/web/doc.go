// Package web is the service for people: reports about the files of domains and about files
// that are not published yet, a sentence that asks whether an agent may sell something, a
// page about each publisher over time, an explanation of every code, and one box at the top of
// each page that leads to the right one.
//
// A report is full of text that strangers wrote. It reaches a page only as text: through
// html/template, with what browsers obey or hide written out, with secrets masked, and
// never as the target of a link, but for a parameter of an address here.
//
// The pages work without scripts. What scripts add is in the folder script, in TypeScript; it
// is built into assets by internal/gen/script. The policy of the pages forbids everything that
// does not come from this service, and has browsers refuse a script that would make markup or
// code of a text, so a mistake in one of these does not become a hole.
package web
