package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Setting;
import dev.penstock.gateway.file.FlowSchema;
import dev.penstock.observe.WatchedFlow;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The keys that are declared as pinnable are those whose settings accept a pin in a running gateway. */
@Timeout(300)
class PinnableKeysArtemisTest {
    private static final String FILE = """
            flows:
              http:
                from: { http: { port: 0, path: /http } }
                to: { http: { url: "http://127.0.0.1:9/", version: 1.1 } }
                collapse: { url: "http://127.0.0.1:9/batch" }
              servers:
                from: { http: { port: 0, path: /servers } }
                to: { http: { url: [ "http://127.0.0.1:9/", "http://127.0.0.1:10/" ], version: 1.1 } }
              jdbc:
                from: { http: { port: 0, path: /jdbc } }
                to: { jdbc: { url: embedded, statement: "insert into payment values (:id)" } }
                collapse: auto
              jms:
                from: { http: { port: 0, path: /jms } }
                to: { jms: { url: embedded, queue: payments } }
                collapse: auto
            """;
    private static final Map<String, String> DECLARED = FlowSchema.load().pinnable();

    @TempDir
    Path folder;

    @Test
    void declaredKeysAreThoseThatAcceptAPin() throws Exception {
        try (Gateway gateway = Running.gateway(folder, FILE)) {
            assertThat(gateway.flows()).hasSize(4).allSatisfy(PinnableKeysArtemisTest::check);
        }
    }

    /** A flow to several servers has no collapse. */
    private static boolean isFor(String flow, String where) {
        return !flow.equals("servers") && (!where.endsWith("over HTTP/1.1") || flow.equals("http"));
    }

    private static void check(WatchedFlow flow) {
        List<String> declared = DECLARED.entrySet().stream()
                .filter(key -> isFor(flow.name(), key.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        List<Setting> settings = flow.snapshot().settings();
        assertThat(settings)
                .filteredOn(Setting::pinnable)
                .extracting(Setting::name)
                .containsExactlyInAnyOrderElementsOf(declared);
        for (Setting setting : settings) {
            String name = setting.name();
            if (declared.contains(name)) {
                String value = switch (name) {
                    case "queue.time", "collapse.budget" -> "2s";
                    case "rate" -> "2/s";
                    default -> "2";
                };
                assertThat(flow.pin(name, value, "test").pin()).as(name).isEqualTo(Setting.Pin.ON);
                assertThat(flow.unpin(name).pin()).as(name).isEqualTo(Setting.Pin.OFF);
            } else {
                assertThatIllegalArgumentException()
                        .as(name)
                        .isThrownBy(() -> flow.pin(name, "2", "test"))
                        .withMessage(name + " cannot be pinned at run time; set it in the flow file");
            }
        }
    }
}
