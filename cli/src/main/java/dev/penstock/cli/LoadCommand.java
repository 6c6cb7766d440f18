package dev.penstock.cli;

import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.jms.JmsTargetBuilder;
import dev.penstock.lab.datagram.DatagramLoad;
import dev.penstock.lab.datagram.DatagramPort;
import dev.penstock.lab.load.Calibration;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.Condition;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.lab.report.LoadProgress;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.report.ResultTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock load}: loads an HTTP or UDP target, a database, a queue or a topic, and reports the results. */
@Command(
        name = "load",
        description = "Loads a target and reports how its transactions ended and how long they took.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Latency is measured from the intended start. Without --body each transaction is a random",
            "payment of about 2 KB with an Idempotency-Key. An answer is right when its status is 2xx.",
            "A Penstock gateway reports the ending of each transaction, which is counted as reported.",
            "",
            "In a --statement or --body, :n is the number of the transaction and :id a random UUID.",
            "Messages to a queue are persistent text; a random payment has its id in the property payment.",
            "All in-sync replicas of Kafka acknowledge a record; the id of a random payment is its key.",
            "Datagrams are numbered, and answers have the same number; --rate and --burst do not wait for them.",
            "",
            "Example:  penstock load http://127.0.0.1:8080/v1/payments --rate 200 --for 30s --fail-if 'p99>2s'",
            "          penstock load http://127.0.0.1:8080/v1/payments --rate 200 --spike 2000@10s/2s --poisson",
            "          penstock load http://127.0.0.1:8080 --rate 200 --request 'browse 8 GET /items' \\",
            "                        --request 'pay 2 POST /v1/payments'",
            "          penstock load 'jdbc:postgresql://localhost/test?user=me' --statement 'select 1' --users 10",
            "          penstock load jms:tcp://127.0.0.1:61616 --queue payments --rate 200",
            "          penstock load kafka:127.0.0.1:9092 --topic payments --rate 200",
            "          penstock load udp://127.0.0.1:9000 --burst 10000 --every 1s --find penstock --with turbine"
        })
final class LoadCommand extends Subcommand {
    private static final Duration WATCH_INTERVAL = Duration.ofSeconds(1);

    /** The options of loads that do not apply to datagrams. */
    private static final List<String> NOT_OF_DATAGRAMS = List.of("--warm-up", "--spike", "--poisson", "--pid");

    @Parameters(
            paramLabel = "TARGET",
            arity = "0..1",
            description =
                    "The target, for instance http://127.0.0.1:8080/v1/payments, jdbc:postgresql://localhost/test,"
                            + " jms:tcp://127.0.0.1:61616, jms:amqp://127.0.0.1:5672, kafka:127.0.0.1:9092 or"
                            + " udp://127.0.0.1:9000.")
    private String target = "";

    @Mixin
    private StartOptions starts = new StartOptions();

    @Option(
            names = "--method",
            paramLabel = "M",
            description = "The HTTP method. Default: POST; GET for an empty body.")
    private @Nullable String method;

    @Option(
            names = "--body",
            paramLabel = "TEXT",
            description = "The request body, or @FILE for the content of a file; with :n and :id as in a statement.")
    private @Nullable String body;

    @Option(names = "--header", paramLabel = "LINE", description = "Send this header, NAME: VALUE. Repeatable.")
    private List<String> headers = List.of();

    @Option(
            names = "--request",
            paramLabel = "REQUEST",
            description =
                    "One of several requests, LABEL WEIGHT METHOD PATH [BODY], for instance 'browse 8 GET /items'."
                            + " PATH is appended to TARGET, BODY is as in --body. Each is sent at random by its weight, and each"
                            + " label has its own figures. Repeatable.")
    private List<LabelledRequest> requests = List.of();

    @Option(
            names = "--statement",
            paramLabel = "SQL",
            description = "The statement for a jdbc target, each in its own transaction.")
    private @Nullable String statement;

    @Option(names = "--queue", paramLabel = "NAME", description = "The queue of a jms target.")
    private @Nullable String queue;

    @Option(names = "--topic", paramLabel = "NAME", description = "The topic of a kafka target.")
    private @Nullable String topic;

    @Mixin
    private DatagramOptions datagrams = new DatagramOptions();

    @Option(
            names = "--pid",
            paramLabel = "PID",
            description = "Also measure CPU and memory of this process, for instance the target. Repeatable.")
    private List<Long> pids = List.of();

    @Option(
            names = "--note",
            paramLabel = "TEXT",
            description = "Keep this text in the result file, for instance what was varied: 'threads=20 heap=2g'.")
    private @Nullable String note;

    @Option(
            names = "--fail-if",
            paramLabel = "CONDITION",
            description =
                    "Exit with 1 if the condition is met, for instance p99>250ms, errors>0, errors>0.1%%, tps<190. Repeatable.")
    private List<Condition> failIf = List.of();

    @Mixin
    private LibOption lib = new LibOption();

    @Mixin
    private MeasuringOptions measuring = new MeasuringOptions();

    @Override
    public Integer call() throws Exception {
        measuring.check();
        return StopSignal.guard(this, starts.calibrates() ? this::calibrate : this::load);
    }

    private int calibrate() throws InterruptedException {
        for (String other : List.of("--json", "--markdown", "--html")) {
            refuse(isGiven(other), other + " writes the results of a load: remove it with --calibrate");
        }
        refuse(!target.isEmpty(), "--calibrate does not load a target: remove " + LoadTarget.withoutSecrets(target));
        return CalibrateRun.run(starts.time(Calibration.EACH), out());
    }

    private static void refuse(boolean wrong, String why) {
        if (wrong) {
            throw new IllegalArgumentException(why);
        }
    }

    private int load() throws IOException, InterruptedException {
        refuse(target.isEmpty(), "TARGET is missing: add for instance http://127.0.0.1:8080/v1/payments");
        TargetKind kind = TargetKind.of(target);
        kind.check(spec.commandLine().getParseResult());
        if (kind == TargetKind.UDP) {
            NOT_OF_DATAGRAMS.forEach(
                    other -> refuse(isGiven(other), other + " does not apply to a udp target: remove it"));
            if (!starts.hasUsers()) {
                return report(datagrams());
            }
        }
        try (ClientJars _ = lib.open()) {
            Load<?> load = starts.load(measuring.seed());
            load.stoppable();
            if (!requests.isEmpty()) {
                load.labelled(LabelledRequest.mix(requests, measuring.seed()));
            }
            pids.forEach(pid -> load.watchProcess("process " + pid, pid));
            try (LoadTarget<?, ?> loadTarget = loadTarget(kind)) {
                if (kind == TargetKind.HTTP) {
                    Rehearsal.once(calls());
                }
                return report(LoadOutcome.of(load, run(load, loadTarget), loadTarget));
            }
        }
    }

    /** A load that does not consist of calls, because one thread sends and receives all datagrams. */
    private LoadOutcome datagrams() throws IOException, InterruptedException {
        DatagramLoad load = starts.datagrams();
        try (LiveLine live = measuring.live();
                DatagramPort port = datagrams.open(HostAndPort.ofUdp(target))) {
            load.stoppable()
                    .watch(
                            WATCH_INTERVAL,
                            progress -> live.show(progress.elapsed().toNanos(), LoadProgress.line(progress)));
            return LoadOutcome.of(load.run(port));
        }
    }

    private LoadTarget<?, ?> loadTarget(TargetKind kind) {
        return switch (kind) {
            case HTTP -> {
                LongFunction<HttpCall> calls = calls();
                yield LoadTarget.ofHttp(
                        HttpTarget.at(target).poolMax(starts.poolSize()).build(), calls, Math.max(1, requests.size()));
            }
            case JDBC ->
                LoadTarget.ofJdbc(
                        target,
                        required(statement, "--statement: add for instance --statement 'select 1'"),
                        measuring.seed());
            case JMS ->
                LoadTarget.ofJms(
                        target,
                        required(queue, "--queue: add for instance --queue payments"),
                        CallMaker.messages(body, measuring.seed()),
                        JmsTargetBuilder.SESSIONS);
            case KAFKA ->
                LoadTarget.ofKafka(
                        target,
                        required(topic, "--topic: add for instance --topic payments"),
                        CallMaker.records(body, measuring.seed()));
            case TCP -> throw new IllegalArgumentException("a tcp target can be probed, but not loaded");
            case UDP -> LoadTarget.ofUdp(HostAndPort.ofUdp(target), datagrams);
        };
    }

    private LongFunction<HttpCall> calls() {
        if (requests.isEmpty()) {
            return CallMaker.of(method, CallMaker.ROOT, body, headers, measuring.seed());
        }
        refuse(method != null || body != null, "--method and --body do not apply to --request: write them in it");
        refuse(target.contains("?"), "the query of the target does not apply to --request: write it in its PATH");
        return LabelledRequest.calls(requests, headers, measuring.seed());
    }

    private static String required(@Nullable String value, String what) {
        if (value == null) {
            throw new IllegalArgumentException("missing " + what);
        }
        return value;
    }

    private LoadResult run(Load<?> load, LoadTarget<?, ?> loadTarget) throws InterruptedException {
        try (LiveLine live = measuring.live()) {
            load.watch(
                    WATCH_INTERVAL, progress -> live.show(progress.elapsed().toNanos(), LoadProgress.line(progress)));
            return loadTarget.run(load);
        }
    }

    private int report(LoadOutcome load) throws IOException {
        LoadResult result = load.load();
        ResultTable table = new ResultTable()
                .add("load", result)
                .labels(load.labels(), load.metrics())
                .answers(load.answers());
        load.notes().forEach(note -> table.note("load: " + note));
        PrintWriter out = out();
        out.print(table.text());
        boolean failed = !result.validity().valid();
        for (Condition condition : failIf) {
            if (condition.isMetBy(result)) {
                out.println(
                        "failed: " + condition.text() + (condition.isKnownBy(result) ? "" : ": it cannot be known"));
                failed = true;
            }
        }
        measuring.write(() -> file(load), table.markdown());
        return failed ? 1 : 0;
    }

    private ResultFile file(LoadOutcome load) {
        return ResultFile.ofLoad(
                        "load",
                        Penstock.version(),
                        Penstock.commandLine(spec, target),
                        measuring.seed(),
                        LoadTarget.withoutSecrets(target),
                        settings(load.load()),
                        load.load(),
                        load.metrics())
                .answered(load.answers())
                .labelled(load.labels());
    }

    private Map<String, String> settings(LoadResult result) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("load", result.load());
        settings.put("max_in_flight", String.valueOf(starts.poolSize()));
        if (note != null) {
            settings.put("note", note);
        }
        pids.forEach(pid -> JvmFlags.of(pid).ifPresent(flags -> settings.put("jvm flags of process " + pid, flags)));
        return settings;
    }
}
