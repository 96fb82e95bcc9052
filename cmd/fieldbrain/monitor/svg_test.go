package monitor

import (
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
)

// visible returns the letters of a moving picture at a share of its length.
func visible(t *testing.T, svg string, share float64) (letters string) {
	t.Helper()
	var doc struct{}
	if err := xml.Unmarshal([]byte(svg), &doc); err != nil {
		t.Fatal(err)
	}
	animation := regexp.MustCompile(`values="([^"]*)" keyTimes="([^"]*)"`)
	letter := regexp.MustCompile(`>([^<>]+)</text>`)
	for line := range strings.Lines(svg) {
		shown := "inline"
		if a := animation.FindStringSubmatch(line); a != nil {
			values := strings.Split(a[1], ";")
			for i, at := range strings.Split(a[2], ";") {
				if v, err := strconv.ParseFloat(at, 64); err != nil {
					t.Fatal(err)
				} else if v <= share {
					shown = values[i]
				}
			}
		}
		if l := letter.FindStringSubmatch(line); l != nil && shown == "inline" {
			letters += strings.TrimSpace(l[1])
		}
	}
	return letters
}

// TestFilm: at every time of a moving picture exactly the look of that time is seen, what
// is the same in all looks stands there once, and without motion the last look is seen.
func TestFilm(t *testing.T) {
	s := screen(t, "UTF-8", 6, 2)
	looks := []string{"B", "C", "C", "B", "<"}
	r := reel{looks: len(looks), every: time.Second / 2}
	for i, l := range looks {
		s.Clear()
		s.SetContent(0, 0, 'A', nil, tcell.StyleDefault)
		s.SetContent(2, 1, []rune(l)[0], nil, tcell.StyleDefault.Bold(true))
		s.Show()
		r.add(i, s)
	}
	svg := string(r.draw(6, 2))
	for i, l := range looks {
		want := "A" + strings.ReplaceAll(l, "<", "&lt;")
		if got := visible(t, svg, (float64(i)+0.5)/float64(len(looks))); got != want {
			t.Errorf("look %d shows %q, want %q in\n%s", i, got, want, svg)
		}
	}
	if n := strings.Count(svg, "<animate"); n != 4 || strings.Count(svg, ">A") != 1 || strings.Count(svg, `display="inline"`) != 1 {
		t.Errorf("%d pieces move, want 4, one of which stands at the end:\n%s", n, svg)
	}
	if !strings.Contains(svg, `dur="2.5s"`) {
		t.Errorf("it does not last 2.5 s:\n%s", svg)
	}
}
