package main

import (
	"fmt"
	"strings"
)

// A header is one generated file: its subject, and its parts by package.
type header struct {
	path     string
	about    string // comment lines
	includes []string
	parts    []part
}

// A part is the share of one package in a header.
type part struct {
	folder  string
	names   []group // constants
	tables  []table // of whole numbers
	structs []string
}

// A group of constants becomes an enum. The prefix stands before each of C's
// names.
type group struct {
	prefix string
	names  []string
}

// A table becomes a macro with its numbers, and one with how many there are.
type table struct {
	name, macro, length string
}

func names(of string) group { return group{names: strings.Fields(of)} }

// headers lists the generated files for C++ and CUDA.
func headers() []header { return []header{shared(), frame(), device(), rays()} }

// shared is for both.
func shared() header {
	return header{
		path:     "field/cpu/native/shared.h",
		about:    "// What C++ and CUDA share with Go: sizes, names of channels, weights, rates.\n",
		includes: []string{"<assert.h>", "<stdint.h>"},
		parts: []part{{
			folder: "field",
			names: []group{
				names("Side Plane Cells Channels One Round"),
				{prefix: "AXIS_", names: []string{"X", "Y", "Z"}},
				names("Amari Linear Memory Leaky Mapping"),
				names("MaxTerms MaxSpots MaxRows MaxCouplings Leads"),
				names("NumSenses MaxPatterns PatternRow FirstStrategic Strategic"),
				names("ObstMap HazardMap VisitedMap HeadTrace HeadPref PlanHead FirstFree Heading Novelty"),
				names("Faint noiseScale"),
			},
			tables:  []table{{"Excite", "EXCITE_WEIGHTS", "EXCITE_TAPS"}, {"Inhibit", "INHIBIT_WEIGHTS", "INHIBIT_TAPS"}},
			structs: strings.Fields("Row Coef Lead Marginal PlacedChannel"),
		}},
	}
}

// frame is for C++ alone.
func frame() header {
	return header{
		path:     "field/cpu/native/frame.h",
		about:    "// What one tick reads besides the field itself, on the processor.\n",
		includes: []string{`"shared.h"`},
		parts:    []part{{folder: "field", names: []group{names("paddedCells")}, structs: strings.Fields("Warp Maps Frame")}},
	}
}

// device is for CUDA alone.
func device() header {
	return header{
		path: "gpu/kernels/shared.cuh",
		about: "// What the kernels share with Go besides field/cpu/native/shared.h: the page, the\n" +
			"// constants, what is learned, and the memory that they work on.\n",
		includes: []string{"<stddef.h>", `"../../field/cpu/native/shared.h"`},
		parts: []part{
			{
				folder: "field",
				names: []group{
					names("periods MaxBeams Regressors MaxEpisodes episodesToFill"),
					names("PredictorSection LibrarySection FirstPattern"),
					names("EveryTick EveryPerception EveryTraces EveryAssociative"),
					names("OrderNone OrderFill OrderStore"),
					names("SlotLine SlotLineTrust SlotCliff SlotContact SlotLight"),
				},
				structs: strings.Fields("PlacedCoupling HeadingParams Spot RecallRates Constants " +
					"Term Beam Drive Senses Quality Input Prediction Predictor Recall Order Library"),
			},
			{
				folder: "gpu",
				names: []group{
					names("PlanPoses PlanSteps PlanMarks PlanRows PlanColumns PlanTurn"),
					names("PlanPadded PlanCells PlanSeen PlanLimit PlanBorder planFirst planOne"),
					names("PlanTakesGrid PlanTakesSeen PlanTakesScan PlanTakesMotion PlanGivesGrid"),
				},
				structs: strings.Fields("Nanos Stats Answer " +
					"PlanOrigin PlanFan PlanState PlanMotion PlanScan PlanJob PlanGain PlanPaths PlanAnswer"),
			},
			{
				folder: "brain/belief",
				names:  []group{{prefix: "MARK_", names: strings.Fields("free Arc Hit")}, names("marks")},
				tables: []table{{"weights", "MARK_WEIGHTS", ""}},
			},
			{
				folder: "gpu/kernels",
				names: []group{
					names("prepThreads evolveThreads pitch maxChildren"), names("takeThreads fanRows giveBlocks"), names("StampPhases StampBlocks carried"),
					names("stagePrep stageEvolve stageMove stageLearn stages"),
					names("taskBring taskMaps taskTerms taskProfiles taskCouple taskDisplace taskCarry"),
				},
				structs: strings.Fields("Task Work Cue Frame Stamp Memory Rays Belief Planner"),
			},
		},
	}
}

// rays is for the C++ of the planner's rays.
func rays() header {
	return header{
		path:     "brain/belief/native/shared.h",
		about:    "// The shape of the belief's grid and rays.\n",
		includes: []string{"<stdint.h>"},
		parts: []part{{
			folder: "brain/belief",
			names:  []group{names("Side Padded Limit Rows Columns Azimuths One Faint"), {prefix: "MARK_", names: strings.Fields("free Arc Hit")}},
		}},
	}
}

const sizesPath = "field/sizes.go"

// sizes renders the Go file of sizes that other Go files count with.
func sizes(s *sources) ([]byte, error) {
	p, err := s.load("field")
	if err != nil {
		return nil, err
	}
	predictor, err := p.words("Predictor", "")
	if err != nil {
		return nil, err
	}
	library, err := p.words("Library", "Episode")
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `// Code generated by gpu/kernels/header. DO NOT EDIT.

package field

const (
	// PredictorCells is how many float32 a Predictor is.
	PredictorCells = %d
	// LibraryCells is how many float32 of a Library move: what stands before Episode.
	LibraryCells = %d
)
`, predictor, library), nil
}
