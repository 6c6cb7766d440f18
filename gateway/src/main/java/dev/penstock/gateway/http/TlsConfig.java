package dev.penstock.gateway.http;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.Secret;
import dev.penstock.http.tls.Tls;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * TLS to a target. All files existed and were valid when the flow file was read.
 *
 * @param ca the trusted CAs; null for those of the platform
 * @param presents the client certificate; null for none
 * @param pins the public keys that the target may have; empty for any
 */
public record TlsConfig(
        @Nullable Configured<Path> ca, @Nullable Presents presents, List<String> pins) {
    /** A client certificate with its key. */
    public sealed interface Presents {}

    /**
     * PEM files, which may be the same file.
     *
     * @param password the password of the key; null when it is not encrypted
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

    /** A key store, PKCS12 or JKS. */
    public record Store(Configured<Path> file, Secret password) implements Presents {}

    /** The TLS settings for a target. Does not read the files yet. */
    public Tls tls() {
        Tls any = Tls.platform().pinning(pins);
        Tls trusting = ca == null ? any : any.trusting(ca.value());
        return switch (presents) {
            case null -> trusting;
            case Pem pem -> pem.presentedBy(trusting);
            case Store store -> trusting.presenting(store.file().value(), characters(store.password()));
        };
    }

    private static Supplier<char[]> characters(Secret password) {
        return () -> password.get().toCharArray();
    }
}
