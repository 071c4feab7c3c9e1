package blackbox

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// insideVariable tells the test binary that it runs inside the namespace.
const insideVariable = "AVOW_BLACKBOX_INSIDE"

// inNamespace runs the test again in a child process with network and mount
// namespaces of its own, and returns its output. Without the privilege to make
// them it tries a user namespace.
func inNamespace(t *testing.T, binary string) ([]byte, error) {
	t.Helper()
	const own = syscall.CLONE_NEWNET | syscall.CLONE_NEWNS
	out, err := again(t, binary, &syscall.SysProcAttr{Cloneflags: own})
	if err == nil || len(out) > 0 {
		return out, err
	}
	return again(t, binary, &syscall.SysProcAttr{
		Cloneflags:  own | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	})
}

func again(t *testing.T, binary string, attr *syscall.SysProcAttr) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), insideVariable+"="+binary)
	cmd.SysProcAttr = attr
	return cmd.CombinedOutput()
}

// becomeTheInternet makes every address local to the namespace and replaces the
// files that decide how names are resolved.
func becomeTheInternet(resolvConf, hosts string) error {
	err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	if err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	for path, content := range map[string]string{"/etc/resolv.conf": resolvConf, "/etc/hosts": hosts} {
		err = replaceFile(path, content)
		if err != nil {
			return err
		}
	}
	err = loopbackUp()
	if err != nil {
		return err
	}
	for _, family := range []byte{syscall.AF_INET, syscall.AF_INET6} {
		err = everythingIsLocal(family)
		if err != nil {
			return err
		}
	}
	return nil
}

// replaceFile mounts a file with other content over a path.
func replaceFile(path, content string) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("find %s: %w", path, err)
	}
	f, err := os.CreateTemp("", "blackbox")
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err != nil {
		return err
	}
	err = f.Close()
	if err != nil {
		return err
	}
	err = syscall.Mount(f.Name(), target, "", syscall.MS_BIND, "")
	if err != nil {
		return fmt.Errorf("mount over %s: %w", target, err)
	}
	return nil
}

// loopback is the index of the interface lo, the first of every namespace.
const loopback = 1

// loopbackUp switches lo on.
func loopbackUp() error {
	// struct ifinfomsg: family, pad, type, index, flags, change
	msg := make([]byte, 0, syscall.SizeofIfInfomsg)
	msg = append(msg, syscall.AF_UNSPEC, 0, 0, 0)
	msg = binary.NativeEndian.AppendUint32(msg, loopback)
	msg = binary.NativeEndian.AppendUint32(msg, syscall.IFF_UP)
	msg = binary.NativeEndian.AppendUint32(msg, syscall.IFF_UP)
	return netlink(syscall.RTM_NEWLINK, 0, msg)
}

// everythingIsLocal adds a route that makes all addresses of a family belong to
// this machine, so that listeners on the wildcard address get every connection.
func everythingIsLocal(family byte) error {
	// struct rtmsg: family, dst_len, src_len, tos, table, protocol, scope, type, flags
	msg := []byte{
		family, 0, 0, 0, syscall.RT_TABLE_LOCAL, syscall.RTPROT_BOOT, syscall.RT_SCOPE_HOST, syscall.RTN_LOCAL,
		0, 0, 0, 0,
	}
	msg = binary.NativeEndian.AppendUint16(msg, 8) // length of the attribute
	msg = binary.NativeEndian.AppendUint16(msg, syscall.RTA_OIF)
	msg = binary.NativeEndian.AppendUint32(msg, loopback)
	return netlink(syscall.RTM_NEWROUTE, syscall.NLM_F_CREATE|syscall.NLM_F_REPLACE, msg)
}

// netlink sends one request to the kernel and waits for its acknowledgement.
func netlink(kind uint16, flags uint16, body []byte) error {
	fd, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, syscall.NETLINK_ROUTE)
	if err != nil {
		return fmt.Errorf("open netlink: %w", err)
	}
	defer func() { _ = syscall.Close(fd) }()
	msg := binary.NativeEndian.AppendUint32(nil, uint32(syscall.SizeofNlMsghdr+len(body)))
	msg = binary.NativeEndian.AppendUint16(msg, kind)
	msg = binary.NativeEndian.AppendUint16(msg, syscall.NLM_F_REQUEST|syscall.NLM_F_ACK|flags)
	msg = binary.NativeEndian.AppendUint32(msg, 1) // sequence
	msg = binary.NativeEndian.AppendUint32(msg, 0) // port
	msg = append(msg, body...)
	err = syscall.Sendto(fd, msg, 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK})
	if err != nil {
		return fmt.Errorf("ask the kernel: %w", err)
	}
	reply := make([]byte, 4096)
	n, _, err := syscall.Recvfrom(fd, reply, 0)
	if err != nil {
		return fmt.Errorf("answer of the kernel: %w", err)
	}
	if n < syscall.SizeofNlMsghdr+4 {
		return fmt.Errorf("answer of the kernel has %d bytes", n)
	}
	code := int32(binary.NativeEndian.Uint32(reply[syscall.SizeofNlMsghdr:]))
	if code != 0 {
		return fmt.Errorf("netlink request %d: %w", kind, syscall.Errno(-code))
	}
	return nil
}
