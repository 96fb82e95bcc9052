package web

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fieldbrain/daemon/config"
	"fieldbrain/files"
)

// A wrong is what is wrong with the file, or folder, that a key names.
type wrong struct {
	key string
	err error
}

// Error names the key.
func (w wrong) Error() string { return "web: " + w.key + ": " + w.err.Error() }

// Unwrap returns what is wrong.
func (w wrong) Unwrap() error { return w.err }

// CheckFiles returns what New, or the page, would refuse of the files that the settings name,
// without their own text. It makes none, and of those that this user may not read it says
// nothing: the service may be another.
func CheckFiles(set config.Web) (found config.Complaints) {
	_, tokens := readTokens(set, "", present)
	all := []error{tokens, offered(set)}
	if set.Certificate != "" && set.Key != "" {
		_, err := secured(set)
		all = append(all, err)
	}
	for _, err := range all {
		var w wrong
		if errors.As(err, &w) && !errors.Is(err, fs.ErrPermission) {
			found = append(found, config.Complaint{Key: w.key, Reason: w.err.Error(), Remedy: remedies()[w.key]})
		}
	}
	return found
}

// remedies says what to write into a key instead.
func remedies() map[string]string {
	token := "name a file of its own, which serve makes where there is none"
	return map[string]string{
		"web.token": token, "web.watch_token": token, "web.recordings": "name the folder it lies in",
		"web.certificate": "name the certificate's PEM file, or neither certificate nor key",
		"web.key":         "name the PEM file of the certificate's key, which its owner and group alone may read",
	}
}

// present returns the token of a file that is there; of another, a token such as New would
// put into it.
func present(path string) (string, error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return readToken(path)
	}
	_, err := os.Stat(filepath.Dir(path))
	return newToken(), err
}

// offered refuses a file where a folder of recordings is wanted; the folder may be made later.
func offered(set config.Web) error {
	if info, err := os.Stat(set.Recordings); err == nil && !info.IsDir() {
		return wrong{"web.recordings", fmt.Errorf("%s is a file", set.Recordings)}
	}
	return nil
}

// secured returns the server's TLS with its certificate. A key that everybody may read
// is refused.
func secured(set config.Web) (*tls.Config, error) {
	if err := private(set.Key, 0o007); err != nil {
		return nil, wrong{"web.key", err}
	}
	read := files.Reader{Max: maxPEM}
	chain, err := read.Read(set.Certificate)
	if err != nil {
		return nil, wrong{"web.certificate", err}
	}
	key, err := read.Read(set.Key)
	if err != nil {
		return nil, wrong{"web.key", err}
	}
	pair, err := tls.X509KeyPair(chain, key)
	if err != nil {
		return nil, wrong{"web.certificate", fmt.Errorf("%s and web.key %s: %w", set.Certificate, set.Key, err)}
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}, nil
}
