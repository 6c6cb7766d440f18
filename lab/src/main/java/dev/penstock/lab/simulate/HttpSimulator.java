package dev.penstock.lab.simulate;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.TimeLine;
import dev.penstock.supervise.Part;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A simulated HTTP/1.1 dependency with configurable delays and faults. Uses virtual threads and blocking sockets. It
 * accepts any method and target, answers after a delay drawn from a distribution, closes connections on a schedule, and
 * counts what it received.
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
 * <p>Thread-safe.
 */
public final class HttpSimulator implements AutoCloseable {
    private static final Duration JOIN = Duration.ofSeconds(5);

    private final HttpSimulatorBuilder plan;
    private final Behaviour behaviour;
    private final ServiceSlots serviceSlots;
    private final SimulatorTally tally;
    private final SimulatorPort server;
    private final Ticker ticker;
    private final FaultClock clock;
    /** Limited by the configured maximum number of connections. */
    private final Map<SimulatorConnection, Thread> connections = new ConcurrentHashMap<>();

    private final Thread faults;
    private volatile boolean closing;

    HttpSimulator(HttpSimulatorBuilder plan) throws IOException {
        this.plan = plan;
        this.behaviour = new Behaviour(plan, plan.randomGenerator());
        this.serviceSlots = new ServiceSlots(plan.workers, plan.queueLength, plan.contention, plan.coherence);
        this.tally = new SimulatorTally(plan.mostIds);
        this.ticker = plan.ticker;
        this.server = SimulatorPort.listen(plan.where(), plan.port);
        this.clock = new FaultClock(ticker, plan.plainUntilBegun);
        this.faults = Thread.ofVirtual().name("simulator-faults").start(this::closeInWindows);
        server.open(this::serve);
    }

    /** A builder; nothing runs before {@link HttpSimulatorBuilder#start()}. */
    public static HttpSimulatorBuilder builder() {
        return new HttpSimulatorBuilder();
    }

    /** The port it listens on. */
    public int port() {
        return server.number();
    }

    /** Its URL without a path, for instance {@code http://127.0.0.1:8081}; https with TLS. */
    public String url() {
        return (plan.tls == null ? "http://" : "https://") + server;
    }

    /** A consistent snapshot of its counters. */
    public SimulatorReport report() {
        return tally.report();
    }

    /**
     * Restarts the time line of faults: an open window ends, and the first window opens one whole period from now.
     * Aligns faults with a load that starts later than the simulator. Counters and random choices continue.
     */
    public void begin() {
        clock.begin();
        LockSupport.unpark(faults);
    }

    /** The fault windows within this time since {@link #begin()}, for a time line that starts with it. */
    public List<TimeLine.Fault> faults(Duration within) {
        return plan.closings.within(within);
    }

    /** Its configuration in one readable line. */
    @Override
    public String toString() {
        String errors = plan.errorShare == 0 ? "" : ", errors %.3g%%".formatted(100 * plan.errorShare);
        String closes = plan.closings.when().equals(FaultSchedule.NEVER) ? "" : ", close " + plan.closings;
        return url() + ": answers after " + plan.delay + serviceSlots + errors + closes;
    }

    /**
     * Closes every connection and ends all threads; waits for them up to 5 s. Requests in flight count as
     * undelivered. Idempotent.
     */
    @Override
    public void close() {
        closing = true;
        server.close();
        faults.interrupt();
        connections.forEach((connection, thread) -> {
            connection.abort();
            thread.interrupt();
        });
        connections.values().forEach(thread -> Part.join(thread, JOIN));
        Part.join(faults, JOIN);
    }

    private void serve(Socket socket) {
        SimulatorConnection connection =
                new SimulatorConnection(plan, behaviour, serviceSlots, tally, new SimulatorSocket(socket), clock);
        if (connections.size() >= plan.maxConnections || !ready(socket)) {
            tally.accepted();
            connection.abort();
            return;
        }
        Thread thread = Thread.ofVirtual().name("simulator-connection").unstarted(() -> {
            try {
                connection.run();
            } finally {
                connections.remove(connection);
            }
        });
        connections.put(connection, thread);
        tally.accepted(); // only now, so that a window that opens after the count closes it
        thread.start();
    }

    /** False when the peer has already closed. */
    private static boolean ready(Socket socket) {
        try {
            socket.setTcpNoDelay(true);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void closeInWindows() {
        WindowWatch windows = new WindowWatch(clock, plan.closings);
        while (!closing && !Thread.currentThread().isInterrupted()) {
            long reading = ticker.nanos();
            Closing how = windows.opened(reading);
            if (how != null && how.closesIdle()) {
                connections.keySet().forEach(connection -> connection.closeIdle(how));
            }
            ticker.parkUntil(windows.nextCheck(reading));
        }
    }
}
