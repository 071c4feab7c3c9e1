// Package resolve answers whether an agent may sell something, and how one knows.
//
// Judge answers a Question from the Document of a publisher. New makes a Resolver over a Source
// of documents, which also lists everything that an agent may sell and asks the publishers that
// an entry refers to. A Subject has what a document says in the form that decisions are made
// from: it answers in less than a microsecond, without reasons, and a great many of them fit into
// memory. Programs that have no files of their own use the Client of package avow.
//
// It is arithmetic over files: the entries of an agent in the file that speaks for a publisher
// are found, what each of them covers is worked out and compared with the question. The answer
// is a Verdict with the entries that decided it, what would change it, and the documents it
// rests on. A publisher without a file, a file that cannot be used, a file that authorizes no
// agent, and a question that leaves out what an entry asks for have verdicts of their own: none
// of them is a no.
//
// The package reads no clock, disk or network.
package resolve
