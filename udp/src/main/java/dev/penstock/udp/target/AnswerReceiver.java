package dev.penstock.udp.target;

import dev.penstock.Ticker;
import dev.penstock.supervise.Part;
import dev.penstock.udp.socket.DatagramBatch;
import dev.penstock.udp.socket.UdpSocket;
import dev.penstock.udp.target.DatagramCall.Outcome;
import dev.penstock.udp.target.UdpTarget.DatagramCounter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives answers in batches on its own thread, and passes each to the call that waits for it. Datagrams that are not from the
 * peer, have no id, or match no waiting call (late or duplicate) are counted and discarded.
 */
final class AnswerReceiver implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerReceiver.class);
    private static final int BATCH_SIZE = 64;
    private static final long LOOK_NANOS = 1_000_000_000;

    private final UdpSocket socket;
    private final InetSocketAddress peer;
    private final RequestIds ids;
    private final PendingCalls waiting;
    private final DatagramCounter counter;
    private final Ticker ticker;
    private final DatagramBatch batch;
    private final Part part;
    private volatile boolean closed;

    AnswerReceiver(
            UdpSocket socket,
            InetSocketAddress peer,
            RequestIds ids,
            int maxSize,
            PendingCalls waiting,
            DatagramCounter counter,
            Ticker ticker,
            Part part) {
        this.socket = socket;
        this.peer = peer;
        this.ids = ids;
        this.waiting = waiting;
        this.counter = counter;
        this.ticker = ticker;
        this.part = part;
        this.batch = socket.batch(BATCH_SIZE, maxSize);
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                int count = socket.receive(batch, 0, BATCH_SIZE);
                if (count == 0) {
                    socket.await(LOOK_NANOS);
                    continue;
                }
                long now = ticker.nanos();
                for (int slot = 0; slot < count; slot++) {
                    take(slot, now);
                }
            }
        } catch (Throwable broken) { // the next call opens another socket
            if (!closed) {
                part.failed("the next call opens another socket", broken);
            }
        }
    }

    private void take(int slot, long now) {
        if (!peer.equals(batch.peer(slot))) {
            counter.strangers.increment();
            return;
        }
        byte[] bytes = new byte[batch.length(slot)];
        ByteBuffer from = batch.bytes(slot);
        from.clear().get(bytes);
        boolean truncated = batch.isTruncated(slot);
        if (truncated) {
            counter.truncated.increment();
        }
        RequestIds.Named answer = read(bytes);
        if (answer == null) {
            counter.unreadable.increment();
            return;
        }
        DatagramCall call = waiting.of(answer.id());
        if (call == null || !call.end(new Outcome(answer, truncated, now))) {
            counter.late.increment();
        }
    }

    /** Reads the id; an exception of user code concerns this datagram only. */
    private RequestIds.@Nullable Named read(byte[] bytes) {
        try {
            return ids.answer(bytes);
        } catch (RuntimeException | Error unreadable) {
            LOG.debug("an answer of {} bytes from {} has no id", bytes.length, peer, unreadable);
            return null;
        }
    }

    /** Makes {@link #run} return soon. */
    void close() {
        closed = true;
        socket.wake();
    }
}
