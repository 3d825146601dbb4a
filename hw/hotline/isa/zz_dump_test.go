package isa
import ("testing";"os";"github.com/hotline-rtl/hotline/hw";"github.com/hotline-rtl/hotline/hw/hotline/arch")
func TestZZDump(t *testing.T){ for i,p:=range []arch.Params{arch.Small(),arch.Paper()}{ d,err:=hw.Elaborate(ISA{p}); if err!=nil{t.Fatal(err)}; os.WriteFile(os.Getenv("DUMP")+string(rune('0'+i)),[]byte(d.String()),0o600)}}
