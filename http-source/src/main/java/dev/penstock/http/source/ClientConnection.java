package dev.penstock.http.source;

import dev.penstock.http.HttpAnswer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.util.Callback;

/**
 * A client connection: its requests, and the time limits between them. Its monitor guards the phases of its requests too, so
 * that a connection is either closed or the next phase of a request begins, never both. Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>Jetty limits the time without any byte, but not the time of a whole request head: a client that sends a byte now and then
 * keeps its connection (slowloris). Nothing is called for the first byte of a head, so the periodic check compares the number
 * of received bytes with that at the end of the request before. An HTTP/2 connection sends other frames between requests;
 * there the time without a request is limited, whatever arrives.
 */
final class ClientConnection {
    private static final InetAddress NOBODY = InetAddress.ofLiteral("0.0.0.0");

    private final EndPoint network;
    private volatile InetAddress client;
    private final HttpSource.Limits limits;
    private final Semaphore further;
    private final List<ServedRequest> requests = new ArrayList<>(1);
    private volatile Connection protocol;
    private long since = System.nanoTime();
    /** When the first byte of a head was noticed; meaningless without one. */
    private long headSince;

    private boolean inHead;
    private long bytesBefore;
    private boolean served;
    private boolean last;
    private boolean closed;

    /**
     * A connection that was accepted now.
     *
     * @param network the socket
     * @param protocol what reads from it first
     */
    ClientConnection(EndPoint network, Connection protocol, HttpSource.Limits limits, Semaphore further) {
        this.network = network;
        this.protocol = protocol;
        this.limits = limits;
        this.further = further;
        this.client = address(network);
    }

    /** A balancer may name a client by something else than an address: that is nobody. */
    private static InetAddress address(EndPoint remote) {
        return remote.getRemoteSocketAddress() instanceof InetSocketAddress inet && !inet.isUnresolved()
                ? inet.getAddress()
                : NOBODY;
    }

    /** Another protocol reads from now on: after a proxy has named its client, the TLS handshake, or the preface of HTTP/2. */
    synchronized void upgraded(Connection next) {
        protocol = next;
        client = address(next.getEndPoint());
        bytesBefore = 0;
        inHead = false;
    }

    InetAddress client() {
        return client;
    }

    RequestGate.Peer peer() {
        EndPoint.SslSessionData tls = protocol.getEndPoint().getSslSessionData();
        X509Certificate[] chain = tls == null ? null : tls.peerCertificates();
        return new RequestGate.Peer(client, tls != null, chain == null ? List.of() : List.of(chain));
    }

    boolean isHttp2() {
        return protocol instanceof ConnectionMetaData data && data.getHttpVersion() == HttpVersion.HTTP_2;
    }

    /** Registers a request whose head was received; returns false if the connection was closed, or has too many. */
    synchronized boolean begin(ServedRequest request) {
        if (closed || last || (!requests.isEmpty() && !mayHaveFurther())) {
            return false;
        }
        requests.add(request);
        inHead = false;
        return true;
    }

    /**
     * Begins a further request while the connection has fewer than are still free (dynamic thresholds: Choudhury and Hahne, 1998),
     * so that some are left for others, whatever one does.
     */
    private boolean mayHaveFurther() {
        return requests.size() <= further.availablePermits() && further.tryAcquire();
    }

    /**
     * Removes a request that has ended.
     *
     * @param isLast whether its answer was the last one on this connection
     */
    void end(ServedRequest request, boolean isLast) {
        boolean leaves;
        synchronized (this) {
            if (requests.remove(request) && !requests.isEmpty()) {
                further.release();
            }
            served = true;
            last |= isLast;
            leaves = last && requests.isEmpty() && isHttp2();
            since = System.nanoTime();
            bytesBefore = protocol.getBytesIn();
            inHead = false;
        }
        if (leaves) {
            protocol.close(); // sends GOAWAY; an HTTP/1.1 answer has said so itself
        }
    }

    synchronized boolean hasSeveral() {
        return requests.size() > 1;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Whether a transaction is in progress, or its answer is being written. */
    synchronized boolean isAnswering() {
        return requests.stream().anyMatch(ServedRequest::isAnswering);
    }

    synchronized long since() {
        return since;
    }

    /** The cost of closing the connection to make room for another: 0 (close first) to {@link RequestPhase#NOT_EVICTABLE}. */
    synchronized int evictionCost(long now) {
        if (closed) {
            return RequestPhase.NOT_EVICTABLE;
        }
        if (requests.isEmpty()) {
            notice(now);
            return inHead && now - headSince > RequestPhase.GRACE ? 0 : costIfNotSlow();
        }
        int cost = 0;
        for (ServedRequest request : requests) {
            cost = Math.max(cost, request.phase().evictionCost(now, costIfNotSlow()));
        }
        return cost;
    }

    /** Connections that were never served are closed first, so that a flood of connects does not evict active clients. */
    private int costIfNotSlow() {
        return served ? 2 : 1;
    }

    /** Closes the connection to make room for another; returns false if a transaction has just begun. */
    boolean evict(long now) {
        List<ServedRequest> cut;
        synchronized (this) {
            if (evictionCost(now) == RequestPhase.NOT_EVICTABLE) {
                return false;
            }
            closed = true;
            since = now;
            cut = List.copyOf(requests);
        }
        if (cut.isEmpty() || isHttp2()) {
            closeBetweenRequests();
        } else {
            for (ServedRequest request : cut) {
                request.cut(now, true);
            }
        }
        return true;
    }

    /** Ends requests that are overdue and, if none is in progress, closes the connection if it is. */
    void check(long now, ClientConnections all) {
        List<ServedRequest> open;
        boolean close = false;
        synchronized (this) {
            open = requests.isEmpty() ? List.of() : List.copyOf(requests);
            if (closed || (last && open.isEmpty())) {
                close = now - since > HttpSource.Limits.LINGER.toNanos();
            }
            if (!close && !closed && open.isEmpty()) {
                notice(now);
                long limit = all.scaled(served && !inHead ? limits.idleTime() : limits.headerTime())
                        .toNanos();
                if (now - (inHead ? headSince : since) <= limit) {
                    return;
                }
                closed = true;
                since = now;
            }
        }
        if (close) {
            network.close();
        } else if (open.isEmpty() && isClosed()) {
            closeBetweenRequests();
        } else {
            for (ServedRequest request : open) {
                request.cut(now, false);
            }
        }
    }

    private void notice(long now) {
        boolean http1 = protocol instanceof ConnectionMetaData && !isHttp2();
        if (!inHead && http1 && protocol.getBytesIn() != bytesBefore) {
            inHead = true;
            headSince = now;
        }
        last |= protocol.getEndPoint().isOutputShutdown();
    }

    /** Ends requests whose clients send or read too slowly; returns how many. */
    int cutSlow(long now) {
        List<ServedRequest> open;
        synchronized (this) {
            open = List.copyOf(requests);
        }
        return (int) open.stream().filter(request -> request.cutIfSlow(now)).count();
    }

    /** Answers 408 if a head was not received completely; no other thread writes then. */
    private void closeBetweenRequests() {
        EndPoint plain = protocol.getEndPoint();
        if (!inHead) {
            protocol.close();
            return;
        }
        HttpAnswer answer = ProblemDetails.timeout();
        try {
            plain.write(
                    Callback.from(plain::shutdownOutput, plain::close),
                    ByteBuffer.wrap(ProblemDetails.finalResponse(answer)));
        } catch (RuntimeException alreadyAnswered) {
            plain.close();
        }
    }

    /** Closes the connection in any phase. Requests end now, except those in a flow, which end with it. */
    void close() {
        List<ServedRequest> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(requests);
        }
        network.close();
        open.forEach(ServedRequest::abandon);
    }
}
