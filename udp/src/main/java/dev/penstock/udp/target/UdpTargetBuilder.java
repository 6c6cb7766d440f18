package dev.penstock.udp.target;

import dev.penstock.Ticker;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import dev.penstock.udp.socket.UdpSocket;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Configures a {@link UdpTarget}. Each method changes this builder and returns it. Not safe for many threads. */
public final class UdpTargetBuilder {
    /** The default maximum size of a datagram, in bytes. */
    public static final int DEFAULT_MAX_SIZE = 2_048;

    /** The default maximum number of requests that wait for answers. */
    public static final int DEFAULT_WAITING = 16_384;

    /** The default maximum number of attempts when repeats are safe. */
    public static final int DEFAULT_ATTEMPTS = 5;

    /** The default minimum of the measured wait before a repeat. */
    public static final Duration DEFAULT_LEAST = Duration.ofMillis(20);

    /** The default maximum wait before a repeat. */
    public static final Duration DEFAULT_MOST = Duration.ofSeconds(10);

    /** Looks up a host. */
    @FunctionalInterface
    interface Lookup {
        InetAddress of(String host) throws UnknownHostException;
    }

    final String host;
    final int port;
    int maxSize = DEFAULT_MAX_SIZE;
    int waiting = DEFAULT_WAITING;
    boolean plain;
    boolean once;
    boolean own;
    Lookup lookup = InetAddress::getByName;

    @Nullable
    Duration timeout;

    @Nullable
    Integer attempts;

    private @Nullable RequestIds ids;
    private Duration least = DEFAULT_LEAST;
    private Duration most = DEFAULT_MOST;
    private Ticker ticker = Ticker.SYSTEM;
    private RandomGenerator random = new SplittableRandom();

    UdpTargetBuilder(String host, int port) {
        this.host = host;
        this.port = Ranges.within("a port", port, 1, 65_535);
    }

    /** Sets how answers are matched to requests. Required. */
    public UdpTargetBuilder ids(RequestIds how) {
        ids = how;
        return this;
    }

    /**
     * Declares that the peer processes a request once, however often it receives it with the same id, and answers each time.
     * Only then are requests repeated. Default: not declared.
     */
    public UdpTargetBuilder onceById() {
        once = true;
        return this;
    }

    /**
     * Pins the wait for an answer to the first attempt. Each further attempt waits twice as long; after the last wait the
     * request ends as unknown. Default: measured, and the last attempt waits until the deadline.
     *
     * @param time above 0
     * @throws IllegalArgumentException when it is not
     */
    public UdpTargetBuilder timeout(Duration time) {
        timeout = Ranges.positive("a timeout", time);
        return this;
    }

    /** Sets the range of the measured wait, for tests. Default: 20 ms to 10 s. */
    UdpTargetBuilder timeout(Duration shortest, Duration longest) {
        least = shortest;
        most = longest;
        timeout = null;
        return this;
    }

    /**
     * Sets the maximum number of attempts, including the first: 1 to 10. Default: {@value #DEFAULT_ATTEMPTS} with {@link
     * #onceById}, 1 without it; more than 1 requires it.
     *
     * @throws IllegalArgumentException when out of range
     */
    UdpTargetBuilder attempts(int count) {
        attempts = Ranges.within("attempts", count, 1, 10);
        return this;
    }

    /**
     * Sets the maximum size of a request and of an answer, in bytes as sent: 1 to 65,507, default {@value #DEFAULT_MAX_SIZE}.
     *
     * @throws IllegalArgumentException when out of range
     */
    public UdpTargetBuilder maxSize(int bytes) {
        maxSize = Ranges.within("a size", bytes, 1, UdpSocket.MOST_BYTES);
        return this;
    }

    /**
     * Sets the maximum number of requests that wait for answers: 1 to 1,000,000, default {@value #DEFAULT_WAITING}. Further
     * requests are rejected.
     *
     * @throws IllegalArgumentException when out of range
     */
    UdpTargetBuilder waiting(int most) {
        waiting = Ranges.within("waiting", most, 1, 1_000_000);
        return this;
    }

    /** Uses {@code DatagramChannel} even where native system calls are available. */
    UdpTargetBuilder plainSockets() {
        plain = true;
        return this;
    }

    /**
     * Makes the UDP sources of this process drop datagrams from this target, as they drop datagrams from each other. For a
     * process in which no target points to a source on purpose. Default: sources accept them.
     */
    public UdpTargetBuilder notToOwnSources() {
        own = true;
        return this;
    }

    /** Sets the clock, safe for many threads, and the random generator, used by one thread at a time; for tests. */
    UdpTargetBuilder world(Ticker clock, RandomGenerator chance) {
        ticker = clock;
        random = chance;
        return this;
    }

    /** Sets the host lookup, which is called on a separate thread; for tests. */
    UdpTargetBuilder lookup(Lookup how) {
        lookup = how;
        return this;
    }

    int attempts() {
        Integer given = attempts;
        return given != null ? given : once ? DEFAULT_ATTEMPTS : 1;
    }

    RoundTrip roundTrip() {
        Duration given = timeout;
        return given == null
                ? RoundTrip.between(Durations.nanos(least), Durations.nanos(most))
                : RoundTrip.pinned(Durations.nanos(given), Durations.nanos(most));
    }

    /**
     * Builds the target. Does not open a socket.
     *
     * @throws IllegalStateException when {@link #ids} was not called, or attempts are above 1 without {@link #onceById}
     */
    public UdpTarget build() {
        RequestIds how = ids;
        if (how == null) {
            throw new IllegalStateException("answers are matched to requests by id: call ids(...)");
        }
        if (attempts() > 1 && !once) {
            throw new IllegalStateException(
                    "requests are repeated only if the peer deduplicates by id: call onceById(), or leave out attempts");
        }
        return new UdpTarget(this, how, ticker, random);
    }
}
