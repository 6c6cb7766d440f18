package dev.penstock.udp;

import dev.penstock.Service;
import dev.penstock.rate.NetworkRates;
import dev.penstock.text.Cidr;
import dev.penstock.text.Ranges;
import dev.penstock.udp.UdpSourceSettings.SocketCount;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Configures a {@link UdpSource}. Each method changes this builder and returns it. Not safe for many threads. */
public final class UdpSourceBuilder {
    /** The default maximum size of a datagram, in bytes. */
    public static final int DEFAULT_MAX_SIZE = 2_048;

    /** The default size of a burst, in datagrams. */
    public static final int DEFAULT_BURST = 10_000;

    final InetSocketAddress at;
    int maxSize = DEFAULT_MAX_SIZE;
    int burst = DEFAULT_BURST;
    int ring = 16_384;
    Duration wait = Duration.ofSeconds(1);
    private @Nullable Long buffer;
    private @Nullable Integer shards;
    private Function<? super Datagram, @Nullable String> id = datagram -> null;
    private List<Cidr> allowed = List.of();
    private double rate;
    private double amplification = Double.POSITIVE_INFINITY;
    private boolean plain;
    private @Nullable DatagramHandler handler;
    private @Nullable Service<? super Datagram, byte[]> flow;

    UdpSourceBuilder(InetSocketAddress at) {
        this.at = at;
    }

    /**
     * Sets the maximum size of a datagram and of an answer. Larger datagrams are counted as truncated.
     *
     * @param bytes 1 to 65,507, default 2,048
     * @throws IllegalArgumentException when out of range
     */
    public UdpSourceBuilder maxSize(int bytes) {
        maxSize = Ranges.within("max_size", bytes, 1, UdpSocket.MOST_BYTES);
        return this;
    }

    /**
     * Sets how many datagrams of about 1 KB may arrive at once without loss. The receive buffer is sized for it; it holds fewer
     * larger ones.
     *
     * @param datagrams 1 to 1,000,000, default 10,000
     * @throws IllegalArgumentException when out of range
     */
    public UdpSourceBuilder burst(int datagrams) {
        burst = Ranges.within("burst", datagrams, 1, 1_000_000);
        return this;
    }

    /**
     * Pins the size of the receive buffer. Default: sized for the burst, and doubled when the kernel drops datagrams.
     *
     * @param bytes kernel memory, 4,096 to 1,073,741,824
     * @throws IllegalArgumentException when out of range
     */
    public UdpSourceBuilder buffer(long bytes) {
        buffer = Ranges.within("buffer", bytes, 4_096, 1 << 30);
        return this;
    }

    /**
     * Sets how many sockets share the port (SO_REUSEPORT), each with its own reading thread.
     *
     * @param count 1 to 64. Default: one per two processors, at most 16
     * @throws IllegalArgumentException when out of range
     */
    UdpSourceBuilder shards(int count) {
        shards = Ranges.within("shards", count, 1, SocketCount.MOST);
        return this;
    }

    /**
     * Sets the capacity of the ring between reading and handling, for each socket; further datagrams wait in the socket.
     *
     * @param datagrams 64 to 65,536, default 16,384
     * @throws IllegalArgumentException when out of range
     */
    UdpSourceBuilder ring(int datagrams) {
        ring = Ranges.within("ring", datagrams, 64, 65_536);
        return this;
    }

    /**
     * Sets how long a datagram may wait in the ring; one that waited longer is not answered and counted as lost. Has no effect
     * on a source with a {@link #inline} handler.
     *
     * @param most 1 ms to 1 h, default 1 s
     * @throws IllegalArgumentException when out of range
     */
    UdpSourceBuilder wait(Duration most) {
        wait = Ranges.within("wait", most, Duration.ofMillis(1), Duration.ofHours(1));
        return this;
    }

    /**
     * Sets the function that returns the id of a datagram, which its repeats share. Default: none.
     *
     * @param finder returns the id, or null for none. Called on virtual threads, before the flow; if it throws, the datagram is
     *     counted as lost in the handler
     */
    public UdpSourceBuilder id(Function<? super Datagram, @Nullable String> finder) {
        id = finder;
        return this;
    }

    /**
     * Sets the networks whose datagrams are handled; others are counted as lost. Default: all.
     *
     * @param networks blocks of addresses, for instance {@code 10.0.0.0/8}
     * @throws IllegalArgumentException when one is no block
     */
    public UdpSourceBuilder allow(List<String> networks) {
        allowed = networks.stream().map(Cidr::of).toList();
        return this;
    }

    /**
     * Sets how many datagrams a second each sender address may send, and as many at once after a pause; more are counted as lost.
     * Default: no limit.
     *
     * @param perSecond more than 0
     */
    public UdpSourceBuilder rate(double perSecond) {
        rate = perSecond;
        return this;
    }

    /**
     * Sets the longest answer, as a multiple of its datagram; longer ones are counted as lost in the handler, since the address of the
     * sender may be forged. Default: no limit.
     *
     * @param most more than 0
     */
    public UdpSourceBuilder amplification(double most) {
        amplification = most;
        return this;
    }

    /** The rules for the senders of one source, whose sockets share them. */
    PeerRules rules() {
        NetworkRates rates =
                rate == 0 ? null : new NetworkRates(rate, (int) Math.max(1, Math.ceil(rate)), System.nanoTime());
        return new PeerRules(allowed, rates, amplification);
    }

    /** Uses {@code DatagramChannel} even where native system calls are available. */
    UdpSourceBuilder plainSockets() {
        plain = true;
        return this;
    }

    /** Builds a source whose handler answers datagrams on the reading threads. */
    public UdpSource inline(DatagramHandler by) {
        handler = by;
        return new UdpSource(this);
    }

    /**
     * Builds a source whose datagrams are requests of a flow, on virtual threads.
     *
     * @param service returns the bytes to send back, or {@link Datagram#NO_ANSWER}
     */
    public UdpSource to(Service<? super Datagram, byte[]> service) {
        flow = service;
        return new UdpSource(this);
    }

    /** Opens a socket whose port no other socket can share. */
    UdpSocket socket(InetSocketAddress where) throws IOException {
        return socket(where, false);
    }

    private UdpSocket socket(InetSocketAddress where, boolean shared) throws IOException {
        return plain ? UdpSocket.bindChannel(where, shared) : UdpSocket.bind(where, shared);
    }

    /**
     * Returns the address to bind, after checking that it is free if several sockets will share it: another process that
     * shares the port would silently get part of the datagrams.
     */
    InetSocketAddress free() throws IOException {
        if (socketCount().value() == 1) {
            return at;
        }
        try (UdpSocket alone = socket(at)) {
            return alone.local();
        }
    }

    SocketReader opened(InetSocketAddress where, int number, PeerRules rules) throws IOException {
        UdpSocket socket = socket(where, socketCount().value() > 1);
        try {
            return socketReader(socket, number, rules);
        } catch (RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    private SocketReader socketReader(UdpSocket socket, int number, PeerRules rules) {
        String name = "penstock-udp-" + socket.local().getPort() + "-" + number;
        if (handler != null) {
            return new InlineSocketReader(socket, bufferSize(), name, handler, ring, maxSize, rules);
        }
        return new FlowSocketReader(
                socket, bufferSize(), name, Objects.requireNonNull(flow), id, ring, maxSize, wait, rules);
    }

    BufferSize bufferSize() {
        return new BufferSize(burst, maxSize, buffer);
    }

    SocketCount socketCount() {
        return SocketCount.of(shards, Runtime.getRuntime().availableProcessors(), !plain && UdpSocket.isNative());
    }

    String readerKind() {
        return !plain && UdpSocket.isNative() ? "recvmmsg" : "DatagramChannel";
    }
}
