package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.probe.Found;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.lab.probe.Recommendation;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.HttpSimulator;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Probes real simulators for a moment. Asserts the output, but not the findings. */
@Timeout(120)
class ProbeCommandRealClockTest {
    private static final String STATEMENT = "insert -- all of it\n into entry (id, word) values (:id, '${x}')";

    @TempDir
    private Path folder;

    @Test
    void probesAndRecommendsForOthersToo() throws Exception {
        try (HttpSimulator server = HttpSimulator.builder()
                .delay(new Delay.Constant(Duration.ofMillis(10)))
                .start()) {
            Path json = folder.resolve("probe.json");
            Path html = folder.resolve("probe.html");
            String url = "http://127.0.0.1:" + server.port() + "/v1?token=secret";
            Ran ran = Ran.run(
                    new ProbeCommand(),
                    (url
                                    + " --for 5s --max-rate 300 --max-connections 12 --quiet --header"
                                    + " X-Key:hidden --method POST --body hidden --json " + json + " --html " + html)
                            .split(" "));

            assertThat(ran.err()).isEmpty();
            assertThat(ran.out())
                    .contains("round trip")
                    .contains("add to the flow file:")
                    .doesNotContain("secret");
            ResultFile file = ResultFile.read(json);
            // A busy machine starts calls late, which makes a probe invalid.
            assertThat(file.valid()).isEqualTo(ran.code() == CommandLineExit.DONE);
            assertThat(file.experiment()).isEqualTo("probe");
            assertThat(file.command()).contains("--max-rate 300").doesNotContain("secret", "hidden");
            assertThat(Files.readString(html)).contains("<html").doesNotContain("secret");
        }
    }

    @Test
    void reportsUnreachablePeerInOneLine() {
        Ran ran = Ran.run(new ProbeCommand(), "tcp://127.0.0.1:1", "--for", "1s", "--quiet");
        assertThat(ran.code()).isEqualTo(CommandLineExit.FAILED);
        assertThat(ran.err()).contains("tcp://127.0.0.1:1 ").doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:9/v1",
                "jdbc:postgresql://127.0.0.1/test",
                "jms:tcp://127.0.0.1:61616",
                "jms:amqp://127.0.0.1:5672",
            })
    void recommendationIsAFlowFile(String target) throws Exception {
        TargetKind kind = TargetKind.of(target);
        ProbeReport report = new ProbeReport(
                kind,
                target + "?token=secret",
                CommandLine.populateCommand(new PeerOptions(), "--statement", STATEMENT, "--queue", "probe"),
                false);
        for (Duration kill : new Duration[] {null, Duration.ofMillis(900), Duration.ofSeconds(350)}) {
            Recommendation recommended = new Recommendation(Found.at(target, kill), Objects.requireNonNull(kind.to()));
            Path file = Files.write(folder.resolve("flow.yaml"), report.yaml(recommended));
            assertThat(FlowFile.read(file).config().flows())
                    .as(Files.readString(file))
                    .hasSize(1);
            assertThat(Files.readString(file))
                    .contains("# add the omitted parts")
                    .doesNotContain("secret");
            if (kind == TargetKind.JDBC) {
                assertThat(Files.readString(file)).contains("-- all of it\\n", "'$${x}'");
            }
        }
    }

    @Test
    void givesNoAdviceWithoutSending() {
        assertThat(bare("tcp://127.0.0.1:9").recommended(Found.at("tcp://127.0.0.1:9", null)))
                .isNull();
        String broker = "jms:failover:(amqp://127.0.0.1:1,amqp://127.0.0.1:2)";
        assertThat(bare(broker).recommended(Found.at(broker, null))).isNull();
        assertThat(bare(broker).sentences(Found.at(broker, null)))
                .anyMatch(line -> line.contains("add --queue"))
                .anyMatch(line -> line.contains("use one address"));
    }

    @Test
    void anInvalidProbeSaysSoFirstAndExitsWithOne() throws Exception {
        Path json = folder.resolve("probe.json");
        StringWriter out = new StringWriter();
        CommandLine command = Penstock.parser(new ProbeCommand()).setOut(new PrintWriter(out));
        command.parseArgs("http://127.0.0.1:9/v1");
        MeasuringOptions measuring = new MeasuringOptions();
        Penstock.parser(measuring).parseArgs("--json", json.toString(), "--quiet");
        int code = bare("http://127.0.0.1:9/v1")
                .show(
                        Found.invalid("http://127.0.0.1:9/v1", "this machine started calls late"),
                        command.getCommandSpec(),
                        measuring);

        assertThat(code).isEqualTo(CommandLineExit.FAILED);
        assertThat(out.toString()).startsWith("INVALID: this machine started calls late\n");
        assertThat(ResultFile.read(json).valid()).isFalse();
        assertThat(ResultFile.read(json).whyInvalid()).isEqualTo("this machine started calls late");
    }

    private static ProbeReport bare(String target) {
        return new ProbeReport(TargetKind.of(target), target, new PeerOptions(), false);
    }

    @ParameterizedTest
    @CsvSource({
        "http://me:hush@peer/v1?x=1, http://***@peer/v1?***",
        "http://peer/a@b, http://peer/a@b",
        "jdbc:postgresql://me:hush@peer/x, jdbc:postgresql://***@peer/x",
        "jdbc:oracle:thin:me/hush@//peer:1/x, jdbc:oracle:thin:***@//peer:1/x",
        "jdbc:oracle:thin:@peer:1:x, jdbc:oracle:thin:@peer:1:x",
    })
    void showsNoSecrets(String url, String shown) {
        assertThat(LoadTarget.withoutSecrets(url)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '%',
            value = {
                "ftp://127.0.0.1:9 % is not a target: use http(s)://",
                "http://127.0.0.1:9 --statement x % --statement is for a jdbc target",
                "jdbc:h2:mem:x --method GET % --method is for an http target",
                "tcp://127.0.0.1:9 --queue x % --queue is for a jms target",
                "http://127.0.0.1:9 --send x % --send is for a tcp target",
                "http://127.0.0.1:9 --max-burst 9 % --max-burst is for a udp target",
                "http://127.0.0.1:9 --for-hikari % --for-hikari is for a jdbc target",
                "http://127.0.0.1:9 --max-rate 0 % a probe needs a duration",
                "http://127.0.0.1:9 --batch-url http://127.0.0.1:9/b % --batch-url needs a --body",
                "http://127.0.0.1:9 --body 1 --batch-url http://127.0.0.1:9/b --batch-format xml % is not a --batch-format",
                "tcp://127.0.0.1 % not a tcp target: write tcp://HOST:PORT",
                "http://peer.invalid --max-rate 11 --for 1s % would get up to 11 requests per second: confirm with --yes",
                "jdbc:postgresql://peer.invalid/x --max-rate 500 % is not on this machine",
                "http://127.0.0.1:9 --body 1 --batch-url http://peer.invalid/b % http://peer.invalid/b is not on this machine",
                "jdbc:postgresql://peer.invalid/x --batch % including batches: confirm with --yes",
                "jms:tcp://127.0.0.1:9 --queue x % would stay in queue x until they are consumed: confirm with --yes",
                "jms:tcp://127.0.0.1:9 --batch % without --queue nothing is sent",
            })
    void wrongUsagePrintsRemedy(String args, String why) {
        Ran ran = Ran.run(new ProbeCommand(), args.split(" "));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "http://127.0.0.1:8080/v1 true",
                "https://user@localhost/ true",
                "http://[::1]:80/ true",
                "http://192.0.2.1/ false",
                "jdbc:postgresql:mine true",
                "jdbc:postgresql://127.0.0.1,192.0.2.1/x false",
                "jdbc:h2:mem:x true",
                "jdbc:h2:tcp://192.0.2.1/x false",
                "jdbc:oracle:thin:@192.0.2.1:1521:x false",
                "jdbc:unheard-of:x false",
                "jms:(tcp://127.0.0.1:1,tcp://127.0.0.1:2)?ha=true true",
                "jms:failover:(amqp://127.0.0.1:1,amqp://192.0.2.1:2) false",
                "jms:vm://0 true",
                "kafka:127.0.0.1:9092,[::1]:9092 true",
                "kafka:127.0.0.1:9092,192.0.2.1:9092 false",
            })
    void recognisesHostsOfThisMachine(String target, boolean here) {
        assertThat(TargetHosts.areLocal(target)).isEqualTo(here);
    }
}
