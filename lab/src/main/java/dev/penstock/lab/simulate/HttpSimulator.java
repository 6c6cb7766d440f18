package dev.penstock.lab.simulate;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.TimeLine;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * An HTTP/1.1 dependency that is slow and faulty as told, in virtual threads of its own on plain blocking sockets. It takes
 * any method and any target, answers after a delay drawn from a distribution, closes connections on a timeline, and counts
 * what it received.
 *
 * <pre>{@code
 * try (HttpSimulator gateway = HttpSimulator.builder()
 *         .delay(new Delay.Constant(Duration.ofSeconds(1)))
 *         .close(Closing.FIN, new FaultSchedule(Duration.ofSeconds(10), Duration.ofSeconds(1)))
 *         .start()) {
 *     load(gateway.url());
 *     gateway.report().lines().forEach(System.out::println);
 * }
 * }</pre>
 *
 * <p>Safe for many threads.
 */
public final class HttpSimulator implements AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final long JOIN_MS = 5_000;

    private final HttpSimulatorBuilder plan;
    private final Behaviour behaviour;
    private final SimulatorTally tally;
    private final ServerSocket server;
    private final Ticker ticker;
    private final FaultClock clock;
    /** Bounded by the plan's largest number of connections. */
    private final Map<SimulatorConnection, Thread> connections = new ConcurrentHashMap<>();

    private final Thread acceptor;
    private final Thread faults;
    private volatile boolean closing;

    HttpSimulator(HttpSimulatorBuilder plan) throws IOException {
        this.plan = plan;
        this.behaviour = new Behaviour(plan, plan.chance());
        this.tally = new SimulatorTally(plan.mostIds);
        this.ticker = plan.ticker;
        this.server = bind(plan.where(), plan.port);
        this.clock = new FaultClock(ticker, plan.plainUntilBegun);
        this.acceptor = Thread.ofVirtual().name("simulator-accept").start(this::accept);
        this.faults = Thread.ofVirtual().name("simulator-faults").start(this::closeInWindows);
    }

    /** A simulator to describe; nothing runs before {@link HttpSimulatorBuilder#start()}. */
    public static HttpSimulatorBuilder builder() {
        return new HttpSimulatorBuilder();
    }

    /** The port it listens on. */
    public int port() {
        return server.getLocalPort();
    }

    /** Its address as a URL without a path, for instance {@code http://127.0.0.1:8081}; https where it speaks TLS. */
    public String url() {
        String host = server.getInetAddress().getHostAddress();
        String scheme = plan.tls == null ? "http://" : "https://";
        return scheme + (host.contains(":") ? "[" + host + "]" : host) + ":" + port();
    }

    /** What it counted so far, all of it at this instant. */
    public SimulatorReport report() {
        return tally.report();
    }

    /**
     * Begins the timeline of faults anew: what is open now is over, and the first window opens one whole period from this
     * instant. So faults can keep the time of a load that starts later than the simulator. Counts and chance go on.
     */
    public void begin() {
        clock.begin();
        LockSupport.unpark(faults);
    }

    /** When it closes connections within so much time since {@link #begin()}: for a time line that begins with it. */
    public List<TimeLine.Fault> faults(Duration within) {
        return plan.closings.within(within);
    }

    /** What it does, in one line for people. */
    @Override
    public String toString() {
        String errors = plan.errorShare == 0 ? "" : ", errors %.3g%%".formatted(100 * plan.errorShare);
        String closes = plan.closings.when().equals(FaultSchedule.NEVER) ? "" : ", close " + plan.closings;
        return url() + ": answers after " + plan.delay + errors + closes;
    }

    /**
     * Closes every connection and ends every thread of it; waits for them up to 5 s. Requests in flight end as undelivered.
     * Does nothing the second time.
     */
    @Override
    public void close() {
        closing = true;
        try {
            server.close();
        } catch (IOException e) {
            // It listens no more either way.
        }
        faults.interrupt();
        join(acceptor);
        connections.forEach((connection, thread) -> {
            connection.abort();
            thread.interrupt();
        });
        connections.values().forEach(HttpSimulator::join);
        join(faults);
    }

    private void accept() {
        while (!closing) {
            try {
                serve(server.accept());
            } catch (IOException e) {
                // One connection less, for instance for want of file descriptors: give it a moment.
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private void serve(Socket socket) {
        SimulatorConnection connection =
                new SimulatorConnection(plan, behaviour, tally, new SimulatorSocket(socket), clock);
        if (connections.size() >= plan.maxConnections || !ready(socket)) {
            tally.accepted();
            connection.abort();
            return;
        }
        Thread carrier = Thread.ofVirtual().name("simulator-connection").unstarted(() -> {
            try {
                connection.run();
            } finally {
                connections.remove(connection);
            }
        });
        connections.put(connection, carrier);
        tally.accepted(); // only now, so that a window that opens after it was counted closes it
        carrier.start();
    }

    /** False when the peer is gone already. */
    private static boolean ready(Socket socket) {
        try {
            socket.setTcpNoDelay(true);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void closeInWindows() {
        FaultSchedule schedule = plan.closings.when();
        FaultClock.Origin origin = clock.origin();
        long done = 0;
        while (!closing && !Thread.currentThread().isInterrupted()) {
            FaultClock.Origin latest = clock.origin();
            if (latest.number() != origin.number()) {
                origin = latest;
                done = 0;
            }
            long reading = ticker.nanos();
            long since = origin.until(reading);
            long window = schedule.window(since);
            Closing how = behaviour.idleClosing(since);
            if (how != null && window > done) {
                done = window;
                connections.keySet().forEach(connection -> connection.closeIdle(how));
            }
            ticker.parkUntil(origin.nextLook(schedule, since, reading));
        }
    }

    private static ServerSocket bind(InetAddress address, int port) throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(address, port), BACKLOG);
            return server;
        } catch (IOException e) {
            server.close();
            String where = "cannot listen on " + address.getHostAddress() + " port " + port + ": ";
            String why = String.valueOf(e.getMessage());
            boolean taken = e instanceof BindException && why.contains("in use");
            throw new IOException(where + (taken ? "it is in use; choose another port, or 0 for a free one" : why), e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(JOIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
