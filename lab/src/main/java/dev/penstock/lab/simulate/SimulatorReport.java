package dev.penstock.lab.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a simulator counted, all of it at one instant.
 *
 * <p>Two laws hold at every instant: {@code accepted = open + closed by faults + closed by peers + closed otherwise}, and
 * {@code received = answered + cut + undelivered + in flight}.
 *
 * @param connections how many connections came and went
 * @param requests how many requests came and what became of them
 * @param ids what the ids of the transactions tell
 * @param tls how TLS sessions came about; all 0 where none is spoken
 */
public record SimulatorReport(Connections connections, Requests requests, Ids ids, Tls tls) {
    /**
     * Connections.
     *
     * @param accepted all that were ever accepted
     * @param open now
     * @param closedByFault closed by the simulator in a fault window, by kind; every kind is there
     * @param closedByPeer closed or reset by the other side first
     * @param closedOtherwise closed by the simulator for another reason: the client asked for it, bad input, a TLS
     *     handshake that failed, more connections than it takes, or its own end
     */
    public record Connections(
            long accepted, long open, Map<Closing, Long> closedByFault, long closedByPeer, long closedOtherwise) {
        /** Copies the map. */
        public Connections {
            closedByFault = Map.copyOf(closedByFault);
        }

        /** All that the simulator closed in fault windows. */
        public long closedByFaults() {
            return closedByFault.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * Requests.
     *
     * @param received read to their last byte
     * @param answered an answer was written to the connection in full; includes {@code errors}
     * @param errors answered with the injected error status
     * @param cut received within a fault window and cut off by intent; they have taken effect
     * @param undelivered received, but the connection or the simulator ended before the answer was written
     * @param inFlight received, and now waiting for their answer
     * @param malformed never received: refused as no strict HTTP/1.1, too large or too slow; not part of the law
     */
    public record Requests(
            long received, long answered, long errors, long cut, long undelivered, long inFlight, long malformed) {}

    /**
     * Transactions by their id: as a received request bears it, in its idempotency header unless told otherwise.
     *
     * <p>A transaction <i>applies</i> when it takes effect: when its request is received and is not given an injected error.
     * A cut request applies: it was taken and only its answer is missing. With an id it applies once however often it is
     * received; without one, each time.
     *
     * @param unique different ids received
     * @param duplicates requests received whose id had been received before, a retry after an injected error included
     * @param applied transactions that took effect: ids once each, requests without an id each time
     * @param without requests received without an id
     * @param beyond requests received with an id that is not remembered, and there was no room to: they are in none of the
     *     numbers above
     * @param most how many ids are remembered at most
     */
    public record Ids(long unique, long duplicates, long applied, long without, long beyond, int most) {
        /** Whether every id could be remembered, so that the numbers are exact. */
        public boolean exact() {
            return beyond == 0;
        }
    }

    /**
     * TLS handshakes.
     *
     * @param sessions that gave a session; includes {@code resumed}
     * @param resumed those that went on with an earlier session: by ticket, or by its id in TLS 1.2. Told by the session's
     *     times, so one that is resumed within the millisecond of its making is missed
     * @param failed that gave none; not part of the law
     */
    public record Tls(long sessions, long resumed, long failed) {}

    /** The report in a few lines, for people. */
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
            lines.add("not exact: %,d requests had ids beyond the %,d that are remembered, and are not counted above"
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
            lines.add("refused %,d malformed requests".formatted(requests.malformed));
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
