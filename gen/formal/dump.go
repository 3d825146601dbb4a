package formal
import ("os";"github.com/hotline-rtl/hotline/hw/ir")
func Dump(d *ir.Design, dir string) error { os.MkdirAll(dir,0o755); n,err:=synthesise(dir,d); if err!=nil {return err}; c,err:=newCircuit(n,d); if err!=nil {return err}; return os.WriteFile(dir+"/x.aig", c.aiger(), 0o644)}
