package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
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
     * @param result a status; {@code unchanged}; or a path and perhaps a body
     */
    private record Row(String line, String fieldsAndBody, String result) {
        static Row of(String row) {
            String[] cells = row.split("\\|", -1);
            return new Row(cells[1].strip().replace("`", ""), cells[2].strip().replace("`", ""), cells[3].strip());
        }

        boolean isRefused() {
            return result.matches("\\d+");
        }

        private String[] headAndBody() {
            return unescaped(fieldsAndBody).split("\r\n\r\n", 2);
        }

        String request() {
            String[] parts = headAndBody();
            String version = line.contains(" HTTP/") ? "" : " HTTP/1.1";
            String host = parts[0].contains("Host:") ? "" : "Host: h\r\n";
            String fields = parts[0].isEmpty() ? "" : parts[0] + "\r\n";
            return unescaped(line) + version + "\r\n" + host + fields + "\r\n" + (parts.length > 1 ? parts[1] : "");
        }

        String method() {
            return line.substring(0, line.indexOf(' '));
        }

        String path() {
            return result.startsWith("`") ? result.split("`", -1)[1] : line.split(" ", -1)[1];
        }

        String body() {
            String[] given = result.split("`", -1);
            String[] sent = headAndBody();
            return given.length > 3 ? given[3] : sent.length > 1 ? sent[1] : "";
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
        return table().lines()
                .filter(line -> line.startsWith("| `"))
                .map(Row::of)
                .toList();
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
        try (RawClient client = new RawClient(source.port())) {
            String answer = client.send(row.request()).head();
            assertThat(answer).startsWith("HTTP/1.1 " + (row.isRefused() ? row.result() : "200") + " ");
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
