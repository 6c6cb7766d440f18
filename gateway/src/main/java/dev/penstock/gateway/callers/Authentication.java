package dev.penstock.gateway.callers;

import dev.penstock.Ticker;
import dev.penstock.gateway.callers.AuthConfig.CertificateName;
import dev.penstock.gateway.config.WatchedFiles;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.BadInput;
import dev.penstock.text.Sha256;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import org.jspecify.annotations.Nullable;

/**
 * Finds the caller of a request by its credentials. All requests without valid ones get the same answer, which does not show what was
 * wrong: 401, or 403 where only certificates are accepted, since HTTP has no way to ask for those. Thread-safe.
 */
final class Authentication {
    private static final String AUTHORIZATION = "Authorization";
    private static final int LONGEST_CREDENTIAL = 8 << 10;

    /** The types of alternative names (RFC 5280 section 4.2.1.6) that may be a caller's: DNS, URI, e-mail. */
    private static final List<Integer> SAN_TYPES = List.of(2, 6, 1);

    private final Caller others;
    private final @Nullable Supplier<ApiKeyFile> keys;
    private final @Nullable Tokens tokens;
    private final @Nullable CertificateName names;
    private final String header;
    private final Failures failures;
    private final Ticker ticker;
    private final Headers challenge;

    /** @param others a caller with the limits that apply to those without limits of their own */
    Authentication(String flow, AuthConfig config, Caller others, WatchedFiles files, Ticker ticker) {
        this.others = others;
        Path file = config.keys();
        this.keys = file == null ? null : files.watchValid(file, () -> ApiKeyFile.read(file, others));
        this.tokens = config.tokens() == null ? null : new Tokens(config.tokens(), files, ticker);
        this.names = config.names();
        this.header = config.header().value();
        this.failures = new Failures(flow, ticker.nanos());
        this.ticker = ticker;
        this.challenge = takesBearer()
                ? Headers.none().with("WWW-Authenticate", "Bearer realm=\"" + flow + "\"")
                : Headers.none();
    }

    /** Whether the header Authorization is for this gateway. */
    private boolean takesBearer() {
        return keys != null || tokens != null;
    }

    /** The fields of a request with its caller's name in place of credentials, which its target could use here. */
    Headers forwarded(Headers sent, Caller caller) {
        return (takesBearer() ? sent.without(AUTHORIZATION) : sent).and(header, caller.name());
    }

    /** The number of failures by result. */
    Map<String, Long> failures() {
        return failures.counts();
    }

    /**
     * Returns the caller.
     *
     * @throws BadInput there is none
     */
    Caller identify(Headers headers, InetAddress address, List<X509Certificate> certificates) {
        try {
            return takesBearer() && headers.has(AUTHORIZATION)
                    ? ofBearer(headers, address)
                    : ofCertificate(certificates);
        } catch (IllegalArgumentException invalid) {
            long wait = failures.add(address, String.valueOf(invalid.getMessage()), ticker.nanos());
            throw wait > 0
                    ? Share.beyond("failures", "This address sent too many requests without credentials.", wait, "")
                    : new BadInput(
                            takesBearer() ? 401 : 403,
                            "Valid credentials are required. Nothing was sent.",
                            "credentials",
                            challenge);
        }
    }

    private Caller ofBearer(Headers headers, InetAddress address) {
        String credential = headers.credentials("Bearer");
        if (credential.isEmpty() || credential.length() > LONGEST_CREDENTIAL) {
            throw new IllegalArgumentException("Authorization is not one bearer credential");
        }
        // A key has one dot, a token two.
        boolean isToken = keys == null || credential.indexOf('.') != credential.lastIndexOf('.');
        if (tokens != null && isToken) {
            return ofToken(tokens, credential, address);
        }
        Caller caller = keys == null ? null : keys.get().caller(credential);
        if (caller == null) {
            throw new IllegalArgumentException("no caller has this API key");
        }
        return caller;
    }

    private Caller ofToken(Tokens verifier, String credential, InetAddress address) {
        ByteBuffer digest = ByteBuffer.wrap(Sha256.of(credential));
        String known = verifier.known(digest);
        if (known == null && failures.isOver(address, ticker.nanos())) {
            throw new IllegalArgumentException("the token was not verified, since the address had failed too often");
        }
        return named(known != null ? known : verifier.verify(credential, digest));
    }

    private Caller named(String name) {
        return keys == null ? others.named(name) : keys.get().named(name, others);
    }

    private Caller ofCertificate(List<X509Certificate> certificates) {
        if (names == null || certificates.isEmpty()) {
            throw new IllegalArgumentException("there are no credentials");
        }
        X509Certificate own = certificates.getFirst();
        try {
            own.checkValidity(); // it was when the client connected
            return (names == CertificateName.SUBJECT_CN ? commonNames(own) : alternativeNames(own))
                    .limit(1)
                    .filter(Caller::isName)
                    .map(this::named)
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the client certificate has no usable name"));
        } catch (InvalidNameException | CertificateException invalid) {
            throw new IllegalArgumentException("the client certificate has expired, or has an invalid name", invalid);
        }
    }

    private static Stream<String> commonNames(X509Certificate certificate) throws InvalidNameException {
        return new LdapName(certificate.getSubjectX500Principal().getName())
                .getRdns().reversed().stream()
                        .filter(part -> part.getType().equalsIgnoreCase("CN"))
                        .map(part -> part.getValue().toString());
    }

    private static Stream<String> alternativeNames(X509Certificate certificate) throws CertificateParsingException {
        Collection<List<?>> given = certificate.getSubjectAlternativeNames();
        Collection<List<?>> all = given == null ? List.of() : given;
        return SAN_TYPES.stream()
                .flatMap(type -> all.stream().filter(name -> name.getFirst().equals(type)))
                .map(name -> String.valueOf(name.get(1)));
    }
}
