package sweep

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fieldbrain/strict"
	"fieldbrain/testbench/family"
	"fieldbrain/testbench/scenarios"
)

// A Job is one drive, with all it depends on.
type Job struct {
	ID       string    `json:"id"`
	World    string    `json:"world"`            // scenario, or FAMILY/SEED
	File     string    `json:"file,omitempty"`   // name of the Input with the world's text, where it is a file
	Inside   []Setting `json:"inside,omitempty"` // put into the world
	Seed     uint64    `json:"seed"`             // of the drive
	Pilot    string    `json:"pilot"`            // who drives
	Engine   string    `json:"engine"`           // what steps the field
	Seconds  float64   `json:"seconds"`          // of virtual time; 0: the world's
	Oracle   bool      `json:"oracle,omitempty"` // held against the true map
	Settings string    `json:"settings"`         // name of the Input with the configuration
	Values   []Setting `json:"values,omitempty"` // the parameters, for reports
	Record   bool      `json:"record,omitempty"` // keep a recording
	Twice    bool      `json:"twice,omitempty"`  // a second worker drives it, too
	Family   string    `json:"family,omitempty"` // that the world was made from
}

// named returns the job with its ID.
func (j Job) named() (Job, error) {
	inputs := j
	inputs.ID, inputs.Values, inputs.Record, inputs.Twice, inputs.Family = "", nil, false, false, ""
	text, err := json.Marshal(inputs)
	if err != nil {
		return j, fmt.Errorf("sweep: %w", err)
	}
	j.ID = Name(text)
	return j, nil
}

// Name returns the name of an input or a job: half of its SHA-256.
func Name(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// A Batch is every job of a sweep.
type Batch struct {
	ID     string            // of the sweep: of all its jobs together
	Title  string            // for people
	Jobs   []Job             // in the file's order
	Inputs map[string][]byte // texts that jobs refer to, by Name
}

// A Configure makes the text of a configuration that holds these settings, which
// drives of one engine begin with. It refuses what the configuration refuses.
type Configure func(engine string, settings []Setting) ([]byte, error)

// Batch lists the jobs. What a parameter's key or value is refused for is
// strict.Complaints.
func (f *File) Batch(configure Configure) (*Batch, error) {
	chosen, err := combinations(f.Parameters)
	if err != nil {
		return nil, err
	}
	p := &Batch{Title: f.Title, Inputs: map[string][]byte{}}
	for _, values := range chosen {
		if err := f.choice(p, values, configure); err != nil {
			return nil, f.refuse(values, err)
		}
	}
	return p, p.finish(f.Twice)
}

// refuse turns the refusal of a choice of values into a complaint about the file.
func (f *File) refuse(values []Setting, err error) error {
	if len(values) == 0 {
		return err
	}
	key, with := "parameter", make([]string, len(values))
	for i, s := range values {
		with[i] = s.String()
		_, name, _ := strings.Cut(s.Key, ".")
		if strings.Contains(err.Error(), name) { // the refusal names its key
			key = fmt.Sprintf("parameter.%d.values", i)
		}
	}
	why, remedy := oneLine(err), "fieldbrain config doc and fieldbrain scenario doc print every key with its limits"
	if inner := (strict.Complaints)(nil); errors.As(err, &inner) && len(inner) > 0 {
		first := inner[0]
		remedy = cmp.Or(first.Remedy, remedy)
		first.Line, first.Remedy = 0, "" // the line is of a text that was made with the values, and nobody has
		why = first.String()
	}
	c := strict.Complaint{Key: key, Reason: why + ", with " + strings.Join(with, " and "), Remedy: remedy}
	return strict.Complaints{c}.Place(f.name, f.lines)
}

// choice adds the jobs of one choice of values.
func (f *File) choice(p *Batch, values []Setting, configure Configure) error {
	inside, outside := split(values)
	for _, engine := range f.Engines {
		text, err := configure(engine, outside)
		if err != nil {
			return err
		}
		template := Job{
			Inside: inside, Engine: engine, Seconds: f.Seconds, Oracle: f.Oracle,
			Settings: p.keep(text), Values: values, Record: f.Record,
		}
		for _, name := range f.Scenarios {
			j := template
			j.World = name
			if err := j.file(p); err != nil {
				return err
			}
			if err := f.seeds(p, j, func(int64) string { return name }); err != nil {
				return err
			}
		}
		set := family.Train
		if f.Set == family.Test.String() {
			set = family.Test
		}
		for _, name := range f.Families {
			j := template
			j.Family, j.World = name, family.Member(name, set, uint64(f.Seeds.First))
			if _, err := j.Scenario(nil); err != nil {
				return err
			}
			if err := f.seeds(p, j, func(seed int64) string { return family.Member(name, set, uint64(seed)) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// keep notes an input and returns its name.
func (p *Batch) keep(text []byte) string {
	name := Name(text)
	p.Inputs[name] = text
	return name
}

// file notes the text of a world that is a file, and tries the world.
func (j *Job) file(p *Batch) error {
	var text []byte
	if scenarios.IsFile(j.World) && !family.Is(j.World) {
		var err error
		if text, err = strict.Read(j.World, "own.toml"); err != nil {
			return err
		}
		j.File = p.keep(text)
	}
	_, err := j.Scenario(text)
	return err
}

// seeds adds a job per pilot and seed.
func (f *File) seeds(p *Batch, j Job, world func(seed int64) string) error {
	for _, pilot := range f.Pilots {
		for seed := f.Seeds.First; seed < f.Seeds.First+f.Seeds.Count; seed++ {
			j.Pilot, j.World, j.Seed = pilot, world(seed), uint64(seed)
			job, err := j.named()
			if err != nil {
				return err
			}
			job.Record = f.Record && pilot == "brain"
			p.Jobs = append(p.Jobs, job)
		}
	}
	return nil
}

// finish names the sweep and chooses the jobs that are driven twice: those with
// the smallest names, as good as at random and always the same.
func (p *Batch) finish(twice float64) error {
	names := make([]string, len(p.Jobs))
	for i := range p.Jobs {
		names[i] = p.Jobs[i].ID
	}
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			return fmt.Errorf("sweep: two values of a parameter make the same drive: write each value once")
		}
	}
	again := int(math.Ceil(float64(twice * float64(len(names)))))
	if again > 0 {
		last := names[again-1]
		for i := range p.Jobs {
			p.Jobs[i].Twice = p.Jobs[i].ID <= last
		}
	}
	text, err := json.Marshal(append(names, fmt.Sprint(again)))
	if err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	p.ID = Name(text)[:16]
	return nil
}

// Scenario makes the job's world. Text is that of its file, where it has one.
func (j *Job) Scenario(text []byte) (sc *scenarios.Scenario, err error) {
	switch isFile := scenarios.IsFile(j.World) && !family.Is(j.World); {
	case isFile && text == nil: // never a file of the worker's own
		return nil, fmt.Errorf("sweep: job %s has no text of %s", j.ID, j.World)
	case isFile:
		sc, err = scenarios.Parse(j.World, text)
	default:
		sc, err = family.Open(j.World)
	}
	if err != nil || len(j.Inside) == 0 {
		return sc, err
	}
	whole, err := sc.Encode()
	if err == nil {
		whole, err = Override(whole, j.Inside)
	}
	if err != nil {
		return nil, err
	}
	changed, err := scenarios.Parse(sc.Name, whole)
	if err != nil {
		return nil, err
	}
	changed.Name = sc.Name
	return changed, nil
}
