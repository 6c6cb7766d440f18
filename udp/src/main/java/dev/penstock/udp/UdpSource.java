package dev.penstock.udp;

import dev.penstock.Setting;
import dev.penstock.Source;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives datagrams as requests of a flow or of a handler. One system call reads or sends many datagrams, and every lost
 * datagram is counted by the place where it was lost.
 *
 * <pre>{@code
 * try (var source = UdpSource.at(new InetSocketAddress("::", 9000)).to(flow)) {
 *     source.start();
 *     ...
 *     source.drops();      // {CARD=0, BACKLOG=0, SOCKET=12, ...}
 * }
 * }</pre>
 *
 * <p>Every datagram that arrives is either dropped by the kernel or received. Every received datagram is answered, needs no
 * answer, is waiting, or is counted in {@link #drops()}. After {@link #stopAccepting()}, datagrams that have arrived are still
 * handled. After {@link #close()}, only datagrams in the hands of handlers are waiting.
 *
 * <p>Safe for many threads.
 */
public final class UdpSource implements Source {
    private static final Logger LOG = LoggerFactory.getLogger(UdpSource.class);

    private final UdpSourceBuilder built;
    private final UdpSourceSettings settings;
    private final PeakRate peak = new PeakRate();
    private volatile List<SocketReader> readers = List.of();
    private volatile InetSocketAddress local;
    private volatile MachineDrops machineDrops;
    private volatile @Nullable BufferSize trialBuffer;

    UdpSource(UdpSourceBuilder built) {
        this.built = built;
        this.local = built.at;
        this.machineDrops = MachineDrops.NONE;
        this.settings = new UdpSourceSettings(built, this::smallestBuffer, this::reader);
    }

    /**
     * Returns a builder of a source.
     *
     * @param bind the address to listen on; port 0 selects a free port; the IPv6 wildcard ({@code new
     *     InetSocketAddress("::", port)}) accepts IPv4 too
     */
    public static UdpSourceBuilder at(InetSocketAddress bind) {
        return new UdpSourceBuilder(bind);
    }

    @Override
    public String where() {
        return "udp " + local.getHostString() + ":" + local.getPort();
    }

    /**
     * Opens the sockets and starts reading.
     *
     * @throws IOException the address cannot be bound; the message states what to do
     * @throws IllegalStateException the source was started before
     */
    @Override
    public synchronized void start() throws IOException {
        if (!readers.isEmpty()) {
            throw new IllegalStateException("a source can be started only once");
        }
        machineDrops = new MachineDrops();
        List<SocketReader> opened = new ArrayList<>();
        try {
            InetSocketAddress at = built.free();
            PeerRules rules = built.rules();
            for (int i = 0; i < built.socketCount().value(); i++) {
                SocketReader socketReader = built.opened(at, i, rules);
                at = socketReader.socket.local();
                opened.add(socketReader);
            }
            local = at;
        } catch (IOException | RuntimeException | Error e) {
            opened.forEach(SocketReader::close);
            throw e;
        }
        readers = List.copyOf(opened);
        advice().forEach(line -> LOG.warn("{}: {}", where(), line));
        readers.forEach(SocketReader::start);
    }

    /**
     * Finds out the buffer size that the system grants, by opening and closing a socket on the loopback address. Afterwards
     * {@link #settings()} and {@link #advice()} are as they will be after a start, without starting the source.
     *
     * @throws IOException the socket cannot be opened
     */
    public void rehearse() throws IOException {
        BufferSize size = built.bufferSize();
        try (UdpSocket trial = built.socket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            size.applied(trial.receiveBuffer(size.wanted()));
        }
        trialBuffer = size;
    }

    @Override
    public void stopAccepting() {
        readers.forEach(SocketReader::stopReading);
    }

    /** Closes the sockets. Datagrams that wait, or are still in a socket, are counted as lost in the ring. */
    @Override
    public synchronized void close() {
        readers.forEach(SocketReader::close);
    }

    /** The address it listens on, with the actual port once it is started. */
    public InetSocketAddress local() {
        return local;
    }

    /** The datagrams lost so far, by place; contains every place. */
    public Map<DropLocation, Long> drops() {
        Map<DropLocation, Long> drops = new EnumMap<>(DropLocation.class);
        for (DropLocation each : DropLocation.values()) {
            drops.put(each, sum(socketReader -> socketReader.counts.lost(each).sum()));
        }
        drops.put(DropLocation.CARD, machineDrops.card());
        drops.put(DropLocation.BACKLOG, machineDrops.backlog());
        drops.put(DropLocation.SOCKET, sum(SocketReader::dropped));
        return drops;
    }

    /**
     * Counts of datagrams so far: {@code received} (from the sockets, including truncated ones), {@code answered}, {@code
     * unanswered} (handled without an answer), {@code waiting} (in the ring, or being handled). When idle, received = answered
     * + unanswered + waiting + drops after the socket.
     */
    public Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("answered", sum(socketReader -> socketReader.counts.answered.sum()));
        counts.put("unanswered", sum(socketReader -> socketReader.counts.unanswered.sum()));
        counts.put("waiting", sum(SocketReader::waiting));
        counts.put("received", sum(socketReader -> socketReader.counts.received()));
        return counts;
    }

    private long sum(ToLongFunction<SocketReader> what) {
        return readers.stream().mapToLong(what).sum();
    }

    /**
     * The current settings: {@code udp.buffer}, {@code udp.shards}, {@code udp.burst}, {@code udp.max_size}, {@code udp.reader}.
     */
    public List<Setting> settings() {
        return settings.all();
    }

    /**
     * Recommendations for the administrator, one line each, with the commands. Empty when there are none, and before {@link
     * #start()} or {@link #rehearse()}.
     */
    public List<String> advice() {
        if (readers.isEmpty() && trialBuffer == null) {
            return List.of();
        }
        long rate = peak.seen(sum(socketReader -> socketReader.counts.received()), System.nanoTime());
        return List.copyOf(KernelAdvice.about(smallestBuffer(), rate, drops()));
    }

    /** Whether it is reading, or has datagrams that are not handled yet. */
    public boolean isBusy() {
        return readers.stream().anyMatch(socketReader -> socketReader.isReading() || socketReader.unhandled() > 0);
    }

    private BufferSize smallestBuffer() {
        return readers.stream()
                .map(SocketReader::buffer)
                .min(java.util.Comparator.comparingLong(BufferSize::applied))
                .orElseGet(() -> Objects.requireNonNullElseGet(trialBuffer, built::bufferSize));
    }

    private String reader() {
        return readers.isEmpty()
                ? built.readerKind()
                : readers.getFirst().socket.kind();
    }

    @Override
    public String toString() {
        return where();
    }

    /** The highest rate of a counter, measured between readings at least 1 s apart. Safe for many threads. */
    static final class PeakRate {
        private static final long MIN_INTERVAL_NANOS = 1_000_000_000;

        private boolean started;
        private long count;
        private long at;
        private long peak;

        /** Records a reading of the counter; returns the highest rate per second so far, or 0 while unknown. */
        synchronized long seen(long total, long now) {
            if (!started) {
                started = true;
                count = total;
                at = now;
            } else if (now - at >= MIN_INTERVAL_NANOS) {
                peak = Math.max(peak, (long) ((total - count) * 1e9 / (now - at)));
                count = total;
                at = now;
            }
            return peak;
        }
    }
}
