// Package browsertest looks at the pages with a real browser: at files that try to
// break out of them, and at all pages as people with and without assistive technology
// meet them. It needs Chromium and Node.js; tools/ensure.sh sees to that.
package browsertest
