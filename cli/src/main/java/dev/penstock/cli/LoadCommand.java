package dev.penstock.cli;

import dev.penstock.cli.OptionConverters.ConditionConverter;
import dev.penstock.cli.OptionConverters.RequestConverter;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.jms.JmsTargetBuilder;
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
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock load}: loads an HTTP or UDP target, a database or a queue, and reports the results. */
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
            "Datagrams are numbered, and answers have the same number; --rate and --burst do not wait for them.",
            "",
            "Example:  penstock load http://127.0.0.1:8080/v1/payments --rate 200 --for 30s --fail-if 'p99>2s'",
            "          penstock load http://127.0.0.1:8080/v1/payments --rate 200 --spike 2000@10s/2s --poisson",
            "          penstock load http://127.0.0.1:8080 --rate 200 --request 'browse 8 GET /items' \\",
            "                        --request 'pay 2 POST /v1/payments'",
            "          penstock load 'jdbc:postgresql://localhost/test?user=me' --statement 'select 1' --users 10",
            "          penstock load jms:tcp://127.0.0.1:61616 --queue payments --rate 200",
            "          penstock load udp://127.0.0.1:9000 --burst 10000 --every 1s --find penstock --with turbine"
        })
public final class LoadCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "TARGET",
            arity = "0..1",
            description =
                    "The target, for instance http://127.0.0.1:8080/v1/payments, jdbc:postgresql://localhost/test,"
                            + " jms:tcp://127.0.0.1:61616, jms:amqp://127.0.0.1:5672 or udp://127.0.0.1:9000.")
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
            converter = RequestConverter.class,
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
            converter = ConditionConverter.class,
            description =
                    "Exit with 1 if the condition is met, for instance p99>250ms, errors>0, errors>0.1%%, tps<190. Repeatable.")
    private List<Condition> failIf = List.of();

    @Mixin
    private LibOption lib = new LibOption();

    @Mixin
    private MeasuringOptions measuring = new MeasuringOptions();

    @Spec
    private CommandSpec spec;

    /** For picocli. */
    public LoadCommand() {}

    @Override
    public Integer call() throws Exception {
        measuring.check(spec.commandLine());
        return StopSignal.guard(spec.commandLine().getErr(), starts.calibrates() ? this::calibrate : this::load);
    }

    private int calibrate() throws InterruptedException {
        for (String other : List.of("--json", "--markdown", "--html")) {
            refuse(given(other), other + " writes the results of a load: remove it with --calibrate");
        }
        refuse(!target.isEmpty(), "--calibrate does not load a target: remove " + withoutQuery());
        return CalibrateRun.run(
                starts.time(Calibration.EACH), spec.commandLine().getOut());
    }

    private boolean given(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    private void refuse(boolean wrong, String why) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), why);
        }
    }

    private int load() throws IOException, InterruptedException {
        refuse(target.isEmpty(), "TARGET is missing: add for instance http://127.0.0.1:8080/v1/payments");
        if (target.startsWith(HostAndPort.UDP)) {
            UdpLoad.OF_OTHERS.forEach(
                    other -> refuse(given(other), other + " does not apply to a udp target: remove it"));
            if (!starts.hasUsers()) {
                return report(datagrams());
            }
        }
        Load<?> load;
        LoadTarget<?, ?> loadTarget;
        ClientJars jars = opened();
        try {
            load = starts.load(measuring.seed());
            load.stoppable();
            if (!requests.isEmpty()) {
                load.labelled(LabelledRequest.mix(requests, measuring.seed()));
            }
            pids.forEach(pid -> load.watchProcess("process " + pid, pid));
            loadTarget = loadTarget();
        } catch (IllegalArgumentException e) {
            jars.close();
            throw wrong(e);
        }
        try (jars;
                loadTarget) {
            if (isHttp()) {
                Rehearsal.once(calls());
            }
            return report(LoadOutcome.of(load, run(load, loadTarget), loadTarget));
        }
    }

    private ClientJars opened() {
        refuse(
                lib.isGiven() && !target.startsWith(LoadTarget.JDBC) && !target.startsWith(LoadTarget.JMS),
                "--lib is for a jdbc or jms target: remove it");
        try {
            return lib.open();
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    private LoadOutcome datagrams() throws IOException, InterruptedException {
        try (LiveLine live = measuring.live()) {
            return UdpLoad.run(starts.datagrams(), datagrams, target, live);
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    private LoadTarget<?, ?> loadTarget() {
        boolean isJdbc = target.startsWith(LoadTarget.JDBC);
        boolean isJms = target.startsWith(LoadTarget.JMS);
        refuse(!isJdbc && statement != null, "--statement is for a jdbc target: remove it, or load jdbc:...");
        if (target.startsWith(HostAndPort.UDP)) {
            return LoadTarget.ofUdp(HostAndPort.ofUdp(target), datagrams);
        }
        DatagramOptions.NAMES.forEach(
                name -> refuse(given(name), name + " is for a udp target: remove it, or load udp://..."));
        refuse(!isJms && queue != null, "--queue is for a jms target: remove it, or load jms:...");
        if (isJdbc) {
            refuseAll(
                    List.of("--method", "--body", "--header", "--request"), "use --statement for the statement to run");
            return LoadTarget.ofJdbc(
                    target,
                    required(statement, "--statement: add for instance --statement 'select 1'"),
                    measuring.seed(),
                    0);
        }
        if (isJms) {
            refuseAll(List.of("--method", "--header", "--request"), "use --body for the text to send");
            return LoadTarget.ofJms(
                    target,
                    required(queue, "--queue: add for instance --queue payments"),
                    CallMaker.messages(body, measuring.seed()),
                    JmsTargetBuilder.SESSIONS);
        }
        LongFunction<HttpCall> calls = calls();
        return LoadTarget.ofHttp(
                HttpTarget.at(target).poolMax(starts.poolSize()).build(), calls, Math.max(1, requests.size()));
    }

    private boolean isHttp() {
        return !target.startsWith(HostAndPort.UDP)
                && !target.startsWith(LoadTarget.JDBC)
                && !target.startsWith(LoadTarget.JMS);
    }

    private LongFunction<HttpCall> calls() {
        if (requests.isEmpty()) {
            return CallMaker.of(method, CallMaker.ROOT, body, headers, measuring.seed());
        }
        refuse(method != null || body != null, "--method and --body do not apply to --request: write them in it");
        refuse(target.contains("?"), "the query of the target does not apply to --request: write it in its PATH");
        return LabelledRequest.calls(requests, headers, measuring.seed());
    }

    private void refuseAll(List<String> others, String instead) {
        for (String other : others) {
            refuse(given(other), other + " is for an http target: " + instead);
        }
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
                    Duration.ofSeconds(1),
                    progress -> live.show(progress.elapsed().toNanos(), LoadProgress.line(progress)));
            return loadTarget.run(load);
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    private int report(LoadOutcome load) throws IOException {
        LoadResult result = load.load();
        ResultTable table = new ResultTable()
                .add("load", result)
                .labels(load.labels(), load.metrics())
                .answers(load.answers());
        load.notes().forEach(note -> table.note("load: " + note));
        PrintWriter out = spec.commandLine().getOut();
        out.print(table.text());
        boolean failed = !result.validity().valid();
        for (Condition condition : failIf) {
            if (condition.isMetBy(result)) {
                out.println(
                        "failed: " + condition.text() + (condition.isKnownBy(result) ? "" : ": it cannot be known"));
                failed = true;
            }
        }
        out.flush();
        measuring.write(() -> file(load), table);
        return failed ? 1 : 0;
    }

    private ResultFile file(LoadOutcome load) {
        return ResultFile.ofLoad(
                        "load",
                        Penstock.version(),
                        Penstock.commandLine(spec, target),
                        measuring.seed(),
                        withoutQuery(),
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

    private String withoutQuery() {
        return LoadTarget.withoutSecrets(target);
    }

    private ParameterException wrong(IllegalArgumentException e) {
        return new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
}
