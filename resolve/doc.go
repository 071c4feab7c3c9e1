// Package resolve answers whether an agent may sell something, and how one knows.
//
// It is arithmetic over files: given a Source of documents, Resolver finds the
// entries of an agent in the file that speaks for a publisher, works out what each
// of them covers, and compares that with the question. The answer is a Verdict with
// the entries that decided it, what would change it, and the documents it rests on.
// A publisher without a file, a file that cannot be used, a file that authorizes
// nobody, and a question that leaves out what an entry asks for have verdicts of
// their own: none of them is a no.
//
// The package reads no clock, disk or network.
package resolve
