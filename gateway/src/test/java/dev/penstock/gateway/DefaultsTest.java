package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Setting;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.file.FlowSchema;
import dev.penstock.http.HttpTarget;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.source.JmsSource;
import dev.penstock.text.Durations;
import dev.penstock.text.Sizes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The defaults that {@code explain} and the reference name are the values that apply without the key. */
class DefaultsTest {
    private static final FlowSchema SCHEMA = FlowSchema.load();

    private static String explained(String key) {
        Matcher line = Pattern.compile("\n  default: +(.*)\n").matcher(SCHEMA.explain("flows.NAME." + key));
        assertThat(line.find()).as(key).isTrue();
        return line.group(1);
    }

    /** The value of a setting as written in a flow file. */
    private static String value(List<Setting> settings, String name) {
        String shown = settings.stream()
                .filter(setting -> setting.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
        return shown.endsWith(" bytes") ? Sizes.format(Long.parseLong(shown.replace(" bytes", ""))) : written(shown);
    }

    private static String written(String time) {
        return Durations.write(Durations.parse(time.replace(" min", "m").replace(" ", "")));
    }

    @Test
    void ofPools() {
        try (HttpTarget target = HttpTarget.at("http://127.0.0.1:9/").build();
                GuardedDataSource database =
                        GuardedDataSource.over(new JdbcDataSource(), "none").build()) {
            List<Setting> http = target.settings();
            List<Setting> jdbc = database.settings();
            assertThat(explained("pool.wait"))
                    .isEqualTo(value(http, "pool.wait") + "; " + value(jdbc, "pool.wait") + " for a database");
            assertThat(explained("pool.connect_timeout"))
                    .isEqualTo("auto: " + value(http, "pool.connect_timeout") + "; "
                            + value(jdbc, "pool.connect_timeout") + " for a database");
            assertThat(explained("pool.max_age")).isEqualTo("none; " + value(jdbc, "pool.max_age") + " for a database");
            assertThat(explained("pool.idle")).startsWith("auto: " + value(http, "pool.idle") + ",");
            assertThat(explained("pool.max_answer")).isEqualTo(value(http, "pool.max_answer"));
        }
    }

    /** The key has one default for both kinds of target. */
    @Test
    void ofAnswersOfADatabase() {
        try (JdbcTarget target =
                JdbcTarget.on(new JdbcDataSource()).statement("select 1").build()) {
            String bytes = target.settings().stream()
                    .filter(setting -> setting.name().equals("max_bytes"))
                    .findFirst()
                    .orElseThrow()
                    .value();
            assertThat(explained("pool.max_answer")).isEqualTo(Sizes.format(Long.parseLong(bytes)));
        }
    }

    @Test
    void ofQueues() {
        try (JmsSource source = JmsSource.at(JmsBroker.at("tcp://127.0.0.1:9"))
                .queue("q")
                .key("id")
                .to(message -> "done", () -> 1)) {
            Setting redeliver = source.settings().stream()
                    .filter(setting -> setting.name().equals("jms.redeliver"))
                    .findFirst()
                    .orElseThrow();
            Matcher waits = Pattern.compile("message, (.*) to (.*) apart").matcher(redeliver.reason());
            assertThat(waits.find()).as(redeliver.reason()).isTrue();
            assertThat(explained("from.jms.redeliver.backoff")).isEqualTo(written(waits.group(1)));
            assertThat(explained("from.jms.redeliver.attempts")).isEqualTo(redeliver.value());
            assertThat(explained("from.jms.redeliver")).isEqualTo(redeliver.value() + " attempts");
        }
    }

    @Test
    void ofFlowsAndShutdown(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("f.yaml"), """
                flows:
                  a:
                    from: { http: { port: 8080, path: /a } }
                    to: { http: { url: "http://h/" } }
                """);
        var config = FlowFile.read(file).config();
        Duration deadline = config.flows().getFirst().deadline().value();
        assertThat(explained("deadline")).isEqualTo(Durations.write(deadline));
        assertThat(SCHEMA.explain("shutdown"))
                .contains("default:  drain: " + Durations.write(config.drain().value()) + "\n");
        assertThat(explained("status")).isEqualTo(explained("dedupe.keep"));
    }
}
