// Package web is the service for people: reports about the files of domains and about files
// that are not published yet, a sentence that asks whether an agent may sell something, a
// page about each publisher over time, an explanation of every code, and one box at the top of
// each page that leads to the right one.
//
// A report is full of text that strangers wrote. It reaches a page only as text: through
// html/template, with what browsers obey or hide written out, with secrets masked, and
// never as the target of a link, but for a parameter of an address here. The pages have no scripts, and their policy forbids
// everything that does not come from this service, so a mistake in one of these does not
// become a hole. For want of scripts there is no button that copies: the repaired file is in
// a text area that can only be read, beside the command that makes it.
package web
