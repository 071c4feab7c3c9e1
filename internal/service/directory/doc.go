// Package directory finds what is known from either side: the publishers of an agent, the agents of
// a publisher, the publishers of an identifier. It keeps nothing. The tables that it reads are
// written by the change that they are about, so whatever was committed is found at once, by every
// process.
//
// What depends on time is judged when it is read. A row that was made of another version of a file
// than the one in effect, or for another time, is made again from the file.
package directory
