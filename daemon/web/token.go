package web

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"fieldbrain/daemon/config"
	"fieldbrain/files"
)

// tokenSize is a token's bytes: nobody guesses 256 bits.
const tokenSize = 32

// maxTokenFile is the longest file that can hold a token.
const maxTokenFile = 1 << 10

// tokens are what people name themselves by.
type tokens struct {
	command, watch string // in hexadecimal digits; watch is empty where nobody needs it
}

// readTokens has the files read that the settings name. Where they name none for the token
// that commands, the one before goes on, if there is one.
func readTokens(set config.Web, before string, read func(path string) (string, error)) (t tokens, err error) {
	if set.Token == "" {
		t.command = cmp.Or(before, newToken())
	} else if t.command, err = read(set.Token); err != nil {
		return t, wrong{"web.token", err}
	}
	if set.WatchToken != "" {
		if t.watch, err = read(set.WatchToken); err != nil {
			return t, wrong{"web.watch_token", err}
		}
	}
	if t.watch == t.command {
		return t, wrong{"web.watch_token", errors.New("holds the same token as web.token, so that everybody who may look could command the car: remove one of the files")}
	}
	return t, nil
}

// newToken returns a token that nobody has had before.
func newToken() string {
	var b [tokenSize]byte
	_, _ = rand.Read(b[:]) // ends the program where there is no randomness
	return hex.EncodeToString(b[:])
}

// tokenFile returns a file's token; a file that does not exist is made.
func tokenFile(path string) (string, error) {
	made, err := makeToken(path)
	if !errors.Is(err, fs.ErrExist) {
		return made, err
	}
	return readToken(path)
}

// readToken returns the token of a file that exists.
func readToken(path string) (string, error) {
	if err := private(path, 0o077); err != nil {
		return "", err
	}
	text, err := files.Reader{Max: maxTokenFile, NoLink: true}.Read(path)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if b, err := hex.DecodeString(token); err != nil || len(b) < tokenSize {
		return "", fmt.Errorf("%s holds no token of at least %d hexadecimal digits: remove it, the next start makes one", path, 2*tokenSize)
	}
	return strings.ToLower(token), nil
}

// makeToken writes a new token into a file that does not exist.
func makeToken(path string) (string, error) {
	token := newToken()
	return token, files.CreatePrivate(path, []byte(token+"\n"))
}

// private refuses a file whose mode lets others in.
func private(path string, others fs.FileMode) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&others != 0 {
		return fmt.Errorf("%s has mode %04o, so that others may read it: chmod %04o %s, and replace what it holds", path, info.Mode().Perm(), 0o600, path)
	}
	return nil
}

// role returns whose token it is. It takes the same time whichever digits are wrong,
// because it compares sums.
func (t *tokens) role(token string) role {
	is := func(want string) bool {
		a, b := sha256.Sum256([]byte(strings.ToLower(token))), sha256.Sum256([]byte(want))
		return subtle.ConstantTimeCompare(a[:], b[:]) == 1
	}
	commands, watches := is(t.command), is(t.watch)
	switch {
	case commands:
		return commander
	case watches && t.watch != "":
		return watcher
	}
	return nobody
}
