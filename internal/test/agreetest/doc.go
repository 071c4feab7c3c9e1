// Package agreetest asks the same questions on every interface: the library, the commands, the
// HTTP API, the tools for language models and the function behind the npm package. All have to
// give the same answer, and every row of a list has to say what the question about it is answered.
package agreetest
