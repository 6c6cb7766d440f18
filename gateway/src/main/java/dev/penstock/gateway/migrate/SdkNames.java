package dev.penstock.gateway.migrate;

import dev.penstock.gateway.config.SpellingHint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names of the SDK's properties, and why some of them have no place in a flow. */
final class SdkNames {
    /** What the SDK reads only with {@code useHttpClientWithConnectionPool=true}. */
    static final Set<String> OF_THE_POOL = Set.of(
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

    private static final Set<String> OF_RETRIES = Set.of("allowRetry", "numberOfRetries", "retryInterval");
    private static final Set<String> OF_THE_WAY = Set.of(
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

    private static final Map<String, String> NEVER = new LinkedHashMap<>();

    static {
        because(
                "the caller goes on signing its requests with the SDK",
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
        because(
                "Penstock logs to standard error, and never a body; counts and times are at /metrics",
                "enableLog",
                "logNonPCICompliantSignedData",
                "logDirectory",
                "logFilename",
                "logMaximumSize");
        because("Penstock always keeps its connections in a pool", "useHttpClient", "useHttpClientWithConnectionPool");
        because(
                "a class of your own; what it does is not in the old file",
                "customHttpClass",
                "customHttpClassEnabled");
    }

    private static final Set<String> ALL = Stream.of(NEVER.keySet(), OF_THE_POOL, OF_RETRIES, OF_THE_WAY)
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    private SdkNames() {}

    private static void because(String reason, String... names) {
        List.of(names).forEach(name -> NEVER.put(name, reason));
    }

    static boolean knows(String name) {
        return ALL.contains(name);
    }

    /** Whether nothing of a flow can come from it, read or not. */
    static boolean isNeverCarried(String name) {
        return NEVER.containsKey(name);
    }

    /** The name that was probably meant, of all. */
    static Optional<String> near(String name) {
        return SpellingHint.of(name, ALL);
    }

    /** Why a property is not in the flow that the SDK did read, or would have. */
    static String whyNot(String name, SdkSettings settings) {
        String never = NEVER.get(name);
        if (never != null) {
            return never;
        }
        if (OF_THE_POOL.contains(name) && settings.pool() == null) {
            return "not in force, for useHttpClientWithConnectionPool is not true";
        }
        return switch (name) {
            case "maxConnectionsPerRoute" ->
                "not in force: it counts for http on port 80 without a proxy only, for the SDK names no more of the route";
            case "defaultMaxConnectionsPerRoute" -> "not in force: maxConnectionsPerRoute is, for this route";
            case "validateAfterInactivityMs" -> "not in force: every connection is looked at before use";
            case "retryIfMTIFieldExist" -> "says what is repeated, and nothing is";
            case "numberOfRetries", "retryInterval" -> "not in force: there are no retries";
            case "allowRetry" -> "not in force, for useHttpClient and useHttpClientWithConnectionPool are not true";
            case "timeout" -> "not in force: connectionTimeoutMs and socketTimeoutMs are";
            case "sendToProduction", "sendToAkamai" -> "not in force: serverURL is";
            case "targetAPIVersion", "namespaceURI" -> "stands in the body, which the caller writes";
            default -> "not in force: there is no proxyHost, or no proxyUser";
        };
    }
}
