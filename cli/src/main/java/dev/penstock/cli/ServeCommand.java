package dev.penstock.cli;

import dev.penstock.Accounting;
import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.Generation;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.WatchedFlow;
import dev.penstock.supervise.ThreadWatch;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.Security;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code penstock serve FILE}: runs the flows of a file until SIGTERM or SIGINT, then drains them.
 *
 * <h2>Design note</h2>
 *
 * <p>A JVM terminated by a signal exits with 128 + the signal, whatever its shutdown hooks do, but a process supervisor
 * treats any code other than 0 after SIGTERM as a crash. So a shutdown hook asks the command to stop, waits for it to drain
 * and print, and then halts the JVM with the exit code of the command. Nothing else here uses shutdown hooks. {@link
 * GatewaySignals} are those that must not end a gateway.
 */
@Command(
        name = "serve",
        description =
                "Runs the flows of a file until SIGTERM or Ctrl-C, then finishes transactions in flight and exits.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "At the end the accounting of each flow is printed. If a port is in use, or a host is not of this",
            "machine, the exit code is 1: the file is valid, and the same command may succeed later.",
            "Additional JDBC drivers and JMS clients are loaded from the folder lib beside FILE.",
            "Exit codes: 0 after a complete drain, 1 not started or some transactions had to be cut off, 2 wrong usage,",
            "3 out of memory or threads, 78 bad configuration.",
            "",
            "Example:  penstock serve flows.yaml",
            "          curl -d 'order 1' http://127.0.0.1:8080/v1/payments"
        })
final class ServeCommand extends Subcommand {
    private static final Logger LOG = LoggerFactory.getLogger("penstock");

    /** What a drain may take beyond its time, for the last endings and answers: 5 s. */
    private static final Duration AFTER_DRAIN = Duration.ofSeconds(5);

    @Parameters(paramLabel = "FILE", description = "The flow file.")
    private Path file = Path.of("flows.yaml");

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "text or json (one object per line), on standard error. Default: ${DEFAULT-VALUE}.")
    private LogSetup.Format logFormat = LogSetup.Format.TEXT;

    @Option(
            names = "--watch",
            description = "Reload FILE when it changes. SIGHUP and penstock reload do it at any time.")
    private boolean watches;

    @Mixin
    private LibOption lib = new LibOption();

    private final CountDownLatch stop = new CountDownLatch(1);
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private volatile boolean outOfThreads;
    /** How long a drain may take; 0 before there is anything to drain. */
    private volatile Duration drainTime = Duration.ZERO;

    /**
     * Repeats a failed name lookup after 1 s, and uses known addresses for up to 10 min meanwhile. The defaults of the
     * JVM amplify a short DNS outage: a failed lookup is cached for 10 s, and an address expires after 30 s even if the
     * DNS server does not answer. The keys are those of the JDK file {@code java.security}, read at the first lookup.
     */
    private static void tolerateDnsOutages() {
        String failed = "networkaddress.cache.negative.ttl";
        if ("10".equals(Security.getProperty(failed))) {
            Security.setProperty(failed, "1");
        }
        String stale = "networkaddress.cache.stale.ttl";
        if (Security.getProperty(stale) == null) {
            Security.setProperty(stale, "600");
        }
    }

    /** Opens every jar now: if opening one fails later for lack of file descriptors, the JVM never retries. */
    private static void openClassPath() {
        try {
            ServeCommand.class
                    .getClassLoader()
                    .getResources("META-INF/MANIFEST.MF")
                    .asIterator()
                    .forEachRemaining(jar -> {});
        } catch (IOException e) {
            // They are then opened on demand.
        }
    }

    @Override
    public Integer call() throws BadConfig, IOException {
        LogSetup.use(logFormat, Penstock.isDebug(spec));
        tolerateDnsOutages();
        openClassPath();
        int code = CommandLineExit.FAILED;
        try (ClientJars _ = lib.openFor(file)) {
            code = serve();
        } finally {
            ended.complete(code);
        }
        return code;
    }

    private int serve() throws BadConfig, IOException {
        FlowFileWatch watch = new FlowFileWatch(file);
        FlowFile flowFile = FlowFile.read(file);
        flowFile.warnings().forEach(logFormat == LogSetup.Format.JSON ? LOG::warn : err()::println);
        try (watch;
                Gateway gateway = Gateway.start(file, flowFile, this::endWithoutThreads)) {
            drainTime = flowFile.config().drain().value();
            GatewaySignals.handle(() -> reload(gateway, "SIGHUP"));
            if (watches) {
                watch.start(() -> reload(gateway, "--watch"));
            }
            Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndHalt, "penstock-stop"));
            printFlows(gateway);
            awaitStop();
            return drain(gateway);
        }
    }

    /** The gateway logs what comes of it. */
    private static void reload(Gateway gateway, String by) {
        try {
            Generation _ = gateway.reload(by);
        } catch (BadConfig | IOException refused) {
            LOG.debug("the generation of before goes on", refused);
        }
    }

    private static Stream<FlowSnapshot> snapshots(Gateway gateway) {
        return gateway.flows().stream().map(WatchedFlow::snapshot);
    }

    private void printFlows(Gateway gateway) {
        snapshots(gateway).forEach(flow -> print(flow.name() + ": " + flow.from() + " -> " + flow.to()));
        URI admin = gateway.adminAddress();
        print(
                admin == null
                        ? "admin: none; add admin: { port: 9090 } for dashboard, health and metrics"
                        : "admin: " + admin);
        print("serving; stop with SIGTERM or Ctrl-C");
    }

    private void awaitStop() {
        try {
            stop.await();
        } catch (InterruptedException stopped) {
            // An interrupt means stop, as a signal does; the drain needs the interrupt status cleared.
            LOG.debug("interrupted, stopping");
        }
    }

    private int drain(Gateway gateway) {
        String time = Durations.format(gateway.drainTime());
        print("draining, up to " + time);
        Map<String, Accounting> accounts = gateway.drain();
        accounts.forEach((flow, account) -> print(flow + ": " + account.sentence() + "; " + verdict(account)));
        snapshots(gateway).forEach(this::printDrops);
        long cutOff = gateway.cutOff();
        if (cutOff > 0) {
            print("drain INCOMPLETE: " + cutOff + " transactions had not ended after " + time
                    + ", so their connections were closed; raise shutdown.drain if the target needs longer");
        }
        boolean complete = cutOff == 0 && accounts.values().stream().allMatch(Accounting::isSettled);
        return complete ? CommandLineExit.DONE : CommandLineExit.FAILED;
    }

    /** On a separate line, because datagrams lost before they were received are not transactions. */
    private void printDrops(FlowSnapshot flow) {
        Map<String, Long> lost = flow.counters("lost");
        if (!lost.isEmpty()) {
            String places = lost.entrySet().stream()
                    .filter(place -> place.getValue() > 0)
                    .map(place -> place.getKey() + " " + place.getValue())
                    .collect(Collectors.joining(", "));
            print(flow.name() + ": datagrams received "
                    + flow.counters("datagrams").getOrDefault("received", 0L) + ", lost: "
                    + (places.isEmpty() ? "none" : places));
        }
    }

    private static String verdict(Accounting account) {
        if (!account.isBalanced()) {
            return "accounting NOT BALANCED";
        }
        return account.inFlight() == 0 ? "accounting balanced" : account.inFlight() + " without an ENDING";
    }

    private void print(String line) {
        Consumer<String> where = logFormat == LogSetup.Format.JSON ? LOG::info : out()::println;
        where.accept(line);
    }

    private void stopAndHalt() {
        stop.countDown();
        halt(ended.join());
    }

    private void halt(int code) {
        Runtime.getRuntime().halt(outOfThreads ? CommandLineExit.EXHAUSTED : code);
    }

    /** Ends the process on a thread that exists already: neither a signal nor a shutdown hook gets one. */
    private void endWithoutThreads() {
        outOfThreads = true;
        stop.countDown();
        LOG.error(
                "this process could not start a thread for 5 s; it drains and exits with {}; {}",
                CommandLineExit.EXHAUSTED,
                ThreadWatch.remedy());
        try {
            // Bounded: start or drain may wait for a virtual thread that never runs.
            int _ = ended.get(drainTime.plus(AFTER_DRAIN).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException stuck) {
            LOG.error("the drain did not end");
        }
        halt(CommandLineExit.EXHAUSTED);
    }
}
