package dev.penstock.lab.simulate.tcp;

import dev.penstock.lab.simulate.Closing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A consistent snapshot of a {@link TcpSimulator}'s counters.
 *
 * <p>Invariants:
 * {@code accepted = open + killed idle + closed by faults + closed by peers + unreachable + closed otherwise}, and, in
 * each direction, {@code received = passed + blackholed + lost + under way}.
 *
 * @param connections counts of connections
 * @param toServer bytes sent by clients
 * @param toClient bytes sent by the server
 */
public record TcpReport(Connections connections, Bytes toServer, Bytes toClient) {
    /**
     * Connections.
     *
     * @param accepted all accepted connections
     * @param open currently open, without blackholed ones
     * @param killedIdle killed because they were idle, by kind; contains every kind
     * @param silent blackholed connections still kept open, so that no peer is notified
     * @param closedByFault closed in a fault window, by kind; contains every kind
     * @param closedByPeers closed by both peers, or reset by one
     * @param unreachable reset because the server could not be reached
     * @param whyUnreachable the last reason for that; null when it was always reachable
     * @param closedOtherwise too many connections, or closed at the simulator's end
     */
    public record Connections(
            long accepted,
            long open,
            Map<IdleKill, Long> killedIdle,
            long silent,
            Map<Closing, Long> closedByFault,
            long closedByPeers,
            long unreachable,
            @Nullable String whyUnreachable,
            long closedOtherwise) {
        public Connections {
            killedIdle = Map.copyOf(killedIdle);
            closedByFault = Map.copyOf(closedByFault);
        }

        /** All connections killed because they were idle. */
        public long killed() {
            return killedIdle.values().stream().mapToLong(Long::longValue).sum();
        }

        /** All connections closed in fault windows. */
        public long closedByFaults() {
            return closedByFault.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * Bytes of one direction.
     *
     * @param received read from one side
     * @param passed written to the other
     * @param blackholed received on a blackholed connection and dropped
     * @param lost dropped because the connection was closed while they were in transit
     * @param underWay in transit
     */
    public record Bytes(long received, long passed, long blackholed, long lost, long underWay) {
        private String line(String where) {
            return "bytes to the %s: received %,d, passed %,d, blackholed %,d, lost %,d, under way %,d"
                    .formatted(where, received, passed, blackholed, lost, underWay);
        }
    }

    /** The report in a few readable lines. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(("connections: accepted %,d, open %,d, killed idle %,d%s, closed by faults %,d%s, by peers %,d,"
                        + " otherwise %,d")
                .formatted(
                        connections.accepted,
                        connections.open,
                        connections.killed(),
                        kinds(connections.killedIdle),
                        connections.closedByFaults(),
                        kinds(connections.closedByFault),
                        connections.closedByPeers,
                        connections.closedOtherwise));
        if (connections.unreachable > 0) {
            lines.add("reset %,d connections because the server could not be reached: %s"
                    .formatted(connections.unreachable, connections.whyUnreachable));
        }
        lines.add(toServer.line("server"));
        lines.add(toClient.line("client"));
        return List.copyOf(lines);
    }

    private static <K extends Enum<K>> String kinds(Map<K, Long> counts) {
        String kinds = counts.entrySet().stream()
                .filter(count -> count.getValue() > 0)
                .sorted(Map.Entry.comparingByKey())
                .map(count -> "%s %,d".formatted(count.getKey().name().toLowerCase(Locale.ROOT), count.getValue()))
                .collect(Collectors.joining(", "));
        return kinds.isEmpty() ? "" : " (" + kinds + ")";
    }
}
