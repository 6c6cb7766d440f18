package dev.penstock.cli;

import dev.penstock.Ticker;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.text.Durations;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of all simulators, and the loop that runs one until it is stopped or the given time is over. */
final class SimulatorOptions {
    private static final long SECOND = 1_000_000_000;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "The port to listen on. Default: a free port.")
    private int port;

    @Option(names = "--host", paramLabel = "ADDRESS", description = "The address to listen on. Default: loopback.")
    private @Nullable String host;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The random seed. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--for", paramLabel = "TIME", description = "Stop after this time. Default: runs until stopped.")
    private @Nullable Duration lasting;

    @Option(names = "--quiet", description = "Do not show progress.")
    private boolean quiet;

    /**
     * A running simulator.
     *
     * @param banner its address and behaviour, in one line, and further remarks
     * @param progress the progress line
     * @param report its counters
     * @param close stops it; idempotent
     */
    record Running(List<String> banner, Supplier<String> progress, Supplier<List<String>> report, Runnable close) {}

    int port() {
        return port;
    }

    SplittableRandom random() {
        return new SplittableRandom(seed);
    }

    /**
     * The address to listen on.
     *
     * @throws IllegalArgumentException unknown address, with a one-line remedy
     */
    InetAddress address() {
        try {
            return host == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("unknown address \"" + host + "\": use an address of this machine", e);
        }
    }

    /** Prints the banner, shows progress, and at the end, also after a signal, prints the counters. */
    int run(Running simulator, PrintWriter out) {
        LiveLine live = LiveLine.onStandardError(quiet);
        Thread stopped = new Thread(
                () -> {
                    finish(simulator, live, out);
                    // Stopping by a signal is normal, so the exit code is 0; the default would be 128 + the signal.
                    Runtime.getRuntime().halt(0);
                },
                "penstock-simulator-stop");
        Runtime.getRuntime().addShutdownHook(stopped);
        out.println("listening on " + String.join(System.lineSeparator(), simulator.banner()));
        watch(simulator.progress(), live);
        try {
            Runtime.getRuntime().removeShutdownHook(stopped);
            finish(simulator, live, out);
        } catch (IllegalStateException stopping) {
            // The hook is already running: it prints the counters and ends the JVM.
        }
        return CommandLineExit.DONE;
    }

    private void watch(Supplier<String> progress, LiveLine live) {
        Ticker ticker = Ticker.SYSTEM;
        long start = ticker.nanos();
        long left = lasting == null ? Long.MAX_VALUE : Durations.nanos(lasting);
        for (long elapsed = 0; elapsed < left; elapsed = ticker.nanos() - start) {
            live.show(start + elapsed, elapsed / SECOND + "s  " + progress.get());
            ticker.parkUntil(start + elapsed + Math.min(SECOND, left - elapsed));
        }
    }

    private static void finish(Running simulator, LiveLine live, PrintWriter out) {
        simulator.close().run();
        live.close();
        simulator.report().get().forEach(out::println);
    }
}
