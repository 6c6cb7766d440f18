package dev.penstock.jdbc;

import dev.penstock.kit.StablePort;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.FaultSchedule;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.lab.simulate.tcp.TcpSimulatorBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import java.util.SplittableRandom;

/** A middlebox in front of a database. Each start may select another behavior. For one thread. */
final class FaultyPath implements AutoCloseable {
    private final InetSocketAddress database;
    private final Random random;
    private TcpSimulator box;

    FaultyPath(InetSocketAddress database, Random random) throws IOException {
        this.database = database;
        this.random = random;
        this.box = open(StablePort.free());
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), box.port());
    }

    /** Blocks all traffic and forgets all connections. */
    void interrupt() {
        box.close();
    }

    /** Replaces the middlebox by another one on the same port. */
    void restore() throws IOException {
        box = open(box.port());
    }

    private TcpSimulator open(int port) throws IOException {
        TcpSimulatorBuilder builder = TcpSimulator.to(database.getHostString(), database.getPort())
                .port(port)
                .random(new SplittableRandom(random.nextLong()));
        if (random.nextInt(4) > 0) {
            Closing[] ways = {Closing.FIN, Closing.RST, Closing.CUT};
            Duration every = Duration.ofMillis(30 + random.nextInt(300));
            builder.close(ways[random.nextInt(ways.length)], new FaultSchedule(every, Duration.ofMillis(10)));
        }
        if (random.nextInt(3) > 0) {
            // A connection that waits this long for its answer counts as idle too.
            IdleKill[] ways = IdleKill.values();
            builder.killIdle(Duration.ofMillis(5 + random.nextInt(100)), ways[random.nextInt(ways.length)]);
        }
        return builder.start();
    }

    @Override
    public void close() {
        box.close();
    }

    @Override
    public String toString() {
        return box.toString();
    }
}
