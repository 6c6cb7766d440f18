package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.FrameClient;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.apache.hc.core5.http2.frame.FrameType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the tables in docs/requests.md, sent over a socket. */
@Timeout(60)
class RequestTableRealClockTest {
    private static final Path PAGE = Path.of("..", "docs", "requests.md");
    private static final Pattern HEX = Pattern.compile("\\\\x([0-9a-f]{2})");
    private static final List<HttpCall> CALLS = new CopyOnWriteArrayList<>();
    private static HttpSource source;

    /**
     * A row.
     *
     * @param section the heading above it
     * @param result a status; {@code unchanged}; {@code reset}; or a path and perhaps a body
     */
    private record Row(String section, String line, String fieldsAndBody, String result) {
        static Row of(String section, String row) {
            String[] cells = row.split("\\|", -1);
            return new Row(
                    section, cells[1].strip().replace("`", ""), cells[2].strip().replace("`", ""), cells[3].strip());
        }

        boolean isRefused() {
            return result.matches("\\d+|reset");
        }

        boolean isHttp2() {
            return section.endsWith("HTTP/2");
        }

        private String part(int number) {
            String[] parts = fieldsAndBody.split("\\\\r\\\\n\\\\r\\\\n", 2);
            return number < parts.length ? parts[number] : "";
        }

        private String sentBody() {
            return unescaped(part(1));
        }

        String request() {
            String version = line.contains(" HTTP/") ? "" : " HTTP/1.1";
            String host = part(0).contains("Host:") ? "" : "Host: h\r\n";
            String fields = part(0).isEmpty() ? "" : unescaped(part(0)) + "\r\n";
            return unescaped(line) + version + "\r\n" + host + fields + "\r\n" + sentBody();
        }

        /** The same in frames. A pseudo-header field of the row is in place of the usual one. */
        byte[] frames() {
            List<String> fields = new ArrayList<>();
            List<String> own = part(0).isEmpty() ? List.of() : List.of(part(0).split("\\\\r\\\\n", -1));
            String[] usual = {
                ":method", method(), ":scheme", "http", ":path", unescaped(line.split(" ", 2)[1]), ":authority", "h"
            };
            for (int i = 0; i < usual.length; i += 2) {
                String name = usual[i];
                if (own.stream().noneMatch(field -> field.startsWith(name + ": "))) {
                    fields.addAll(List.of(name, usual[i + 1]));
                }
            }
            for (String field : own) {
                int end = field.indexOf(": ", 1);
                fields.add(unescaped(field.substring(0, end)));
                fields.add(unescaped(field.substring(end + 2)));
            }
            byte[] block = FrameClient.block(fields.toArray(String[]::new));
            byte[] head = FrameClient.frame(FrameType.HEADERS, FrameClient.END_HEADERS, 1, block);
            byte[] body = sentBody().getBytes(StandardCharsets.ISO_8859_1);
            return FrameClient.join(head, FrameClient.frame(FrameType.DATA, FrameClient.END_STREAM, 1, body));
        }

        String method() {
            return line.substring(0, line.indexOf(' '));
        }

        String path() {
            return result.startsWith("`") ? result.split("`", -1)[1] : line.split(" ", -1)[1];
        }

        String body() {
            String[] given = result.split("`", -1);
            return given.length > 3 ? given[3] : sentBody();
        }
    }

    private static String unescaped(String text) {
        String plain = text.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t");
        return HEX.matcher(plain).replaceAll(hex -> "" + (char) Integer.parseInt(hex.group(1), 16));
    }

    private static String table() throws Exception {
        try (var resource = RequestTableRealClockTest.class.getResourceAsStream("requests.md")) {
            return new String(Objects.requireNonNull(resource).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    static List<Row> rows() throws Exception {
        List<Row> rows = new ArrayList<>();
        String section = "";
        for (String line : table().lines().toList()) {
            section = line.startsWith("## ") ? line : section;
            if (line.startsWith("| `") && !section.endsWith("admin port")) {
                rows.add(Row.of(section, line));
            }
        }
        return rows;
    }

    @BeforeAll
    static void open() throws Exception {
        List<String> keys = List.of("Idempotency-Key");
        source = HttpSource.on(0)
                .route("/pay", "payments", RequestGate.open(RequestTableRealClockTest::take), 100, keys, List.of())
                .route("/pay/refunds", "refunds", RequestTableRealClockTest::take)
                .build();
        source.start();
    }

    private static HttpAnswer take(HttpCall call) {
        CALLS.add(call);
        return HttpAnswer.of(200, "");
    }

    @AfterAll
    static void close() {
        source.close();
    }

    @BeforeEach
    void forget() {
        CALLS.clear();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void whatTheTableSays(Row row) throws Exception {
        String result = row.isRefused() ? row.result() : "200";
        if (row.isHttp2()) {
            try (FrameClient client = new FrameClient(source.port()).send(row.frames())) {
                assertThat(client.answer(1).replaceFirst("(RST|GOAWAY) \\d+", "reset"))
                        .isEqualTo(result);
            }
        } else {
            try (RawClient client = new RawClient(source.port())) {
                assertThat(client.send(row.request()).head()).startsWith("HTTP/1.1 " + result + " ");
                if (row.section.endsWith("Early answers")) {
                    assertThat(client.shutdownOutput().exactly(1_000)).doesNotContain("HTTP/1.1");
                    assertThat(CALLS).hasSizeLessThan(2);
                }
            }
        }
        if (row.isRefused()) {
            assertThat(CALLS).isEmpty();
            return;
        }
        HttpCall call = CALLS.getFirst();
        assertThat(call.method()).isEqualTo(row.method());
        assertThat(call.path()).isEqualTo(row.path());
        assertThat(call.body()).asString().isEqualTo(row.body());
    }

    @Test
    void thePageHasTheTable() throws Exception {
        String page = Files.readString(PAGE);
        String current = page.substring(0, page.indexOf("\n## ") + 1) + table();
        if (Boolean.getBoolean("penstock.write")) {
            Files.writeString(PAGE, current);
            page = current;
        }
        assertThat(page)
                .as("to write it: mvn -pl http-source -am test -Dtest=RequestTableRealClockTest -Dpenstock.write=true")
                .isEqualTo(current);
    }
}
