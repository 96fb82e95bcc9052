package bench

import (
	"fmt"
	"io"
)

// Print writes the report for a person.
func (r *Report) Print(w io.Writer) error {
	text := fmt.Sprintf("%-8s %8s %8s %12s %10s %6s\n", "engine", "cars", "sensors", "M steps/s", "ns a step", "gain")
	for _, row := range r.Rows {
		text += fmt.Sprintf("%-8s %8d %8v %12.2f %10.2f %6.1f\n", row.ISA, row.Cars, row.Sensors, row.Rate/1e6, 1e9/row.Rate, row.Gain)
	}
	if r.Card != "" {
		text += fmt.Sprintf("cuda is %s%s\n", r.Card, map[bool]string{true: ", the software driver: its times mean nothing"}[r.Software])
	}
	for _, t := range r.Tasks {
		text += fmt.Sprintf("cuda, task %s with its rewards, ends and resets, %d cars: %.2f M steps/s\n", t.Task, t.Cars, t.Rate/1e6)
	}
	if r.Failed != "" {
		text += "cuda, tasks: " + r.Failed + "\n"
	}
	text += fmt.Sprintf("plain C, one car per call: %.2f M steps/s, with sensors %.2f; cart-pole %.2f\n", r.Blind/1e6, r.Seeing/1e6, r.CartPole/1e6)
	text += fmt.Sprintf("two threads over one: %.2f; cache knee after %d cars (0: none); more cars make a step at most %.2f times as dear; best pieces of the rounds, %d steps a call\n", r.Two, r.Knee, r.Rise, Hold)
	for _, f := range r.Floors {
		text += fmt.Sprintf("floor of %s, sensors %v: %.1f instructions a step, %.1f of them wide; at %.1f such in 1 ns, this core's most, %.2f ns: the best row takes %.1f times that\n",
			f.ISA, f.Sensors, f.Instructions, f.Wide, f.Peak/1e9, f.Seconds*1e9, f.Ratio)
	}
	_, err := io.WriteString(w, text)
	return err
}
