package dev.penstock.jdbc.guard;

import dev.penstock.Ticker;
import dev.penstock.jdbc.kit.RealDatabase;
import dev.penstock.kit.StablePort;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpFault;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;

/** A path to one of two database servers, and what breaks on it. For one thread, except the URL. */
final class RandomFaults implements AutoCloseable {
    private final Random random;
    private RealDatabase database;
    private RealDatabase standby;
    private TcpSimulator path;

    RandomFaults(RealDatabase database, RealDatabase standby, Random random) throws IOException {
        this.database = database;
        this.standby = standby;
        this.random = random;
        this.path = path(database, StablePort.free());
    }

    String url() {
        return database.urlThrough(new InetSocketAddress("127.0.0.1", path.port()));
    }

    static void rest(long millis) {
        long until = Ticker.SYSTEM.nanos() + millis * 1_000_000;
        while (until - Ticker.SYSTEM.nanos() > 0) {
            Ticker.SYSTEM.parkUntil(until);
        }
    }

    private static TcpSimulator path(RealDatabase to, int port) throws IOException {
        return TcpSimulator.to("127.0.0.1", to.port())
                .port(port)
                .maxConnections(5_000)
                .killIdle(Duration.ofSeconds(5), IdleKill.BLACKHOLE)
                .start();
    }

    /** Something breaks after a moment, and is restored. */
    void next() throws Exception {
        rest(500 + random.nextInt(3000));
        switch (random.nextInt(9)) {
            case 0, 1 -> path.forgetAll();
            case 2 -> path.closeAll(Closing.RST);
            case 3 -> {
                silence();
                rest(2_000);
                heal();
            }
            case 4 -> stall(300);
            case 5 -> stall(3_000);
            case 6 -> database.endIdleSessions();
            case 7 -> {
                database.kill();
                database.restart();
            }
            default -> failOver();
        }
    }

    void silence() throws IOException {
        path.inject(new TcpFault.Blackhole());
    }

    void heal() throws IOException {
        path.heal();
    }

    private void stall(long millis) throws IOException {
        database.suspend();
        rest(millis);
        database.resume();
    }

    private void failOver() throws IOException {
        path.close();
        rest(random.nextInt(2_000));
        RealDatabase left = database;
        database = standby;
        standby = left;
        path = path(database, path.port());
    }

    /** Closes the connections that were forgotten too. */
    @Override
    public void close() {
        path.close();
    }
}
