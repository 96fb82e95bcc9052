package daemon

import "context"

// Attempt asks a socket once.
func Attempt(ctx context.Context, path string) (Answer, error) {
	return attempt(ctx, path, []byte("{\"command\":\"status\"}\n"))
}
