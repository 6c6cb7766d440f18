package dev.penstock.gateway.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * TLS to a target. All files were there, and readable, when the flow file was read.
 *
 * @param ca whom to trust in place of the platform's authorities; null for those
 * @param presents which certificate to present when the target asks for one; null for none
 */
public record TlsConfig(@Nullable Chosen<Path> ca, @Nullable Presents presents) {
    /** A certificate of our own. */
    public sealed interface Presents {}

    /** In PEM files. */
    public record Pem(Chosen<Path> certificate, Chosen<Path> key) implements Presents {}

    /** In a key store. */
    public record Store(Chosen<Path> file, Secret password) implements Presents {}
}
