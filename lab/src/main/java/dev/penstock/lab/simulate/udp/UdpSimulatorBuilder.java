package dev.penstock.lab.simulate.udp;

import dev.penstock.Ticker;
import dev.penstock.lab.simulate.Delay;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How a {@link UdpSimulator} is to behave; its defaults answer at once with what came. Not safe for many threads. */
public final class UdpSimulatorBuilder {
    int port;

    @Nullable
    InetAddress address;

    UdpFaults faults = UdpFaults.NONE;
    String find = "";
    String with = "";
    int receiveBuffer;
    Ticker ticker = Ticker.SYSTEM;
    RandomGenerator random = new SplittableRandom(1);

    UdpSimulatorBuilder() {}

    /** Where it listens; default 0, a free port. */
    public UdpSimulatorBuilder port(int value) {
        if (value < 0 || value > 65_535) {
            throw new IllegalArgumentException("the port is 0 to 65535, not " + value);
        }
        port = value;
        return this;
    }

    /** The address it listens on; default loopback. */
    public UdpSimulatorBuilder address(InetAddress value) {
        address = value;
        return this;
    }

    /** How late its answers are; default {@link Delay#NONE}. One that varies also lets answers overtake each other. */
    public UdpSimulatorBuilder delay(Delay value) {
        faults = new UdpFaults(value, faults.dropped(), faults.twice(), faults.heldBack(), faults.holding());
        return this;
    }

    /** The share of datagrams that it throws away, 0 (the default) to 1. */
    public UdpSimulatorBuilder drop(double share) {
        faults = new UdpFaults(faults.delay(), share, faults.twice(), faults.heldBack(), faults.holding());
        return this;
    }

    /** The share of datagrams that it answers twice, 0 (the default) to 1. */
    public UdpSimulatorBuilder duplicate(double share) {
        faults = new UdpFaults(faults.delay(), faults.dropped(), share, faults.heldBack(), faults.holding());
        return this;
    }

    /**
     * Holds some answers back, so that later ones overtake them.
     *
     * @param share of the answers, 0 (the default) to 1
     * @param holding for how long, above 0
     */
    public UdpSimulatorBuilder reorder(double share, Duration holding) {
        faults = new UdpFaults(faults.delay(), faults.dropped(), faults.twice(), share, holding);
        return this;
    }

    /**
     * What it replaces in its answers, wherever it stands. Default: nothing.
     *
     * @param what one byte or more; as text in which each character up to 255 is a byte
     * @param replacement likewise; may be empty
     */
    public UdpSimulatorBuilder replace(String what, String replacement) {
        if (what.isEmpty()) {
            throw new IllegalArgumentException("say what to find: one character at least");
        }
        find = what;
        with = replacement;
        return this;
    }

    /** Its receive buffer in bytes, 1 or more; Linux doubles it and counts some 2,304 of it for 1,024. Default: the system's. */
    public UdpSimulatorBuilder receiveBuffer(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a receive buffer has 1 byte or more, not " + bytes);
        }
        receiveBuffer = bytes;
        return this;
    }

    /** Its clock; default {@link Ticker#SYSTEM}. Waiting is in real time. */
    public UdpSimulatorBuilder ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return this;
    }

    /** Where chance comes from; default a generator that always begins the same. */
    public UdpSimulatorBuilder random(RandomGenerator value) {
        random = Objects.requireNonNull(value, "random");
        return this;
    }

    /**
     * Starts it.
     *
     * @throws IOException when it cannot listen there, in one line that says what to do
     */
    public UdpSimulator start() throws IOException {
        return new UdpSimulator(this);
    }
}
