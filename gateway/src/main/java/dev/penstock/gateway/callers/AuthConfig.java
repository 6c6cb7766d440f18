package dev.penstock.gateway.callers;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.FilePath;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.TargetUrl;
import java.net.URI;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the callers of an HTTP source are found: the keys of {@code from.http.auth}, of which any suffices. All files existed and
 * were valid when the flow file was read.
 *
 * @param location where it is in the file
 * @param keys the file of API keys; null for none
 * @param tokens which tokens are accepted; null for none
 * @param names what of a client certificate is the name of its caller; null for no certificates
 * @param header the header with the name of the caller, for the flow and its target
 */
public record AuthConfig(
        FileLocation location,
        @Nullable Path keys,
        @Nullable TokenConfig tokens,
        @Nullable CertificateName names,
        Configured<String> header) {
    /**
     * Which tokens (JWT) are accepted.
     *
     * @param issuer the claim {@code iss}
     * @param audience one of the claim {@code aud}
     * @param keys the keys of the issuer: a file, or a URL
     * @param name the claim with the name of the caller
     */
    record TokenConfig(String issuer, String audience, URI keys, String name) {
        /** Without the URL of the keys, which may contain a secret. */
        @Override
        public String toString() {
            return "tokens of " + issuer;
        }
    }

    /** What of a client certificate is the name of its caller. */
    enum CertificateName {
        SUBJECT_CN,
        SAN
    }

    private static final Schema KEYS = Schema.of("api_keys", "api_keys: { file: keys.txt }");
    private static final Key<Path> FILE = KEYS.key(
                    "file",
                    FilePath.of(
                            "check the path, or make its lines with penstock key new NAME",
                            file -> ApiKeyFile.read(file, Caller.ANY)),
                    "one caller in a line: name, SHA-256 of its key, limits; penstock key new NAME makes key and line")
            .required("file: keys.txt");

    private static final Schema JWT = Schema.of(
            "jwt", "jwt: { issuer: \"https://id.example/\", audience: payments, jwks: \"https://id.example/jwks\" }");
    private static final Key<String> ISSUER = JWT.key("issuer", KeyType.text(), "the issuer of the tokens: claim iss")
            .required("issuer: \"https://id.example/\"")
            .alias("iss");
    private static final Key<String> AUDIENCE = JWT.key(
                    "audience", KeyType.text(), "what the tokens are for: one of the claim aud")
            .required("audience: payments")
            .alias("aud");
    private static final KeyType<Path> KEY_FILE = FilePath.of(SigningKeys::read);
    private static final Key<URI> JWKS = JWT.key(
                    "jwks",
                    KeyType.text("an https URL, or a file, relative to the flow file", AuthConfig::keySet),
                    "the keys of the issuer (JWK set), chosen by the kid of a token")
            .alias("keys jwk_set");
    private static final Key<URI> PUBLIC_KEY =
            JWT.key("key", KEY_FILE.to(Path::toUri), "the one public key of the issuer (PEM): RSA, EC or Ed25519");
    private static final Key<String> CLAIM = JWT.key("name", KeyType.text(), "the claim with the name of the caller")
            .or("sub")
            .alias("claim");

    private static final Schema MTLS = Schema.of("mtls", "mtls: { name: subject-cn }");
    private static final Key<CertificateName> NAME = MTLS.key(
                    "name",
                    KeyType.oneOf(CertificateName.class),
                    "what of a verified client certificate is the caller's name; san: its first DNS name, URI or e-mail")
            .or(CertificateName.SUBJECT_CN);

    private static final Schema AUTH = Schema.of("from.http.auth", "auth: { api_keys: { file: keys.txt } }");
    private static final Key<Path> API_KEYS = AUTH.key(
            "api_keys",
            KeyType.keys(KEYS, given -> given.valueOf(FILE)),
            "API keys, sent as Authorization: Bearer KEY");
    private static final Key<TokenConfig> TOKENS = AUTH.key(
                    "jwt",
                    KeyType.mapping(JWT.either(JWKS, PUBLIC_KEY), AuthConfig::tokens),
                    "tokens of an issuer, sent as Authorization: Bearer TOKEN; RS, ES and EdDSA only")
            .alias("tokens oauth oidc");
    private static final Key<CertificateName> CERTIFICATES = AUTH.key(
            "mtls",
            KeyType.keys(MTLS, given -> given.get(NAME).value()),
            "client certificates of from.http.tls.client_ca");
    private static final Key<String> HEADER = AUTH.key(
                    "header",
                    HeaderNames.name("header: Penstock-Caller"),
                    "the header with the caller's name for the target; no client can send it")
            .or("Penstock-Caller");

    /** The key {@code auth} of an HTTP source. */
    public static final Key<AuthConfig> KEY = Key.of(
                    "auth",
                    KeyType.mapping(AUTH, AuthConfig::read),
                    "how callers prove who they are, by any of these; others get 401")
            .without("anyone may call")
            .alias("authentication");

    /** Whether client certificates are accepted. */
    public boolean hasCertificates() {
        return names != null;
    }

    /** What is accepted, for people. */
    public String accepted() {
        return Stream.of(keys == null ? "" : "api_keys", tokens == null ? "" : "jwt", names == null ? "" : "mtls")
                .filter(means -> !means.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static @Nullable AuthConfig read(ConfigValue value) {
        ConfigMapping given = value.mapping(AUTH);
        if (given == null) {
            return null;
        }
        if (!given.has(API_KEYS) && !given.has(TOKENS) && !given.has(CERTIFICATES)) {
            value.refuse("accepts nobody", "add for instance api_keys: { file: keys.txt }");
        }
        return new AuthConfig(
                value.location(),
                given.valueOf(API_KEYS),
                given.valueOf(TOKENS),
                given.valueOf(CERTIFICATES),
                given.get(HEADER));
    }

    private static @Nullable TokenConfig tokens(ConfigValue value) {
        ConfigMapping given = value.mapping(JWT);
        if (given == null) {
            return null;
        }
        if (given.has(JWKS) == given.has(PUBLIC_KEY)) {
            value.refuse("needs either 'jwks' or 'key'", "write for instance jwks: \"https://id.example/jwks\"");
        }
        String issuer = given.valueOf(ISSUER);
        String audience = given.valueOf(AUDIENCE);
        URI keys = given.has(JWKS) ? given.valueOf(JWKS) : given.valueOf(PUBLIC_KEY);
        String name = given.get(CLAIM).value();
        return issuer == null || audience == null || keys == null
                ? null
                : new TokenConfig(issuer, audience, keys, name);
    }

    /** Over cleartext, anyone on the way could replace the keys. */
    private static @Nullable URI keySet(ConfigValue value) {
        String text = value.text();
        if (text != null && !text.contains("://") && text.contains("?")) {
            value.refuse("is a URL without its beginning", "write for instance https://id.example/jwks, or a file");
            return null;
        }
        if (text == null || !text.contains("://")) {
            return text == null ? null : KEY_FILE.to(Path::toUri).read().apply(value);
        }
        URI url = TargetUrl.read(value);
        if (url != null && "http".equalsIgnoreCase(url.getScheme()) && !Addresses.isLoopback(url.getHost())) {
            value.refuseValue("which is no https URL", "write for instance https://id.example/jwks, or a file");
            return null;
        }
        return url;
    }
}
