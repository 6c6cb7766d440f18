package dev.penstock.lab.simulate;

import dev.penstock.Ticker;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * One connection, served by one virtual thread in a loop: read a request, wait, answer. Pipelined requests wait in the
 * socket and are answered in order.
 */
final class SimulatorConnection implements Runnable {
    /**
     * Only the one who moves the phase away from IDLE may proceed: the serving thread with a request, or a fault
     * with closing.
     */
    private enum Phase {
        IDLE,
        BUSY,
        CLOSED
    }

    private static final int LINGER_MS = 1_000;
    private static final int LINGER_BYTES = 64 * 1024;

    private final HttpSimulatorBuilder plan;
    private final Behaviour behaviour;
    private final ServiceSlots serviceSlots;
    private final SimulatorTally tally;
    private final SimulatorSocket socket;
    private final FaultClock clock;
    private final StrictRequestReader reader;
    private final AtomicReference<Phase> phase;
    private SimulatorTally.Closer closer = SimulatorTally.Closer.PEER;
    private boolean closedByHeader;
    private long requestUntil;

    SimulatorConnection(
            HttpSimulatorBuilder plan,
            Behaviour behaviour,
            ServiceSlots serviceSlots,
            SimulatorTally tally,
            SimulatorSocket socket,
            FaultClock clock) {
        this.plan = plan;
        this.behaviour = behaviour;
        this.serviceSlots = serviceSlots;
        this.tally = tally;
        this.socket = socket;
        this.clock = clock;
        this.reader = new StrictRequestReader(this::read, plan.maxBody);
        this.phase = new AtomicReference<>(plan.tls == null ? Phase.IDLE : Phase.BUSY);
    }

    /** Serves until either side closes. */
    @Override
    public void run() {
        try (socket) {
            handshake(plan.tls);
            serveOrRefuse();
        } catch (IOException e) {
            // The peer has gone, or a fault or the simulator's end closed the socket: the phase tells which.
        } finally {
            if (phase.getAndSet(Phase.CLOSED) != Phase.CLOSED) {
                ended();
            }
        }
    }

    private void ended() {
        if (closedByHeader) {
            tally.closedByFault(Closing.HEADER);
        } else {
            tally.closed(closer);
        }
    }

    /** During the handshake the connection counts as busy: no request can be lost before the session exists. */
    private void handshake(@Nullable SSLContext context) throws IOException {
        if (context == null) {
            return;
        }
        try {
            tally.handshake(socket.handshake(context, Math.max(1, millis(plan.requestNanos))));
            phase.compareAndSet(Phase.BUSY, Phase.IDLE);
        } catch (IOException e) {
            closer = SimulatorTally.Closer.OTHER;
            if (phase.get() != Phase.CLOSED) {
                tally.handshakeFailed();
            }
            throw e;
        }
    }

    private void serveOrRefuse() throws IOException {
        try {
            serve();
        } catch (BadRequest e) {
            tally.malformed();
            closer = SimulatorTally.Closer.OTHER;
            refuse(e);
        }
    }

    /** Closes the connection in this way if no request is under way, when a fault window opens. */
    void closeIdle(Closing how) {
        try {
            if (!socket.anyWaiting()) {
                close(Phase.IDLE, how);
            }
        } catch (IOException e) {
            // Already closed, as intended.
        }
    }

    /** Closes the connection in any state, at the simulator's end. */
    void abort() {
        Phase now = phase.get();
        while (now != Phase.CLOSED && !close(now, null)) {
            now = phase.get();
        }
    }

    private boolean close(Phase from, @Nullable Closing how) {
        if (!phase.compareAndSet(from, Phase.CLOSED)) {
            return false;
        }
        if (how == null) {
            tally.closed(SimulatorTally.Closer.OTHER);
        } else {
            tally.closedByFault(how);
        }
        try {
            switch (how) {
                case FIN -> socket.leave();
                case RST -> socket.reset();
                case null, default -> socket.close();
            }
        } catch (IOException e) {
            // Nothing is left to close.
        }
        return true;
    }

    private void serve() throws IOException {
        while (reader.await()) {
            if (!phase.compareAndSet(Phase.IDLE, Phase.BUSY)) {
                return;
            }
            requestUntil = plan.ticker.nanos() + plan.requestNanos;
            RequestHead head = reader.head();
            if (head.expectsContinue() && !reader.buffered()) {
                socket.write(EncodedAnswers.CONTINUE);
            }
            if (!answer(head, reader.body(head)) || !rest()) {
                return;
            }
        }
    }

    /**
     * Returns to idle after an answer; false when a window that closes idle connections is open, and the connection
     * was closed.
     */
    private boolean rest() throws IOException {
        phase.compareAndSet(Phase.BUSY, Phase.IDLE);
        // First idle, then check the clock: a window that opens in between closes the connection from outside.
        boolean idle = !reader.buffered() && !socket.anyWaiting();
        Closing how = behaviour.idleClosing(clock.now());
        return !(idle && how != null && close(Phase.IDLE, how));
    }

    /** Answers a request, or cuts it; false when the connection is over. */
    private boolean answer(RequestHead head, byte[] sent) throws IOException {
        long readAt = plan.ticker.nanos();
        Behaviour.Course course = behaviour.draw(clock.at(readAt));
        tally.received(head.header(plan.idHeader), course.cut() || course.status() != plan.errorStatus);
        SimulatorTally.End end = SimulatorTally.End.UNDELIVERED;
        try {
            if (!served(course)) {
                socket.write(bytes(head, sent, plan.errorStatus, !head.keepsAlive()));
                end = SimulatorTally.End.ANSWERED_ERROR;
                return head.keepsAlive();
            }
            if (course.cut()) {
                end = SimulatorTally.End.CUT;
                close(Phase.BUSY, Closing.CUT);
                return false;
            }
            boolean fault = behaviour.closesAfterAnswer(clock.now());
            boolean last = fault || !head.keepsAlive();
            socket.write(bytes(head, sent, course.status(), last));
            end = course.status() == plan.status ? SimulatorTally.End.ANSWERED : SimulatorTally.End.ANSWERED_ERROR;
            if (last) {
                closedByHeader = fault;
                closer = SimulatorTally.Closer.OTHER;
                linger();
            }
            return !last;
        } finally {
            tally.ended(end);
        }
    }

    /** Waits for a worker and then for the delay; false when the queue is full. */
    private boolean served(Behaviour.Course course) throws IOException {
        if (!serviceSlots.begin()) {
            return false;
        }
        try {
            double delay = course.delay() * serviceSlots.slowness();
            await(plan.ticker.nanos() + (long) (course.cut() ? delay / 2 : delay));
            return true;
        } finally {
            serviceSlots.end();
        }
    }

    private byte[] bytes(RequestHead head, byte[] sent, int status, boolean last) {
        boolean bodiless = head.method().equals("HEAD");
        if (plan.echo && status == plan.status) {
            String type = head.headers().getOrDefault("content-type", "application/octet-stream");
            return EncodedAnswers.of(status, type, sent, bodiless, last);
        }
        return EncodedAnswers.of(status, plan.bodyType, plan.body, bodiless, last);
    }

    private void refuse(BadRequest bad) throws IOException {
        byte[] why = (bad.getMessage() + "\n").getBytes(StandardCharsets.US_ASCII);
        socket.write(EncodedAnswers.of(bad.status(), "text/plain", why, false, true));
        linger();
    }

    /**
     * Ends our side and reads what the peer still sends, within limits: closing immediately with unread bytes would
     * reset the connection, and the peer could lose the answer (RFC 9112, 9.6).
     */
    private void linger() {
        try {
            socket.endOutput();
            socket.readTimeout(LINGER_MS);
            byte[] ignored = new byte[4096];
            int total = 0;
            for (int read = 0; read >= 0 && total < LINGER_BYTES; total += read) {
                read = socket.ignore(ignored);
            }
        } catch (IOException e) {
            // The time limit was reached.
        }
    }

    private void await(long until) throws IOException {
        Ticker ticker = plan.ticker;
        while (until - ticker.nanos() > 0) {
            if (Thread.currentThread().isInterrupted() || phase.get() == Phase.CLOSED) {
                throw new InterruptedIOException("the simulator ends");
            }
            ticker.parkUntil(until);
        }
    }

    private int read(byte[] into, int from, int most) throws IOException {
        if (phase.get() != Phase.BUSY) {
            socket.readTimeout(0);
            return socket.read(into, from, most);
        }
        int left = millis(requestUntil - plan.ticker.nanos());
        try {
            if (left > 0) {
                socket.readTimeout(left);
                return socket.read(into, from, most);
            }
        } catch (SocketTimeoutException e) {
            // Reported below, as for a peer that sends a byte now and then.
        }
        throw new BadRequest(408, "the request was not complete in time");
    }

    private static int millis(long nanos) {
        return Math.clamp(nanos / 1_000_000, 0, Integer.MAX_VALUE);
    }
}
