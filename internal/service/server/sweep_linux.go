package server

import (
	"net"
	"os"
	"syscall"
)

// sweep takes the connections that the kernel has accepted for a listener and the
// server has not taken yet, and ends the listener before more can come. Without it
// these connections would be reset when the listener is closed, and what their clients
// have sent would be lost.
func sweep(l net.Listener) []net.Conn {
	tcp, ok := l.(*net.TCPListener)
	if !ok {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	var found []int
	err = raw.Control(func(fd uintptr) {
		for {
			conn, _, err := syscall.Accept4(int(fd), syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK)
			if err != nil {
				break
			}
			found = append(found, conn)
		}
		_ = syscall.Shutdown(int(fd), syscall.SHUT_RD) // it is closed next
	})
	if err != nil {
		return nil
	}
	var conns []net.Conn
	for _, fd := range found {
		f := os.NewFile(uintptr(fd), "connection")
		conn, err := net.FileConn(f)
		_ = f.Close() // FileConn has a copy
		if err == nil {
			conns = append(conns, conn)
		}
	}
	return conns
}
