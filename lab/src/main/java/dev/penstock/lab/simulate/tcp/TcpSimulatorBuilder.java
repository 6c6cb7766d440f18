package dev.penstock.lab.simulate.tcp;

import dev.penstock.Ticker;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.Closings;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.FaultSchedule;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link TcpSimulator} is to behave; its defaults pass everything on at once and without faults. Not safe for many
 * threads; what it starts does not see later changes of it.
 */
public final class TcpSimulatorBuilder implements Cloneable {
    private static final long MOST_BYTES_PER_SECOND = 100_000_000_000L;

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
        this.hostPort = checked("port of the server", port, 1, 65_535);
    }

    /** Where it listens; default 0, a free port. */
    public TcpSimulatorBuilder port(int value) {
        port = checked("port", value, 0, 65_535);
        return this;
    }

    /** The address it listens on; default loopback. */
    public TcpSimulatorBuilder address(InetAddress value) {
        address = value;
        return this;
    }

    /** How long bytes are under way, each way; default {@link Delay#NONE}. */
    public TcpSimulatorBuilder delay(Delay eachWay) {
        return delay(eachWay, eachWay);
    }

    /**
     * How long bytes are under way; default {@link Delay#NONE}. What is sent later never overtakes: bytes with a short delay
     * wait for those before them. Connecting is not delayed.
     */
    public TcpSimulatorBuilder delay(Delay towardServer, Delay towardClient) {
        toServer = plain(towardServer);
        toClient = plain(towardClient);
        return this;
    }

    /**
     * Kills connections through which no byte has come or gone for so long; default never.
     *
     * @param after above 0
     * @param how what happens to them
     * @throws IllegalArgumentException when the time is not above 0
     */
    public TcpSimulatorBuilder killIdle(Duration after, IdleKill how) {
        idle = IdleRule.after(after, how);
        return this;
    }

    /** Closes connections on a timeline, in one way; default never. */
    public TcpSimulatorBuilder close(Closing how, FaultSchedule when) {
        return close(when, how);
    }

    /**
     * Closes connections on a timeline, in several ways that take turns by window; default never. A middlebox knows nothing
     * of requests, so these are rougher than a server's own:
     *
     * <ul>
     *   <li>{@link Closing#FIN} and {@link Closing#RST} close every connection that is open when the window opens, whatever
     *       it carries, and what is under way in it is lost; later ones stay.
     *   <li>{@link Closing#CUT} closes each connection on which bytes come while the window is open, by FIN and both ways, as
     *       soon as half of those bytes were passed on.
     * </ul>
     *
     * @param when the windows
     * @param inTurn at least one way, and not {@link Closing#HEADER}, which is a way of HTTP's own
     * @throws IllegalArgumentException when no way is given, or one that TCP does not have
     */
    public TcpSimulatorBuilder close(FaultSchedule when, Closing... inTurn) {
        List<Closing> ways = List.of(inTurn);
        if (ways.contains(Closing.HEADER)) {
            throw new IllegalArgumentException(
                    "header is a way to close of HTTP's own: close TCP connections by fin, rst or cut");
        }
        closings = new Closings(when, ways);
        return this;
    }

    /**
     * How many bytes pass each way in a second, of all connections together; default 0, without a limit.
     *
     * @param most 0 to 100,000,000,000
     */
    public TcpSimulatorBuilder bytesPerSecond(long most) {
        if (most < 0 || most > MOST_BYTES_PER_SECOND) {
            throw new IllegalArgumentException(
                    "bytes a second are 0, for no limit, to %,d, not %,d".formatted(MOST_BYTES_PER_SECOND, most));
        }
        bytesPerSecond = most;
        return this;
    }

    /**
     * How many connections it holds at once, beyond it they are closed at once; default 20,000. A blackholed one counts until
     * a new one needs its place.
     */
    public TcpSimulatorBuilder maxConnections(int most) {
        maxConnections = checked("number of connections", most, 1, 1_000_000);
        return this;
    }

    /** Its clock; default {@link Ticker#SYSTEM}. Connecting to the server is bounded by 10 s of real time. */
    public TcpSimulatorBuilder ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return this;
    }

    /** Where chance comes from; default a generator that always begins the same. */
    public TcpSimulatorBuilder random(RandomGenerator value) {
        random = Objects.requireNonNull(value, "random");
        return this;
    }

    /**
     * Starts it. The server need not run yet.
     *
     * @throws java.net.UnknownHostException when there is no host of the server's name
     * @throws IOException when it cannot listen there
     * @throws IllegalArgumentException when the server would be itself
     */
    public TcpSimulator start() throws IOException {
        return new TcpSimulator(copy());
    }

    RandomGenerator chance() {
        return random == null ? new SplittableRandom(1) : random;
    }

    InetAddress where() {
        return address == null ? InetAddress.getLoopbackAddress() : address;
    }

    /** A delay of nothing is no delay, so that it costs no thread. */
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

    private static int checked(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("the " + what + " is " + least + " to " + most + ", not " + value);
        }
        return value;
    }
}
