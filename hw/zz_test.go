package hw_test
import ("testing";"fmt";"runtime";"github.com/hotline-rtl/hotline/hw";"time")
func TestZZ(t *testing.T){
 var a,b runtime.MemStats
 for seed := range uint64(40000) {
  runtime.ReadMemStats(&a); t0:=time.Now()
  hw.Elaborate(vandal{seed,0})
  runtime.ReadMemStats(&b)
  if d:=b.TotalAlloc-a.TotalAlloc; d> 800<<20 || b.HeapAlloc > 2<<30 { fmt.Println(seed, d>>20, time.Since(t0)) }
  if b.TotalAlloc-a.TotalAlloc > 2<<30 { break }
 }
}
