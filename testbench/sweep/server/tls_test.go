package server_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nkeys"

	"fieldbrain/testbench/sweep/queue"
	"fieldbrain/testbench/sweep/server"
)

// A signer makes certificates; without a certificate of its own it signs itself.
type signer struct {
	t      *testing.T
	folder string
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
}

// sign writes a certificate and its key and returns the files, and a signer with them.
func (s *signer) sign(name string) (cert, key string, made *signer) {
	s.t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, BasicConstraintsValid: true, IsCA: s.cert == nil,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	parent, parentKey := s.cert, s.key
	if parent == nil {
		parent, parentKey = template, private
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &private.PublicKey, parentKey)
	if err != nil {
		s.t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		s.t.Fatal(err)
	}
	read, err := x509.ParseCertificate(der)
	if err != nil {
		s.t.Fatal(err)
	}
	write := func(file, kind string, bytes []byte) string {
		path := filepath.Join(s.folder, file)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600); err != nil {
			s.t.Fatal(err)
		}
		return path
	}
	return write(name+".pem", "CERTIFICATE", der), write(name+".key", "EC PRIVATE KEY", secret), &signer{s.t, s.folder, read, private}
}

// TestTLS: a server that speaks TLS alone, wants certificates of its own authority and
// knows one user by an nkey, lets in who has all of it, and nobody else.
func TestTLS(t *testing.T) {
	folder := t.TempDir()
	ca, _, authority := (&signer{t: t, folder: folder}).sign("authority")
	cert, key, _ := authority.sign("server")
	mine, myKey, _ := authority.sign("worker")
	foreign, foreignKey, _ := (&signer{t: t, folder: folder}).sign("stranger")
	var seeds [2]string // the user's, and one that the server does not know
	var public string
	for i := range seeds {
		pair, err := nkeys.CreateUser()
		if err != nil {
			t.Fatal(err)
		}
		seed, err := pair.Seed()
		if err != nil {
			t.Fatal(err)
		}
		seeds[i] = filepath.Join(folder, fmt.Sprint("seed", i))
		if err := os.WriteFile(seeds[i], seed, 0o600); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if public, err = pair.PublicKey(); err != nil {
				t.Fatal(err)
			}
		}
	}
	file := filepath.Join(folder, "nats.conf")
	text := fmt.Sprintf("listen: 127.0.0.1:-1\ntls { cert_file: %q, key_file: %q, ca_file: %q, verify: true }\nauthorization { users: [ { nkey: %s } ] }\n", cert, key, ca, public)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := server.Serve(server.Site{Folder: filepath.Join(folder, "store"), Config: file})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, c := range []struct {
		what string
		to   queue.Address
		in   bool
	}{
		{"with everything", queue.Address{CA: ca, Cert: mine, Key: myKey, NKey: seeds[0]}, true},
		{"without the authority", queue.Address{Cert: mine, Key: myKey, NKey: seeds[0]}, false},
		{"without a certificate", queue.Address{CA: ca, NKey: seeds[0]}, false},
		{"with a stranger's certificate", queue.Address{CA: ca, Cert: foreign, Key: foreignKey, NKey: seeds[0]}, false},
		{"without a user", queue.Address{CA: ca, Cert: mine, Key: myKey}, false},
		{"as another user", queue.Address{CA: ca, Cert: mine, Key: myKey, NKey: seeds[1]}, false},
	} {
		c.to.URL = s.URL()
		conn, _, err := queue.Connect(t.Context(), c.to)
		if err == nil {
			conn.Close()
		}
		if (err == nil) != c.in {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}
