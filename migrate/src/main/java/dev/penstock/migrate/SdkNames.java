package dev.penstock.migrate;

import dev.penstock.text.SpellingHint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names of the SDK properties, and why some are dropped. */
final class SdkNames {
    /** Properties the SDK only reads with {@code useHttpClientWithConnectionPool=true}. */
    static final Set<String> POOL = Set.of(
            "maxConnections",
            "defaultMaxConnectionsPerRoute",
            "maxConnectionsPerRoute",
            "connectionRequestTimeoutMs",
            "evictThreadSleepTimeMs",
            "maxKeepAliveTimeMs",
            "staleConnectionCheckEnabled",
            "validateAfterInactivityMs",
            "enabledShutdownHook",
            "retryIfMTIFieldExist");

    private static final Set<String> RETRIES = Set.of("allowRetry", "numberOfRetries", "retryInterval");
    private static final Set<String> CONNECTION = Set.of(
            "connectionTimeoutMs",
            "socketTimeoutMs",
            "timeout",
            "serverURL",
            "targetAPIVersion",
            "namespaceURI",
            "sendToProduction",
            "sendToAkamai",
            "proxyHost",
            "proxyPort",
            "proxyUser",
            "proxyPassword");

    private static final Map<String, String> DROPPED = new LinkedHashMap<>();

    static {
        dropped(
                "the caller still signs its requests with the SDK",
                "merchantID",
                "keysDirectory",
                "keyAlias",
                "keyPassword",
                "keyFilename",
                "password",
                "useSignAndEncrypted",
                "enableJdkCert",
                "enableCacert",
                "cacertPassword",
                "certificateCacheEnabled",
                "merchantConfigCacheEnabled");
        dropped(
                "Penstock logs to standard error and never logs bodies; counters and times are at /metrics",
                "enableLog",
                "logNonPCICompliantSignedData",
                "logDirectory",
                "logFilename",
                "logMaximumSize");
        dropped("Penstock always pools its connections", "useHttpClient", "useHttpClientWithConnectionPool");
        dropped("a custom class, whose behaviour is not in the old file", "customHttpClass", "customHttpClassEnabled");
    }

    private static final Set<String> ALL = Stream.of(DROPPED.keySet(), POOL, RETRIES, CONNECTION)
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    private SdkNames() {}

    private static void dropped(String reason, String... names) {
        List.of(names).forEach(name -> DROPPED.put(name, reason));
    }

    static boolean knows(String name) {
        return ALL.contains(name);
    }

    /** Whether it never has an effect on the flow. */
    static boolean isDropped(String name) {
        return DROPPED.containsKey(name);
    }

    /** The probably intended name. */
    static Optional<String> near(String name) {
        return SpellingHint.of(name, ALL);
    }

    /** Why a property of the SDK is not in the flow. */
    static String reason(String name, SdkSettings settings) {
        String never = DROPPED.get(name);
        if (never != null) {
            return never;
        }
        if (POOL.contains(name) && settings.pool() == null) {
            return "not effective: useHttpClientWithConnectionPool is not true";
        }
        return switch (name) {
            case "maxConnectionsPerRoute" ->
                "not effective: the SDK builds the route from the host name only, so it applies to http on port 80 without a proxy";
            case "defaultMaxConnectionsPerRoute" -> "not effective: maxConnectionsPerRoute applies to this route";
            case "validateAfterInactivityMs" -> "not effective: every connection is validated before use";
            case "retryIfMTIFieldExist" -> "not effective: there are no retries";
            case "numberOfRetries", "retryInterval" -> "not effective: there are no retries";
            case "allowRetry" -> "not effective: neither useHttpClient nor useHttpClientWithConnectionPool is true";
            case "timeout" -> "not effective: connectionTimeoutMs and socketTimeoutMs override it";
            case "sendToProduction", "sendToAkamai" -> "not effective: serverURL overrides it";
            case "targetAPIVersion", "namespaceURI" -> "part of the body, which the caller writes";
            default -> "not effective: there is no proxyHost, or no proxyUser";
        };
    }
}
