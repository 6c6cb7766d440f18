package dev.penstock.lab.simulate.udp;

import dev.penstock.Ticker;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.text.Ranges;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Configures a {@link UdpSimulator}. By default it echoes immediately. Not thread-safe. */
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

    /** The port; default 0, any free port. */
    public UdpSimulatorBuilder port(int value) {
        port = Ranges.within("the port", value, 0, 65_535);
        return this;
    }

    /** The address to listen on; default loopback. */
    public UdpSimulatorBuilder address(InetAddress value) {
        address = value;
        return this;
    }

    /** The delay of answers; default {@link Delay#NONE}. With a variable delay, answers may overtake each other. */
    public UdpSimulatorBuilder delay(Delay value) {
        faults = new UdpFaults(value, faults.dropped(), faults.twice(), faults.heldBack(), faults.holding());
        return this;
    }

    /** The share of datagrams to drop, 0 (the default) to 1. */
    public UdpSimulatorBuilder drop(double share) {
        faults = new UdpFaults(faults.delay(), share, faults.twice(), faults.heldBack(), faults.holding());
        return this;
    }

    /** The share of datagrams to answer twice, 0 (the default) to 1. */
    public UdpSimulatorBuilder duplicate(double share) {
        faults = new UdpFaults(faults.delay(), faults.dropped(), share, faults.heldBack(), faults.holding());
        return this;
    }

    /**
     * Holds some answers back, so that later ones overtake them.
     *
     * @param share of the answers, 0 (the default) to 1
     * @param holding how long, above 0
     */
    public UdpSimulatorBuilder reorder(double share, Duration holding) {
        faults = new UdpFaults(faults.delay(), faults.dropped(), faults.twice(), share, holding);
        return this;
    }

    /**
     * Replaces all occurrences of a text in answers. Default: nothing.
     *
     * @param what one byte or more; as text in which each character up to 255 is a byte
     * @param replacement likewise; may be empty
     */
    public UdpSimulatorBuilder replace(String what, String replacement) {
        if (what.isEmpty()) {
            throw new IllegalArgumentException("the text to find needs at least one character");
        }
        find = what;
        with = replacement;
        return this;
    }

    /**
     * The size of the receive buffer in bytes, 1 or more; Linux doubles it and accounts about 2,304 bytes for a
     * datagram of 1,024. Default: the system's.
     */
    public UdpSimulatorBuilder receiveBuffer(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a receive buffer must be 1 byte or more, not " + bytes);
        }
        receiveBuffer = bytes;
        return this;
    }

    /** The clock; default {@link Ticker#SYSTEM}. Waiting uses real time. */
    public UdpSimulatorBuilder ticker(Ticker value) {
        ticker = Objects.requireNonNull(value, "ticker");
        return this;
    }

    /** The random generator; default one with a fixed seed. */
    public UdpSimulatorBuilder random(RandomGenerator value) {
        random = Objects.requireNonNull(value, "random");
        return this;
    }

    /**
     * Starts the simulator.
     *
     * @throws IOException when it cannot listen there; the message says what to do
     */
    public UdpSimulator start() throws IOException {
        return new UdpSimulator(this);
    }
}
