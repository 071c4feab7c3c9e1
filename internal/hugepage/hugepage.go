// Package hugepage asks the system to keep large pieces of memory in large pages.
// A processor remembers where some thousand pages are. Whoever reads all over a
// gigabyte of small pages has it look up nearly every one of them again.
package hugepage
