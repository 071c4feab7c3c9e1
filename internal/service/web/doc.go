// Package web shows checks as pages: a box for a domain, the report about its file, and
// a form for a file that is not published yet.
//
// A report is full of text that strangers wrote. It reaches a page only as text: through
// html/template, with what browsers obey or hide written out, with secrets masked, and
// never as the target of a link. The pages have no scripts, and their policy forbids
// everything that does not come from this service, so a mistake in one of these does not
// become a hole. For want of scripts there is no button that copies: the repaired file is in
// a text area that can only be read, beside the command that makes it.
package web
