package dev.penstock.cli;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.load.OpenLoad;
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
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock load}: loads an HTTP target and reports what came of it. */
@Command(
        name = "load",
        description = "Loads a target and reports how its transactions ended and how long they took.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Times count from when a transaction was due. Without --body each transaction is a random",
            "payment of about 2 KB with an Idempotency-Key. An answer is right when its status is 2xx.",
            "",
            "Example:  penstock load http://127.0.0.1:8080/v1/payments --rate 200 --for 30s --fail-if 'p99>2s'"
        })
public final class LoadCommand implements Callable<Integer> {
    /** How transactions start: by a rate or by users. */
    static final class Kind {
        @Option(names = "--rate", paramLabel = "N", description = "Start N transactions a second (open load).")
        @Nullable
        Double rate;

        @Option(names = "--users", paramLabel = "N", description = "N users, each waits for its answer (closed load).")
        @Nullable
        Integer users;
    }

    @Parameters(paramLabel = "TARGET", description = "What to load, for instance http://127.0.0.1:8080/v1/payments.")
    private String target = "";

    @ArgGroup(multiplicity = "1")
    private Kind kind = new Kind();

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description = "How long to start transactions. Default: ${DEFAULT-VALUE}.")
    private Duration lasting = Duration.ZERO;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "0s",
            description = "Of this time, leave the first part out of the results. Default: none.")
    private Duration warmUp = Duration.ZERO;

    @Option(names = "--poisson", description = "Start at random times, as independent callers do (with --rate).")
    private boolean poisson;

    @Option(
            names = "--think",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "0s",
            description = "How long a user waits before its next transaction (with --users). Default: not at all.")
    private Duration think = Duration.ZERO;

    @Option(
            names = "--max-in-flight",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Shed what is due beyond N in flight (with --rate). Default: ${DEFAULT-VALUE}.")
    private int maxInFlight;

    @Option(
            names = "--method",
            paramLabel = "M",
            description = "The HTTP method. Default: POST; GET for an empty body.")
    private @Nullable String method;

    @Option(names = "--body", paramLabel = "TEXT", description = "Send this text each time, or @FILE for a file.")
    private @Nullable String body;

    @Option(names = "--header", paramLabel = "LINE", description = "Send this header too, NAME: VALUE. Repeatable.")
    private List<String> headers = List.of();

    @Option(
            names = "--fail-if",
            paramLabel = "CONDITION",
            converter = ConditionConverter.class,
            description = "End with 1 if so, for instance p99>250ms, errors>0, errors>0.1%%, tps<190. Repeatable.")
    private List<Condition> failIf = List.of();

    @Mixin
    private MeasuringOptions measuring = new MeasuringOptions();

    @Spec
    private CommandSpec spec;

    /** A command without arguments yet; picocli fills them in. */
    public LoadCommand() {}

    @Override
    public Integer call() throws Exception {
        measuring.check(spec.commandLine());
        return StopSignal.guard(spec.commandLine().getErr(), this::load);
    }

    private int load() throws IOException, InterruptedException {
        Load<?> load;
        LongFunction<HttpCall> calls;
        HttpTarget http;
        try {
            load = kindOfLoad().lasting(lasting).warmUp(warmUp);
            calls = CallMaker.of(method, body, headers, measuring.seed());
            http = HttpTarget.at(target).poolMax(mostConnections()).build();
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
        try (http) {
            return report(run(load, http, calls));
        }
    }

    private Load<?> kindOfLoad() {
        Integer users = kind.users;
        if (users != null) {
            return ClosedLoad.of(users, think);
        }
        double rate = kind.rate == null ? 0 : kind.rate;
        Arrivals arrivals = poisson ? Arrivals.poisson(rate, measuring.seed()) : Arrivals.constant(rate);
        return OpenLoad.at(arrivals).maxInFlight(maxInFlight);
    }

    /** As many as can be in flight, so that the generator's own pool never makes a transaction wait. */
    private int mostConnections() {
        return Math.clamp(kind.users == null ? maxInFlight : kind.users, 1, 100_000);
    }

    private LoadResult run(Load<?> load, HttpTarget http, LongFunction<HttpCall> calls) throws InterruptedException {
        try (LiveLine live = measuring.live()) {
            load.watch(
                    Duration.ofSeconds(1),
                    progress -> live.show(progress.elapsed().toNanos(), LoadProgress.line(progress)));
            return load.run(http, calls, LoadCommand::isRight);
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
    }

    private static boolean isRight(HttpAnswer answer) {
        return answer.status() >= 200 && answer.status() < 300;
    }

    private int report(LoadResult result) throws IOException {
        ResultTable table = new ResultTable().add("load", result);
        PrintWriter out = spec.commandLine().getOut();
        out.print(table.text());
        boolean failed = !result.validity().valid();
        for (Condition condition : failIf) {
            if (condition.isMetBy(result)) {
                out.println("failed: " + condition.text());
                failed = true;
            }
        }
        out.flush();
        measuring.write(() -> file(result), table);
        return failed ? 1 : 0;
    }

    private ResultFile file(LoadResult result) {
        return ResultFile.ofLoad(
                Penstock.version(), commandLine(), measuring.seed(), withoutQuery(), settings(result), result);
    }

    private Map<String, String> settings(LoadResult result) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("load", result.load());
        settings.put("max_in_flight", String.valueOf(maxInFlight));
        return settings;
    }

    /** The command as it was given, but for what may be secret: the values of headers, and queries. */
    private String commandLine() {
        String program = spec.parent() == null ? "penstock load " : "penstock ";
        String line =
                program + String.join(" ", spec.commandLine().getParseResult().originalArgs());
        for (String header : headers) {
            line = line.replace(header, header.substring(0, header.indexOf(':') + 1) + " ***");
        }
        return line.replace(target, withoutQuery());
    }

    private String withoutQuery() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query) + "?***";
    }

    private ParameterException wrong(IllegalArgumentException e) {
        return new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
}
