package dev.penstock.lab.simulate;

import dev.penstock.Ticker;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
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
 * Configures an {@link HttpSimulator}. By default it answers 200 with a small XML body, immediately and without faults.
 * Not thread-safe; later changes do not affect started simulators.
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
    String idHeader = "Idempotency-Key";
    int mostIds = 2_000_000;
    int workers = Integer.MAX_VALUE;
    int queueLength = Integer.MAX_VALUE;
    double contention;
    double coherence;
    int maxBody = 1 << 20;
    int maxConnections = 20_000;
    long requestNanos = 30_000_000_000L;
    Ticker ticker = Ticker.SYSTEM;

    @Nullable
    RandomGenerator random;

    HttpSimulatorBuilder() {}

    /** The port; default 0, any free port. */
    public HttpSimulatorBuilder port(int value) {
        port = Ranges.within("the port", value, 0, 65_535);
        return this;
    }

    /** The address to listen on; default loopback. */
    public HttpSimulatorBuilder address(InetAddress value) {
        address = value;
        return this;
    }

    /**
     * Uses TLS instead of plain HTTP, with the versions and session tickets of the context; with the JDK's defaults
     * that is TLS 1.3 and 1.2 and one ticket per session. There is no ALPN, because only HTTP/1.1 is supported. During
     * its handshake a connection is not idle; it counts as accepted during a fault window when its session is
     * established then. {@link Closing} describes how faults close it. Default: plain HTTP.
     *
     * @param server a server's context, for instance {@link SimulatorCertificate#serverContext()}
     */
    public HttpSimulatorBuilder tls(SSLContext server) {
        tls = Objects.requireNonNull(server, "server");
        return this;
    }

    /** The time from a request's last byte to its answer; default {@link Delay#NONE}. */
    public HttpSimulatorBuilder delay(Delay value) {
        delay = Objects.requireNonNull(value, "delay");
        return this;
    }

    /**
     * The answer; default 200 and a small XML body.
     *
     * @param code 200 to 599, except 204 and 304, which have no body
     * @param type the Content-Type
     * @param content the body
     */
    public HttpSimulatorBuilder answer(int code, String type, byte[] content) {
        if (code == 204 || code == 304 || type.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "an answer needs a status that allows a body, and an ASCII Content-Type");
        }
        status = Ranges.within("the status", code, 200, 599);
        bodyType = type;
        body = content.clone();
        return this;
    }

    /** Answers with the request's body instead of the configured one; default off. */
    public HttpSimulatorBuilder echo(boolean on) {
        echo = on;
        return this;
    }

    /** Closes connections on a schedule; default never. */
    public HttpSimulatorBuilder close(Closing how, FaultSchedule when) {
        return close(when, how);
    }

    /**
     * Closes connections on a schedule, in several ways in rotation: the first window in the first way, and so on.
     * Default never.
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
     * Answers immediately and without faults until {@link HttpSimulator#begin()}, so that a client can warm up first;
     * default off: faults start with the simulator.
     */
    public HttpSimulatorBuilder plainUntilBegun(boolean on) {
        plainUntilBegun = on;
        return this;
    }

    /**
     * Limits what {@link Closing#CUT} cuts; default all requests received during a window.
     *
     * @param share the share of requests, 0 to 1
     * @param atMost the maximum number during the simulator's lifetime
     */
    public HttpSimulatorBuilder cutOnly(double share, long atMost) {
        cutShare = Ranges.share("a share", share);
        cutAtMost = atMost;
        return this;
    }

    /**
     * Answers some requests with an error; those do not take effect. Default none.
     *
     * @param share the share of requests, 0 to 1
     * @param code 400 to 599
     */
    public HttpSimulatorBuilder errors(double share, int code) {
        errorShare = Ranges.share("a share", share);
        errorStatus = Ranges.within("the error status", code, 400, 599);
        return this;
    }

    /**
     * Limits the requests served concurrently; each is served for its delay. Others wait in a FIFO queue, and that time
     * is in addition to the delay. When the queue is full, requests are answered with the error status immediately.
     * Default: unlimited.
     *
     * @param concurrency 1 or more
     * @param queue maximum queue length, 0 or more
     */
    public HttpSimulatorBuilder workers(int concurrency, int queue) {
        workers = Ranges.within("the number of workers", concurrency, 1, Integer.MAX_VALUE);
        queueLength = Ranges.within("the queue length", queue, 0, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Increases the delay with the number N of requests being served, by the universal scalability law: the drawn delay
     * is multiplied by {@code 1 + sigma (N - 1) + kappa N (N - 1)}. With kappa above 0, throughput peaks at a
     * concurrency of {@code sqrt((1 - sigma) / kappa)}. Default 0 and 0: no increase.
     *
     * @param sigma contention, 0 to 1
     * @param kappa coherence, 0 to 1
     */
    public HttpSimulatorBuilder contention(double sigma, double kappa) {
        contention = Ranges.share("a share", sigma);
        coherence = Ranges.share("a share", kappa);
        return this;
    }

    /**
     * The header with the transaction's id, and the maximum number of ids remembered; default Idempotency-Key and
     * 2,000,000 (about 64 MB when full).
     */
    public HttpSimulatorBuilder ids(String header, int most) {
        idHeader = Objects.requireNonNull(header, "header");
        mostIds = Ranges.within("the number of ids", most, 1, 16_000_000);
        return this;
    }

    /** The maximum body in bytes; larger ones are answered with 413; default 1 MB. */
    public HttpSimulatorBuilder maxBody(int bytes) {
        maxBody = Ranges.within("the largest body", bytes, 0, 64 << 20);
        return this;
    }

    /** The maximum number of connections; further ones are closed immediately; default 20,000. */
    public HttpSimulatorBuilder maxConnections(int most) {
        maxConnections = Ranges.within("the number of connections", most, 1, 1_000_000);
        return this;
    }

    /**
     * The maximum time of a request from its first to its last byte, answered with 408 when exceeded, and of each part
     * of a TLS handshake; default 30 s.
     */
    HttpSimulatorBuilder requestTime(Duration most) {
        requestNanos = Durations.nanos(most);
        return this;
    }

    /** The clock; default {@link Ticker#SYSTEM}. */
    public HttpSimulatorBuilder ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return this;
    }

    /** The random generator; used by one thread at a time. Default: seeded with 1. */
    public HttpSimulatorBuilder random(RandomGenerator value) {
        random = Objects.requireNonNull(value, "random");
        return this;
    }

    /**
     * Starts the simulator.
     *
     * @return the running simulator; close it
     * @throws IOException when it cannot listen there; the message says what to do
     */
    public HttpSimulator start() throws IOException {
        return new HttpSimulator(copy());
    }

    RandomGenerator randomGenerator() {
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
}
