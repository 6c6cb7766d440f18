package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.source.HttpSource;
import dev.penstock.jms.broker.EmbeddedBroker;
import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.report.AnswerCount;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.SimulatorReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loads a real simulator for a fraction of a second. Whether the run is valid depends on the machine, so is not asserted. */
@Timeout(120)
class LoadCommandRealClockTest {
    @TempDir
    private Path folder;

    @Test
    void loadsATargetAtARateWithDistinctPayments() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Path json = folder.resolve("load.json");
            Path markdown = folder.resolve("load.md");
            Ran ran = load(
                    simulator,
                    "--rate",
                    "200",
                    "--for",
                    "500ms",
                    "--json",
                    json.toString(),
                    "--markdown",
                    "" + markdown);

            assertThat(ran.err()).isEmpty();
            assertThat(ran.out()).contains("TPS").contains("open load, 200/s evenly spaced for 500 ms");
            SimulatorReport.Ids ids = simulator.report().ids();
            assertThat(ids.unique()).isEqualTo(100);
            assertThat(ids.duplicates()).isZero();
            ResultFile file = ResultFile.read(json);
            assertThat(file.contestants().getFirst().blocks().getFirst())
                    .containsEntry("count", 100.0)
                    .containsEntry("errors", 0.0);
            assertThat(file.command())
                    .startsWith("penstock load http://127.0.0.1:")
                    .contains("--rate 200");
            assertThat(file.valid()).isEqualTo(ran.code() == 0);
            assertThat(Files.readString(markdown)).startsWith("|  | count |");
        }
    }

    @Test
    void usersSendWhatTheyAreGiven() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Ran ran = load(
                    simulator,
                    "--users",
                    "3",
                    "--think",
                    "10ms",
                    "--for",
                    "100ms",
                    "--body",
                    "hello",
                    "--header",
                    "X-A: b");

            assertThat(ran.out()).contains("closed load, 3 users thinking 10 ms");
            assertThat(simulator.report().ids().without()).isPositive();
            assertThat(simulator.report().requests().malformed()).isZero();
        }
    }

    @Test
    void keepsSecretsOutOfTheResultFile() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Path json = folder.resolve("load.json");
            Ran.run(
                    new LoadCommand(),
                    simulator.url() + "/pay?token=hush1",
                    "--quiet",
                    "--users=1",
                    "--for=50ms",
                    "--header=Authorization: hush2",
                    "--json=" + json);

            assertThat(Files.readString(json))
                    .doesNotContain("hush")
                    .contains("/pay?***")
                    .contains("--header=Authorization: ***");
        }
    }

    @Test
    void exitsWith1WhenAConditionIsMet() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().errors(1, 500).start()) {
            Ran ran =
                    load(simulator, "--rate", "100", "--for", "200ms", "--fail-if", "errors>0", "--fail-if", "lost>0");

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.out()).contains("failed: errors>0\n").doesNotContain("failed: lost>0");
            assertThat(ran.out()).contains("load: answered (wrong) 20");
        }
    }

    @Test
    void countsTheStatusCodesOfAServer() throws IOException {
        Path json = folder.resolve("load.json");
        try (HttpSimulator simulator = HttpSimulator.builder().errors(1, 500).start()) {
            Ran ran = load(simulator, "--rate", "100", "--for", "200ms", "--json", json.toString());

            assertThat(ran.out()).contains("status  answers\n500          20\n");
            assertThat(ResultFile.read(json).contestants().getFirst().answers())
                    .containsExactly(new AnswerCount(500, null, null, 20));
        }
    }

    @Test
    void rejectionByAGatewayCountsAsRejected() throws Exception {
        Path json = folder.resolve("load.json");
        Service<HttpCall, HttpAnswer> target = call -> switch (call.path()) {
            case "/full" -> throw new Rejected(Rejected.Cause.LIMIT, "all permits are out");
            case "/late" -> throw new Unknown(Unknown.Cause.TIMEOUT, "no answer came in time");
            default -> HttpAnswer.of(200, "done");
        };
        try (HttpSource gateway =
                HttpSource.on(0).route("/", "payments", target).build()) {
            gateway.start();
            String url = "http://127.0.0.1:" + gateway.port();

            Ran full = loadFile(url + "/full", json);
            assertThat(full.out())
                    .contains("status            ending  answers\n503     rejected (limit)       20\n")
                    .contains("load: rejected (limit) 20");
            Contestant rejected = ResultFile.read(json).contestants().getFirst();
            assertThat(rejected.blocks().getFirst())
                    .containsEntry("rejected", 20.0)
                    .containsEntry("wrong", 0.0);
            assertThat(rejected.answers()).containsExactly(new AnswerCount(503, "rejected", "limit", 20));

            loadFile(url + "/late", json);
            assertThat(ResultFile.read(json).contestants().getFirst().answers())
                    .containsExactly(new AnswerCount(504, "unknown", "timeout", 20));
            loadFile(url + "/fine", json);
            assertThat(ResultFile.read(json).contestants().getFirst().answers())
                    .containsExactly(new AnswerCount(200, "answered", null, 20));
        }
    }

    private static Ran loadFile(String url, Path json) {
        return Ran.run(new LoadCommand(), url, "--quiet", "--rate=100", "--for=200ms", "--json=" + json);
    }

    @Test
    void nothingListensSoNoPercentileIsKnown() {
        Ran ran = Ran.run(
                new LoadCommand(), "http://127.0.0.1:1", "--quiet", "--rate=400", "--for=1s", "--fail-if=p99>10m");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .contains("failed: p99>10m: it cannot be known\n")
                .contains("load: times are of right answers (0); failures (400) have a row of their own");
    }

    @Test
    void aLoadStoppedEarlyPrintsWhatItHas() throws Exception {
        Thread command = Thread.currentThread();
        Path json = folder.resolve("load.json");
        AtomicInteger received = new AtomicInteger();
        Service<HttpCall, HttpAnswer> stops = call -> {
            if (received.incrementAndGet() == 20) {
                command.interrupt();
            }
            return HttpAnswer.of(200, "ok");
        };
        try (HttpSource server = HttpSource.on(0).route("/", "payments", stops).build()) {
            server.start();
            Ran ran = Ran.run(
                    new LoadCommand(),
                    "http://127.0.0.1:" + server.port(),
                    "--quiet",
                    "--rate=200",
                    "--for=10m",
                    "--json=" + json);

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.out())
                    .contains("load: INVALID, it was stopped after ")
                    .contains("\n200     answered");
            assertThat(ResultFile.read(json).valid()).isFalse();
        }
    }

    @Test
    void rateMayHaveAShape() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Ran ramp = load(simulator, "--rate", "0..400", "--for", "400ms");
            assertThat(ramp.out())
                    .contains("load: open load, ramp from 0/s to 400/s in 400 ms, evenly spaced for 400 ms");
            assertThat(simulator.report().ids().unique()).isEqualTo(80);
        }
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Ran steps = load(
                    simulator, "--rate", "100,0,200", "--for", "600ms", "--spike", "1000@500ms/100ms", "--poisson");
            assertThat(steps.out())
                    .contains(
                            "load: open load, steps of 200 ms: 100/s, 0/s, 200/s with 1000/s from 500 ms on for 100 ms,"
                                    + " Poisson arrivals for 600 ms");
            assertThat(simulator.report().ids().unique()).isBetween(70L, 220L); // 140 on average
        }
    }

    @Test
    void measuresAnotherProcessBesideIt() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Path json = folder.resolve("load.json");
            long pid = ProcessHandle.current().pid();
            Ran ran = load(simulator, "--rate", "200", "--for", "500ms", "--pid", "" + pid, "--json", "" + json);

            assertThat(ran.out())
                    .containsPattern("load: process " + pid + " used CPU [0-9.]+ s \\(\\d+ us per transaction\\)");
            assertThat(ResultFile.read(json).contestants().getFirst().metrics()).containsKey("child_cpu_us_per_tx");
        }
    }

    @Test
    void resultFileContainsSlicesCurveAndTimeLine() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Path json = folder.resolve("load.json");
            load(simulator, "--rate", "200", "--for", "1s", "--warm-up", "200ms", "--json", "" + json);
            Contestant loaded = ResultFile.read(json).contestants().getFirst();

            assertThat(loaded.slices()).hasSize(10);
            assertThat(loaded.percentiles()).containsKeys("50.0", "95.0");
            TimeLine line = Objects.requireNonNull(loaded.timeLine());
            assertThat(line.warmUpSeconds()).isEqualTo(0.2);
            assertThat(line.series()).containsKeys("rate", "tps", "max_ms", "cpu_percent");
        }
    }

    @Test
    void unsustainableRateIsInvalidWithExitCode1() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder()
                .delay(new Delay.Constant(Duration.ofSeconds(2)))
                .start()) {
            Ran ran = load(simulator, "--rate", "1000", "--for", "300ms", "--max-in-flight", "2");

            assertThat(ran.code()).isEqualTo(1);
            assertThat(ran.out())
                    .contains("load: the generator shed 298 transactions")
                    .contains("load: INVALID, the generator shed 298 of 300 transactions (99.33 %");
        }
    }

    @Test
    void calibratesTheGeneratorWithoutATarget() {
        Ran ran = Ran.run(new LoadCommand(), "--calibrate", "--for", "20ms");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out().lines().toList().getFirst()).isEqualTo("     rate  lag p99 ms     shed  valid");
        assertThat(ran.out().lines().toList().get(1)).matches(" +1,000 +[0-9.,]+ +\\d+  (yes|no)");
        assertThat(ran.out())
                .containsPattern("\nthe load generator is (accurate up to [0-9,]+/s|not accurate)[^\n]*\n$");
        assertThat(ran.code()).isEqualTo(ran.out().contains("not accurate") ? 1 : 0);
    }

    @Test
    void requiresATarget() {
        Ran ran = Ran.run(new LoadCommand(), "--rate", "10");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).isEqualTo("TARGET is missing: add for instance http://127.0.0.1:8080/v1/payments");
    }

    @Test
    void calibratingWritesNoFiles() {
        Ran ran = Ran.run(
                new LoadCommand(),
                "--calibrate",
                "--json",
                folder.resolve("x.json").toString());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).isEqualTo("--json writes the results of a load: remove it with --calibrate");
    }

    @Test
    void runsAStatementAtADatabase() throws Exception {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";PASSWORD=s3cr3t";
        Path json = folder.resolve("jdbc.json");
        try (var database = DriverManager.getConnection(url)) {
            database.createStatement().execute("create table t(id uuid primary key, n bigint unique)");
            Ran ran = Ran.run(
                    new LoadCommand(),
                    url,
                    "--statement",
                    "insert into t values (:id, :n)",
                    "--rate",
                    "100",
                    "--for",
                    "300ms",
                    "--json",
                    json.toString());

            assertThat(ran.err()).isEmpty();
            assertThat(ResultFile.read(json).contestants().getFirst().blocks().getFirst())
                    .containsEntry("count", 30.0)
                    .containsEntry("errors", 0.0);
            assertThat(Files.readString(json)).doesNotContain("s3cr3t");
            var rows = database.createStatement().executeQuery("select count(*) from t");
            rows.next();
            assertThat(rows.getInt(1)).isEqualTo(30);
        }
    }

    @Test
    void sendsToAQueue() throws Exception {
        Path json = folder.resolve("jms.json");
        try (var broker = EmbeddedBroker.on(folder.resolve("broker"), "127.0.0.1", 0)) {
            Ran ran = Ran.run(
                    new LoadCommand(),
                    "jms:" + broker.url(),
                    "--queue",
                    "payments",
                    "--rate",
                    "100",
                    "--for",
                    "300ms",
                    "--json",
                    json.toString());

            assertThat(ran.err()).isEmpty();
            assertThat(ResultFile.read(json).contestants().getFirst().blocks().getFirst())
                    .containsEntry("count", 30.0)
                    .containsEntry("errors", 0.0);
            assertThat(broker.count("payments")).isEqualTo(30);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "jms:tcp://127.0.0.1:1 | missing --queue",
                "jms:tcp://127.0.0.1:1 --queue q --header A:b | --header is for an http target",
                "jms:http://127.0.0.1:1 --queue q | it must begin with tcp://",
                "http://127.0.0.1:1 --queue q | --queue is for a jms target",
                "kafka:127.0.0.1:1 | missing --topic",
                "kafka:127.0.0.1 --topic t | bootstrap servers must be host:port",
                "kafka:127.0.0.1:1 --topic ? | a topic's name has 1 to 249 letters",
                "jms:tcp://127.0.0.1:1 --topic t | --topic is for a kafka target",
                "jdbc:h2:mem:x | missing --statement",
                "jdbc:h2:mem:x --statement select?1 | positional parameters (?) are not supported",
                "jdbc:h2:mem:x --statement values(:a) | --statement has unknown parameters [a]: use :n",
                "jdbc:h2:mem:x --body x --statement values(1) | --body is for an http or jms or kafka target",
                "jdbc:nothing:x --statement values(1) | no suitable JDBC driver for jdbc:nothing:x",
                "jdbc:nothing:x --statement values(1) --lib nowhere | cannot read the folder nowhere",
                "jms:class:acme.None --queue q | class not found: acme.None",
                "jms:class:java.lang.Object --queue q | is not a jakarta.jms.ConnectionFactory",
                "http://127.0.0.1:1 --lib . | --lib is for a jdbc or jms target",
                "http://127.0.0.1:1 --statement values(1) | --statement is for a jdbc target",
            })
    void optionThatDoesNotFitTheTargetIsWrongUsage(String args, String why) {
        Ran ran = Ran.run(new LoadCommand(), (args + " --rate 10").split(" "));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--for 1s | --rate=N",
                "--rate 10 --users 2 | mutually exclusive",
                "--rate 0 | a rate must be above 0",
                "--rate fast | \"fast\" is not a rate: write 200 for a constant rate, 100..1000 for a ramp",
                "--rate 100.. | is not a rate",
                "--rate 100,,200 | is not a rate",
                "--rate 0..0 | a rate must be above 0",
                "--rate 1..2000000 | at most 1000000",
                "--rate 10 --spike 100 | \"100\" is not a spike: write rate, start and duration",
                "--rate 10 --spike 100@1x/2s | 1x",
                "--rate 10 --spike 100@40s/2s | the spike \"100@40s/2s\" begins after the end of the load (30 s)",
                "--rate 10 --spike 100@1s/0s | must last longer than 0",
                "--users 10 --spike 100@1s/1s | --spike needs --rate",
                "--users 10 --poisson | --poisson needs --rate",
                "--rate 10 --pid 4194305 | no process has the id 4194305: use the id of a running process",
                "--calibrate | --calibrate does not load a target: remove http://127.0.0.1:1",
                "--calibrate --rate 10 | mutually exclusive",
                "--rate 10 --for 5x | 5x",
                "--rate 10 --for 1s --warm-up 2s | shorten it",
                "--rate 10 --fail-if speed>3 | is not a metric",
                "--rate 10 --body @/no/such/file | write an existing file",
                "--rate 10 --header nonsense | write NAME: VALUE",
                "--rate 10 --json /no/such/folder/x.json | its folder does not exist",
            })
    void wrongUsageExitsWith2AndPrintsReason(String args, String why) {
        Ran ran = Ran.run(new LoadCommand(), ("http://127.0.0.1:1 " + args).split(" "));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(why);
    }

    @Test
    void namesTheCommandOnceInTheResultFile() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Path json = folder.resolve("load.json");
            String[] args = {"load", simulator.url() + "/pay", "--quiet", "--users=1", "--for=50ms", "--json=" + json};
            PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
            Penstock.execute(nowhere, nowhere, args);

            assertThat(ResultFile.read(json).command()).startsWith("penstock load http://127.0.0.1:");
        }
    }

    @Test
    void stopPrintsOneLineAndExitsWith1() {
        Thread.currentThread().interrupt();
        Ran ran = Ran.run(new LoadCommand(), "--calibrate", "--for", "1s");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).startsWith("penstock: stopped before the end").hasLineCount(1);
    }

    @Test
    void invalidTargetUrlIsWrongUsage() {
        assertThat(Ran.run(new LoadCommand(), "gopher://x", "--rate", "1").code())
                .isEqualTo(2);
    }

    @Test
    void helpShowsAnExample() {
        Ran ran = Ran.run(new LoadCommand(), "--help");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("Example:  penstock load http://");
    }

    private static Ran load(HttpSimulator simulator, String... args) {
        String[] all = new String[args.length + 2];
        all[0] = simulator.url() + "/v1/payments";
        all[1] = "--quiet";
        System.arraycopy(args, 0, all, 2, args.length);
        return Ran.run(new LoadCommand(), all);
    }
}
