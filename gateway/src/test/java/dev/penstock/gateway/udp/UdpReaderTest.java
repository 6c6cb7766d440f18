package dev.penstock.gateway.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.file.Written;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UdpReaderTest {
    private static final String REPLACE = "replace: { find: \"a\", with: \"b\" }";

    @TempDir
    Path folder;

    Written written;

    @BeforeEach
    void file() {
        written = new Written(folder, Map.of("LEDGER", "udp://ledger.example:9000"));
    }

    private static String from(String udp, String to, String... lines) {
        return "flows:\n  a:\n    from: { udp: { " + udp + " } }\n    to: { " + to + " }\n    "
                + String.join("\n    ", lines) + "\n";
    }

    private static String to(String to, String... lines) {
        return "flows:\n  a:\n    from: { http: { port: 8080, path: /a } }\n    to: { " + to + " }\n    "
                + String.join("\n    ", lines) + "\n";
    }

    private FlowConfig flow(String yaml) throws BadConfig {
        return written.read(yaml).config().flows().getFirst();
    }

    private boolean inline(String yaml) throws BadConfig {
        return ((UdpFrom) flow(yaml).from()).inline();
    }

    @Test
    void onlyPortIsRequired() throws Exception {
        FlowFile file = written.read(from("port: 9000", REPLACE));
        assertThat(file.warnings()).isEmpty();
        UdpFrom from = (UdpFrom) file.config().flows().getFirst().from();
        assertThat(from.where(9000)).isEqualTo("udp://127.0.0.1:9000");
        assertThat(from.maxSize().value()).isEqualTo(2_048);
        assertThat(from.burst().value()).isEqualTo(10_000);
        assertThat(from.id()).isNull();
    }

    @Test
    void readsAllKeys() throws Exception {
        UdpFrom from = (UdpFrom) flow(from(
                        "port: 9000, host: \"::1\", max_size: 4KB, burst: 20000, id: { at: 4, length: 8 }",
                        REPLACE,
                        "dedupe: id"))
                .from();
        assertThat(from.where(9000)).isEqualTo("udp://[::1]:9000");
        assertThat(from.maxSize().value()).isEqualTo(4_096);
        assertThat(from.burst().value()).isEqualTo(20_000);
        assertThat(from.id()).isEqualTo(new UdpFrom.SenderId(new UdpFrom.IdPlace(4, 8), UdpFrom.Per.SENDER));
    }

    @Test
    void answersBeyondLoopbackAreNoLongerThanTheirDatagrams() throws Exception {
        assertThat(amplification("port: 9000")).isInfinite();
        assertThat(amplification("port: 9000, host: 0.0.0.0")).isEqualTo(1.0);
        assertThat(amplification("port: 9000, host: 0.0.0.0, amplification: 2.5"))
                .isEqualTo(2.5);
        assertThat(written.errors(from("port: 9000, amplification: 0.01", REPLACE))
                        .toString())
                .contains(
                        "'from.udp.amplification' is 0.01, which is no multiple from 0.1 to 1000; write for instance 1.0");
        assertThat(written.errors(from("port: 9000, allow: [10.0.0.1/8]", REPLACE))
                        .toString())
                .contains("which is no block of addresses");
    }

    private double amplification(String udp) throws BadConfig {
        return ((UdpFrom) flow(from(udp, REPLACE)).from()).amplification().value();
    }

    @ParameterizedTest
    @CsvSource({"65507, 65507", "65507B, 65507", "64KB, 65507", "63KB, 64512", "1472, 1472"})
    void maxSizeIsANumberOfBytesOrASize(String given, long bytes) throws Exception {
        assertThat(((UdpFrom) flow(from("port: 9000, max_size: " + given, REPLACE))
                                .from())
                        .maxSize()
                        .value())
                .isEqualTo(bytes);
        assertThat(((UdpTo) flow(to("udp: { url: \"udp://h:9\", id: header, max_size: " + given + " }"))
                                .to())
                        .maxSize()
                        .value())
                .isEqualTo(bytes);
    }

    @Test
    void replaceIsInlineUnlessTheFlowHasAStage() throws Exception {
        assertThat(inline(from("port: 9000", REPLACE))).isTrue();
        assertThat(inline(from("port: 9000", REPLACE, "deadline: 1s"))).isFalse();
        assertThat(inline(from("port: 9000", REPLACE, "limit: auto"))).isFalse();
        assertThat(inline(from("port: 9000", "http: { url: \"https://h/\" }"))).isFalse();
    }

    @Test
    void readsUdpTarget() throws Exception {
        UdpTo to = (UdpTo) flow(to("udp: { url: \"${LEDGER}\", id: { length: 8 }, once: true, max_size: 1KB }"))
                .to();
        assertThat(to.toString()).isEqualTo("udp://ledger.example:9000");
        assertThat(to.id()).isEqualTo(new UdpFrom.IdPlace(0, 8));
        assertThat(to.once().value()).isTrue();
        assertThat(to.maxSize().value()).isEqualTo(1_024);
        assertThat(((UdpTo) flow(to("udp: { url: \"udp://[::1]:9\", id: header }"))
                                .to())
                        .at()
                        .value())
                .isEqualTo(new UdpTo.Address("::1", 9));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            host: h | f.yaml:3:13: from.udp has no 'port'; add for instance port: 9000
            port: 9000, bust: 10 | f.yaml:3:32: unknown key 'bust' in from.udp; did you mean 'burst'?
            port: 9000, shards: 4 | f.yaml:3:32: 'from.udp.shards' was removed: by the number of processors; remove it
            port: 9000, max_size: 65KB | f.yaml:3:42: 'from.udp.max_size' is "65KB", which is out of range; write a size from 1B to 64KB
            port: 9000, id: 8 | f.yaml:3:36: 'from.udp.id' must be a mapping, but this is 8; write for instance id: { at: 0, length: 16 }
            port: 9000, id: { at: 4 } | f.yaml:3:32: id has no 'length'; add for instance length: 16
            """)
    void reportsMistakesOfASourceWithLocation(String udp, String error) {
        assertThat(written.errors(from(udp, REPLACE))).containsExactly(error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            udp: { id: header } | f.yaml:4:11: to.udp has no 'url'; add for instance url: "udp://ledger.example:9000"
            udp: { host: h, id: header } | f.yaml:4:18: unknown key 'host' in to.udp; did you mean 'url'?
            udp: { url: "http://h:9", id: header } | f.yaml:4:23: 'to.udp.url' is not a URL of the form udp://HOST:PORT; write for instance url: "udp://ledger.example:9000"
            udp: { url: "udp://h", id: header } | f.yaml:4:23: 'to.udp.url' is not a URL of the form udp://HOST:PORT; write for instance url: "udp://ledger.example:9000"
            udp: { url: "udp://h:9" } | f.yaml:4:11: to.udp has no 'id'; add for instance id: { at: 0, length: 8 }, or id: header for 8 bytes prepended to each
            replace: { find: "" , with: "b" } | f.yaml:4:28: 'to.replace.find' is empty; write one character or more
            replace: { find: "a" } | f.yaml:4:11: to.replace has no 'with'; add for instance with: "ACCEPTED", or with: ""
            replace: { search: "a", with: "b" } | f.yaml:4:22: unknown key 'search' in to.replace; did you mean 'find'?
            """)
    void reportsMistakesOfATargetWithLocation(String to, String error) {
        assertThat(written.errors(to(to))).contains(error);
    }

    @Test
    void rejectsSettingsThatDoNotFitDatagrams() {
        assertThat(written.errors(to(REPLACE, "pool: { max: 1 }")))
                .singleElement()
                .asString()
                .contains("remove it: find and replace uses none");
        assertThat(written.errors(to(REPLACE, "collapse: { max: 10 }")))
                .singleElement()
                .asString()
                .contains("'to.replace' does not support");
        assertThat(written.errors(
                        to("udp: { url: \"udp://h:9\", id: header }", "retry: { attempts: 2, key: Idempotency-Key }")))
                .singleElement()
                .asString()
                .contains("gives each retry another id");
        assertThat(written.errors(from("port: 9000, max_size: 16B, id: { at: 10, length: 8 }", REPLACE)))
                .singleElement()
                .asString()
                .contains("bytes 10 to 17, but a datagram has at most 16 bytes");
        assertThat(written.errors(
                        "flows:\n  a:\n    from: { udp: { port: 9000 }, http: { port: 1, path: /a } }\n    to: { "
                                + REPLACE + " }\n"))
                .singleElement()
                .asString()
                .contains("'from.udp' is combined with 'from.http'");
    }

    @Test
    void rejectsTwoUdpFlowsOnOnePortButNotUdpBesideHttp() throws Exception {
        String second = "  b:\n    from: { udp: { port: 9000, host: 0.0.0.0 } }\n    to: { " + REPLACE + " }\n";
        assertThat(written.errors(from("port: 9000", REPLACE) + second))
                .containsExactly(
                        "f.yaml:7:26: flow 'b' listens on udp port 9000, where flow 'a' does; give it another port");
        String http = "  b:\n    from: { http: { port: 9000, path: /a } }\n    to: { " + REPLACE + " }\n";
        assertThat(written.read(from("port: 9000", REPLACE) + http).config().flows())
                .hasSize(2);
    }

    @Test
    void warnsAboutDoubtfulSettings() throws Exception {
        assertThat(written.warnings(from("port: 9000, host: 0.0.0.0", REPLACE)))
                .singleElement()
                .asString()
                .startsWith(
                        "f.yaml:3:38: warning: flow 'a' listens on 0.0.0.0 for UDP, whose sender addresses can be spoofed");
        assertThat(written.warnings(from("port: 9000", REPLACE, "dedupe: id")))
                .singleElement()
                .asString()
                .contains("have no id, so dedupe cannot detect repeats");
        assertThat(written.warnings(from("port: 9000, id: { length: 8 }", REPLACE)))
                .singleElement()
                .asString()
                .contains("does not use it; add dedupe: id");
        assertThat(written.warnings(to(
                        "udp: { url: \"udp://h:9\", id: { length: 8 }, once: true }",
                        "idempotent: true",
                        "retry: { attempts: 2 }")))
                .singleElement()
                .asString()
                .contains("retries in two places");
    }
}
