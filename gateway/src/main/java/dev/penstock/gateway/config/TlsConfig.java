package dev.penstock.gateway.config;

import dev.penstock.http.tls.Tls;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * TLS to a target. All files were there, and could be used, when the flow file was read.
 *
 * @param ca whom to trust in place of the platform's authorities; null for those
 * @param presents which certificate to present when the target asks for one; null for none
 */
public record TlsConfig(@Nullable Configured<Path> ca, @Nullable Presents presents) {
    /** A certificate of our own. */
    public sealed interface Presents {}

    /**
     * In PEM files, which may be one and the same.
     *
     * @param password opens the key; null when it is not encrypted
     */
    public record Pem(
            Configured<Path> certificate,
            Configured<Path> key,
            @Nullable Secret password) implements Presents {
        private Tls presentedBy(Tls tls) {
            return password == null
                    ? tls.presenting(certificate.value(), key.value())
                    : tls.presenting(certificate.value(), key.value(), characters(password));
        }
    }

    /** In a key store, PKCS12 or JKS. */
    public record Store(Configured<Path> file, Secret password) implements Presents {}

    /** What a target takes. Reads nothing yet. */
    public Tls tls() {
        Tls trusting = ca == null ? Tls.platform() : Tls.platform().trusting(ca.value());
        return switch (presents) {
            case null -> trusting;
            case Pem pem -> pem.presentedBy(trusting);
            case Store store -> trusting.presenting(store.file().value(), characters(store.password()));
        };
    }

    private static Supplier<char[]> characters(Secret password) {
        return () -> password.value().toCharArray();
    }
}
