package dev.penstock.lab.simulate.tcp;

import dev.penstock.Ticker;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.Delay;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection: reads from one side and forwards to the other. Without a delay one thread does both;
 * with a delay a second thread delivers, so that successive pieces are in transit at the same time.
 */
final class StreamPump {
    private static final int READ_BYTES = 8 * 1024;
    /** The approximate number of pieces per second on slow links. */
    private static final int PIECES_PER_SECOND = 50;

    private final Way way;
    private final Socket from;
    private final Socket to;
    private final Middlebox box;
    private final TcpConnection connection;
    private final Delay delay;
    private final RandomGenerator random;
    private final @Nullable DelayLine line;
    private final ByteRate link;
    private @Nullable Injection fault;
    private long bytesInFault;
    private boolean finished;

    StreamPump(
            Way way,
            Socket from,
            Socket to,
            Middlebox box,
            TcpConnection connection,
            Delay delay,
            RandomGenerator random) {
        this.way = way;
        this.from = from;
        this.to = to;
        this.box = box;
        this.connection = connection;
        this.delay = delay;
        this.random = random;
        this.line = delay.equals(Delay.NONE) ? null : new DelayLine();
        this.link = box.link(way);
    }

    /** The tasks to run, each on its own thread. */
    List<Runnable> work() {
        return line == null ? List.of(this::read) : List.of(this::read, () -> deliver(line));
    }

    /** Wakes waiting threads when the connection is closed, and discards bytes in transit. */
    void close() {
        if (line != null) {
            lose(line.close());
        }
    }

    /** Sends a FIN to the receiver: nothing more follows in this direction. */
    void finish() {
        try {
            to.shutdownOutput();
        } catch (IOException e) {
            // The receiver is gone; reading from it reports that.
        }
    }

    private void read() {
        byte[] buffer = new byte[READ_BYTES];
        StreamEnd end = StreamEnd.NONE;
        while (end == StreamEnd.NONE) {
            int count = read(buffer);
            long now = box.ticker().nanos();
            if (count < 0) {
                end = count == -1 ? StreamEnd.FIN : StreamEnd.RST;
                forward(buffer, 0, now, end);
                continue;
            }
            switch (connection.arrived(way, count, now)) {
                case PASS -> end = underFault(buffer, count, now);
                case CUT -> {
                    lose(count - count / 2);
                    end = forward(buffer, count / 2, now, StreamEnd.CUT);
                }
                case DROP -> box.tally().fate(way, TcpTally.Fate.BLACKHOLED, count);
                case STOP -> {
                    lose(count);
                    end = StreamEnd.CUT;
                }
            }
        }
    }

    /** Forwards what the injected fault lets through. */
    private StreamEnd underFault(byte[] buffer, int count, long now) {
        Injection current = box.injected().get();
        if (current != fault) {
            fault = current;
            bytesInFault = 0;
        }
        if (finished) {
            lose(count);
            return StreamEnd.NONE;
        }
        if (current == null) {
            return forward(buffer, count, now, StreamEnd.NONE);
        }
        long before = bytesInFault;
        bytesInFault += count;
        return switch (current.fault()) {
            case TcpFault.Break broken
            when broken.way() == way && reached(broken.after(), current) -> {
                StreamEnd end = broken.how() == Closing.RST ? StreamEnd.BREAK : StreamEnd.CUT;
                yield upTo(broken.after() - before, buffer, count, now, end);
            }
            case TcpFault.HalfClose closed
            when closed.way() == way && reached(closed.after(), current) -> {
                finished = true;
                StreamEnd _ = upTo(closed.after() - before, buffer, count, now, StreamEnd.FIN);
                yield StreamEnd.NONE;
            }
            case TcpFault.Blackhole _
            when connection.silence() -> {
                box.tally().fate(way, TcpTally.Fate.BLACKHOLED, count);
                yield StreamEnd.NONE;
            }
            default -> forward(buffer, count, now, StreamEnd.NONE);
        };
    }

    private boolean reached(int after, Injection current) {
        return bytesInFault > after && current.affectsNext();
    }

    /** Forwards the first bytes, drops the others, and ends. */
    private StreamEnd upTo(long most, byte[] buffer, int count, long now, StreamEnd end) {
        int passing = (int) Math.max(0, Math.min(most, count));
        lose(count - passing);
        return forward(buffer, passing, now, end);
    }

    /** The number of bytes read; -1 for a FIN, -2 for a reset. */
    private int read(byte[] buffer) {
        try {
            return from.getInputStream().read(buffer);
        } catch (IOException e) {
            return -2;
        }
    }

    /** Forwards now, or puts the bytes in transit; returns the end of reading, if reached. */
    private StreamEnd forward(byte[] buffer, int count, long now, StreamEnd end) {
        if (line == null) {
            pass(buffer, count, end);
            return end;
        }
        byte[] bytes = Arrays.copyOf(buffer, count);
        if (line.put(new DelayLine.Piece(bytes, now + delay.nanos(random), end))) {
            return end;
        }
        lose(count);
        return StreamEnd.CUT;
    }

    private void deliver(DelayLine from) {
        StreamEnd end = StreamEnd.NONE;
        while (end == StreamEnd.NONE) {
            DelayLine.Piece piece = from.take();
            if (piece == null) {
                return;
            }
            await(piece.due());
            pass(piece.bytes(), piece.bytes().length, piece.end());
            end = piece.end();
        }
    }

    private void pass(byte[] bytes, int count, StreamEnd end) {
        int at = 0;
        while (at < count) {
            Injection current = box.injected().get();
            int slow = current != null && current.fault() instanceof TcpFault.Slow slowLink
                    ? slowLink.bytesPerSecond()
                    : 0;
            int piece = Math.min(slow == 0 ? link.piece() : 1 + slow / PIECES_PER_SECOND, count - at);
            if (connection.isOpen()) {
                long now = box.ticker().nanos();
                await(slow == 0 ? link.reserve(piece, now) : now + piece * 1_000_000_000L / slow);
            }
            TcpTally.Fate fate = write(bytes, at, piece);
            box.tally().fate(way, fate, piece);
            at += piece;
        }
        if (end != StreamEnd.NONE) {
            connection.ended(this, end, box.ticker().nanos());
        }
    }

    private TcpTally.Fate write(byte[] bytes, int at, int count) {
        TcpTally.Fate fate = connection.passes(box.ticker().nanos());
        if (fate != TcpTally.Fate.PASSED) {
            return fate;
        }
        try {
            to.getOutputStream().write(bytes, at, count);
            return fate;
        } catch (IOException e) {
            connection.ended(this, StreamEnd.RST, box.ticker().nanos());
            return TcpTally.Fate.LOST;
        }
    }

    private void lose(int bytes) {
        if (bytes > 0) {
            box.tally().fate(way, TcpTally.Fate.LOST, bytes);
        }
    }

    /** Waits until a time, or until the connection is closed. */
    private void await(long until) {
        Ticker ticker = box.ticker();
        while (!connection.isClosed() && until - ticker.nanos() > 0) {
            ticker.parkUntil(until);
        }
    }
}
