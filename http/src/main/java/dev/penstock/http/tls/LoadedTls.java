package dev.penstock.http.tls;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The TLS context in use, and its sources.
 *
 * @param digests of the files when they were read
 * @param trust the trusted certificates; null for none
 * @param identities the certificates of this process
 * @param at when they were read
 */
record LoadedTls(
        SSLContext context,
        Map<Path, String> digests,
        @Nullable TrustAnchors trust,
        List<Identity> identities,
        Instant at) {
    /** @param keys choose an identity for a connection */
    static LoadedTls of(
            FileContents contents,
            @Nullable TrustAnchors trust,
            List<String> pins,
            List<Identity> identities,
            List<? extends KeyManager> keys,
            Instant now) {
        return new LoadedTls(context(trust, pins, keys), contents.digests(), trust, identities, now);
    }

    private static SSLContext context(
            @Nullable TrustAnchors trust, List<String> pins, List<? extends KeyManager> keys) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            // Without trust managers, the JDK would use those of the platform.
            TrustManager[] trusting = trust == null ? new TrustManager[0] : PinnedKeys.in(trust.managers(), pins);
            context.init(keys.toArray(KeyManager[]::new), trusting, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }
}
