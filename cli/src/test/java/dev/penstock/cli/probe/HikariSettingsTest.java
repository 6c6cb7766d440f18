package dev.penstock.cli.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.lab.probe.SettingsText;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HikariSettingsTest {
    private static final String POSTGRES = "jdbc:postgresql://db.example/billing";

    @ParameterizedTest
    @CsvSource({"100ms", "1s", "5s", "20s", "34s", "59s", "60s", "350s", "20m", "2h"})
    void hikariValuesRespectItsMinimumsAndPrecedeTheKill(String time) throws IOException {
        Duration kill = Durations.parse(time);
        Properties set = properties(SettingsText.hikari(Found.at(POSTGRES, kill)));

        assertThat(set).containsEntry("maximumPoolSize", "22");
        assertThat(number(set, "validationTimeout")).isGreaterThanOrEqualTo(250);
        assertThat(number(set, "connectionTimeout")).isGreaterThanOrEqualTo(22 * number(set, "validationTimeout"));
        if (number(set, "keepaliveTime") > 0) {
            assertThat(number(set, "keepaliveTime"))
                    .isBetween(30_000L, kill.toMillis() / 2)
                    .isLessThan(30 * 60_000);
        } else if (set.containsKey("maxLifetime")) {
            assertThat(number(set, "maxLifetime")).isBetween(30_000L, kill.toMillis() - 1);
        } else {
            assertThat(kill).isLessThan(Duration.ofSeconds(34));
            assertThat(set).containsEntry("minimumIdle", "0").containsEntry("idleTimeout", "10000");
        }
    }

    @Test
    void usesAnnouncedTimeoutIfNoKillWasSeen() throws IOException {
        assertThat(properties(SettingsText.hikari(Found.announcing(
                        POSTGRES, new AnnouncedLimit("idle_session_timeout", "5min", "the server ends a session")))))
                .containsEntry("keepaliveTime", "150000");
        assertThat(properties(SettingsText.hikari(
                        Found.announcing(POSTGRES, new AnnouncedLimit("idle_session_timeout", "0", "off")))))
                .doesNotContainKey("keepaliveTime");
    }

    @Test
    void noPoolIsLargerThanWhatWasSeenToWork() throws IOException {
        List<String> lines = SettingsText.hikari(Found.knee(POSTGRES, false));
        assertThat(properties(lines)).containsEntry("maximumPoolSize", "40");
        assertThat(String.join(" ", lines).replace(" # ", " "))
                .contains("the highest concurrency that was seen to work");
    }

    @Test
    void withoutAMeasurementTheLibrarysDefaultStays() throws IOException {
        ProbeFindings announced = Found.announcing(POSTGRES);
        assertThat(properties(SettingsText.hikari(announced))).doesNotContainKey("maximumPoolSize");
    }

    @Test
    void recommendsNoPoolLargerThanThePeerAllows() throws IOException {
        List<String> lines = SettingsText.hikari(
                Found.knee(POSTGRES, true, new AnnouncedLimit("max_connections", "10", "all together")));
        assertThat(properties(lines)).containsEntry("maximumPoolSize", "10");
        assertThat(String.join(" ", lines).replace(" # ", " "))
                .contains("bounded by the connections that the peer has left");
    }

    @Test
    void withoutAMeasurementADefaultBeyondWhatThePeerAllowsIsReplaced() throws IOException {
        ProbeFindings announced = Found.announcing(
                POSTGRES,
                new AnnouncedLimit("max_connections", "12", "all together"),
                new AnnouncedLimit("superuser_reserved_connections", "3", "reserved"),
                new AnnouncedLimit("connections in use", "5", "by all clients"));
        assertThat(properties(SettingsText.hikari(announced))).containsEntry("maximumPoolSize", "5");
    }

    private static long number(Properties set, String key) {
        return Long.parseLong(set.getProperty(key, "0"));
    }

    private static Properties properties(List<String> lines) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(String.join("\n", lines)));
        return properties;
    }
}
