package dev.penstock.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hc.core5.util.VersionInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The version of HttpCore on the class path, which may be older than that of this library: Spring Boot 4.0 manages 5.3. Before 5.4,
 * calls over HTTP/2 wait for ever when a server ends a connection, so they are sent over HTTP/1.1 then.
 */
final class HttpCoreVersion {
    private static final Logger LOG = LoggerFactory.getLogger(HttpCoreVersion.class);
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*");
    private static final VersionInfo FOUND =
            VersionInfo.loadVersionInfo("org.apache.hc.core5", HttpCoreVersion.class.getClassLoader());

    /** Why there is no HTTP/2; null if there is. */
    static final @Nullable String WITHOUT_HTTP2 = withoutHttp2(FOUND == null ? "" : FOUND.getRelease());

    static {
        if (WITHOUT_HTTP2 != null) {
            LOG.warn("requests are sent over HTTP/1.1: {}", WITHOUT_HTTP2);
        }
    }

    private HttpCoreVersion() {}

    /** An unknown version counts as the one that this library was built with. */
    static @Nullable String withoutHttp2(String release) {
        Matcher numbers = NUMBERS.matcher(release);
        boolean isOld = numbers.matches()
                && Integer.parseInt(numbers.group(1)) * 10_000 + Integer.parseInt(numbers.group(2)) < 5 * 10_000 + 4;
        return isOld
                ? "HTTP/2 needs HttpCore 5.4 or later, but the class path has " + release
                        + "; with Spring Boot set the property httpcore5.version"
                : null;
    }
}
