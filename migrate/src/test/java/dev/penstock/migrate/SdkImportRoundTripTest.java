package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.http.HttpTo;
import dev.penstock.gateway.http.ProxyConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** For every valid file, the generated flow file is valid and has the same settings. */
class SdkImportRoundTripTest {
    private static Path folder = Path.of("");

    @BeforeContainer
    static void folder() throws IOException {
        folder = Files.createTempDirectory("penstock-test");
    }

    @AfterContainer
    static void clean() throws IOException {
        Files.deleteIfExists(folder.resolve("cybs.properties"));
        Files.deleteIfExists(folder.resolve("flows.yaml"));
        Files.delete(folder);
    }

    /** The numbers of a file; times in milliseconds. */
    record Given(int most, int perRoute, int waiting, int idle, int connect, int response, int repeats, int interval) {}

    @Property(tries = 300)
    void importsFileWithPool(
            @ForAll("files") Given given, @ForAll("users") String user, @ForAll("secrets") String secret)
            throws Exception {
        Properties properties = properties(given);
        properties.put("proxyHost", "proxy.example");
        properties.put("proxyUser", user);
        properties.put("proxyPassword", secret);
        properties.put("keyPassword", secret);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        properties.store(text, null);

        Old old = new Old(folder);
        String yaml = old.yaml(text.toString(StandardCharsets.ISO_8859_1));
        FlowFile file = old.read(yaml);

        assertThat(yaml).doesNotContain(secret);
        assertThat(file.config().poolTotal()).extracting(Configured::value).isEqualTo(given.most);
        FlowConfig flow = file.config().flows().getFirst();
        pool(flow.to().pool(), given);
        RetryConfig retry = Objects.requireNonNull(flow.retry());
        assertThat(retry.attempts().value()).isEqualTo(given.repeats + 1);
        ProxyConfig proxy = Objects.requireNonNull(((HttpTo) flow.to()).proxy());
        assertThat(Objects.requireNonNull(proxy.login()).user()).isEqualTo(user);
    }

    private static void pool(PoolConfig pool, Given given) {
        assertThat(value(pool.max())).isEqualTo(Math.min(given.most, given.perRoute));
        assertThat(value(pool.waiting())).isEqualTo(Duration.ofMillis(given.waiting));
        assertThat(value(pool.idle())).isEqualTo(Duration.ofMillis(given.idle));
        assertThat(value(pool.connectTimeout())).isEqualTo(Duration.ofMillis(given.connect));
        assertThat(value(pool.responseTimeout())).isEqualTo(Duration.ofMillis(given.response));
    }

    private static <T> T value(@Nullable Configured<T> chosen) {
        return Objects.requireNonNull(chosen).value();
    }

    private static Properties properties(Given given) {
        Properties to = new Properties();
        to.put("targetAPIVersion", "1.164");
        to.put("useHttpClientWithConnectionPool", "TRUE");
        to.put("maxConnections", given.most + "");
        to.put("defaultMaxConnectionsPerRoute", given.perRoute + "");
        to.put("maxConnectionsPerRoute", "7");
        to.put("connectionRequestTimeoutMs", given.waiting + "");
        to.put("evictThreadSleepTimeMs", "3000");
        to.put("maxKeepAliveTimeMs", given.idle + "");
        to.put("connectionTimeoutMs", given.connect + "");
        to.put("socketTimeoutMs", given.response + "");
        to.put("numberOfRetries", given.repeats + "");
        to.put("retryInterval", given.interval + "");
        return to;
    }

    @Provide
    Arbitrary<Given> files() {
        Arbitrary<Integer> connections = Arbitraries.integers().between(1, 100_000);
        Arbitrary<Integer> millis = Arbitraries.integers().between(1, 3_600_000);
        return Combinators.combine(
                        connections,
                        connections,
                        millis,
                        millis,
                        millis,
                        millis,
                        Arbitraries.integers().between(1, 5),
                        Arbitraries.integers().between(2, 60_000))
                .as(Given::new);
    }

    /** Any user name that Basic authentication allows, with the special characters of YAML and placeholders. */
    @Provide
    Arbitrary<String> users() {
        return Arbitraries.strings()
                .withChars("ab \"'\\${}#,[]&*!|>%@`\u00e9\u4e2d")
                .ofMinLength(1)
                .ofMaxLength(12);
    }

    @Provide
    Arbitrary<String> secrets() {
        return Arbitraries.strings().withCharRange('A', 'Z').ofLength(16).map(letters -> "!" + letters);
    }
}
