package dev.penstock.http.tls;

import dev.penstock.Ticker;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * TLS configuration of a server. Immutable; each method returns a modified copy. Files are read by {@link #open}.
 *
 * <pre>{@code
 * ServerTls tls = ServerTls.of(Tls.platform().presenting(Path.of("/run/tls/server.pem"), Path.of("/run/tls/server.key")))
 *         .clients(Path.of("/etc/penstock/clients.pem"), ServerTls.ClientAuth.NEED);
 * }</pre>
 *
 * <p>Defaults: TLS 1.3 and 1.2, no client certificates, files checked every 10 s. A client gets the certificate for the name that
 * it asks for (SNI): one with this name, else one with a matching wildcard, else the first. Changed files are used for new
 * connections; a session of before is not resumed.
 */
public final class ServerTls extends TlsFiles {
    /** Whether clients present a certificate. One that is presented must be valid in either case. */
    public enum ClientAuth {
        /** A client without a certificate is refused. */
        NEED,
        /** A client may present one. */
        WANT
    }

    /** The versions of TLS that may be offered, the default ones. */
    public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    private static final int MAX_CERTIFICATES = 64;

    private final List<KeyFiles> certificates;
    private final @Nullable TrustFile clients;
    private final @Nullable ClientAuth auth;
    private final List<String> protocols;

    private ServerTls(
            List<KeyFiles> certificates,
            @Nullable TrustFile clients,
            @Nullable ClientAuth auth,
            List<String> protocols) {
        this.certificates = certificates;
        this.clients = clients;
        this.auth = auth;
        this.protocols = protocols;
    }

    /** Uses one certificate; see {@link #of(List)}. */
    public static ServerTls of(Tls certificate) {
        return of(List.of(certificate));
    }

    /**
     * Uses certificates, of which the first is for clients that ask for no name, or for an unknown one.
     *
     * @param certificates 1 to 64, each with a {@linkplain Tls#presenting(Path, Path) certificate}; their trusted certificates are ignored
     * @throws IllegalArgumentException for none or more, or for one without a certificate
     */
    public static ServerTls of(List<Tls> certificates) {
        if (certificates.isEmpty() || certificates.size() > MAX_CERTIFICATES) {
            throw new IllegalArgumentException(
                    "a server has 1 to " + MAX_CERTIFICATES + " certificates, not " + certificates.size());
        }
        List<KeyFiles> files = certificates.stream().map(Tls::presented).toList();
        if (files.contains(null)) {
            throw new IllegalArgumentException("a server needs a certificate: name one with presenting()");
        }
        return new ServerTls(files, null, null, PROTOCOLS);
    }

    /**
     * Verifies certificates of clients.
     *
     * @param authorities the certificates that have issued those of clients: PEM, or a PKCS12 or JKS store that can be read
     *     without a password
     */
    public ServerTls clients(Path authorities, ClientAuth whether) {
        return new ServerTls(certificates, new TrustFile(authorities, null), whether, protocols);
    }

    /**
     * Offers these versions of TLS only.
     *
     * @param versions of {@link #PROTOCOLS}
     * @throws IllegalArgumentException for none, or another one
     */
    public ServerTls protocols(List<String> versions) {
        if (versions.isEmpty() || !PROTOCOLS.containsAll(versions)) {
            throw new IllegalArgumentException("TLS is offered as " + PROTOCOLS + ", not as " + versions);
        }
        return new ServerTls(certificates, clients, auth, List.copyOf(versions));
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
     * @param wallClock determines whether the certificates are valid
     * @throws IllegalArgumentException see {@link #open()}
     */
    public TlsMaterial open(Ticker ticker, InstantSource wallClock) {
        return new TlsMaterial(this, ticker, wallClock, LoggerFactory.getLogger(TlsMaterial.class));
    }

    @Override
    List<Path> files() {
        Stream<Path> trusted = clients == null ? Stream.of() : Stream.of(clients.file());
        return Stream.concat(certificates.stream().flatMap(one -> one.files().stream()), trusted)
                .distinct()
                .toList();
    }

    @Override
    LoadedTls load(FileContents contents, Instant now) {
        List<Identity> own =
                certificates.stream().map(files -> files.read(contents)).toList();
        TrustAnchors trust = clients == null ? null : TrustAnchors.of(List.of(clients), contents);
        return LoadedTls.of(contents, trust, List.of(), own, List.of(new ServerKeyManager(own)), now);
    }

    @Override
    String own() {
        return "certificate";
    }

    @Override
    String peers() {
        return "clients";
    }

    @Override
    SSLParameters parameters() {
        SSLParameters parameters = new SSLParameters();
        parameters.setProtocols(protocols.toArray(String[]::new));
        parameters.setNeedClientAuth(auth == ClientAuth.NEED);
        if (auth == ClientAuth.WANT) { // each of the two ends the other
            parameters.setWantClientAuth(true);
        }
        return parameters;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ServerTls tls && toString().equals(tls.toString());
    }

    @Override
    public int hashCode() {
        return Objects.hash(toString());
    }

    /** The files and what they are for, without secrets. */
    @Override
    public String toString() {
        String presented = certificates.stream().map(KeyFiles::toString).collect(Collectors.joining(", "));
        return String.join(", ", protocols) + "; presents " + presented + "; clients "
                + (auth == null ? "need no certificate" : auth + " a certificate of " + clients);
    }
}
