package dev.penstock.udp.target;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import dev.penstock.udp.Datagram;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;

/**
 * The target of a flow that sends datagrams to a peer and waits for answers. Blocking; safe for many threads, which share
 * one socket.
 *
 * <pre>{@code
 * var target = UdpTarget.at("rates.example", 9000)
 *         .ids(RequestIds.at(0, 8))           // bytes 0 to 7 of request and answer are the id
 *         .onceById()                         // the peer deduplicates by id: repeats are safe
 *         .build();
 * Flow<Datagram, byte[]> rates = Flow.named("rates").deadline(Duration.ofSeconds(2)).adaptiveConcurrency().to(target);
 * byte[] answer = rates.call(Datagram.of(bytes));
 * }</pre>
 *
 * <h2>Repeats</h2>
 *
 * <p>A request is repeated only if {@link UdpTargetBuilder#onceById} declares that this is safe. It is sent again with the same
 * id when the answer is overdue according to the round trips measured, up to the maximum number of attempts, and within the
 * deadline of the calling thread ({@link dev.penstock.Deadline}).
 *
 * <h2>Endings</h2>
 *
 * <ul>
 *   <li>An answer with the request's id from the peer's address and port arrived: answered. Other datagrams are counted
 *       and ignored.
 *   <li>Nothing was sent: {@link Rejected}, cause {@code LIMIT} (too many requests wait, or one with the same id), {@code POOL}
 *       (the send buffer stayed full for the time left), {@code DEADLINE}, {@code QUEUE} (the caller was interrupted), {@code
 *       DRAINING} (closed); or {@link Failed}, cause {@code CONNECT} (unknown host, host lookup timed out, no route) or {@code
 *       REFUSED} (no id in the request, or request too large).
 *   <li>Sent, but no answer: {@link Unknown}, cause {@code TIMEOUT}, {@code GARBLED} (the answer was larger than the maximum
 *       size), {@code INTERRUPTED} or {@code CLOSED}.
 * </ul>
 *
 * <p>The first call looks up the host and opens the socket, within its deadline, on a separate thread.
 */
public final class UdpTarget implements Target<Datagram, byte[]> {
    private final String host;
    private final int port;
    private final RequestIds ids;
    private final int maxSize;
    private final PendingCalls waiting;
    private final DatagramAttempts attempts;
    private final DatagramCounter counter = new DatagramCounter();
    private final Ticker ticker;
    private final UdpTargetSettings settings;
    private final SocketOpener sockets;
    private final Part answers;

    UdpTarget(UdpTargetBuilder built, RequestIds ids, Ticker ticker, RandomGenerator random) {
        this.host = built.host;
        this.port = built.port;
        this.ids = ids;
        this.maxSize = built.maxSize;
        this.ticker = ticker;
        this.waiting = new PendingCalls(built.waiting, where());
        RoundTrip roundTrip = built.roundTrip();
        this.attempts = new DatagramAttempts(built.attempts(), roundTrip, where(), counter, ticker, random);
        this.settings = new UdpTargetSettings(built, ids, roundTrip);
        this.answers = Supervisor.current().part("udp-answers", where());
        this.sockets = new SocketOpener(where(), host, () -> opened(built));
    }

    /**
     * Returns a builder of a target.
     *
     * @param host a name or an address; looked up when the socket is opened
     * @param port 1 to 65,535
     * @throws IllegalArgumentException when the port is out of range
     */
    public static UdpTargetBuilder at(String host, int port) {
        return new UdpTargetBuilder(host, port);
    }

    /**
     * Sends a datagram, repeats it if that is safe, and waits for its answer.
     *
     * @throws Rejected nothing was sent, see above
     * @throws Failed nothing was sent, see above
     * @throws Unknown the datagram was sent and the outcome is unknown
     */
    @Override
    public byte[] call(Datagram request) throws Unanswered {
        RequestIds.Named named = named(request);
        PeerSocket open = peerSocket();
        DatagramCall call = new DatagramCall(named.id(), named.bytes(), Thread.currentThread());
        waiting.add(call);
        try {
            if (sockets.isClosed()) {
                throw sockets.shutDown();
            }
            return attempts.execute(call, open);
        } finally {
            waiting.remove(call);
        }
    }

    private RequestIds.Named named(Datagram request) throws Failed {
        RequestIds.Named named = ids.request(request.bytes());
        if (named == null) {
            throw new Failed(
                    Failed.Cause.REFUSED,
                    "a request of " + request.bytes().length + " bytes has no id (" + ids.format()
                            + "), so its answer could not be identified");
        }
        if (named.bytes().length > maxSize) {
            throw new Failed(
                    Failed.Cause.REFUSED,
                    "a request of " + named.bytes().length + " bytes is larger than max_size, " + maxSize);
        }
        return named;
    }

    private PeerSocket peerSocket() throws Unanswered {
        PeerSocket open = sockets.current();
        return open == null ? sockets.open(attempts.timeAllowed()) : open;
    }

    private PeerSocket opened(UdpTargetBuilder built) throws IOException {
        InetSocketAddress peer = new InetSocketAddress(built.lookup.of(host), port);
        return PeerSocket.open(peer, ids, maxSize, waiting, counter, built.plain, built.own, ticker, answers);
    }

    @Override
    public String where() {
        return "udp://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public List<Setting> settings() {
        PeerSocket open = sockets.current();
        return settings.now(open == null ? 0 : open.receiveBuffer());
    }

    /** {@code open}, the number of open sockets, 0 or 1; {@code opened}, the number opened so far. */
    @Override
    public Map<String, Long> connections() {
        return Map.of("open", sockets.current() == null ? 0L : 1L, "opened", sockets.opened());
    }

    /**
     * Counts so far: {@code sent} (requests), {@code repeated} (additional datagrams), {@code answered}; ignored datagrams by
     * reason: {@code late} (no request waits for it, or a duplicate), {@code strangers} (not from the peer), {@code unreadable}
     * (no id), {@code truncated}; and {@code waiting}, the number of requests that wait now.
     */
    public Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("sent", counter.sent.sum());
        counts.put("repeated", counter.repeated.sum());
        counts.put("answered", counter.answered.sum());
        counts.put("late", counter.late.sum());
        counts.put("strangers", counter.strangers.sum());
        counts.put("unreadable", counter.unreadable.sum());
        counts.put("truncated", counter.truncated.sum());
        counts.put("waiting", (long) waiting.count());
        return counts;
    }

    /** The {@link #counts} as metrics: the family {@code datagrams}, each name with {@code target_} before it. */
    @Override
    public Map<String, Map<String, Long>> counters() {
        Map<String, Long> datagrams = new LinkedHashMap<>();
        counts().forEach((what, count) -> datagrams.put("target_" + what, count));
        return Map.of("datagrams", datagrams);
    }

    @Override
    public void close() {
        if (sockets.refuse()) {
            waiting.endAll(DatagramCall.Outcome.CLOSED);
            sockets.close();
            answers.close();
        }
    }

    @Override
    public String toString() {
        return where();
    }

    /** Counts the datagrams of a target. Safe for many threads. */
    static final class DatagramCounter {
        final LongAdder sent = new LongAdder();
        final LongAdder repeated = new LongAdder();
        final LongAdder answered = new LongAdder();
        final LongAdder late = new LongAdder();
        final LongAdder strangers = new LongAdder();
        final LongAdder unreadable = new LongAdder();
        final LongAdder truncated = new LongAdder();
    }
}
