package dev.penstock.lab.simulate.tcp;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.Closings;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.FaultClock;
import dev.penstock.lab.simulate.SimulatorPort;
import dev.penstock.lab.simulate.WindowWatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A simulated middlebox between clients and a server, with configurable delay, bandwidth, idle timeout and faults. For
 * any protocol over TCP: HTTP, a database, a broker. Opens one connection to the server per client connection.
 *
 * <pre>{@code
 * try (TcpSimulator firewall = TcpSimulator.to("localhost", 5432)
 *         .killIdle(Duration.ofSeconds(5), IdleKill.BLACKHOLE)
 *         .start()) {
 *     use("jdbc:postgresql://localhost:" + firewall.port() + "/shop");
 *     firewall.report().lines().forEach(System.out::println);
 * }
 * }</pre>
 *
 * <p>Each connection has two virtual threads, four with a delay; another one watches all. Bytes handed to the kernel
 * before a connection was killed may still arrive.
 *
 * <p>Thread-safe.
 */
public final class TcpSimulator implements AutoCloseable {
    private static final long JOIN_MS = 5_000;

    private final TcpSimulatorBuilder plan;
    private final Ticker ticker;
    private final FaultClock clock;
    private final TcpTally tally = new TcpTally();
    private final AtomicReference<@Nullable Injection> injected = new AtomicReference<>();
    private final Middlebox box;
    private final TcpConnections connections;
    private final RandomGenerator random;
    private final SimulatorPort listener;
    private final Thread watcher;
    private volatile boolean closing;

    TcpSimulator(TcpSimulatorBuilder plan) throws IOException {
        InetAddress server = find(plan.host);
        this.plan = plan;
        this.ticker = plan.ticker;
        this.clock = new FaultClock(ticker, false);
        this.box = new Middlebox(
                ticker,
                plan.idle,
                plan.closings,
                clock,
                new ByteRate(plan.bytesPerSecond),
                new ByteRate(plan.bytesPerSecond),
                tally,
                injected);
        this.connections = new TcpConnections(plan.maxConnections, plan.idle, tally);
        this.random = plan.randomGenerator();
        this.listener = SimulatorPort.listen(plan.where(), plan.port);
        refuseItself(server);
        this.watcher = Thread.ofVirtual().name("simulator-watch").start(this::watch);
        listener.open(this::serve);
    }

    /**
     * A builder; nothing runs before {@link TcpSimulatorBuilder#start()}.
     *
     * @param host the server's name or address
     * @param port 1 to 65535
     * @throws IllegalArgumentException when the port is out of range
     */
    public static TcpSimulatorBuilder to(String host, int port) {
        return new TcpSimulatorBuilder(host, port);
    }

    /** The port it listens on. */
    public int port() {
        return listener.number();
    }

    /** A consistent snapshot of its counters. */
    public TcpReport report() {
        return tally.report();
    }

    /**
     * Restarts the time line of closings: the first window opens one whole period from now. Counters, random choices
     * and idle times continue.
     */
    public void begin() {
        clock.begin();
        LockSupport.unpark(watcher);
    }

    /** The closing windows within this time since {@link #begin()}, for a time line that starts with it. */
    public List<TimeLine.Fault> faults(Duration within) {
        return plan.closings.within(within);
    }

    /**
     * Starts a fault, replacing the previous one.
     *
     * @throws IOException when the port cannot be released, or listened on again
     */
    public synchronized void inject(TcpFault fault) throws IOException {
        heal();
        injected.set(new Injection(fault));
        if (fault instanceof TcpFault.Refuse) {
            listener.refuse();
        }
    }

    /**
     * Ends the injected fault. Its effects on connections remain. No effect without a fault.
     *
     * @throws IOException when the port cannot be listened on again
     */
    public synchronized void heal() throws IOException {
        injected.set(null);
        listener.admit();
    }

    /**
     * Closes every open connection.
     *
     * @param how {@link Closing#FIN} or {@link Closing#RST}
     */
    public void closeAll(Closing how) {
        connections.open().forEach(connection -> connection.close(how));
    }

    /**
     * Forgets every open connection, as a NAT that has lost its table does: their bytes are dropped, and no peer is
     * notified. New connections work.
     */
    public void forgetAll() {
        connections.open().forEach(TcpConnection::silence);
    }

    /** Its configuration in one readable line. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(listener + " in front of " + server());
        text.append(plan.toServer.equals(plan.toClient) ? oneDelay() : twoDelays());
        if (plan.bytesPerSecond > 0) {
            text.append(", %,d bytes/s each way".formatted(plan.bytesPerSecond));
        }
        if (!plan.idle.equals(IdleRule.NEVER)) {
            text.append(", kill by ").append(plan.idle);
        }
        if (!plan.closings.equals(Closings.NEVER)) {
            text.append(", close ").append(plan.closings);
        }
        return text.toString();
    }

    /**
     * Closes every connection including blackholed ones, and ends all threads; waits for them up to 5 s. Idempotent.
     */
    @Override
    public void close() {
        closing = true;
        listener.close();
        LockSupport.unpark(watcher);
        List<TcpConnection> last = connections.all();
        last.forEach(TcpConnection::abort);
        try {
            for (TcpConnection connection : last) {
                connection.join(JOIN_MS);
            }
            watcher.join(JOIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Socket client) {
        RandomGenerator ownRandom = new SplittableRandom(random.nextLong());
        TcpConnection connection = new TcpConnection(plan, box, connections, client, ownRandom);
        if (connections.add(connection)) {
            connection.start();
        } else {
            connection.abort();
        }
    }

    private void watch() {
        WindowWatch windows = new WindowWatch(clock, plan.closings);
        while (!closing) {
            long now = ticker.nanos();
            connections.killIdle(now);
            Closing how = windows.opened(now);
            if (how == Closing.FIN || how == Closing.RST) {
                closeAll(how);
            }
            long idle = connections.nextCheck(now);
            long window = windows.nextCheck(now);
            ticker.parkUntil(idle - window < 0 ? idle : window);
        }
    }

    private static InetAddress find(String host) throws UnknownHostException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new UnknownHostException(
                    "cannot find the host \"" + host + "\": check its spelling, or use its address");
        }
    }

    /** A simulator in front of itself would connect to itself endlessly. */
    private void refuseItself(InetAddress server) throws IOException {
        if (plan.hostPort == listener.number() && listensAt(server)) {
            listener.close();
            throw new IllegalArgumentException(
                    "the simulator would connect to itself: listen on another port than the server's " + plan.hostPort
                            + ", or on 0 for any free one");
        }
    }

    private boolean listensAt(InetAddress server) throws IOException {
        if (!listener.address().isAnyLocalAddress()) {
            return server.equals(listener.address()) || server.isAnyLocalAddress();
        }
        return server.isAnyLocalAddress()
                || server.isLoopbackAddress()
                || NetworkInterface.getByInetAddress(server) != null;
    }

    private String server() {
        return (plan.host.contains(":") ? "[" + plan.host + "]" : plan.host) + ":" + plan.hostPort;
    }

    private String oneDelay() {
        return plan.toServer.equals(Delay.NONE) ? "" : ", delay " + plan.toServer + " each way";
    }

    private String twoDelays() {
        return ", delay " + plan.toServer + " to the server, " + plan.toClient + " to the client";
    }
}
