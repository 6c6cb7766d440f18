package dev.penstock.lab.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A consistent snapshot of a simulator's counters.
 *
 * <p>Invariants: {@code accepted = open + closed by faults + closed by peers + closed otherwise}, and
 * {@code received = answered + cut + undelivered + in flight}.
 *
 * @param connections counts of connections
 * @param requests counts of requests
 * @param ids counts of transaction ids
 * @param tls counts of TLS sessions; all 0 without TLS
 */
public record SimulatorReport(Connections connections, Requests requests, Ids ids, Tls tls) {
    /**
     * Connections.
     *
     * @param accepted all accepted connections
     * @param open currently open
     * @param closedByFault closed by the simulator in a fault window, by kind; contains every kind
     * @param closedByPeer closed or reset by the peer first
     * @param closedOtherwise closed by the simulator for another reason: the client asked for it, bad input, a failed
     *     TLS handshake, too many connections, or the simulator's end
     */
    public record Connections(
            long accepted, long open, Map<Closing, Long> closedByFault, long closedByPeer, long closedOtherwise) {
        public Connections {
            closedByFault = Map.copyOf(closedByFault);
        }

        /** All connections closed in fault windows. */
        public long closedByFaults() {
            return closedByFault.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * Requests.
     *
     * @param received read to their last byte
     * @param answered an answer was written in full; includes {@code errors}
     * @param errors answered with the injected error status
     * @param cut received in a fault window and deliberately cut off; they have taken effect
     * @param undelivered received, but the connection or the simulator ended before the answer was written
     * @param inFlight received and not answered yet
     * @param malformed never fully received: rejected as not strict HTTP/1.1, too large or too slow; not part of
     *     the invariant
     */
    public record Requests(
            long received, long answered, long errors, long cut, long undelivered, long inFlight, long malformed) {}

    /**
     * Transactions by their id, which is in the idempotency header unless configured otherwise.
     *
     * <p>A transaction <i>applies</i> (takes effect) when its request is received and does not get an injected error. A
     * cut request applies: only its answer is missing. A transaction with an id applies once, however often it is
     * received; without an id, each request applies.
     *
     * @param unique different ids received
     * @param duplicates requests whose id had been received before, including retries after an injected error
     * @param applied transactions that took effect: once per id, and each request without an id
     * @param without requests without an id
     * @param beyond requests with a new id when no more could be recorded: not included in the numbers above
     * @param most the maximum number of ids recorded
     */
    public record Ids(long unique, long duplicates, long applied, long without, long beyond, int most) {
        /** Whether every id was recorded, so that the numbers are exact. */
        public boolean exact() {
            return beyond == 0;
        }
    }

    /**
     * TLS handshakes.
     *
     * @param sessions handshakes that established a session; includes {@code resumed}
     * @param resumed handshakes that resumed an earlier session: by ticket, or by session id in TLS 1.2. Detected by
     *     the session's times, so a resumption within the same millisecond is missed
     * @param failed failed handshakes; not part of the invariant
     */
    public record Tls(long sessions, long resumed, long failed) {}

    /** The report in a few readable lines. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("received %,d requests: answered %,d (%,d with an error), cut %,d, undelivered %,d, in flight %,d"
                .formatted(
                        requests.received,
                        requests.answered,
                        requests.errors,
                        requests.cut,
                        requests.undelivered,
                        requests.inFlight));
        lines.add("transactions: %,d ids, %,d duplicates, %,d applied, %,d requests without an id"
                .formatted(ids.unique, ids.duplicates, ids.applied, ids.without));
        if (!ids.exact()) {
            lines.add("not exact: %,d requests had ids beyond the maximum of %,d, and are not counted above"
                    .formatted(ids.beyond, ids.most));
        }
        lines.add("connections: accepted %,d, open %,d, closed by faults %,d%s, by peers %,d, otherwise %,d"
                .formatted(
                        connections.accepted,
                        connections.open,
                        connections.closedByFaults(),
                        kinds(),
                        connections.closedByPeer,
                        connections.closedOtherwise));
        if (tls.sessions + tls.failed > 0) {
            lines.add("TLS: %,d sessions, %,d of them resumed, %,d handshakes failed"
                    .formatted(tls.sessions, tls.resumed, tls.failed));
        }
        if (requests.malformed > 0) {
            lines.add("rejected %,d malformed requests".formatted(requests.malformed));
        }
        return List.copyOf(lines);
    }

    private String kinds() {
        StringBuilder kinds = new StringBuilder();
        for (Closing kind : Closing.values()) {
            long count = connections.closedByFault.getOrDefault(kind, 0L);
            if (count > 0) {
                kinds.append(kinds.isEmpty() ? " (" : ", ").append("%s %,d".formatted(kind.word(), count));
            }
        }
        return kinds.isEmpty() ? "" : kinds.append(')').toString();
    }
}
