package dev.penstock.udp.target;

import dev.penstock.Durations;
import dev.penstock.Ticker;
import dev.penstock.udp.socket.UdpSocket;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How a {@link UdpTarget} shall be. Each method changes it and gives it back. One thread at a time. */
public final class UdpTargetBuilder {
    /** The largest datagram, in bytes, by default. */
    public static final int DEFAULT_MAX_SIZE = 2_048;

    /** How many requests wait for answers at most, by default. */
    public static final int DEFAULT_WAITING = 16_384;

    /** How often a request is sent at most where that is safe, by default. */
    public static final int DEFAULT_ATTEMPTS = 5;

    /** The shortest measured wait before a request is sent again, by default. */
    public static final Duration DEFAULT_LEAST = Duration.ofMillis(20);

    /** The longest wait before a request is sent again, by default. */
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
        this.port = checked("a port", port, 1, 65_535);
    }

    private static int checked(String what, int number, int least, int most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException("%s is %,d to %,d, not %,d".formatted(what, least, most, number));
        }
        return number;
    }

    /** By what answers find their requests. Needed. */
    public UdpTargetBuilder ids(RequestIds how) {
        ids = how;
        return this;
    }

    /**
     * Declares that the peer takes a request once, however often it comes under one id, and answers each time. Only then is
     * anything sent again. Default: not declared.
     */
    public UdpTargetBuilder onceById() {
        once = true;
        return this;
    }

    /**
     * Pins how long the first answer is waited for; each further attempt waits twice as long, and when the last one has waited,
     * the request ends as unknown. Default: measured, and the last attempt waits for as long as there is time.
     *
     * @param time above 0
     * @throws IllegalArgumentException when it is not
     */
    public UdpTargetBuilder timeout(Duration time) {
        timeout = positive(time);
        return this;
    }

    /**
     * Bounds the measured wait. Default: 20 ms to 10 s.
     *
     * @throws IllegalArgumentException when not above 0, or the first is above the second
     */
    public UdpTargetBuilder timeout(Duration shortest, Duration longest) {
        if (positive(shortest).compareTo(positive(longest)) > 0) {
            throw new IllegalArgumentException("from " + Durations.words(shortest) + " to " + Durations.words(longest)
                    + " is no range; swap them");
        }
        least = shortest;
        most = longest;
        timeout = null;
        return this;
    }

    private static Duration positive(Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("a timeout is above 0, not " + Durations.words(time));
        }
        return time;
    }

    /**
     * Pins how often a request is sent at most, the first time included: 1 to 10. Default: {@value #DEFAULT_ATTEMPTS} with
     * {@link #onceById}, 1 without it; without it more are not allowed.
     *
     * @throws IllegalArgumentException when out of range
     */
    public UdpTargetBuilder attempts(int count) {
        attempts = checked("attempts", count, 1, 10);
        return this;
    }

    /**
     * The largest request and the largest answer, in bytes as they are sent: 1 to 65,507, default {@value #DEFAULT_MAX_SIZE}.
     *
     * @throws IllegalArgumentException when out of range
     */
    public UdpTargetBuilder maxSize(int bytes) {
        maxSize = checked("a size", bytes, 1, UdpSocket.MOST_BYTES);
        return this;
    }

    /**
     * How many requests wait for answers at most: 1 to 1,000,000, default {@value #DEFAULT_WAITING}. More are rejected.
     *
     * @throws IllegalArgumentException when out of range
     */
    public UdpTargetBuilder waiting(int most) {
        waiting = checked("waiting", most, 1, 1_000_000);
        return this;
    }

    /** Uses a socket of Java's own also where the system's calls are known. */
    public UdpTargetBuilder plainSockets() {
        plain = true;
        return this;
    }

    /**
     * Has the sources of this process drop what this target sends to them, as they do with what they send to each other: for a
     * process in which no target points to a source on purpose. Default: they take it.
     */
    public UdpTargetBuilder notToOwnSources() {
        own = true;
        return this;
    }

    /** Takes another clock, safe for many threads, and another source of chance, used by one at a time; for tests. */
    public UdpTargetBuilder world(Ticker clock, RandomGenerator chance) {
        ticker = clock;
        random = chance;
        return this;
    }

    /** Takes another way to look up the host, called on a thread of its own; for tests. */
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

    String range() {
        return Durations.words(least) + ".." + Durations.words(most);
    }

    /**
     * The target. Opens no socket.
     *
     * @throws IllegalStateException when there are no ids, or more attempts than one without {@link #onceById}
     */
    public UdpTarget build() {
        RequestIds how = ids;
        if (how == null) {
            throw new IllegalStateException("an answer finds its request by an id: call ids(...)");
        }
        if (attempts() > 1 && !once) {
            throw new IllegalStateException(
                    "a request is sent again only to a peer that takes an id once: call onceById(), or leave out attempts");
        }
        return new UdpTarget(this, how, ticker, random);
    }
}
