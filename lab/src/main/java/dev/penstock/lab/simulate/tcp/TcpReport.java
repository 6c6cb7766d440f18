package dev.penstock.lab.simulate.tcp;

import dev.penstock.lab.simulate.Closing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link TcpSimulator} counted, all of it at one instant.
 *
 * <p>Two laws hold at every instant: {@code accepted = open + killed idle + closed by faults + closed by peers + unreachable +
 * closed otherwise}, and, each way, {@code received = passed + blackholed + lost + under way}.
 *
 * @param connections how many connections came and went
 * @param toServer what the clients sent
 * @param toClient what the server sent
 */
public record TcpReport(Connections connections, Bytes toServer, Bytes toClient) {
    /**
     * Connections.
     *
     * @param accepted all that were ever accepted
     * @param open now, without those that were blackholed
     * @param killedIdle killed for being idle, by kind; every kind is there
     * @param silent of the blackholed ones, those that are still held open without a word, so that no peer is told
     * @param closedByFault closed in a fault window, by kind; every kind is there
     * @param closedByPeers closed by both peers, or reset by one
     * @param unreachable reset, since the server could not be reached
     * @param whyUnreachable why not, the last time; null when it always could
     * @param closedOtherwise more connections than it takes, or closed at its own end
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
        /** Copies the maps. */
        public Connections {
            killedIdle = Map.copyOf(killedIdle);
            closedByFault = Map.copyOf(closedByFault);
        }

        /** All that were killed for being idle. */
        public long killed() {
            return killedIdle.values().stream().mapToLong(Long::longValue).sum();
        }

        /** All that were closed in fault windows. */
        public long closedByFaults() {
            return closedByFault.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * Bytes of one way.
     *
     * @param received read from the one side
     * @param passed written to the other
     * @param blackholed taken from a side of a connection that was blackholed, and thrown away
     * @param lost thrown away since the connection was closed while they were under way
     * @param underWay waiting for their time
     */
    public record Bytes(long received, long passed, long blackholed, long lost, long underWay) {
        private String line(String where) {
            return "bytes to the %s: received %,d, passed %,d, blackholed %,d, lost %,d, under way %,d"
                    .formatted(where, received, passed, blackholed, lost, underWay);
        }
    }

    /** The report in a few lines, for people. */
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
            lines.add("reset %,d connections, since the server could not be reached: %s"
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
