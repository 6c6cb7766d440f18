package dev.penstock.http.tls;

import dev.penstock.Ticker;
import dev.penstock.text.Durations;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS configuration for connections to a target. Immutable; each method returns a modified copy. Files are read by
 * {@link #open}.
 *
 * <pre>{@code
 * TlsMaterial tls = Tls.platform()
 *         .trusting(Path.of("/etc/gateway/ca.pem"))
 *         .presenting(Path.of("/run/tls/client.pem"), Path.of("/run/tls/client.key"))
 *         .open();
 * }</pre>
 *
 * <p>Defaults: the JVM's trust store, no client certificate, files checked every 10 s. Protocol versions and cipher suites are
 * the JDK's. Certificates are always verified; this cannot be disabled.
 */
public final class Tls extends TlsFiles {
    private static final int MAX_FILES = 16;

    /** The form of a pin, a regular expression. */
    public static final String PIN = "sha256/[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=";

    private final List<TrustFile> trusted;
    private final @Nullable KeyFiles presented;
    private final List<String> pins;

    private Tls(List<TrustFile> trusted, @Nullable KeyFiles presented, List<String> pins) {
        this.trusted = trusted;
        this.presented = presented;
        this.pins = pins;
    }

    /**
     * Uses the JVM's trust store (javax.net.ssl.trustStore, or its built-in list, as of {@link #open} or the last reload) and
     * no client certificate.
     */
    public static Tls platform() {
        return new Tls(List.of(), null, List.of());
    }

    /**
     * Trusts the certificates of a file instead of the JVM's trust store. Several calls add up. A certificate that is not an
     * authority is trusted only for itself.
     *
     * @param file PEM with at least one certificate, or a PKCS12 or JKS store that can be read without a password
     * @throws IllegalArgumentException for more than 16 files
     */
    public Tls trusting(Path file) {
        return trusting(new TrustFile(file, null));
    }

    /**
     * Trusts the certificates of a store with a password; otherwise like {@link #trusting(Path)}.
     *
     * @param store PKCS12 or JKS
     * @param password called each time the file is read; the array is neither modified nor kept
     * @throws IllegalArgumentException for more than 16 files
     */
    public Tls trusting(Path store, Supplier<char[]> password) {
        return trusting(new TrustFile(store, new Password(password)));
    }

    private Tls trusting(TrustFile file) {
        if (trusted.size() == MAX_FILES) {
            throw new IllegalArgumentException(
                    "at most " + MAX_FILES + " files can be trusted: merge their certificates into one PEM file");
        }
        return new Tls(Stream.concat(trusted.stream(), Stream.of(file)).toList(), presented, pins);
    }

    /**
     * Presents a client certificate to targets that request one. The last call counts.
     *
     * @param chain PEM; the certificate of the key first, then its issuers
     * @param key PEM, not encrypted: PKCS8, with an RSA, EC or EdDSA key; may be the same file
     */
    public Tls presenting(Path chain, Path key) {
        return presenting(new KeyFiles.InPem(chain, key, null));
    }

    /**
     * Presents a client certificate whose key may be encrypted (PKCS8 with PBES2 and PBKDF2, or PBES1); otherwise like {@link
     * #presenting(Path, Path)}.
     *
     * @param password ASCII; called each time an encrypted key is read; the array is neither modified nor kept
     */
    public Tls presenting(Path chain, Path key, Supplier<char[]> password) {
        return presenting(new KeyFiles.InPem(chain, key, new Password(password)));
    }

    /**
     * Presents the client certificate of a key store. The last call counts.
     *
     * @param store PKCS12 or JKS with exactly one private key, which has the password of the store
     * @param password called each time the file is read; the array is neither modified nor kept
     */
    public Tls presenting(Path store, Supplier<char[]> password) {
        return presenting(new KeyFiles.InStore(store, new Password(password)));
    }

    private Tls presenting(KeyFiles files) {
        return new Tls(trusted, files, pins);
    }

    /**
     * Also requires that a server has one of these public keys, after its certificate was found valid. The last call counts.
     *
     * @param publicKeys the pins (RFC 7469 section 2.4): {@code sha256/} and the Base64 of the SHA-256 of the key, as
     *     SubjectPublicKeyInfo in DER; empty for any key
     * @throws IllegalArgumentException if one has another form
     */
    public Tls pinning(List<String> publicKeys) {
        return new Tls(
                trusted, presented, publicKeys.stream().map(PinnedKeys::checked).toList());
    }

    /**
     * Reads all files and creates the first context.
     *
     * @throws IllegalArgumentException if a file cannot be used; the message, one line, says which, why and what to do
     */
    public TlsMaterial open() {
        return open(Ticker.SYSTEM, InstantSource.system());
    }

    /**
     * Like {@link #open()}, with other clocks.
     *
     * @param ticker times the checks of files
     * @param wallClock determines whether the client certificate is valid
     * @throws IllegalArgumentException see {@link #open()}
     */
    public TlsMaterial open(Ticker ticker, InstantSource wallClock) {
        return open(ticker, wallClock, LoggerFactory.getLogger(TlsMaterial.class));
    }

    TlsMaterial open(Ticker ticker, InstantSource wallClock, Logger log) {
        return new TlsMaterial(this, ticker, wallClock, log);
    }

    /** The files of the certificate; null for none. */
    @Nullable
    KeyFiles presented() {
        return presented;
    }

    @Override
    List<Path> files() {
        Stream<Path> keys = presented == null ? Stream.of() : presented.files().stream();
        return Stream.concat(trusted.stream().map(TrustFile::file), keys)
                .distinct()
                .toList();
    }

    @Override
    LoadedTls load(FileContents contents, Instant now) {
        TrustAnchors trust = trusted.isEmpty() ? TrustAnchors.platform() : TrustAnchors.of(trusted, contents);
        List<Identity> own = presented == null ? List.of() : List.of(presented.read(contents));
        return LoadedTls.of(
                contents,
                trust,
                pins,
                own,
                own.stream().map(SingleKeyManager::new).toList(),
                now);
    }

    @Override
    List<String> pins() {
        return pins;
    }

    @Override
    String own() {
        return "client certificate";
    }

    @Override
    String peers() {
        return "targets";
    }

    @Override
    public String toString() {
        String trust = trusted.isEmpty()
                ? "the JVM's trust store"
                : trusted.stream().map(TrustFile::toString).collect(Collectors.joining(", "));
        return "trusts " + trust + "; presents " + (presented == null ? "nothing" : presented) + "; checks files every "
                + Durations.format(CHECK_INTERVAL);
    }
}
