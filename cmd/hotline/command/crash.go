package command

import "runtime/debug"

// abortOnCrash makes every crash of this process end with SIGABRT, which shells report as 134. Go's
// own exit code after a crash is 2, which means wrong usage here. Only this runtime setting covers
// panics of all goroutines, stack overflow and lack of memory.
func abortOnCrash() { debug.SetTraceback("crash") }
