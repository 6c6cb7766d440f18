package dev.penstock.lab.simulate.udp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.KernelSockets;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * A simulated dependency that answers datagrams: late, twice, out of order or not at all, as configured. It reads one
 * datagram at a time, as simple servers do, so that bursts are lost at its receive buffer, whose size is configurable.
 *
 * <p>Listens until it is closed. Thread-safe.
 */
public final class UdpSimulator implements AutoCloseable {
    /** The maximum number of waiting answers; more are dropped and counted. */
    static final int MAX_WAITING = 65_536;

    private static final int MAX_BYTES = 65_507;
    private static final int READS_BETWEEN_SENDS = 64;

    /** A waiting answer with its send time in nanoseconds since the start; equal times are ordered by arrival. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Answer(long due, long order, byte[] bytes, SocketAddress to) {}

    private final UdpFaults faults;
    private final String find;
    private final String with;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final DatagramChannel channel;
    private final Selector readable;
    private final InetSocketAddress local;
    private final UdpTally tally = new UdpTally();
    private final PriorityQueue<Answer> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Answer::due).thenComparingLong(Answer::order));
    private final ByteBuffer room = ByteBuffer.allocateDirect(MAX_BYTES);
    private final Thread thread;
    private final long startAt;
    private long order;
    private volatile OptionalLong lostBefore = OptionalLong.empty();

    UdpSimulator(UdpSimulatorBuilder plan) throws IOException {
        faults = plan.faults;
        find = plan.find;
        with = plan.with;
        ticker = plan.ticker;
        random = plan.random;
        startAt = ticker.nanos();
        channel = DatagramChannel.open();
        readable = Selector.open();
        try {
            if (plan.receiveBuffer > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, plan.receiveBuffer);
            }
            InetAddress at = plan.address == null ? InetAddress.getLoopbackAddress() : plan.address;
            channel.bind(new InetSocketAddress(at, plan.port));
            channel.configureBlocking(false);
            channel.register(readable, SelectionKey.OP_READ);
            local = (InetSocketAddress) channel.getLocalAddress();
        } catch (IOException e) {
            readable.close();
            channel.close();
            throw e instanceof BindException
                    ? new BindException(
                            "cannot listen on udp " + plan.port + ": choose another port, or stop the process that"
                                    + " listens on it (" + e.getMessage() + ")")
                    : e;
        }
        thread = Thread.ofPlatform().name("penstock-udp-simulator").daemon().start(this::serve);
    }

    /** Since the start, because clock readings themselves may overflow. */
    private long now() {
        return ticker.nanos() - startAt;
    }

    /** A builder. */
    public static UdpSimulatorBuilder plan() {
        return new UdpSimulatorBuilder();
    }

    /** The address it listens on. */
    public InetSocketAddress local() {
        return local;
    }

    private void serve() {
        try {
            while (channel.isOpen()) {
                if (!sendDue()) {
                    rest();
                }
                read();
            }
        } catch (ClosedChannelException | ClosedSelectorException closed) {
            // Closed.
        } catch (IOException broken) {
            // Nothing can be received any more; the counters remain.
        }
    }

    /** Sends the answers that are due; whether there were any. */
    private boolean sendDue() throws IOException {
        boolean any = false;
        for (Answer first = waiting.peek(); first != null && first.due() <= now(); first = waiting.peek()) {
            waiting.remove();
            send(first);
            any = true;
        }
        return any;
    }

    private void send(Answer answer) throws IOException {
        boolean taken = false;
        try {
            taken = channel.send(ByteBuffer.wrap(answer.bytes()), answer.to()) == answer.bytes().length;
        } catch (ClosedChannelException closed) {
            throw closed;
        } catch (IOException | IllegalArgumentException never) {
            // Too large, or no route.
        } finally {
            tally.sent(taken);
        }
    }

    private void rest() throws IOException {
        Answer next = waiting.peek();
        if (next == null) {
            readable.select();
        } else {
            long left = next.due() - now();
            if (left >= 1_000_000) {
                readable.select(left / 1_000_000);
            } else {
                readable.selectNow();
            }
        }
        readable.selectedKeys().clear();
    }

    private void read() throws IOException {
        for (int i = 0; i < READS_BETWEEN_SENDS; i++) {
            SocketAddress from = channel.receive(room.clear());
            if (from == null) {
                return;
            }
            take(from, now());
        }
    }

    private void take(SocketAddress from, long now) throws IOException {
        int answers = faults.answers(random);
        tally.received(room.position(), answers);
        if (answers == UdpFaults.DROPPED) {
            return;
        }
        byte[] bytes = answer();
        for (int i = 0; i < answers; i++) {
            boolean heldBack = faults.holdsBack(random);
            if (heldBack) {
                tally.heldBack();
            }
            Answer answer = new Answer(now + faults.lateness(heldBack, random), order++, bytes, from);
            if (answer.due() == now) {
                send(answer);
            } else if (waiting.size() < MAX_WAITING) {
                waiting.add(answer);
            } else {
                tally.full();
            }
        }
    }

    private byte[] answer() {
        byte[] bytes = new byte[room.flip().remaining()];
        room.get(bytes);
        return find.isEmpty()
                ? bytes
                : new String(bytes, ISO_8859_1).replace(find, with).getBytes(ISO_8859_1);
    }

    /** A snapshot of its counters. */
    public UdpReport report() {
        return tally.report(channel.isOpen() ? KernelSockets.dropped(local) : lostBefore);
    }

    /** Closes it; waiting answers are not sent. Idempotent. */
    @Override
    public void close() {
        if (channel.isOpen()) {
            lostBefore = KernelSockets.dropped(local);
        }
        try {
            channel.close();
            readable.close();
            thread.join();
        } catch (IOException e) {
            // Closed in any case.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        String host = local.getAddress().getHostAddress();
        return "udp://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + local.getPort() + ", delay "
                + faults.delay();
    }
}
