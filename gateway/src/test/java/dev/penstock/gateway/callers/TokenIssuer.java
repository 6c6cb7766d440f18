package dev.penstock.gateway.callers;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Objects;

/** Signs tokens with a key of one type, and publishes the key. */
public final class TokenIssuer {
    public static final String ISSUER = "https://id.example/";
    public static final String AUDIENCE = "payments";
    private static final int ED25519_BYTES = 32;

    private final JWSAlgorithm algorithm;
    private final String kid;
    private final KeyPair keys;

    /** @param algorithm RS256, ES256 or EdDSA */
    public TokenIssuer(String algorithm, String kid) {
        this.algorithm = JWSAlgorithm.parse(algorithm);
        this.kid = kid;
        String type = algorithm.startsWith("RS") ? "RSA" : algorithm.startsWith("ES") ? "EC" : "Ed25519";
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(type);
            if (!type.equals("Ed25519")) {
                generator.initialize(type.equals("EC") ? 256 : 2048); // 3072, the default of RSA, takes seconds
            }
            this.keys = generator.generateKeyPair();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** Valid claims, to be changed by a test. */
    public static JWTClaimsSet.Builder claims(String name) {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .subject(name)
                .expirationTime(Date.from(Instant.now().plusSeconds(600)));
    }

    /** A valid token. */
    public String token(String name) {
        return token(claims(name).build());
    }

    public String token(JWTClaimsSet claims) {
        return token(new JWSHeader.Builder(algorithm).keyID(kid).build(), claims);
    }

    public String token(JWSHeader head, JWTClaimsSet claims) {
        try {
            SignedJWT token = new SignedJWT(head, claims);
            if (keys.getPrivate().getAlgorithm().startsWith("Ed")) {
                return edwards(token);
            }
            token.sign(signer());
            return token.serialize();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    private JWSSigner signer() throws Exception {
        return algorithm.getName().startsWith("RS")
                ? new RSASSASigner(keys.getPrivate())
                : new ECDSASigner(keys.getPrivate(), Curve.P_256);
    }

    private String edwards(SignedJWT token) throws Exception {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(keys.getPrivate());
        signature.update(token.getSigningInput());
        return new String(token.getSigningInput(), StandardCharsets.US_ASCII) + "."
                + Base64URL.encode(signature.sign());
    }

    public String pem() {
        return "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(keys.getPublic().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
    }

    private JWK jwk() {
        return switch (keys.getPublic()) {
            case RSAPublicKey rsa -> new RSAKey.Builder(rsa).keyID(kid).build();
            case ECPublicKey ec -> new ECKey.Builder(Curve.P_256, ec).keyID(kid).build();
            default -> {
                byte[] encoded = keys.getPublic().getEncoded();
                byte[] point = Arrays.copyOfRange(encoded, encoded.length - ED25519_BYTES, encoded.length);
                yield new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(point))
                        .keyID(kid)
                        .build();
            }
        };
    }

    /** The JWK set with the keys of these issuers. */
    public static String jwks(TokenIssuer... issuers) {
        List<JWK> all = List.of(issuers).stream().map(TokenIssuer::jwk).toList();
        return Objects.requireNonNull(new JWKSet(all).toString());
    }
}
