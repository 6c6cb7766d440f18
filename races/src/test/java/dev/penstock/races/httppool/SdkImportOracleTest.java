package dev.penstock.races.httppool;

import static org.assertj.core.api.Assertions.assertThat;

import com.cybersource.ws.client.ConfigException;
import com.cybersource.ws.client.MerchantConfig;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.http.HttpTo;
import dev.penstock.migrate.SettingsImport;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import org.apache.http.HttpHost;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.client.utils.URIUtils;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.impl.conn.DefaultRoutePlanner;
import org.apache.http.protocol.BasicHttpContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Imports the SDK's settings, with the SDK as the oracle: the same files are accepted, with the same values. */
class SdkImportOracleTest {
    private static final int FILES = 1_000;

    /** Possible values of each name, some of them empty. Sorted, so that a seed determines the file. */
    private static final Map<String, List<String>> VALUES = new TreeMap<>(Map.ofEntries(
            Map.entry("targetAPIVersion", List.of("1.164", "2", "1.164", "1.164", "1.164")),
            Map.entry("namespaceURI", List.of("urn:x")),
            Map.entry("serverURL", List.of("http://gw.example/v1", "https://gw.example:8443/")),
            Map.entry("sendToProduction", flags()),
            Map.entry("sendToAkamai", flags()),
            Map.entry("useHttpClient", flags()),
            Map.entry("useHttpClientWithConnectionPool", List.of("true", "TRUE", "1", "false", "true", "true")),
            Map.entry("maxConnections", numbers()),
            Map.entry("defaultMaxConnectionsPerRoute", numbers()),
            Map.entry("maxConnectionsPerRoute", numbers()),
            Map.entry("connectionRequestTimeoutMs", numbers()),
            Map.entry("evictThreadSleepTimeMs", numbers()),
            Map.entry("maxKeepAliveTimeMs", numbers()),
            Map.entry("connectionTimeoutMs", numbers()),
            Map.entry("socketTimeoutMs", numbers()),
            Map.entry("validateAfterInactivityMs", List.of("0", "2000", "-1", "x")),
            Map.entry("staleConnectionCheckEnabled", flags()),
            Map.entry("enabledShutdownHook", flags()),
            Map.entry("retryIfMTIFieldExist", flags()),
            Map.entry("allowRetry", flags()),
            Map.entry("numberOfRetries", List.of("0", "1", "2", "3", "5", "6", "-1", "y")),
            Map.entry("retryInterval", List.of("0", "1", "2", "1000", "500", "-1")),
            Map.entry("timeout", List.of("20", "130", "z")),
            Map.entry("enableLog", flags()),
            Map.entry("logMaximumSize", List.of("10", "x")),
            Map.entry("shop.connectionTimeoutMs", List.of("7000", "0"))));

    @TempDir
    Path folder;

    private static List<String> flags() {
        return List.of("true", "false", "True", "FALSE", "1", "0", "true", "false", "true", "false", "yes");
    }

    private static List<String> numbers() {
        return List.of("1", "77", "1000", "+5", "3000", "90000", "1000", "60000", "12", "123", "0", "", "abc");
    }

    @Test
    void importAgreesWithTheSdk() throws Exception {
        Random random = new Random(20_261_121);
        int taken = 0;
        for (int i = 0; i < FILES; i++) {
            Properties properties = properties(random);
            MerchantConfig sdk = sdk(properties);
            GatewayConfig ours = ours(properties);
            assertThat(ours != null).as("taken: %s", properties).isEqualTo(sdk != null);
            if (sdk != null && ours != null) {
                same(ours, sdk, properties);
                taken++;
            }
        }
        assertThat(taken).isBetween(FILES / 10, FILES - FILES / 10);
    }

    private static Properties properties(Random random) {
        Properties properties = new Properties();
        properties.put("merchantID", "shop");
        // Invalid values are rare in some files and frequent in others, so that some files are accepted.
        double wrong = random.nextDouble() * random.nextDouble() * 0.2;
        VALUES.forEach((name, values) -> {
            boolean needed = name.endsWith("Ms") || name.startsWith("max") || name.startsWith("default");
            if (random.nextDouble() < (needed ? 1 - wrong / 4 : 0.6)) {
                String value = values.get(random.nextInt(values.size()));
                boolean sound = value.matches("[1-9]\\d*|\\+5|(?i:true|false)|.*[./:].*");
                properties.put(name, sound || random.nextDouble() < wrong ? value : sound(values));
            }
        });
        return properties;
    }

    private static String sound(List<String> values) {
        return values.contains("2") && values.contains("6")
                ? "2"
                : values.contains("1000") ? "1000" : values.getFirst();
    }

    private static @Nullable MerchantConfig sdk(Properties properties) {
        try {
            return new MerchantConfig(properties, null);
        } catch (ConfigException refused) {
            return null;
        }
    }

    private @Nullable GatewayConfig ours(Properties properties) throws Exception {
        Path file = folder.resolve("cybs.properties");
        try (OutputStream out = Files.newOutputStream(file)) {
            properties.store(out, null);
        }
        String yaml;
        try {
            yaml = SettingsImport.flowFile(file);
        } catch (BadConfig refused) {
            return null;
        }
        return FlowFile.read(Files.writeString(folder.resolve("flows.yaml"), yaml))
                .config();
    }

    private static void same(GatewayConfig ours, MerchantConfig sdk, Properties properties) throws Exception {
        FlowConfig flow = ours.flows().getFirst();
        HttpTo to = (HttpTo) flow.to();
        PoolConfig pool = to.pool();
        assertThat(to.url().value()).as("%s", properties).hasToString(sdk.getEffectiveServerURL());
        assertThat(value(pool.connectTimeout())).as("%s", properties).isEqualTo(millis(sdk.getConnectionTimeoutMs()));
        assertThat(value(pool.responseTimeout())).as("%s", properties).isEqualTo(millis(sdk.getSocketTimeoutMs()));
        if (sdk.getUseHttpClientWithConnectionPool()) {
            assertThat(value(ours.poolTotal())).isEqualTo(sdk.getMaxConnections());
            assertThat(value(pool.max())).isEqualTo(Math.min(sdk.getMaxConnections(), perRoute(sdk)));
            assertThat(value(pool.waiting())).isEqualTo(millis(sdk.getConnectionRequestTimeoutMs()));
            assertThat(value(pool.idle())).isEqualTo(millis(sdk.getMaxKeepAliveTimeMs()));
        } else {
            assertThat(ours.poolTotal()).isNull();
            assertThat(pool.max()).isNull();
        }
        RetryConfig retry = flow.retry();
        // The SDK keeps 0 for both while there are no retries.
        assertThat(retry == null ? 0 : retry.attempts().value() - 1)
                .as("%s", properties)
                .isEqualTo(sdk.getNumberOfRetries());
    }

    /** The limit that HttpClient applies to the URL's route, of the two that the SDK sets. */
    private static int perRoute(MerchantConfig sdk) throws Exception {
        HttpPost post = new HttpPost(sdk.getEffectiveServerURL());
        HttpHost host = URIUtils.extractHost(post.getURI());
        HttpRoute route = new DefaultRoutePlanner(null).determineRoute(host, post, new BasicHttpContext());
        HttpRoute set = new HttpRoute(new HttpHost(host.getHostName()));
        return route.equals(set) ? sdk.getMaxConnectionsPerRoute() : sdk.getDefaultMaxConnectionsPerRoute();
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private static <T> T value(@Nullable Configured<T> chosen) {
        return Objects.requireNonNull(chosen).value();
    }
}
