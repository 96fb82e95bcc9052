package monitor

import "github.com/gdamore/tcell/v2"

// The panels, in the order of Tab.
const (
	overview = iota // all of them, none large
	stagePanel
	histogramPanel
	timelinePanel
	fieldPanel
	mapPanel
	faultPanel
	logPanel
	numPanels
)

// A claim wants rows for a panel. Claims are served in their order, and each gets what
// is left.
type claim struct{ panel, rows int }

// Claims of the two columns of a wide screen, and of the one column of a narrow one.
// What a person must see comes first, the merely nice last.
var (
	leftClaims = []claim{
		{stagePanel, 8},
		{faultPanel, 1},
		{histogramPanel, 4},
		{timelinePanel, 3},
		{faultPanel, 1},
		{stagePanel, 3},
		{timelinePanel, 1},
		{stagePanel, 4},
		{histogramPanel, 2},
		{logPanel, 4},
		{faultPanel, 12},
		{histogramPanel, 6},
		{timelinePanel, 4},
		{logPanel, 99},
	}
	rightClaims  = []claim{{mapPanel, 9}, {fieldPanel, 6}, {mapPanel, 4}, {fieldPanel, 6}, {mapPanel, 12}, {fieldPanel, 30}, {mapPanel, 99}}
	narrowClaims = []claim{
		{stagePanel, 3},
		{mapPanel, 5},
		{faultPanel, 1},
		{stagePanel, 2},
		{timelinePanel, 3},
		{fieldPanel, 4},
		{mapPanel, 6},
		{stagePanel, 10},
		{histogramPanel, 4},
		{faultPanel, 4},
		{fieldPanel, 20},
		{mapPanel, 99},
	}
)

// least is how many rows a panel needs to say anything.
var least = [numPanels]int{stagePanel: 2, histogramPanel: 3, timelinePanel: 3, fieldPanel: 3, mapPanel: 4, faultPanel: 1, logPanel: 1}

// deal gives each panel rows of a height; have is the most that it can fill.
func deal(claims []claim, height int, have [numPanels]int) (rows [numPanels]int) {
	for _, c := range claims {
		n := max(0, min(c.rows, have[c.panel]-rows[c.panel], height))
		if rows[c.panel]+n < least[c.panel] {
			continue
		}
		rows[c.panel] += n
		height -= n
	}
	return rows
}

// Widths from which there are two columns, and of the right one.
const (
	wideWidth  = 72
	leastRight = 33
)

// Draw draws the newest look on a screen.
func (m *Monitor) Draw(screen tcell.Screen) {
	screen.Clear()
	width, height := screen.Size()
	all := canvas{
		screen: screen, width: width, height: height,
		plain: screen.CharacterSet() != "UTF-8", mono: screen.Colors() < 8,
	}
	if width < 1 || height < 1 {
		return
	}
	foot := min(1, height-1)
	head := all
	if m.help {
		head = all.within(0, 0, 2, width) // the rest is the help's
	}
	top := m.drawHead(head)
	m.drawFoot(all.within(height-foot, 0, foot, width))
	body := all.within(top, 0, max(0, height-top-foot), width)
	switch {
	case m.help:
		m.drawHelp(body)
	case m.scene.wrong != "":
		body.text(1, 0, m.scene.wrong, body.style(bad))
	case m.zoomed != overview:
		m.drawPanel(m.zoomed, body)
	case width >= wideWidth:
		right := max(leastRight, width*2/5)
		m.drawColumn(leftClaims, body.within(0, 0, body.height, width-right-1))
		m.drawColumn(rightClaims, body.within(0, width-right, body.height, right))
	default:
		m.drawColumn(narrowClaims, body)
	}
}

// drawColumn draws the panels that some claims give rows to, one below the other.
func (m *Monitor) drawColumn(claims []claim, c canvas) {
	rows := deal(claims, c.height, m.have())
	at := 0
	for panel, n := range rows {
		if n > 0 {
			m.drawPanel(panel, c.within(at, 0, n, c.width))
			at += n
		}
	}
}

// have returns how many rows each panel can fill.
func (m *Monitor) have() [numPanels]int {
	const any = 1 << 10
	have := [numPanels]int{stagePanel: 1 + len(m.scene.rows), histogramPanel: 12, timelinePanel: 12, faultPanel: len(m.faults())}
	if m.scene.hasField {
		have[fieldPanel] = any
	}
	if m.scene.hasFloor {
		have[mapPanel] = any
	}
	if m.o.Log != nil {
		have[logPanel] = any
	}
	return have
}

// drawPanel draws one.
func (m *Monitor) drawPanel(panel int, c canvas) {
	switch panel {
	case stagePanel:
		m.drawStages(c)
	case histogramPanel:
		m.drawHistogram(c)
	case timelinePanel:
		m.drawTimeline(c)
	case fieldPanel:
		m.drawField(c)
	case mapPanel:
		m.drawMap(c)
	case faultPanel:
		m.drawFaults(c)
	case logPanel:
		m.drawLog(c)
	}
}

// drawLog draws the newest lines of the run's log.
func (m *Monitor) drawLog(c canvas) {
	if m.o.Log == nil {
		c.title("log: only where the run was started")
		return
	}
	lines := m.o.Log.tail(c.height)
	for row, line := range lines {
		c.text(row, 0, line, c.style(ordinary))
	}
}
