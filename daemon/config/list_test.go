package config_test

import (
	"slices"
	"testing"

	"fieldbrain/daemon/config"
)

// TestListsAreToldWhole: of a list every wrong element is named, with its place.
func TestListsAreToldWhole(t *testing.T) {
	_, err := config.Parse("f.toml", []byte("[body]\nsonars = [\"front\", \"nose\", \"front\", \"tail\"]\n[web]\nnames = [\"a b\", \"car.local\", \"\", \"*\"]\n"))
	complaints, are := err.(config.Complaints)
	if !are {
		t.Fatal(err)
	}
	var got []string
	for _, c := range complaints {
		got = append(got, c.Key+" "+c.Reason)
	}
	want := []string{
		`body.sonars.1 "nose" is not a place for a sonar`, `body.sonars.2 "front" stands twice`, `body.sonars.3 "tail" is not a place for a sonar`,
		`web.names.0 "a b" is no host name`, `web.names.2 "" is no host name`, `web.names.3 "*" is no host name`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
