package dev.penstock.udp;

import dev.penstock.Service;
import java.net.InetSocketAddress;
import java.time.Duration;
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

    UdpSourceBuilder(InetSocketAddress at) {
        this.at = at;
    }

    /** The largest datagram that is taken, and the largest answer, in bytes: 1 to 65,507, default 2,048. Larger ones are counted as truncated. */
    public UdpSourceBuilder maxSize(int bytes) {
        maxSize = bytes;
        return this;
    }

    /** How many datagrams may come at once without loss: 1 to 1,000,000, default 10,000. The receive buffer is made for it. */
    public UdpSourceBuilder burst(int datagrams) {
        burst = datagrams;
        return this;
    }

    /** Pins the receive buffer, in bytes of the kernel's memory. Default: made for the burst, and more when drops are seen. */
    public UdpSourceBuilder buffer(long bytes) {
        buffer = bytes;
        return this;
    }

    /** How many sockets and readers share the port: 1 to 64. Default: by the number of processors. */
    public UdpSourceBuilder shards(int count) {
        shards = count;
        return this;
    }

    /** How many datagrams wait between reading and handling at most: 64 to 65,536, default 16,384. */
    public UdpSourceBuilder ring(int datagrams) {
        ring = datagrams;
        return this;
    }

    /** For how long one waits there at most; older ones are not answered, and counted. Default 1 s. */
    public UdpSourceBuilder wait(Duration most) {
        wait = most;
        return this;
    }

    /** Finds what repeats of a datagram have in common. Default: nothing. Called on virtual threads, before the flow. */
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
    public UdpSource inline(DatagramHandler handler) {
        return new UdpSource(this);
    }

    /**
     * A source whose datagrams are requests of a flow, each on a virtual thread.
     *
     * @param flow answers with the bytes to send back; null when no answer is wanted
     */
    public UdpSource to(Service<? super Datagram, byte @Nullable []> flow) {
        return new UdpSource(this);
    }
}
