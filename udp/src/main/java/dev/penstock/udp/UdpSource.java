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
 * Datagrams, as requests of a flow or of a handler: read many by one call, answered many by one call, and each that is lost is
 * counted where it was.
 *
 * <pre>{@code
 * try (var source = UdpSource.at(new InetSocketAddress("::", 9000)).to(flow)) {
 *     source.start();
 *     ...
 *     source.drops();      // {CARD=0, BACKLOG=0, SOCKET=12, ...}
 * }
 * }</pre>
 *
 * <p>What the network sends, less what the kernel dropped, is what was received; what was received is answered, needs no
 * answer, is waiting, or is counted in {@link #drops()}. After {@link #stopAccepting()} what had arrived is still handled; after
 * {@link #close()} nothing is waiting but what handlers still have.
 *
 * <p>Safe for many threads.
 */
public final class UdpSource implements Source {
    private static final Logger LOG = LoggerFactory.getLogger(UdpSource.class);

    private final UdpSourceBuilder built;
    private final UdpSourceSettings settings;
    private final PeakRate peak = new PeakRate();
    private volatile List<SocketReader> shards = List.of();
    private volatile InetSocketAddress local;
    private volatile MachineDrops machine;
    private volatile @Nullable BufferSize rehearsed;

    UdpSource(UdpSourceBuilder built) {
        this.built = built;
        this.local = built.at();
        this.machine = MachineDrops.NONE;
        this.settings = new UdpSourceSettings(built, this::smallestBuffer, this::reader);
    }

    /**
     * A source at an address.
     *
     * @param bind where; port 0 is any free one; the wildcard of IPv6 ({@code new InetSocketAddress("::", port)}) takes IPv4 as
     *     well
     */
    public static UdpSourceBuilder at(InetSocketAddress bind) {
        return new UdpSourceBuilder(bind);
    }

    @Override
    public String where() {
        return "udp " + local.getHostString() + ":" + local.getPort();
    }

    /**
     * Opens its sockets and begins to read.
     *
     * @throws IOException the address cannot be bound, with a message that says what to do
     * @throws IllegalStateException it was started before
     */
    @Override
    public synchronized void start() throws IOException {
        if (!shards.isEmpty()) {
            throw new IllegalStateException("a source is started once");
        }
        machine = new MachineDrops();
        List<SocketReader> opened = new ArrayList<>();
        try {
            InetSocketAddress at = built.free();
            for (int i = 0; i < built.shardCount().value(); i++) {
                SocketReader socketReader = built.opened(at, i);
                at = socketReader.socket.local();
                opened.add(socketReader);
            }
            local = at;
        } catch (IOException | RuntimeException | Error e) {
            opened.forEach(SocketReader::close);
            throw e;
        }
        shards = List.copyOf(opened);
        advice().forEach(line -> LOG.warn("{}: {}", where(), line));
        shards.forEach(SocketReader::start);
    }

    /**
     * Finds out what the system would give, by a socket that is closed again and that nobody can reach: settings and advice are
     * then as they will be. For who wants to see them without starting it.
     *
     * @throws IOException not even such a socket can be opened
     */
    public void rehearse() throws IOException {
        BufferSize size = built.bufferSize();
        try (UdpSocket trial = built.socket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            size.applied(trial.receiveBuffer(size.wanted()));
        }
        rehearsed = size;
    }

    @Override
    public void stopAccepting() {
        shards.forEach(SocketReader::stopReading);
    }

    /** Lets go of its sockets. What waits, or is still in a socket, is counted as lost in the ring. */
    @Override
    public synchronized void close() {
        shards.forEach(SocketReader::close);
    }

    /** Where it listens: the port that was found free, once it was started. */
    public InetSocketAddress local() {
        return local;
    }

    /** What was lost so far, by place; each place is there. */
    public Map<DropLocation, Long> drops() {
        Map<DropLocation, Long> drops = new EnumMap<>(DropLocation.class);
        drops.put(DropLocation.CARD, machine.card());
        drops.put(DropLocation.BACKLOG, machine.backlog());
        drops.put(DropLocation.SOCKET, sum(SocketReader::dropped));
        drops.put(DropLocation.OWN, sum(socketReader -> socketReader.counts.own.get()));
        drops.put(DropLocation.TRUNCATED, sum(socketReader -> socketReader.counts.truncated.get()));
        drops.put(DropLocation.RING, sum(socketReader -> socketReader.counts.ring.sum()));
        drops.put(DropLocation.HANDLER, sum(socketReader -> socketReader.counts.handler.sum()));
        drops.put(DropLocation.SEND, sum(socketReader -> socketReader.counts.send.sum()));
        return drops;
    }

    /**
     * What it has done so far: {@code received} (from the sockets, truncated ones included), {@code answered}, {@code
     * unanswered} (handled, and no answer was wanted), {@code waiting} (in the ring, or being handled). When nothing moves,
     * received = answered + unanswered + waiting + what was dropped after the socket.
     */
    public Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("answered", sum(socketReader -> socketReader.counts.answered.sum()));
        counts.put("unanswered", sum(socketReader -> socketReader.counts.unanswered.sum()));
        counts.put("waiting", sum(SocketReader::waiting));
        counts.put("received", sum(socketReader -> socketReader.counts.received.get()));
        return counts;
    }

    private long sum(ToLongFunction<SocketReader> what) {
        return shards.stream().mapToLong(what).sum();
    }

    /** Its settings as they are now: {@code udp.max_size}, {@code udp.burst}, {@code udp.buffer}, {@code udp.shards}, {@code udp.ring}, {@code udp.wait}, {@code udp.reader}. */
    public List<Setting> settings() {
        return settings.all();
    }

    /**
     * What an administrator should do, a line each, with the commands; empty when all is well, and before it was started or
     * {@linkplain #rehearse() rehearsed}.
     */
    public List<String> advice() {
        if (shards.isEmpty() && rehearsed == null) {
            return List.of();
        }
        long rate = peak.seen(sum(socketReader -> socketReader.counts.received.get()), System.nanoTime());
        return List.copyOf(KernelAdvice.about(smallestBuffer(), rate, drops()));
    }

    /** Whether it reads, or has datagrams that are yet to be handled. */
    public boolean isBusy() {
        return shards.stream().anyMatch(socketReader -> socketReader.isReading() || socketReader.unhandled() > 0);
    }

    private BufferSize smallestBuffer() {
        return shards.stream()
                .map(SocketReader::buffer)
                .min(java.util.Comparator.comparingLong(BufferSize::applied))
                .orElseGet(() -> Objects.requireNonNullElseGet(rehearsed, built::bufferSize));
    }

    private String reader() {
        return shards.isEmpty() ? built.readerKind() : shards.getFirst().socket.kind();
    }

    @Override
    public String toString() {
        return where();
    }
}
