package calltest
import ("testing";"strings";"fmt";"github.com/avow-project/avow/adagents";"github.com/avow-project/avow/bench";"time";"github.com/avow-project/avow/internal/registry")
var _ = registry.Created{}
func BenchmarkZZ(b *testing.B) {
	var m adagents.Builder
	for _, x := range []struct{n string; d []byte}{{"small",bench.Small()},{"500",[]byte(props(500))}} { b.Run(x.n, func(b *testing.B){
	b.ReportAllocs()
	for b.Loop() {
		_, err := m.Build(x.d, adagents.BuildOptions{Quoted:true, Now: time.Now()})
		if err != nil { b.Fatal(err) }
	}})}
}
func props(n int) string {
	var b strings.Builder
	b.WriteString(`{"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"All","authorization_type":"property_tags","property_tags":["all"]}],` +
		`"tags":{"all":{"name":"All","description":"All"}},"properties":[`)
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"property_id":"p%d","property_type":"website","name":"Site %d","publisher_domain":"site%d.example","identifiers":[{"type":"domain","value":"site%d.example"}],"tags":["all"]}`, i, i, i, i)
	}
	b.WriteString("]}")
	return b.String()
}
