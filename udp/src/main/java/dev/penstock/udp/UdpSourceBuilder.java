package dev.penstock.udp;

import dev.penstock.Durations;
import dev.penstock.Service;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How a {@link UdpSource} shall be. Each method changes it and gives it back. One thread at a time. */
public final class UdpSourceBuilder {
    /** The largest datagram, in bytes, by default. */
    public static final int DEFAULT_MAX_SIZE = 2_048;

    /** How many datagrams may come at once, by default. */
    public static final int DEFAULT_BURST = 10_000;

    /** How many datagrams wait between reading and handling at most, by default. */
    public static final int DEFAULT_RING = 16_384;

    /** For how long a datagram waits in the ring at most, by default. */
    public static final Duration DEFAULT_WAIT = Duration.ofSeconds(1);

    private final InetSocketAddress at;
    private int maxSize = DEFAULT_MAX_SIZE;
    private int burst = DEFAULT_BURST;
    private int ring = DEFAULT_RING;
    private Duration wait = DEFAULT_WAIT;
    private @Nullable Long buffer;
    private @Nullable Integer shards;
    private Function<? super Datagram, @Nullable String> id = datagram -> null;
    private boolean plain;
    private final InstantSource wallClock = InstantSource.system();
    private @Nullable DatagramHandler handler;
    private @Nullable Service<? super Datagram, byte[]> flow;

    UdpSourceBuilder(InetSocketAddress at) {
        this.at = at;
    }

    /**
     * The largest datagram that is taken, and the largest answer. Larger ones are counted as truncated.
     *
     * @param bytes 1 to 65,507, default 2,048
     * @throws IllegalArgumentException when out of range
     */
    public UdpSourceBuilder maxSize(int bytes) {
        maxSize = (int) in("max_size", bytes, 1, UdpSocket.MOST_BYTES);
        return this;
    }

    /**
     * How many datagrams of about 1 KB may come at once without loss; the receive buffer is made for it. Of larger ones it holds
     * fewer.
     *
     * @param datagrams 1 to 1,000,000, default 10,000
     * @throws IllegalArgumentException when out of range
     */
    public UdpSourceBuilder burst(int datagrams) {
        burst = (int) in("burst", datagrams, 1, 1_000_000);
        return this;
    }

    /**
     * Pins the receive buffer. Default: made for the burst, and doubled when the kernel had to drop.
     *
     * @param bytes of the kernel's memory, 4,096 to 1,073,741,824
     * @throws IllegalArgumentException when out of range
     */
    public UdpSourceBuilder buffer(long bytes) {
        buffer = in("buffer", bytes, 4_096, 1 << 30);
        return this;
    }

    /**
     * How many sockets, each with a reading thread, share the port.
     *
     * @param count 1 to 64. Default: one for two processors
     * @throws IllegalArgumentException when out of range
     */
    public UdpSourceBuilder shards(int count) {
        shards = (int) in("shards", count, 1, SocketCount.MOST);
        return this;
    }

    /**
     * How many datagrams wait between reading and handling at most, in each shard; more wait in the socket.
     *
     * @param datagrams 64 to 65,536, default 16,384
     * @throws IllegalArgumentException when out of range
     */
    public UdpSourceBuilder ring(int datagrams) {
        ring = (int) in("ring", datagrams, 64, 65_536);
        return this;
    }

    /**
     * For how long one waits there at most; what waited longer is not answered, and counted. Of what is answered on the
     * reading threads nothing waits.
     *
     * @param most 1 ms to 1 h, default 1 s
     * @throws IllegalArgumentException when out of range
     */
    public UdpSourceBuilder wait(Duration most) {
        if (most.toMillis() < 1 || most.toHours() > 1) {
            throw new IllegalArgumentException("wait is 1 ms to 1 h, not " + Durations.words(most));
        }
        wait = most;
        return this;
    }

    private static long in(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "%s is %,d to %,d, not %,d", what, least, most, value));
        }
        return value;
    }

    /**
     * Finds what repeats of a datagram have in common. Default: nothing.
     *
     * @param finder null for what has no id. Called on virtual threads, before the flow; what it throws is lost in the handler
     */
    public UdpSourceBuilder id(Function<? super Datagram, @Nullable String> finder) {
        id = finder;
        return this;
    }

    /** Uses Java's own sockets also where the system's calls are known. */
    public UdpSourceBuilder plainSockets() {
        plain = true;
        return this;
    }

    /** A source whose datagrams are answered on the threads that read them. */
    public UdpSource inline(DatagramHandler by) {
        handler = by;
        return new UdpSource(this);
    }

    /**
     * A source whose datagrams are requests of a flow, on virtual threads.
     *
     * @param service answers with the bytes to send back, or {@link Datagram#NO_ANSWER}
     */
    public UdpSource to(Service<? super Datagram, byte[]> service) {
        flow = service;
        return new UdpSource(this);
    }

    /** A socket that nobody else may share. */
    UdpSocket socket(InetSocketAddress where) throws IOException {
        return socket(where, false);
    }

    private UdpSocket socket(InetSocketAddress where, boolean shared) throws IOException {
        return plain ? UdpSocket.bindChannel(where, shared) : UdpSocket.bind(where, shared);
    }

    /**
     * The address to bind, seen to be free where several sockets will share it: another process that shares it too would take its
     * part of the datagrams in silence.
     */
    InetSocketAddress free() throws IOException {
        if (shardCount().value() == 1) {
            return at;
        }
        try (UdpSocket alone = socket(at)) {
            return alone.local();
        }
    }

    SocketReader opened(InetSocketAddress where, int number) throws IOException {
        UdpSocket socket = socket(where, shardCount().value() > 1);
        try {
            return socketReader(socket, number);
        } catch (RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    private SocketReader socketReader(UdpSocket socket, int number) {
        String name = "penstock-udp-" + socket.local().getPort() + "-" + number;
        if (handler != null) {
            return new InlineSocketReader(socket, bufferSize(), name, handler, ring, maxSize);
        }
        return new FlowSocketReader(socket, bufferSize(), name, Objects.requireNonNull(flow), id, ring, maxSize, wait);
    }

    BufferSize bufferSize() {
        return new BufferSize(burst, maxSize, buffer);
    }

    SocketCount shardCount() {
        return SocketCount.of(shards, Runtime.getRuntime().availableProcessors(), !plain && UdpSocket.isNative());
    }

    String readerKind() {
        return !plain && UdpSocket.isNative() ? "recvmmsg" : "DatagramChannel";
    }

    InetSocketAddress at() {
        return at;
    }

    int maxSize() {
        return maxSize;
    }

    int burst() {
        return burst;
    }

    int ring() {
        return ring;
    }

    Duration longestWait() {
        return wait;
    }

    InstantSource wallClock() {
        return wallClock;
    }
}
