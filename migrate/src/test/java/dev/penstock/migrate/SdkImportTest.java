package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.http.HttpFrom;
import dev.penstock.gateway.http.HttpTo;
import dev.penstock.gateway.http.ProxyConfig;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The flow generated from a file of the SDK. */
class SdkImportTest {
    @TempDir
    Path folder;

    Old old;

    @BeforeEach
    void file() {
        old = new Old(folder);
    }

    private static String resource(String name) throws Exception {
        try (InputStream in = SdkImportTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void warnsThatTheOriginalFileHasNoIdempotencyKey() throws Exception {
        String yaml = old.yaml(resource("origin.properties"));
        FlowFile file = old.read(yaml);
        assertThat(file.warnings()).singleElement().asString().contains("retries without an idempotency key");
    }

    @Test
    void importsTimesAndNumbersOfThePool() throws Exception {
        PoolConfig pool = old.flow("").to().pool();
        assertThat(Objects.requireNonNull(pool.max()).value()).isEqualTo(800);
        assertThat(Objects.requireNonNull(pool.waiting()).value()).isEqualTo(Duration.ofMillis(1100));
        assertThat(Objects.requireNonNull(pool.idle()).value()).isEqualTo(Duration.ofSeconds(301));
        assertThat(Objects.requireNonNull(pool.connectTimeout()).value()).isEqualTo(Duration.ofMillis(5100));
        assertThat(Objects.requireNonNull(pool.responseTimeout()).value()).isEqualTo(Duration.ofSeconds(131));
        assertThat(pool.maxAge()).isNull();
        assertThat(Objects.requireNonNull(old.read(old.pooled("")).config().poolTotal())
                        .value())
                .isEqualTo(900);
    }

    @Test
    void effectiveMaximumDependsOnTheRoute() throws Exception {
        assertThat(max("")).isEqualTo(800);
        assertThat(max("serverURL=http://gw.example/v1\n")).isEqualTo(700);
        assertThat(max("serverURL=http://gw.example:80/v1\n")).isEqualTo(700);
        assertThat(max("serverURL=http://gw.example:8080/v1\n")).isEqualTo(800);
        assertThat(max("serverURL=http://gw.example/v1\nproxyHost=p\n")).isEqualTo(800);
        assertThat(max("defaultMaxConnectionsPerRoute=2000\n")).isEqualTo(900);
        assertThat(old.pooled("serverURL=http://gw.example/v1\n"))
                .contains(
                        "max: 700  # maxConnectionsPerRoute=700;",
                        "#   defaultMaxConnectionsPerRoute: not effective: maxConnectionsPerRoute applies to this route\n");
        assertThat(old.pooled("defaultMaxConnectionsPerRoute=2000\n"))
                .contains("max: 900  # defaultMaxConnectionsPerRoute=2000, limited by maxConnections;");
    }

    private int max(String more) throws Exception {
        return Objects.requireNonNull(old.flow(more).to().pool().max()).value();
    }

    @Test
    void convertsRetriesToAttemptsAndRetriesNothingBlindly() throws Exception {
        RetryConfig retry = Objects.requireNonNull(
                old.flow("numberOfRetries=5\nretryInterval=500\n").retry());
        assertThat(retry.attempts().value()).isEqualTo(6);
        assertThat(retry.key()).isNull();
        assertThat(old.pooled(""))
                .contains("      # The SDK also retries requests that were sent and then cut off")
                .contains("merchantTransactionIdentifier")
                .contains("      # key: Idempotency-Key  #", "    # idempotent: true  #");
        assertThat(old.pooled("retryIfMTIFieldExist=false\n"))
                .contains("(retryIfMTIFieldExist=false)")
                .doesNotContain("merchantTransactionIdentifier");
    }

    @Test
    void missingRetrySettingsAreTheDefaultsOfTheSdk() throws Exception {
        RetryConfig retry = Objects.requireNonNull(old.flow("").retry());
        assertThat(retry.attempts().value()).isEqualTo(4);
        assertThat(old.pooled("")).contains("numberOfRetries=3, the SDK's default");
    }

    @Test
    void importsNoRetryWhereTheSdkHasNone() throws Exception {
        assertThat(old.flow("allowRetry=false\nnumberOfRetries=x\n").retry()).isNull();
        assertThat(old.pooled("allowRetry=false\nnumberOfRetries=3\n"))
                .contains(
                        "    # No retry: allowRetry=false.",
                        "#   numberOfRetries: not effective: there are no retries\n");
        String plain = old.yaml("targetAPIVersion=1\nallowRetry=true\n");
        assertThat(old.read(plain).config().flows().getFirst().retry()).isNull();
        assertThat(plain)
                .contains(
                        "    # No retry: the SDK has none without HttpClient.",
                        "#   allowRetry: not effective: neither useHttpClient nor useHttpClientWithConnectionPool is true\n");
    }

    @Test
    void deadlineIsTheSumOfTheParts() throws Exception {
        Duration attempt = Duration.ofMillis(1100 + 5100 + 131000);
        assertThat(old.flow("allowRetry=false\n").deadline().value()).isEqualTo(attempt);
        assertThat(old.flow("numberOfRetries=2\nretryInterval=700\n").deadline().value())
                .isEqualTo(attempt.multipliedBy(3).plusMillis(2 * 700));
        assertThat(old.flow("socketTimeoutMs=3000000\n").deadline().value()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void withoutPoolItsPropertiesAreIgnoredAndTimeoutIsInSeconds() throws Exception {
        String yaml = old.yaml("targetAPIVersion=1.1\nuseHttpClient=true\nmaxConnections=abc\ntimeout=20\n"
                + "socketTimeoutMs=\nconnectionTimeoutMs=5000\nretryIfMTIFieldExist=true\n");
        FlowFile file = old.read(yaml);
        PoolConfig pool = file.config().flows().getFirst().to().pool();
        assertThat(pool.max()).isNull();
        assertThat(Objects.requireNonNull(pool.connectTimeout()).value()).isEqualTo(Duration.ofSeconds(5));
        assertThat(Objects.requireNonNull(pool.responseTimeout()).value()).isEqualTo(Duration.ofSeconds(20));
        assertThat(file.config().poolTotal()).isNull();
        assertThat(file.config().flows().getFirst().retry()).isNotNull();
        assertThat(yaml)
                .contains("response_timeout: 20s  # timeout=20 (seconds), between two bytes there;")
                .contains(
                        "#   maxConnections, retryIfMTIFieldExist: not effective: useHttpClientWithConnectionPool is not true\n");
    }

    @Test
    void limitsValuesToTheAllowedRange() throws Exception {
        FlowConfig flow = old.flow(
                "maxKeepAliveTimeMs=7200000\nmaxConnections=2000000\n" + "defaultMaxConnectionsPerRoute=200000\n");
        assertThat(Objects.requireNonNull(flow.to().pool().idle()).value()).isEqualTo(Duration.ofHours(1));
        assertThat(Objects.requireNonNull(flow.to().pool().max()).value()).isEqualTo(100_000);
        assertThat(old.pooled("maxKeepAliveTimeMs=7200000\n"))
                .contains("maxKeepAliveTimeMs=7200000; the maximum is 1h");
        String forever = old.yaml("targetAPIVersion=1\ntimeout=0\n");
        assertThat(forever).contains("timeout=0 (seconds); 0 means no limit, the maximum here is 1h");
        assertThat(old.read(forever).config().flows().getFirst().deadline().value())
                .isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest
    @CsvSource({
        "false, false, https://ics2wstest.ic3.com/commerce/1.x/transactionProcessor",
        "false, true, https://ics2wstesta.ic3.com/commerce/1.x/transactionProcessor",
        "true, false, https://ics2ws.ic3.com/commerce/1.x/transactionProcessor",
        "true, true, https://ics2wsa.ic3.com/commerce/1.x/transactionProcessor",
    })
    void urlFollowsFromTheVersion(String production, String akamai, String url) throws Exception {
        FlowConfig flow = old.flow("sendToProduction=" + production + "\nsendToAkamai=" + akamai + "\n");
        assertThat(((HttpTo) flow.to()).url().value()).isEqualTo(URI.create(url));
        assertThat(((HttpFrom) flow.from()).path().value()).isEqualTo("/commerce/1.x/transactionProcessor");
    }

    @Test
    void ownUrlTakesPrecedence() throws Exception {
        FlowConfig flow = old.flow("serverURL=https://gw.example:8443/a,b/$%7Bc%7D\nsendToProduction=true\n");
        assertThat(((HttpTo) flow.to()).url().value()).isEqualTo(URI.create("https://gw.example:8443/a,b/$%7Bc%7D"));
        assertThat(((HttpFrom) flow.from()).path().value()).isEqualTo("/a,b/$%7Bc%7D");
        assertThat(((HttpFrom) old.flow("serverURL=https://gw.example\n").from())
                        .path()
                        .value())
                .isEqualTo("/");
    }

    @Test
    void doesNotShowQueryBecauseItMayContainASecret() throws Exception {
        String yaml = old.pooled("serverURL=https://gw.example/v1?key=s3cr3t\n");
        assertThat(yaml)
                .doesNotContain("s3cr3t")
                .contains("url: \"${SERVER_URL}\"  # serverURL, not shown because of its query");
        assertThat(((HttpTo) old.read(yaml).config().flows().getFirst().to())
                        .url()
                        .value())
                .isEqualTo(URI.create("https://gw.example/v1?k=v"));
    }

    @Test
    void importsProxyWithoutShowingItsPassword() throws Exception {
        String yaml =
                old.pooled("proxyHost=p.example\nproxyPort=3128\nproxyUser=a \"b\" ${c}\\\\\nproxyPassword=s3cr3t\n");
        assertThat(yaml)
                .doesNotContain("s3cr3t")
                .contains("password: \"${PROXY_PASSWORD}\"  # proxyPassword, not shown");
        ProxyConfig proxy = proxy(yaml);
        assertThat(proxy.hostAndPort().value()).isEqualTo("p.example:3128");
        assertThat(proxy.login()).isEqualTo(new ProxyConfig.Login("a \"b\" ${c}\\", new Secret("pass")));
        assertThat(proxy(old.pooled("proxyHost=::1\nproxyUser=u\n")).toString())
                .contains("[::1]:8080")
                .contains("user=u");
        assertThat(proxy(old.pooled("proxyHost=p\nproxyPassword=s3cr3t\n")).login())
                .isNull();
        assertThat(old.pooled("proxyHost=p\nproxyPassword=s3cr3t\nproxyPort=1\n"))
                .contains("#   proxyPassword: not effective: there is no proxyHost, or no proxyUser\n")
                .doesNotContain("s3cr3t");
    }

    private ProxyConfig proxy(String yaml) throws Exception {
        return Objects.requireNonNull(
                ((HttpTo) old.read(yaml).config().flows().getFirst().to()).proxy());
    }

    @Test
    void propertiesOfTheMerchantTakePrecedenceAndThoseOfOthersAreListed() throws Exception {
        String yaml = old.pooled("merchantID=shop\nshop.connectionTimeoutMs=7000\nother.connectionTimeoutMs=x\n");
        assertThat(yaml)
                .contains("connect_timeout: 7s  # connectionTimeoutMs=7000;")
                .contains("#   connectionTimeoutMs: another line takes precedence, a later one or the merchant's own\n")
                .contains("#   other.connectionTimeoutMs: for another merchant; define a separate flow for it\n");
    }

    @Test
    void lastPropertyOfANameCounts() throws Exception {
        assertThat(old.pooled("maxConnections=950\n"))
                .contains("max: 950  # maxConnections=950")
                .contains("#   maxConnections: another line takes precedence, a later one or the merchant's own\n");
    }

    @Test
    void listsUnknownPropertyByLineOnly() throws Exception {
        assertThat(old.pooled("s3cr3t-piece\n"))
                .contains("#   line 11: unknown to SDK 6.2.15, which ignores it too\n")
                .doesNotContain("s3cr3t");
    }
}
