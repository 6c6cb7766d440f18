package dev.penstock.cli;

import dev.penstock.Durations;
import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.admin.WatchedFlow;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.FlowFile;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.meter.Accounting;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code penstock serve FILE}: runs the flows of a file until SIGTERM or SIGINT, then drains them.
 *
 * <h2>Design note</h2>
 *
 * <p>A JVM that a signal ends exits with 128 + the signal, whatever its shutdown hooks do, while a supervisor takes anything
 * but 0 after SIGTERM for a crash. The JDK's signal API (sun.misc.Signal) could turn the signal into a normal end, but is
 * not supported. So a shutdown hook asks the command to stop, waits for it to drain and print, and then halts the JVM with
 * the command's exit code. Nothing else relies on shutdown hooks here.
 */
@Command(
        name = "serve",
        description =
                "Runs the flows of a YAML file until SIGTERM or Ctrl-C, then finishes what is in flight and ends.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "At the end the accounting of each flow is printed. A port in use, or a host that is not of this",
            "machine, is exit code 1: the file is right, and the same command may work later.",
            "JDBC drivers and JMS clients that Penstock does not have are loaded from the folder lib beside FILE.",
            "Exit codes: 0 every transaction has an ending, 1 it could not start or one has none, 2 wrong usage,",
            "78 bad configuration.",
            "",
            "Example:  penstock serve flows.yaml",
            "          curl -d 'order 1' http://127.0.0.1:8080/v1/payments"
        })
public final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger("penstock");

    @Parameters(paramLabel = "FILE", description = "The flow file.")
    private Path file = Path.of("flows.yaml");

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "text or json, one object a line, all on standard error. Default: ${DEFAULT-VALUE}.")
    private LogSetup.Format logFormat = LogSetup.Format.TEXT;

    @Mixin
    private LibOption lib = new LibOption();

    @Spec
    private CommandSpec spec;

    private final CountDownLatch stop = new CountDownLatch(1);
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();

    /** For picocli. */
    public ServeCommand() {}

    /** Opens every jar: one that is opened only while no file descriptor is left is never looked at again by the JVM. */
    private static void openClassPath() {
        try {
            ServeCommand.class
                    .getClassLoader()
                    .getResources("META-INF/MANIFEST.MF")
                    .asIterator()
                    .forEachRemaining(jar -> {});
        } catch (IOException e) {
            // Then they are opened as they are needed.
        }
    }

    @Override
    public Integer call() {
        LogSetup.use(logFormat, CommandLineExit.debug(spec));
        NameCache.outliveNameServers();
        openClassPath();
        int code = CommandLineExit.FAILED;
        try (ClientJars _ = opened()) {
            code = serve();
        } finally {
            ended.complete(code);
        }
        return code;
    }

    private ClientJars opened() {
        try {
            return lib.openFor(file);
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private int serve() {
        PrintWriter err = CommandLineExit.err(spec);
        FlowFile flowFile;
        try {
            flowFile = FlowFile.read(file);
        } catch (BadConfig bad) {
            bad.lines().forEach(err::println);
            return CommandLineExit.BAD_CONFIGURATION;
        }
        flowFile.warnings().forEach(logFormat == LogSetup.Format.JSON ? LOG::warn : err::println);
        try (Gateway gateway = Gateway.start(flowFile.config())) {
            Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndHalt, "penstock-stop"));
            tellWhatRuns(gateway);
            awaitStop();
            return drain(gateway, flowFile.config());
        } catch (IOException failed) {
            err.println("penstock: " + failed.getMessage());
            return CommandLineExit.FAILED;
        }
    }

    private void tellWhatRuns(Gateway gateway) {
        gateway.flows().forEach(flow -> say(flow.name() + ": " + flow.from() + " -> " + flow.to()));
        URI admin = gateway.adminAddress();
        say(
                admin == null
                        ? "admin: none; add admin: { port: 9090 } for a page, health and metrics"
                        : "admin: " + admin);
        say("serving; SIGTERM or Ctrl-C drains and ends");
    }

    private void awaitStop() {
        try {
            stop.await();
        } catch (InterruptedException stopped) {
            // Whoever interrupts this thread wants the end that a signal brings; the drain needs the thread
            // uninterrupted.
            LOG.debug("interrupted, which ends it");
        }
    }

    private int drain(Gateway gateway, GatewayConfig config) {
        say("draining, up to " + Durations.words(config.drain().value()));
        Map<String, Accounting> accounts = gateway.drain();
        accounts.forEach((flow, account) -> say(flow + ": " + account.sentence() + "; " + verdict(account)));
        gateway.flows().forEach(this::tellWhatWasLost);
        boolean settled = accounts.values().stream().allMatch(Accounting::isSettled);
        return settled ? CommandLineExit.DONE : CommandLineExit.FAILED;
    }

    /** On a line of its own, for what was lost before it was received is no transaction. */
    private void tellWhatWasLost(WatchedFlow flow) {
        Map<String, Long> lost = flow.lost();
        if (!lost.isEmpty()) {
            String places = lost.entrySet().stream()
                    .filter(place -> place.getValue() > 0)
                    .map(place -> place.getKey() + " " + place.getValue())
                    .collect(Collectors.joining(", "));
            say(flow.name() + ": datagrams received " + flow.datagrams().getOrDefault("received", 0L) + ", lost: "
                    + (places.isEmpty() ? "none" : places));
        }
    }

    private static String verdict(Accounting account) {
        if (!account.holds()) {
            return "the law is BROKEN";
        }
        return account.inFlight() == 0 ? "the law holds" : account.inFlight() + " have NO ENDING";
    }

    private void say(String line) {
        Consumer<String> where = logFormat == LogSetup.Format.JSON ? LOG::info : CommandLineExit.out(spec)::println;
        where.accept(line);
    }

    private void stopAndHalt() {
        stop.countDown();
        int code = ended.join();
        CommandLineExit.out(spec).flush();
        CommandLineExit.err(spec).flush();
        Runtime.getRuntime().halt(code);
    }
}
