package dev.penstock.lab.simulate;

import dev.penstock.Durations;
import dev.penstock.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link HttpSimulator} is to behave; its defaults answer 200 with a small XML at once and without faults. Not safe
 * for many threads; what it starts does not see later changes of it.
 */
public final class HttpSimulatorBuilder implements Cloneable {
    private static final String APPROVED = "<answer><status>approved</status></answer>";

    int port;

    @Nullable
    InetAddress address;

    @Nullable
    SSLContext tls;

    Delay delay = Delay.NONE;
    int status = 200;
    String bodyType = "application/xml";
    byte[] body = APPROVED.getBytes(StandardCharsets.UTF_8);
    boolean echo;
    Closings closings = Closings.NEVER;
    double cutShare = 1;
    long cutAtMost = Long.MAX_VALUE;
    double errorShare;
    int errorStatus = 503;
    boolean plainUntilBegun;
    IdLocation idPlace = IdLocation.header("Idempotency-Key");
    int mostIds = 2_000_000;
    int workers = Integer.MAX_VALUE;
    int line = Integer.MAX_VALUE;
    double contention;
    double coherence;
    int maxBody = 1 << 20;
    int maxConnections = 20_000;
    long requestNanos = 30_000_000_000L;
    Ticker ticker = Ticker.SYSTEM;

    @Nullable
    RandomGenerator random;

    HttpSimulatorBuilder() {}

    /** Where it listens; default 0, a free port. */
    public HttpSimulatorBuilder port(int value) {
        port = checked("port", value, 0, 65_535);
        return this;
    }

    /** The address it listens on; default loopback. */
    public HttpSimulatorBuilder address(InetAddress value) {
        address = value;
        return this;
    }

    /**
     * Speaks TLS in place of plain HTTP: the versions and session tickets that the context has, with the JDK's defaults TLS
     * 1.3 and 1.2 and one ticket for each session. No protocol is negotiated (ALPN): HTTP/1.1 is all it speaks. A
     * connection that shakes hands is not idle, and counts as accepted in a fault window when it has a session there.
     * {@link Closing} says how faults close it. Default: plain.
     *
     * @param server a server's context, for instance {@link SimulatorCertificate#serverContext()}
     */
    public HttpSimulatorBuilder tls(SSLContext server) {
        tls = Objects.requireNonNull(server, "server");
        return this;
    }

    /** From a request's last byte to its answer; default {@link Delay#NONE}. */
    public HttpSimulatorBuilder delay(Delay value) {
        delay = Objects.requireNonNull(value, "delay");
        return this;
    }

    /**
     * What it answers; default 200 and a small XML.
     *
     * @param code 200 to 599, without 204 and 304, which bear no body
     * @param type the Content-Type
     * @param content the body
     */
    public HttpSimulatorBuilder answer(int code, String type, byte[] content) {
        if (code == 204 || code == 304 || type.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException("answer with a status that bears a body and a plain Content-Type");
        }
        status = checked("status", code, 200, 599);
        bodyType = type;
        body = content.clone();
        return this;
    }

    /** Answers with the body that was sent, in place of its own; default off. */
    public HttpSimulatorBuilder echo(boolean on) {
        echo = on;
        return this;
    }

    /** Closes connections on a timeline; default never. */
    public HttpSimulatorBuilder close(Closing how, FaultSchedule when) {
        return close(when, how);
    }

    /**
     * Closes connections on a timeline, in several ways that take turns: the first window in the first way, the second in
     * the second, and after the last way the first again. Default never.
     *
     * @param when the windows
     * @param inTurn at least one way
     * @throws IllegalArgumentException when no way is given
     */
    public HttpSimulatorBuilder close(FaultSchedule when, Closing... inTurn) {
        closings = new Closings(when, List.of(inTurn));
        return this;
    }

    /**
     * Answers at once and without any fault until {@link HttpSimulator#begin()}, so that a client can be made warm before it
     * is tried; default off: it is slow and faulty from its start.
     */
    public HttpSimulatorBuilder plainUntilBegun(boolean on) {
        plainUntilBegun = on;
        return this;
    }

    /**
     * Bounds what {@link Closing#CUT} cuts; default all requests received within a window.
     *
     * @param share how many of them, 0 to 1
     * @param atMost how many in the simulator's whole life
     */
    public HttpSimulatorBuilder cutOnly(double share, long atMost) {
        cutShare = share(share);
        cutAtMost = atMost;
        return this;
    }

    /**
     * Answers some requests with an error; those do not take effect. Default none.
     *
     * @param share how many, 0 to 1
     * @param code 400 to 599
     */
    public HttpSimulatorBuilder errors(double share, int code) {
        errorShare = share(share);
        errorStatus = checked("error status", code, 400, 599);
        return this;
    }

    /**
     * Serves so many requests at once, each for its delay; the others wait in line, first come first served, which is no part of
     * the delay. What comes when the line is full is answered with the error status at once. Default: all at once.
     *
     * @param atOnce 1 or more
     * @param inLine 0 or more
     */
    public HttpSimulatorBuilder workers(int atOnce, int inLine) {
        workers = checked("number of workers", atOnce, 1, Integer.MAX_VALUE);
        line = checked("length of the line", inLine, 0, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Lets the delay grow with the number N that is served when a request's turn comes, by the universal scalability law: to {@code 1
     * + sigma (N - 1) + kappa N (N - 1)} times what was drawn. With kappa above 0 it answers the most a second with {@code sqrt((1 -
     * sigma) / kappa)} at once. Default 0 and 0: it does not grow.
     *
     * @param sigma of contention, 0 to 1
     * @param kappa of coherence, 0 to 1
     */
    public HttpSimulatorBuilder contention(double sigma, double kappa) {
        contention = share(sigma);
        coherence = share(kappa);
        return this;
    }

    /**
     * Which header names a transaction, and how many names are remembered; default Idempotency-Key, 2,000,000 (about 64 MB
     * when full).
     */
    public HttpSimulatorBuilder ids(String header, int most) {
        idPlace = IdLocation.header(Objects.requireNonNull(header, "header"));
        mostIds = checked("number of ids", most, 1, 16_000_000);
        return this;
    }

    /**
     * Finds the name of a transaction in the request's body in place of a header, for clients that send none: what stands
     * between the first such mark and the next such end. Both are ASCII.
     *
     * @throws IllegalArgumentException when one of them is empty
     */
    public HttpSimulatorBuilder idInBody(String mark, String end) {
        if (mark.isEmpty() || end.isEmpty()) {
            throw new IllegalArgumentException("say what stands before and behind an id in the body");
        }
        idPlace = IdLocation.body(mark, end);
        return this;
    }

    /** The largest body in bytes that it takes, beyond it 413; default 1 MB. */
    public HttpSimulatorBuilder maxBody(int bytes) {
        maxBody = checked("largest body", bytes, 0, 64 << 20);
        return this;
    }

    /** How many connections it holds at once, beyond it they are closed at once; default 20,000. */
    public HttpSimulatorBuilder maxConnections(int most) {
        maxConnections = checked("number of connections", most, 1, 1_000_000);
        return this;
    }

    /**
     * How long a request may take from its first byte to its last, beyond it 408, and how long each part of a TLS handshake
     * may be waited for; default 30 s.
     */
    public HttpSimulatorBuilder requestTime(Duration most) {
        requestNanos = Durations.nanos(most);
        return this;
    }

    /** Its clock; default {@link Ticker#SYSTEM}. */
    public HttpSimulatorBuilder ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return this;
    }

    /** Where its chance comes from; used by one thread at a time. Default a generator seeded with 1. */
    public HttpSimulatorBuilder random(RandomGenerator value) {
        random = Objects.requireNonNull(value, "random");
        return this;
    }

    /**
     * Starts it.
     *
     * @return the running simulator; close it
     * @throws IOException when it cannot listen there, in one line that says what to do
     */
    public HttpSimulator start() throws IOException {
        return new HttpSimulator(copy());
    }

    RandomGenerator chance() {
        return random == null ? new SplittableRandom(1) : random;
    }

    InetAddress where() {
        return address == null ? InetAddress.getLoopbackAddress() : address;
    }

    private HttpSimulatorBuilder copy() {
        try {
            return (HttpSimulatorBuilder) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("a builder can be cloned", e);
        }
    }

    private static int checked(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("the " + what + " is " + least + " to " + most + ", not " + value);
        }
        return value;
    }

    private static double share(double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("a share is 0 to 1, not " + value);
        }
        return value;
    }
}
