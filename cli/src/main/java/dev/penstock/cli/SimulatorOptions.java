package dev.penstock.cli;

import dev.penstock.Durations;
import dev.penstock.Ticker;
import dev.penstock.lab.report.LiveLine;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that every simulator has, and how one is run: until it is stopped, or for the time that was given. */
final class SimulatorOptions {
    private static final long SECOND = 1_000_000_000;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "Where to listen. Default: a free port.")
    private int port;

    @Option(names = "--host", paramLabel = "ADDRESS", description = "The address to listen on. Default: loopback.")
    private @Nullable String host;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Where chance begins. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "End by itself after so long. Default: runs until it is stopped.")
    private @Nullable Duration lasting;

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    /**
     * A simulator, as the loop sees it.
     *
     * @param hello where it listens and what it does, in one line, and what else there is to say of it
     * @param progress one line that changes while it runs
     * @param report what it counted
     * @param close ends it; does nothing the second time
     */
    record Running(List<String> hello, Supplier<String> progress, Supplier<List<String>> report, Runnable close) {}

    /** Options not given yet; picocli fills them in. */
    SimulatorOptions() {}

    int port() {
        return port;
    }

    SplittableRandom random() {
        return new SplittableRandom(seed);
    }

    /**
     * The address to listen on.
     *
     * @throws UnknownHostException when there is none of that name, in one line that says what to do
     */
    InetAddress address() throws UnknownHostException {
        try {
            return host == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new UnknownHostException("cannot find the address \"" + host + "\": give one of this machine");
        }
    }

    /** Says that it listens, shows how it goes on, and in the end prints what it counted, also when a signal ends it. */
    int run(Running simulator, PrintWriter out) {
        LiveLine live = LiveLine.onStandardError(quiet);
        Thread stopped = new Thread(() -> {
            finish(simulator, live, out);
            // The signal was the wish to end, so this end is a good one; the default would be 128 and its number.
            Runtime.getRuntime().halt(0);
        });
        Runtime.getRuntime().addShutdownHook(stopped);
        out.println("listening on " + String.join(System.lineSeparator(), simulator.hello()));
        out.flush();
        watch(simulator.progress(), live);
        try {
            Runtime.getRuntime().removeShutdownHook(stopped);
            finish(simulator, live, out);
        } catch (IllegalStateException stopping) {
            // The hook runs already: it prints what was counted, and ends the JVM.
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
        out.flush();
    }
}
