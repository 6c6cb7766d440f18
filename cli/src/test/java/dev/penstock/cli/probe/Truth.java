package dev.penstock.cli.probe;

import dev.penstock.lab.probe.IdleConnection.KillKind;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.HttpSimulatorBuilder;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The random properties of a server, which a probe must find.
 *
 * @param delay of an answer alone
 * @param knee how many at once give the most
 * @param sigma of contention; 0 for one with as many workers as its knee
 * @param killAfter when idle connections are killed
 * @param how they are
 */
record Truth(Duration delay, int knee, double sigma, Duration killAfter, IdleKill how) {
    /** This rate of answers leaves two cores time for the rest of the test. */
    private static final double MOST_PER_SECOND = 600;

    private static final double MOST_DELAY_MS = 50;

    /** Draws properties that a short probe on a busy machine can find. */
    static Truth quick(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return new Truth(
                Duration.ofMillis(random.nextLong(10, 20)),
                random.nextInt(4, 8),
                0,
                Duration.ofMillis(random.nextLong(1000, 1500)),
                IdleKill.values()[random.nextInt(3)]);
    }

    /** Draws random properties. */
    static Truth drawn(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int knee = (int) Math.round(Math.exp(random.nextDouble(Math.log(4), Math.log(25))));
        double least = Math.max(5, 1000 * knee / MOST_PER_SECOND);
        long micros = (long) (1000 * random.nextDouble(least, MOST_DELAY_MS));
        boolean capped = random.nextBoolean();
        double sigma = capped ? 0 : random.nextDouble(0.005, 0.05);
        Duration kill = Duration.ofMillis(random.nextLong(2_000, 12_000));
        IdleKill how = IdleKill.values()[random.nextInt(3)];
        return new Truth(Duration.ofNanos(1000 * micros), knee, sigma, kill, how);
    }

    /** A server with these properties. */
    HttpSimulator server() throws IOException {
        HttpSimulatorBuilder server = HttpSimulator.builder().delay(new Delay.Constant(delay));
        return (sigma == 0
                        ? server.workers(knee, 1000)
                        : server.contention(sigma, (1 - sigma) / ((double) knee * knee)))
                .start();
    }

    /** The network path to it, which kills idle connections. */
    TcpSimulator way(HttpSimulator server) throws IOException {
        return TcpSimulator.to("127.0.0.1", server.port())
                .killIdle(killAfter, how)
                .start();
    }

    KillKind kind() {
        return switch (how) {
            case FIN -> KillKind.FIN;
            case RST -> KillKind.RST;
            case BLACKHOLE -> KillKind.SILENT;
        };
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%.1f ms, knee %d by %s, killed after %.2f s by %s",
                delay.toNanos() / 1e6,
                knee,
                sigma == 0 ? "workers" : String.format(Locale.ROOT, "contention of %.3f", sigma),
                killAfter.toMillis() / 1e3,
                how.word());
    }
}
