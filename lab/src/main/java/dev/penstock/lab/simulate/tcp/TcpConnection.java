package dev.penstock.lab.simulate.tcp;

import dev.penstock.lab.simulate.Closing;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One client, one server, and the middlebox's state of their connection. When several events would end a connection,
 * the first one counts.
 *
 * <p>Thread-safe.
 */
final class TcpConnection {
    /** What to do with bytes that arrived. */
    enum Verdict {
        PASS,
        CUT,
        DROP,
        STOP
    }

    private enum Phase {
        OPEN,
        BLACKHOLED,
        CLOSED
    }

    private static final int CONNECT_MS = 10_000;

    private final TcpSimulatorBuilder plan;
    private final Middlebox box;
    private final TcpConnections all;
    private final Socket client;
    private final Socket server = new Socket();
    private final StreamPump toServer;
    private final StreamPump toClient;
    private final List<Thread> threads = new ArrayList<>();
    private volatile Phase phase = Phase.OPEN;
    private volatile long lastByte;
    private @Nullable StreamPump finished;

    TcpConnection(TcpSimulatorBuilder plan, Middlebox box, TcpConnections all, Socket client, RandomGenerator random) {
        this.plan = plan;
        this.box = box;
        this.all = all;
        this.client = client;
        this.lastByte = box.ticker().nanos();
        this.toServer = new StreamPump(Way.TO_SERVER, client, server, box, this, plan.toServer, random);
        this.toClient = new StreamPump(Way.TO_CLIENT, server, client, box, this, plan.toClient, random);
    }

    /** Starts, on its own threads. */
    void start() {
        run(() -> {
            if (connect()) {
                toServer.work().forEach(this::run);
                toClient.work().forEach(this::run);
            }
        });
    }

    long lastByte() {
        return lastByte;
    }

    boolean isOpen() {
        return phase == Phase.OPEN;
    }

    boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    /**
     * Handles arriving bytes. They may be the first after too long an idle time, which then kills the connection even
     * if the watching thread has not noticed yet.
     */
    synchronized Verdict arrived(Way way, int bytes, long now) {
        box.tally().received(way, bytes);
        killIfDue(now);
        lastByte = now;
        return switch (phase) {
            case BLACKHOLED -> Verdict.DROP;
            case CLOSED -> Verdict.STOP;
            case OPEN -> box.cuts(now) ? Verdict.CUT : Verdict.PASS;
        };
    }

    /** The fate of bytes in transit at this time. */
    synchronized TcpTally.Fate passes(long now) {
        killIfDue(now);
        lastByte = now;
        return switch (phase) {
            case BLACKHOLED -> TcpTally.Fate.BLACKHOLED;
            case CLOSED -> TcpTally.Fate.LOST;
            case OPEN -> TcpTally.Fate.PASSED;
        };
    }

    /** Handles the end of one direction. */
    synchronized void ended(StreamPump pump, StreamEnd how, long now) {
        killIfDue(now);
        if (phase != Phase.OPEN) {
            return;
        }
        switch (how) {
            case NONE -> {}
            case CUT -> close(Closing.CUT);
            case BREAK -> close(Closing.RST);
            case RST -> over(TcpTally.Over.PEERS, true);
            case FIN -> {
                pump.finish();
                if (finished != null && finished != pump) {
                    over(TcpTally.Over.PEERS, false);
                }
                finished = pump;
            }
        }
    }

    /** Kills the connection if it has been idle for too long. */
    synchronized void killIfDue(long now) {
        if (phase != Phase.OPEN || !box.idle().due(lastByte, now)) {
            return;
        }
        IdleKill how = box.idle().how();
        box.tally().killed(how);
        if (how == IdleKill.BLACKHOLE) {
            phase = Phase.BLACKHOLED;
            all.silenced(this);
        } else {
            shut(how == IdleKill.RST);
        }
    }

    /** Drops everything from now on; false when the connection is already closed. */
    synchronized boolean silence() {
        if (phase == Phase.OPEN) {
            box.tally().killed(IdleKill.BLACKHOLE);
            phase = Phase.BLACKHOLED;
            all.silenced(this);
        }
        return phase == Phase.BLACKHOLED;
    }

    /** Closes the connection because of a fault window or an injected fault. */
    synchronized void close(Closing how) {
        if (phase == Phase.OPEN) {
            box.tally().closedByFault(how);
            shut(how == Closing.RST);
        }
    }

    /** Closes the connection for another reason. */
    synchronized void over(TcpTally.Over why, boolean reset) {
        if (phase == Phase.OPEN) {
            box.tally().over(why);
            shut(reset);
        }
    }

    /** Closes the connection in any state. */
    synchronized void abort() {
        if (phase == Phase.BLACKHOLED) {
            box.tally().released();
            shut(false);
        }
        over(TcpTally.Over.OTHERWISE, false);
    }

    /** Waits until all its threads have ended. */
    void join(long millis) throws InterruptedException {
        List<Thread> started;
        synchronized (this) {
            started = List.copyOf(threads);
        }
        for (Thread thread : started) {
            thread.join(millis);
        }
    }

    private boolean connect() {
        try {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(new InetSocketAddress(plan.host, plan.hostPort), CONNECT_MS);
            return true;
        } catch (IOException e) {
            notConnected(e);
            return false;
        }
    }

    private synchronized void notConnected(IOException why) {
        if (phase == Phase.OPEN) {
            box.tally().unreachable(String.valueOf(why.getMessage()));
            shut(true);
        }
    }

    private synchronized void run(Runnable work) {
        if (phase != Phase.CLOSED) {
            threads.add(Thread.ofVirtual().name("simulator-connection").start(work));
        }
    }

    private void shut(boolean reset) {
        phase = Phase.CLOSED;
        shut(client, reset);
        shut(server, reset);
        toServer.close();
        toClient.close();
        threads.forEach(LockSupport::unpark);
        all.gone(this);
    }

    private static void shut(Socket socket, boolean reset) {
        try {
            if (reset) {
                socket.setSoLinger(true, 0);
            }
            socket.close();
        } catch (IOException e) {
            // Nothing is left to close.
        }
    }
}
