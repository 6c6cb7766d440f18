package dev.penstock.cli;

import java.security.Security;

/**
 * Configures the DNS cache of the JVM. Its defaults amplify a short DNS outage: a failed lookup is cached for 10 s, and
 * an address expires after 30 s even if the DNS server does not answer.
 *
 * <p>The keys are those of the JDK file {@code java.security}. They are read at the first lookup.
 */
final class NameCache {
    private static final String FAILED = "networkaddress.cache.negative.ttl";
    private static final String FAILED_BY_DEFAULT = "10";
    private static final String FAILED_SECONDS = "1";

    private static final String STALE = "networkaddress.cache.stale.ttl";
    private static final String STALE_SECONDS = "600";

    private NameCache() {}

    /** Repeats a failed lookup after 1 s, and uses known addresses for up to 10 min meanwhile. */
    static void tolerateDnsOutages() {
        if (FAILED_BY_DEFAULT.equals(Security.getProperty(FAILED))) {
            Security.setProperty(FAILED, FAILED_SECONDS);
        }
        if (Security.getProperty(STALE) == null) {
            Security.setProperty(STALE, STALE_SECONDS);
        }
    }
}
