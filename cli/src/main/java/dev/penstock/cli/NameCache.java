package dev.penstock.cli;

import java.security.Security;

/**
 * How long this JVM remembers what it found for host names. Its defaults make a short failure of the name servers worse: a lookup
 * that failed once fails for 10 s, and an address is forgotten 30 s after it was found, whether it can be found again or not.
 *
 * <p>The keys are those of the JDK's file {@code java.security}. They are read at the first lookup.
 */
final class NameCache {
    private static final String FAILED = "networkaddress.cache.negative.ttl";
    private static final String FAILED_BY_DEFAULT = "10";
    private static final String FAILED_SECONDS = "1";

    private static final String STALE = "networkaddress.cache.stale.ttl";
    private static final String STALE_SECONDS = "600";

    private NameCache() {}

    /** From now on a lookup that failed is repeated after 1 s, and addresses found before are used up to 10 min meanwhile. */
    static void outliveNameServers() {
        if (FAILED_BY_DEFAULT.equals(Security.getProperty(FAILED))) {
            Security.setProperty(FAILED, FAILED_SECONDS);
        }
        if (Security.getProperty(STALE) == null) {
            Security.setProperty(STALE, STALE_SECONDS);
        }
    }
}
