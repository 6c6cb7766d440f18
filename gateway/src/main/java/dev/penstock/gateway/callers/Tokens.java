package dev.penstock.gateway.callers;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import dev.penstock.Ticker;
import dev.penstock.gateway.callers.AuthConfig.TokenConfig;
import dev.penstock.gateway.config.WatchedFiles;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.BadInput;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Verifies signed tokens (JWT, RFC 7519) as RFC 8725 advises. A verified token is remembered by its SHA-256 until it expires or the
 * keys change, so its signature is verified once. Thread-safe.
 */
final class Tokens {
    private static final int SKEW_SECONDS = 30;
    private static final int MOST = 20_000;

    /** For any use, or for access (RFC 9068). */
    private static final DefaultJOSEObjectTypeVerifier<SecurityContext> TYPES = new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), new JOSEObjectType("application/at+jwt"), null);

    private record Verified(String name, Instant until, SigningKeys by) {}

    private final TokenConfig config;
    private final DefaultJWTClaimsVerifier<SecurityContext> claimsVerifier;
    private final Supplier<? extends @Nullable SigningKeys> keys;
    private final Map<ByteBuffer, Verified> known = new ConcurrentHashMap<>();

    Tokens(TokenConfig config, WatchedFiles files, Ticker ticker) {
        this.config = config;
        this.claimsVerifier = new DefaultJWTClaimsVerifier<>(
                config.audience(),
                new JWTClaimsSet.Builder().issuer(config.issuer()).build(),
                Set.of("exp", config.name()));
        claimsVerifier.setMaxClockSkew(SKEW_SECONDS);
        URI from = config.keys();
        this.keys = from.getScheme().equals("file")
                ? files.watchValid(Path.of(from), () -> SigningKeys.read(Path.of(from)))
                : new RemoteKeys(from, ticker);
    }

    /** The name of the caller of a token that was verified before; null for any other. */
    @Nullable
    String known(ByteBuffer digest) {
        Verified before = known.get(digest);
        return before != null
                        && Instant.now().isBefore(before.until.plusSeconds(SKEW_SECONDS))
                        && before.by == keys.get()
                ? before.name
                : null;
    }

    /**
     * Verifies a token and returns the name of its caller.
     *
     * @throws IllegalArgumentException it is not valid; the message, for the log, says why
     * @throws BadInput the keys are being fetched
     */
    String verify(String text, ByteBuffer digest) {
        SigningKeys now = keys.get();
        if (now == null) {
            throw later();
        }
        try {
            SignedJWT token = SignedJWT.parse(text);
            TYPES.verify(token.getHeader().getType(), null);
            // Extensions that must be understood (RFC 7515 section 4.1.11).
            require(token.getHeader().getCriticalParams() == null, "it needs an extension");
            if (!now.know(token) && keys instanceof RemoteKeys remote && remote.refresh()) {
                throw later();
            }
            require(now.verify(token), "no key of the issuer verifies its signature, algorithm and kid");
            JWTClaimsSet claims = token.getJWTClaimsSet();
            claimsVerifier.verify(claims, null);
            String name = claims.getStringClaim(config.name());
            require(name != null && Caller.isName(name), "its claim " + config.name() + " is no name");
            remember(digest, new Verified(name, claims.getExpirationTime().toInstant(), now));
            return name;
        } catch (ParseException | BadJOSEException invalid) {
            throw new IllegalArgumentException("the token is not valid: " + invalid.getMessage(), invalid);
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private static BadInput later() {
        return new BadInput(
                503,
                "Credentials cannot be verified now. Nothing was sent. Send it again later.",
                "authentication",
                Headers.none().with("Retry-After", "1"));
    }

    /** Any token can be verified again, so a full memory begins anew. */
    private void remember(ByteBuffer digest, Verified verified) {
        if (known.size() >= MOST) {
            known.clear();
        }
        known.put(digest, verified);
    }
}
