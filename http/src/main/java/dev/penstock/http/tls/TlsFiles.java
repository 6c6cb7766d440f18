package dev.penstock.http.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLParameters;

/** The files of a configuration, and how they are used. Immutable. */
abstract sealed class TlsFiles permits Tls, ServerTls {
    /** How often files are checked for changes: 10 s. */
    static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

    /** All files, without duplicates. */
    abstract List<Path> files();

    /**
     * Creates a context.
     *
     * @throws IllegalArgumentException if a file cannot be used; the message, one line, says which, why and what to do
     */
    abstract LoadedTls load(FileContents contents, Instant now);

    /** What a certificate of this process is, for messages. */
    abstract String own();

    /** Who verifies it, for messages. */
    abstract String peers();

    /** The public keys that servers must have; empty for any. */
    List<String> pins() {
        return List.of();
    }

    /** What a connection needs beside the context; as of the JDK unless set. */
    SSLParameters parameters() {
        return new SSLParameters();
    }
}
