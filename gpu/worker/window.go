//go:build cuda

package worker

import (
	"unsafe"

	"fieldbrain/gpu"
	"fieldbrain/gpu/kernels"
)

// A window is the page as the device sees it. Where the driver refuses to let the
// device see the page itself, the window is memory of the driver's, and the worker
// copies what an order needs there and back.
type window struct {
	page   *gpu.Page       // shared with the client
	seen   *gpu.Page       // what the kernels read and write; page itself if registered
	device kernels.Address // of seen, on the device
	owned  unsafe.Pointer  // seen, if it is the driver's
}

const pageBytes = int(unsafe.Sizeof(gpu.Page{}))

// openWindow registers the page, or allocates memory to copy it to. refused is
// why it could not be registered.
func openWindow(page *gpu.Page) (w *window, refused, err error) {
	address, refused := register(unsafe.Pointer(page), pageBytes)
	if refused == nil {
		return &window{page: page, seen: page, device: address}, nil, nil
	}
	memory, address, err := pin(pageBytes)
	if err != nil {
		return nil, refused, err
	}
	w = &window{page: page, seen: (*gpu.Page)(memory), device: address, owned: memory}
	*w.seen = gpu.Page{}
	return w, refused, nil
}

// registered reports whether the kernels read and write the page itself.
func (w *window) registered() bool { return w.owned == nil }

// place fills in where the kernels find the page's parts.
func (w *window) place(b *kernels.Memory) {
	at := func(offset uintptr) kernels.Address { return w.device + kernels.Address(offset) }
	var p gpu.Page
	call := unsafe.Offsetof(p.Call)
	b.In, b.Out = at(unsafe.Offsetof(p.In)), at(unsafe.Offsetof(p.Out))
	b.Request, b.Answered = at(call+unsafe.Offsetof(p.Call.Request)), at(call+unsafe.Offsetof(p.Call.Answered))
	b.Cells, b.Channel = at(unsafe.Offsetof(p.Cells)), at(call+unsafe.Offsetof(p.Call.Channel))
}

// ask hands a step's input to the device.
func (w *window) ask(request uint32) {
	if !w.registered() {
		w.seen.In, w.seen.Call.Request = w.page.In, request
	}
}

// answer hands a step's answer to the client. The server has to tell it.
func (w *window) answer() {
	if !w.registered() {
		w.page.Out = w.seen.Out
	}
}

// choose hands the device the number of a channel.
func (w *window) choose(channel uint32) {
	if !w.registered() {
		w.seen.Call.Channel = channel
	}
}

// send and fetch copy cells to and from the device's side.
func (w *window) send(cells int) {
	if !w.registered() {
		copy(w.seen.Cells[:cells], w.page.Cells[:cells])
	}
}

func (w *window) fetch(cells int) {
	if !w.registered() {
		copy(w.page.Cells[:cells], w.seen.Cells[:cells])
	}
}

// close takes the page back from the device.
func (w *window) close() error {
	if w.registered() {
		return unregister(unsafe.Pointer(w.page))
	}
	return unpin(w.owned)
}
