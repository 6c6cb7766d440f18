package dev.penstock.http.tls;

import dev.penstock.Durations;
import dev.penstock.Ticker;
import java.nio.file.Path;
import java.time.Duration;
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
 * What TLS towards a target rests on. Immutable; each method gives a changed copy. Reads nothing until {@link #open}.
 *
 * <pre>{@code
 * TlsMaterial tls = Tls.platform()
 *         .trusting(Path.of("/etc/gateway/ca.pem"))
 *         .presenting(Path.of("/run/tls/client.pem"), Path.of("/run/tls/client.key"))
 *         .open();
 * }</pre>
 *
 * <p>Defaults: the JVM's trust store, no client certificate, files looked at every 10 s. Versions and ciphers are the
 * JDK's. Certificates are always verified; there is no setting that turns that off.
 */
public final class Tls {
    private static final Duration SHORTEST_LOOK = Duration.ofSeconds(1);
    private static final Duration LONGEST_LOOK = Duration.ofHours(1);
    private static final Duration LOOK = Duration.ofSeconds(10);
    private static final int MOST_FILES = 16;

    private final List<TrustFile> trusted;
    private final @Nullable KeyFiles presented;
    private final @Nullable Duration givenLook;

    private Tls(List<TrustFile> trusted, @Nullable KeyFiles presented, @Nullable Duration givenLook) {
        this.trusted = trusted;
        this.presented = presented;
        this.givenLook = givenLook;
    }

    /**
     * Trusts what the JVM trusts (javax.net.ssl.trustStore, or its own list, as it is when opened or read anew) and
     * presents nothing.
     */
    public static Tls platform() {
        return new Tls(List.of(), null, null);
    }

    /**
     * Trusts the certificates of a file, in place of the JVM's trust store; of several calls, those of all files. One
     * that is no authority's is trusted for itself alone.
     *
     * @param file PEM with one certificate or more, or a PKCS12 or JKS store that can be read without a password
     * @throws IllegalArgumentException for more than 16 files
     */
    public Tls trusting(Path file) {
        return trusting(new TrustFile(file, null));
    }

    /**
     * Trusts the certificates of a store that needs a password; else as {@link #trusting(Path)}.
     *
     * @param store PKCS12 or JKS
     * @param password asked for whenever the file is read; what it gives is neither changed nor kept
     * @throws IllegalArgumentException for more than 16 files
     */
    public Tls trusting(Path store, Supplier<char[]> password) {
        return trusting(new TrustFile(store, new Password(password)));
    }

    private Tls trusting(TrustFile file) {
        if (trusted.size() == MOST_FILES) {
            throw new IllegalArgumentException(
                    "at most " + MOST_FILES + " files can be trusted: put their certificates into one PEM file");
        }
        return new Tls(Stream.concat(trusted.stream(), Stream.of(file)).toList(), presented, givenLook);
    }

    /**
     * Presents a certificate to a target that asks for one. The last call of this name counts.
     *
     * @param chain PEM; the certificate of the key first, then those that vouch for it
     * @param key PEM, not encrypted: PKCS8, PKCS1 or SEC1, of an RSA, EC or EdDSA key; may be the same file
     */
    public Tls presenting(Path chain, Path key) {
        return presenting(new KeyFiles.InPem(chain, key, null));
    }

    /**
     * Presents a certificate whose key may be encrypted (PKCS8 with PBES2 and PBKDF2, or PBES1); else as {@link
     * #presenting(Path, Path)}.
     *
     * @param password ASCII; asked for whenever an encrypted key is read; what it gives is neither changed nor kept
     */
    public Tls presenting(Path chain, Path key, Supplier<char[]> password) {
        return presenting(new KeyFiles.InPem(chain, key, new Password(password)));
    }

    /**
     * Presents the certificate of a key store. The last call of this name counts.
     *
     * @param store PKCS12 or JKS, with exactly one private key, of the store's own password
     * @param password asked for whenever the file is read; what it gives is neither changed nor kept
     */
    public Tls presenting(Path store, Supplier<char[]> password) {
        return presenting(new KeyFiles.InStore(store, new Password(password)));
    }

    private Tls presenting(KeyFiles files) {
        return new Tls(trusted, files, givenLook);
    }

    /**
     * How long files are taken to be as they were.
     *
     * @param time 1 s to 1 h, default 10 s
     * @throws IllegalArgumentException when out of range
     */
    public Tls lookEvery(Duration time) {
        if (time.compareTo(SHORTEST_LOOK) < 0 || time.compareTo(LONGEST_LOOK) > 0) {
            throw new IllegalArgumentException("tls.look is 1 s to 1 h, not " + Durations.words(time));
        }
        return new Tls(trusted, presented, time);
    }

    /**
     * Reads all files and makes a first context of them.
     *
     * @throws IllegalArgumentException when a file cannot be used, with one line that says which, why, and what to do
     */
    public TlsMaterial open() {
        return open(Ticker.SYSTEM, InstantSource.system());
    }

    /**
     * As {@link #open()}, by other clocks.
     *
     * @param ticker tells when files are looked at again
     * @param wallClock tells whether the client certificate is valid
     * @throws IllegalArgumentException as {@link #open()}
     */
    public TlsMaterial open(Ticker ticker, InstantSource wallClock) {
        return open(ticker, wallClock, LoggerFactory.getLogger(TlsMaterial.class));
    }

    TlsMaterial open(Ticker ticker, InstantSource wallClock, Logger log) {
        return new TlsMaterial(this, ticker, wallClock, log);
    }

    /** All files, each once. */
    List<Path> files() {
        Stream<Path> keys = presented == null ? Stream.of() : presented.files().stream();
        return Stream.concat(trusted.stream().map(TrustFile::file), keys)
                .distinct()
                .toList();
    }

    LoadedTls load(FileContents contents, Instant now) {
        TrustAnchors trust = trusted.isEmpty() ? TrustAnchors.platform() : TrustAnchors.of(trusted, contents);
        return LoadedTls.of(contents, trust, presented == null ? null : presented.read(contents), now);
    }

    Duration look() {
        return givenLook == null ? LOOK : givenLook;
    }

    boolean lookIsGiven() {
        return givenLook != null;
    }

    @Override
    public String toString() {
        String trust = trusted.isEmpty()
                ? "the JVM's trust store"
                : trusted.stream().map(TrustFile::toString).collect(Collectors.joining(", "));
        return "trusts " + trust + "; presents " + (presented == null ? "nothing" : presented) + "; looks every "
                + Durations.words(look());
    }
}
