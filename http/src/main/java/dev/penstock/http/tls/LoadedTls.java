package dev.penstock.http.tls;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The TLS context in use, and its sources.
 *
 * @param digests of the files when they were read
 * @param at when they were read
 */
record LoadedTls(
        SSLContext context,
        Map<Path, String> digests,
        TrustAnchors trust,
        @Nullable Identity identity,
        Instant at) {
    static LoadedTls of(
            FileContents contents, TrustAnchors trust, List<String> pins, @Nullable Identity identity, Instant now) {
        return new LoadedTls(context(trust, pins, identity), contents.digests(), trust, identity, now);
    }

    private static SSLContext context(TrustAnchors trust, List<String> pins, @Nullable Identity identity) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            KeyManager[] keys =
                    identity == null ? new KeyManager[0] : new KeyManager[] {new SingleKeyManager(identity)};
            context.init(keys, PinnedKeys.in(trust.managers(), pins), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }
}
