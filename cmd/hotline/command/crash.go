package command

import "runtime/debug"

// abortOnCrash makes every crash of this process end with SIGABRT, which shells report as 134.
// Go's own exit code after a crash is 2, the code of wrong usage. Only the runtime's setting
// covers panics of all goroutines, stack overflow and lack of memory.
func abortOnCrash() { debug.SetTraceback("crash") }
