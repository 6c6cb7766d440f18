package dev.penstock.races.survive;

import dev.penstock.jdbc.kit.Folders;
import dev.penstock.kit.program.Programs;
import dev.penstock.races.machine.NativeCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The machine that a gateway runs on, whose parts can fail: a small disk, a hosts file, a wall clock, and a network
 * namespace with one link to the machine that runs the race. Requires root. Not thread-safe.
 */
final class GatewayMachine implements AutoCloseable {
    /** The host name of the gateway's target. */
    static final String PEER = "peer.test";

    /** Room for the keys of some 7,000 schedules: gateways are reused, and keep each key for a day. */
    private static final String DISK_SIZE = "128m";

    private static final int BLOCK = 1 << 16;
    /** The number of /30 networks in 198.18.0.0/15, which RFC 2544 reserves for benchmarks. */
    private static final int NETWORKS = 1 << 15;

    private static final AtomicInteger BUILT = new AtomicInteger();
    private static @Nullable Path clockLibrary;

    private final Path folder = Files.createTempDirectory("penstock-survive");
    private final Path disk = Files.createDirectory(folder.resolve("disk"));
    private final Path filler = disk.resolve("filler");
    private final Path names = folder.resolve("hosts");
    private final Path clock = folder.resolve("clock");
    private final String namespace;
    private final String outside;
    private final String inside;

    private GatewayMachine(int network) throws IOException {
        this.namespace = "penstock" + network;
        this.outside = address(network, 1);
        this.inside = address(network, 2);
    }

    private static String address(int network, int host) {
        int last = network * 4 + host;
        return "198.%d.%d.%d".formatted(18 + (last >> 16), last >> 8 & 0xff, last & 0xff);
    }

    /** The reason why this host cannot provide one; empty if it can. */
    static Optional<String> whyNot() {
        if (!System.getProperty("user.name").equals("root")) {
            return Optional.of("mounting a disk and setting up a network require root");
        }
        if (Programs.find("ip").isEmpty()) {
            return Optional.of(Programs.missing("ip"));
        }
        return mayIsolate()
                ? NativeCode.whyNot()
                : Optional.of("this container is not allowed to mount a disk or set up a network");
    }

    private static boolean mayIsolate() {
        try {
            run("unshare", "--mount", "--net", "mount", "-t", "tmpfs", "none", "/mnt");
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /** Sets up a machine. */
    static GatewayMachine build() throws IOException {
        int number = BUILT.getAndIncrement();
        GatewayMachine machine =
                new GatewayMachine((int) ((ProcessHandle.current().pid() * 31 + number) % NETWORKS));
        try {
            machine.mount();
            machine.connect();
            machine.heal();
            return machine;
        } catch (IOException e) {
            machine.closeAfter(e);
            throw e;
        }
    }

    private void closeAfter(IOException failure) {
        try {
            close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private void mount() throws IOException {
        run("mount", "-t", "tmpfs", "-o", "size=" + DISK_SIZE, namespace, disk.toString());
    }

    private void connect() throws IOException {
        run("ip", "netns", "add", namespace);
        run("ip", "link", "add", namespace, "type", "veth", "peer", "name", "eth0", "netns", namespace);
        run("ip", "address", "add", outside + "/30", "dev", namespace);
        run("ip", "link", "set", namespace, "up");
        run("ip", "-n", namespace, "address", "add", inside + "/30", "dev", "eth0");
        run("ip", "-n", namespace, "link", "set", "lo", "up");
    }

    /** The address of a server on this machine. */
    String address() {
        return inside;
    }

    /** The address of the machine that runs the race, as seen from the gateway. */
    String peerAddress() {
        return outside;
    }

    /** A folder that always stays readable and writable. */
    Path folder() {
        return folder;
    }

    /** The disk that can become full. */
    Path disk() {
        return disk;
    }

    /** The JVM option that makes host name lookups use this machine's hosts file. */
    String namesOption() {
        return "-Djdk.net.hosts.file=" + names;
    }

    /** The command that starts a program on this machine. */
    ProcessBuilder command(List<String> program) throws IOException {
        List<String> whole = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        whole.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(whole);
        builder.environment().put("LD_PRELOAD", clockLibrary().toString());
        builder.environment().put("PENSTOCK_CLOCK", clock.toString());
        return builder;
    }

    private static synchronized Path clockLibrary() throws IOException {
        if (clockLibrary == null) {
            try {
                clockLibrary = NativeCode.build(GatewayMachine.class, "clock.c", "-shared", "-fPIC");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while compiling the clock library", e);
            }
        }
        return clockLibrary;
    }

    /** Fills the disk completely. */
    void fillDisk() {
        for (int size = BLOCK; size > 0; size /= 2) {
            try (OutputStream out =
                    Files.newOutputStream(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                while (true) {
                    out.write(new byte[size]);
                }
            } catch (IOException full) {
                // The disk is full, as intended.
            }
        }
    }

    /** Removes the peer's address from the hosts file. */
    void forgetNames() throws IOException {
        setNames("");
    }

    /** Replaces the hosts file atomically: a concurrent lookup reads either the old or the new file. */
    private void setNames(String lines) throws IOException {
        Path next = Files.writeString(folder.resolve("hosts-next"), "127.0.0.1 localhost\n" + lines);
        Files.move(next, names, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Takes the network link down. */
    void disconnect() throws IOException {
        run("ip", "-n", namespace, "link", "set", "eth0", "down");
    }

    /** Sets the wall clock to the true time plus an offset in seconds, which may be negative. */
    void moveClock(long seconds) throws IOException {
        byte[] number = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(seconds)
                .array();
        // The file is never truncated, because processes have mapped it.
        Files.write(clock, number, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** Ends all faults of this machine. */
    void heal() throws IOException {
        Files.deleteIfExists(filler);
        setNames(outside + " " + PEER + "\n");
        moveClock(0);
        run("ip", "-n", namespace, "link", "set", "eth0", "up");
    }

    /** Runs a program and returns its output. */
    static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
        return output;
    }

    /** Removes the machine and its files. Nothing may be running on it any more. */
    @Override
    public void close() throws IOException {
        run("ip", "netns", "delete", namespace);
        run("umount", disk.toString());
        Folders.delete(folder);
    }
}
