package dev.penstock.lab.simulate.tcp;

import dev.penstock.Ticker;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.Closings;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.FaultSchedule;
import dev.penstock.text.Ranges;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Configures a {@link TcpSimulator}. By default it forwards everything immediately and without faults. Not thread-safe;
 * later changes do not affect started simulators.
 */
public final class TcpSimulatorBuilder implements Cloneable {
    private static final long MAX_BYTES_PER_SECOND = 100_000_000_000L;

    final String host;
    final int hostPort;
    int port;

    @Nullable
    InetAddress address;

    Delay toServer = Delay.NONE;
    Delay toClient = Delay.NONE;
    IdleRule idle = IdleRule.NEVER;
    Closings closings = Closings.NEVER;
    long bytesPerSecond;
    int maxConnections = 20_000;
    Ticker ticker = Ticker.SYSTEM;

    @Nullable
    RandomGenerator random;

    TcpSimulatorBuilder(String host, int port) {
        this.host = Objects.requireNonNull(host, "host");
        this.hostPort = Ranges.within("the port of the server", port, 1, 65_535);
    }

    /** The port; default 0, any free port. */
    public TcpSimulatorBuilder port(int value) {
        port = Ranges.within("the port", value, 0, 65_535);
        return this;
    }

    /** The address to listen on; default loopback. */
    public TcpSimulatorBuilder address(InetAddress value) {
        address = value;
        return this;
    }

    /** The delay of bytes in each direction; default {@link Delay#NONE}. */
    public TcpSimulatorBuilder delay(Delay eachWay) {
        return delay(eachWay, eachWay);
    }

    /**
     * The delay of bytes; default {@link Delay#NONE}. Order is kept: bytes with a shorter delay wait for those before
     * them. Connecting is not delayed.
     */
    public TcpSimulatorBuilder delay(Delay towardServer, Delay towardClient) {
        toServer = plain(towardServer);
        toClient = plain(towardClient);
        return this;
    }

    /**
     * Kills connections that were idle in both directions for this long; default never.
     *
     * @param after above 0
     * @param how how they are killed
     * @throws IllegalArgumentException when the time is not above 0
     */
    public TcpSimulatorBuilder killIdle(Duration after, IdleKill how) {
        idle = IdleRule.after(after, how);
        return this;
    }

    /** Closes connections on a schedule, in one way; default never. */
    public TcpSimulatorBuilder close(Closing how, FaultSchedule when) {
        return close(when, how);
    }

    /**
     * Closes connections on a schedule, in several ways in rotation; default never. A middlebox does not know requests,
     * so these are less precise than a server's own:
     * <ul>
     * <li>{@link Closing#FIN} and {@link Closing#RST} close every connection that is open when the window opens,
     *     whatever it carries, and lose bytes in transit; later connections stay open.
     * <li>{@link Closing#CUT} closes each connection on which bytes arrive during the window, with FIN in both
     *     directions, after half of those bytes were forwarded.
     * </ul>
     *
     * @param when the windows
     * @param inTurn at least one way, except {@link Closing#HEADER}, which exists only in HTTP
     * @throws IllegalArgumentException when no way is given, or one that TCP does not have
     */
    public TcpSimulatorBuilder close(FaultSchedule when, Closing... inTurn) {
        List<Closing> ways = List.of(inTurn);
        if (ways.contains(Closing.HEADER)) {
            throw new IllegalArgumentException(
                    "header exists only in HTTP: close TCP connections with fin, rst or cut");
        }
        closings = new Closings(when, ways);
        return this;
    }

    /**
     * The bandwidth in each direction, shared by all connections; default 0, unlimited.
     *
     * @param most 0 to 100,000,000,000 bytes per second
     */
    public TcpSimulatorBuilder bytesPerSecond(long most) {
        bytesPerSecond = Ranges.within("bytes per second", most, 0, MAX_BYTES_PER_SECOND);
        return this;
    }

    /**
     * The maximum number of connections; further ones are closed immediately; default 20,000. A blackholed connection
     * counts until a new one needs its place.
     */
    public TcpSimulatorBuilder maxConnections(int most) {
        maxConnections = Ranges.within("the number of connections", most, 1, 1_000_000);
        return this;
    }

    /** The clock; default {@link Ticker#SYSTEM}. Connecting to the server has a timeout of 10 s of real time. */
    public TcpSimulatorBuilder ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return this;
    }

    /** The random generator; default one with a fixed seed. */
    public TcpSimulatorBuilder random(RandomGenerator value) {
        random = Objects.requireNonNull(value, "random");
        return this;
    }

    /**
     * Starts the simulator. The server need not run yet.
     *
     * @throws java.net.UnknownHostException when the server's host is unknown
     * @throws IOException when it cannot listen there
     * @throws IllegalArgumentException when the server would be the simulator itself
     */
    public TcpSimulator start() throws IOException {
        return new TcpSimulator(copy());
    }

    RandomGenerator randomGenerator() {
        return random == null ? new SplittableRandom(1) : random;
    }

    InetAddress where() {
        return address == null ? InetAddress.getLoopbackAddress() : address;
    }

    /** Treats a delay of 0 as no delay, which saves threads. */
    private static Delay plain(Delay delay) {
        return delay.equals(new Delay.Constant(Duration.ZERO)) ? Delay.NONE : delay;
    }

    private TcpSimulatorBuilder copy() {
        try {
            return (TcpSimulatorBuilder) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("a builder can be cloned", e);
        }
    }
}
