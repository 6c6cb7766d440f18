package dev.penstock.cli.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SettingsLibraryTest {
    private static final String POSTGRES = "jdbc:postgresql://db.example/billing";

    @ParameterizedTest
    @CsvSource({"100ms", "1s", "5s", "20s", "34s", "59s", "60s", "350s", "20m", "2h"})
    void hikariValuesRespectItsMinimumsAndPrecedeTheKill(String time) throws IOException {
        Duration kill = Durations.parse(time);
        Properties set = properties(HikariLines.of(Found.at(POSTGRES, kill)));

        assertThat(set).containsEntry("maximumPoolSize", "20");
        assertThat(number(set, "validationTimeout")).isGreaterThanOrEqualTo(250);
        assertThat(number(set, "connectionTimeout")).isGreaterThanOrEqualTo(20 * number(set, "validationTimeout"));
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

    @ParameterizedTest
    @CsvSource({"2s, 1, 1", "5s, 2, 4", "30s, 15, 24", "350s, 175, 280"})
    void c3p0TestsIdleConnectionsInWholeSecondsBeforeTheKill(String time, String test, String idle) throws IOException {
        Properties set = properties(C3p0Lines.of(Found.at(POSTGRES, Durations.parse(time))));

        assertThat(set)
                .containsEntry("c3p0.maxPoolSize", "20")
                .containsEntry("c3p0.idleConnectionTestPeriod", test)
                .containsEntry("c3p0.maxIdleTime", idle)
                .containsEntry("c3p0.testConnectionOnCheckout", "true")
                .containsEntry("c3p0.connectionIsValidTimeout", "1")
                .containsEntry("c3p0.checkoutTimeout", "25000");
    }

    @ParameterizedTest
    @EnumSource(
            value = SettingsLibrary.class,
            names = {"HIKARI", "C3P0", "SPRING_JMS", "SYSCTL"})
    void eachSettingHasACommentAbove(SettingsLibrary library) {
        for (Duration kill : new Duration[] {null, Duration.ofSeconds(3), Duration.ofMinutes(6)}) {
            String before = "";
            for (String line : library.lines(Found.at("jms:tcp://broker.example:61616", kill))) {
                assertThat(line).isEqualTo(line.strip()).isNotEmpty();
                assertThat(line.startsWith("#") || before.startsWith("# "))
                        .as(line)
                        .isTrue();
                before = line.startsWith("#") ? line : "";
            }
        }
    }

    @Test
    void httpClientClosesConnectionsBeforeTheKill() {
        assertThat(HttpClientLines.of(Found.at("https://gateway.example/v1", Duration.ofSeconds(5))))
                .contains(
                        "        .setMaxConnPerRoute(20)",
                        "        .setKeepAliveStrategy((answer, context) -> TimeValue.ofMilliseconds(4000))",
                        "        .evictIdleConnections(TimeValue.ofMilliseconds(2500))");
        assertThat(HttpClientLines.of(Found.at("https://gateway.example/v1", null)))
                .noneMatch(line -> line.contains("evictIdle"));
    }

    @Test
    void heartbeatsAreMoreFrequentThanTheKill() throws IOException {
        assertThat(spring("jms:tcp://broker.example:61616", Duration.ofSeconds(10)))
                .containsEntry(
                        "spring.artemis.broker-url",
                        "tcp://broker.example:61616?connectionTTL=8000&clientFailureCheckPeriod=4000")
                .containsEntry("spring.jms.listener.max-concurrency", "20");
        assertThat(spring("jms:amqp://broker.example", Duration.ofSeconds(10)))
                .containsEntry("amqphub.amqp10jms.remote-url", "amqp://broker.example?amqp.idleTimeout=8000");
        assertThat(spring("jms:tcp://broker.example:61616", Duration.ofMinutes(6)))
                .containsEntry("spring.artemis.broker-url", "tcp://broker.example:61616");
    }

    @Test
    void kernelProbesWithinHalfOfTheKillAge() throws IOException {
        Properties set = properties(SysctlLines.of(Found.at("tcp://peer.example:9", Duration.ofSeconds(350))));
        assertThat(set)
                .containsEntry("net.ipv4.tcp_keepalive_time", "175")
                .containsEntry("net.ipv4.tcp_keepalive_intvl", "35")
                .containsEntry("net.ipv4.tcp_retries2", "8");
        assertThat(SysctlLines.of(Found.at("tcp://peer.example:9", null)))
                .hasSize(1)
                .first()
                .asString()
                .contains("nothing to set");
    }

    @Test
    void usesAnnouncedTimeoutIfNoKillWasSeen() throws IOException {
        assertThat(properties(HikariLines.of(Found.announcing(
                        POSTGRES, new AnnouncedLimit("idle_session_timeout", "5min", "the server ends a session")))))
                .containsEntry("keepaliveTime", "150000");
        assertThat(HttpClientLines.of(Found.announcing(
                        "http://peer.example/", new AnnouncedLimit("Keep-Alive: timeout", "5 s", "it closes"))))
                .contains("        .evictIdleConnections(TimeValue.ofMilliseconds(2500))");
        assertThat(properties(HikariLines.of(
                        Found.announcing(POSTGRES, new AnnouncedLimit("idle_session_timeout", "0", "off")))))
                .doesNotContainKey("keepaliveTime");
    }

    @Test
    void noPoolIsLargerThanWhatWasSeenToWork() throws IOException {
        List<String> lines = HikariLines.of(Found.knee(POSTGRES, false));
        assertThat(properties(lines)).containsEntry("maximumPoolSize", "20");
        assertThat(lines.getFirst()).contains("the highest concurrency that was seen to work");
        assertThat(HttpClientLines.of(Found.knee("http://peer.example/", false)))
                .contains("        .setMaxConnPerRoute(20)");
    }

    @Test
    void withoutAMeasurementTheLibrarysDefaultStays() throws IOException {
        ProbeFindings announced = Found.announcing(POSTGRES);
        assertThat(properties(HikariLines.of(announced))).doesNotContainKey("maximumPoolSize");
        assertThat(properties(C3p0Lines.of(announced))).doesNotContainKey("c3p0.maxPoolSize");
        assertThat(HttpClientLines.of(announced)).noneMatch(line -> line.contains(".setMaxConnPerRoute("));
    }

    @Test
    void recommendsNoPoolLargerThanThePeerAllows() throws IOException {
        List<String> lines =
                HikariLines.of(Found.knee(POSTGRES, true, new AnnouncedLimit("max_connections", "10", "all together")));
        assertThat(properties(lines)).containsEntry("maximumPoolSize", "10");
        assertThat(lines.getFirst()).contains("limited to the connections that the peer has left");
    }

    @Test
    void withoutAMeasurementADefaultBeyondWhatThePeerAllowsIsReplaced() throws IOException {
        ProbeFindings announced = Found.announcing(
                POSTGRES,
                new AnnouncedLimit("max_connections", "12", "all together"),
                new AnnouncedLimit("superuser_reserved_connections", "3", "reserved"),
                new AnnouncedLimit("connections in use", "5", "by all clients"));
        assertThat(properties(HikariLines.of(announced))).containsEntry("maximumPoolSize", "5");
        assertThat(properties(C3p0Lines.of(announced))).containsEntry("c3p0.maxPoolSize", "5");
    }

    @Test
    void rejectsLibraryThatDoesNotFitTheTarget() {
        SettingsLibrary.HIKARI.check(POSTGRES);
        SettingsLibrary.SYSCTL.check("tcp://127.0.0.1:9");
        assertThatThrownBy(() -> SettingsLibrary.HIKARI.check("http://127.0.0.1/"))
                .hasMessage("--for-hikari is for targets of kind jdbc: remove it, or probe such a target");
        assertThatThrownBy(() -> SettingsLibrary.HTTPCLIENT.check(POSTGRES))
                .hasMessageContaining("targets of kind http(s):");
        assertThatThrownBy(() -> SettingsLibrary.SYSCTL.check("udp://127.0.0.1:9"))
                .hasMessageContaining("http(s), jdbc, jms, tcp");
    }

    private static Properties spring(String where, @Nullable Duration kill) throws IOException {
        return properties(SpringJmsLines.of(Found.at(where, kill)));
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
