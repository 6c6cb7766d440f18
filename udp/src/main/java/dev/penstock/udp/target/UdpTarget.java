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
import java.util.random.RandomGenerator;

/**
 * A peer that answers datagrams, at the end of a flow. Blocking; safe for many threads, which share one socket.
 *
 * <pre>{@code
 * var target = UdpTarget.at("ledger.example", 9000)
 *         .ids(RequestIds.at(0, 8))           // 8 bytes that the peer's answer has at the same place
 *         .onceById()                         // the peer takes an id once: what was lost may be sent again
 *         .build();
 * Flow<Datagram, byte[]> ledger = Flow.named("ledger").deadline(Duration.ofSeconds(2)).limit().to(target);
 * byte[] answer = ledger.call(Datagram.of(bytes));
 * }</pre>
 *
 * <h2>Sent again</h2>
 *
 * <p>Only where {@link UdpTargetBuilder#onceById} declares that it is safe, under the same id, when an answer is overdue by what
 * was measured of this peer, up to so many attempts, and within the time that the calling thread has left ({@link
 * dev.penstock.Deadline}).
 *
 * <h2>How it ends</h2>
 *
 * <ul>
 *   <li>An answer with its id, from the peer's address and port: answered. All else that comes is counted, and ignored.
 *   <li>Nothing was sent: {@link Rejected}, cause {@code LIMIT} (as many wait as may, or one of the same id), {@code POOL} (the
 *       send buffer stayed full for the time left), {@code DEADLINE}, {@code QUEUE} (the caller stopped waiting), {@code
 *       DRAINING} (closed); or {@link Failed}, cause {@code CONNECT} (unknown host, host not looked up in time, no way there) or {@code REFUSED} (no id in
 *       it, or too large).
 *   <li>Sent, and no answer: {@link Unknown}, cause {@code TIMEOUT}, {@code GARBLED} (an answer with more bytes than there was
 *       room for), {@code INTERRUPTED} or {@code CLOSED}.
 * </ul>
 *
 * <p>The first call looks up the host and opens the socket, within its deadline; a second thread does both.
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
        this.waiting = new PendingCalls(built.waiting);
        this.attempts = new DatagramAttempts(built, where(), counter, ticker, random);
        this.settings = new UdpTargetSettings(built, ids, attempts);
        this.answers = Supervisor.current().part("udp-answers", where());
        this.sockets = new SocketOpener(where(), host, () -> opened(built));
    }

    /**
     * A builder of a target.
     *
     * @param host a name or an address; looked up when the socket is opened
     * @param port 1 to 65,535
     * @throws IllegalArgumentException when the port is out of range
     */
    public static UdpTargetBuilder at(String host, int port) {
        return new UdpTargetBuilder(host, port);
    }

    /**
     * Sends a datagram, again where that is safe, and waits for its answer.
     *
     * @throws Rejected nothing was sent, see above
     * @throws Failed nothing was sent, nor would be
     * @throws Unknown sent, and nobody knows what became of it
     */
    @Override
    public byte[] call(Datagram request) throws Unanswered {
        RequestIds.Named named = named(request);
        PeerSocket open = peerSocket();
        DatagramCall call = new DatagramCall(named.id(), named.bytes(), Thread.currentThread());
        register(call);
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
                    "a request of " + request.bytes().length + " bytes bears no id (" + ids.words()
                            + "), so that no answer could be told to be its own");
        }
        if (named.bytes().length > maxSize) {
            throw new Failed(
                    Failed.Cause.REFUSED,
                    "a request of " + named.bytes().length + " bytes is larger than max_size, " + maxSize);
        }
        return named;
    }

    private void register(DatagramCall call) throws Rejected {
        switch (waiting.add(call)) {
            case ADDED -> {}
            case FULL ->
                throw new Rejected(
                        Rejected.Cause.LIMIT, waiting.most() + " requests wait for answers of " + where() + " already");
            case DUPLICATE ->
                throw new Rejected(Rejected.Cause.LIMIT, "another request of the same id is on its way to " + where());
        }
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

    /** {@code open}, its sockets; {@code opened}, how many there ever were. */
    @Override
    public Map<String, Long> connections() {
        return Map.of("open", sockets.current() == null ? 0L : 1L, "opened", sockets.opened());
    }

    /**
     * What it has done so far: {@code sent} (requests), {@code repeated} (datagrams more), {@code answered}; of what came and
     * was ignored: {@code late} (nobody waits for it any more, or it came twice), {@code strangers} (not from the peer), {@code
     * unreadable} (no id), {@code truncated}; and {@code waiting}, how many wait now.
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
}
