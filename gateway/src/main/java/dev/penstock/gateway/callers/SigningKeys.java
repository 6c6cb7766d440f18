package dev.penstock.gateway.callers;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of an issuer of tokens: a JWK set (RFC 7517), or one key in PEM. The type of a key decides how it verifies, not the
 * token (RFC 8725 section 3.1), so there is no key for HMAC or {@code none}. Immutable.
 */
final class SigningKeys {
    /** The algorithms of tokens (RFC 7518), and their names in Java, by type of key. */
    private static final Map<String, Map<String, String>> ALGORITHMS = Map.of(
            "RSA", Map.of("RS256", "SHA256withRSA", "RS384", "SHA384withRSA", "RS512", "SHA512withRSA"),
            "EC of 256 bits", Map.of("ES256", "SHA256withECDSAinP1363Format"),
            "EC of 384 bits", Map.of("ES384", "SHA384withECDSAinP1363Format"),
            "EC of 521 bits", Map.of("ES512", "SHA512withECDSAinP1363Format"),
            "Ed25519", Map.of("EdDSA", "Ed25519", "Ed25519", "Ed25519"));

    private static final int LEAST_RSA_BITS = 2048;
    private static final long MAX_BYTES = 1 << 20;
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\\s]+)-----END PUBLIC KEY-----");

    /** What an Ed25519 key begins with in X.509 (RFC 8410), as hexadecimal digits. */
    private static final String ED25519 = "302a300506032b6570032100";

    /** A key. Its id is null if it verifies tokens of any, its algorithm if it may be any of its type. */
    private record SigningKey(
            @Nullable String id, @Nullable String only, Map<String, String> algorithms, PublicKey key) {
        boolean isFor(SignedJWT token) {
            String algorithm = token.getHeader().getAlgorithm().getName();
            String asked = token.getHeader().getKeyID();
            return algorithms.containsKey(algorithm)
                    && (only == null || only.equals(algorithm))
                    && (id == null || asked == null || id.equals(asked));
        }

        boolean verifies(SignedJWT token) {
            try {
                Signature signature = Signature.getInstance(
                        algorithms.get(token.getHeader().getAlgorithm().getName()));
                signature.initVerify(key);
                signature.update(token.getSigningInput());
                return signature.verify(token.getSignature().decode());
            } catch (GeneralSecurityException invalid) {
                return false;
            }
        }
    }

    private final List<SigningKey> keys = new ArrayList<>();

    private SigningKeys() {}

    /**
     * Reads a file.
     *
     * @throws IOException it cannot be used; the message continues "the file ..." and says what to do
     */
    static SigningKeys read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("is larger than 1 MB; check its path");
        }
        String text = Files.readString(file);
        Matcher pem = PEM.matcher(text);
        if (!pem.find()) {
            try {
                return of(JWKSet.parse(text));
            } catch (ParseException invalid) {
                throw new IOException("is neither a JWK set nor a public key in PEM; check its path", invalid);
            }
        }
        SigningKeys one = new SigningKeys();
        byte[] der = Base64.getMimeDecoder().decode(pem.group(1));
        List.of("RSA", "EC", "Ed25519").forEach(type -> one.add(null, null, publicKey(type, der)));
        return one.notEmpty();
    }

    /** Those keys of a set that an accepted algorithm uses. Throws as {@link #read}. */
    static SigningKeys of(JWKSet set) throws IOException {
        SigningKeys all = new SigningKeys();
        for (JWK jwk : set.getKeys()) {
            if (jwk.getKeyUse() == null || KeyUse.SIGNATURE.equals(jwk.getKeyUse())) {
                String id = jwk.getKeyID() == null ? "" : jwk.getKeyID();
                String only =
                        jwk.getAlgorithm() == null ? null : jwk.getAlgorithm().getName();
                all.add(id, only, publicKey(jwk));
            }
        }
        return all.notEmpty();
    }

    /** A key of a set; null for one that Java does not have, for instance of another curve. */
    private static @Nullable PublicKey publicKey(JWK jwk) {
        try {
            return switch (jwk) {
                case OctetKeyPair pair
                when pair.getCurve().equals(Curve.Ed25519) ->
                    publicKey(
                            "Ed25519",
                            HexFormat.of().parseHex(ED25519 + HexFormat.of().formatHex(pair.getDecodedX())));
                case AsymmetricJWK pair -> pair.toPublicKey();
                default -> null;
            };
        } catch (JOSEException unknown) {
            return null;
        }
    }

    private static @Nullable PublicKey publicKey(String type, byte[] der) {
        try {
            return KeyFactory.getInstance(type).generatePublic(new X509EncodedKeySpec(der));
        } catch (GeneralSecurityException ofAnotherType) {
            return null;
        }
    }

    private void add(@Nullable String id, @Nullable String only, @Nullable PublicKey key) {
        String type = switch (key) {
            case RSAPublicKey rsa when rsa.getModulus().bitLength() >= LEAST_RSA_BITS -> "RSA";
            case ECPublicKey ec ->
                "EC of " + ec.getParams().getCurve().getField().getFieldSize() + " bits";
            case EdECPublicKey ed -> ed.getParams().getName();
            case null, default -> "";
        };
        Map<String, String> algorithms = ALGORITHMS.getOrDefault(type, Map.of());
        if (key != null && !algorithms.isEmpty()) {
            keys.add(new SigningKey(id, only, algorithms, key));
        }
    }

    private SigningKeys notEmpty() throws IOException {
        if (keys.isEmpty()) {
            throw new IOException("has no key for RS256, ES256 or EdDSA; use one, for RS256 with 2048 bits or more");
        }
        return this;
    }

    /** Whether one of these keys may have signed a token. */
    boolean know(SignedJWT token) {
        return keys.stream().anyMatch(key -> key.isFor(token));
    }

    /** Whether one of these keys has signed a token. */
    boolean verify(SignedJWT token) {
        return keys.stream().anyMatch(key -> key.isFor(token) && key.verifies(token));
    }
}
