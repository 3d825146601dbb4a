package papers
import ("testing";"fmt";"strings";"os";"slices";"github.com/hotline-rtl/hotline/host/node/machine";"github.com/hotline-rtl/hotline/host/train/timing")
func TestZZ(t *testing.T){
 want := strings.Split(os.Getenv("FIGS"), ";")
 k := newClock(machine.Default())
 for _, paper := range strings.Split(os.Getenv("PAPERS"), ";") {
 list, err := experiments(t.Context(), paper, k, nil); if err != nil {t.Fatal(err)}
 for _, e := range list { if !slices.Contains(want, e.name) {continue}
  f, err := e.run(t.Context(), k); if err != nil { t.Error(e.name, err); continue}
  prof := library().files[paper].Profile
  for _, o := range f.Outcomes {
    r := published(o.Record); row := r.beside(o)
    t.Logf("%s: %s ours %.3f [%.3f %.3f] (%.3f..%.3f) because %v text %s", row.Verdict, o.Record, o.Ours, o.Low, o.High, r.From, r.To, o.Because, o.Text)
    if row.Verdict != Fails || f.Figure == nil {continue}
    for _, fr := range f.Figure.Rows { if !slices.Contains(fr.Records, o.Record) {continue}
      for _, c := range fr.Cells { if c.profile.Name != prof {continue}
       var out []string
       for i, a := range changes(c.profile) { 
         v, err := c.what(a.profile)(k.alone()); if err != nil {t.Fatal(err)}
         out = append(out, fmt.Sprintf("%s: %.3f", a.name, v[0]))
         for _, b := range changes(a.profile) { if strings.Fields(b.name)[0] <= strings.Fields(a.name)[0] {continue}
          v, err := c.what(b.profile)(k.alone()); if err != nil {t.Fatal(err)}
          if r.holds(v[0]) { out = append(out, fmt.Sprintf("**%s + %s: %.3f", a.name, b.name, v[0])) }
         }
         _ = i
       }
       t.Log("   ", strings.Join(out, "; "))
      }
    }
  }
  _ = timing.Draws
 }}
}
