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
 * A middlebox between clients and a server: passes on what they send each other, and is slow, narrow and forgetful as told.
 * For any protocol over TCP: HTTP, a database, a broker. It connects to the server anew for every connection of a client.
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
 * <p>Each connection has two virtual threads, four with a delay; one more watches all of them. What the kernel was given
 * before a connection was killed may still arrive.
 *
 * <p>Safe for many threads.
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
    private final SimulatorPort door;
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
        this.random = plan.chance();
        this.door = SimulatorPort.listen(plan.where(), plan.port);
        refuseItself(server);
        this.watcher = Thread.ofVirtual().name("simulator-watch").start(this::watch);
        door.open(this::serve);
    }

    /**
     * A simulator to describe; nothing runs before {@link TcpSimulatorBuilder#start()}.
     *
     * @param host the server's name or address
     * @param port 1 to 65535
     * @throws IllegalArgumentException when the port is none
     */
    public static TcpSimulatorBuilder to(String host, int port) {
        return new TcpSimulatorBuilder(host, port);
    }

    /** The port it listens on. */
    public int port() {
        return door.number();
    }

    /** What it counted so far, all of it at this instant. */
    public TcpReport report() {
        return tally.report();
    }

    /**
     * Begins the timeline of closings anew: the first window opens one whole period from this instant. Counts, chance and
     * the idle times of connections go on.
     */
    public void begin() {
        clock.begin();
        LockSupport.unpark(watcher);
    }

    /** When it closes connections within so much time since {@link #begin()}: for a time line that begins with it. */
    public List<TimeLine.Fault> faults(Duration within) {
        return plan.closings.within(within);
    }

    /**
     * Begins a fault, in place of the one that was injected before.
     *
     * @throws IOException when the port cannot be left, or listened on again
     */
    public synchronized void inject(TcpFault fault) throws IOException {
        heal();
        injected.set(new Injection(fault));
        if (fault instanceof TcpFault.Refuse) {
            door.refuse();
        }
    }

    /**
     * Ends the fault that was injected. What it did to connections stays done. Does nothing when there is none.
     *
     * @throws IOException when the port cannot be listened on again
     */
    public synchronized void heal() throws IOException {
        injected.set(null);
        door.admit();
    }

    /**
     * Closes every connection that is open now.
     *
     * @param how {@link Closing#FIN} or {@link Closing#RST}
     */
    public void closeAll(Closing how) {
        connections.open().forEach(connection -> connection.close(how));
    }

    /** What it does, in one line for people. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(door + " in front of " + server());
        text.append(plan.toServer.equals(plan.toClient) ? oneDelay() : twoDelays());
        if (plan.bytesPerSecond > 0) {
            text.append(", %,d bytes a second each way".formatted(plan.bytesPerSecond));
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
     * Closes every connection, the blackholed ones too, and ends every thread of it; waits for them up to 5 s. Does nothing
     * the second time.
     */
    @Override
    public void close() {
        closing = true;
        door.close();
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
        RandomGenerator chance = new SplittableRandom(random.nextLong());
        TcpConnection connection = new TcpConnection(plan, box, connections, client, chance);
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
            long idle = connections.nextLook(now);
            long window = windows.nextLook(now);
            ticker.parkUntil(idle - window < 0 ? idle : window);
        }
    }

    private static InetAddress find(String host) throws UnknownHostException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new UnknownHostException(
                    "cannot find the host \"" + host + "\": check its spelling, or give its address");
        }
    }

    /** A box in front of itself would connect to itself without end. */
    private void refuseItself(InetAddress server) throws IOException {
        if (plan.hostPort == door.number() && listensAt(server)) {
            door.close();
            throw new IllegalArgumentException(
                    "it would stand in front of itself: listen on another port than the server's, " + plan.hostPort
                            + ", or on 0 for a free one");
        }
    }

    private boolean listensAt(InetAddress server) throws IOException {
        if (!door.address().isAnyLocalAddress()) {
            return server.equals(door.address()) || server.isAnyLocalAddress();
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
