package dev.penstock.gateway.http;

import dev.penstock.gateway.config.CertificateFiles;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FilePath;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.Secret;
import dev.penstock.http.tls.Tls;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of {@code to.http.tls}. Relative paths are resolved against the folder of the flow file. */
final class TlsReader {
    private static final int MOST_PINS = 20;
    private static final Schema TLS = Schema.of("to.http.tls", "tls: { ca: ca.pem }");
    private static final Key<Path> CA = TLS.key("ca", FilePath.TYPE, "the trusted certificates: PEM, PKCS12 or JKS")
            .without("those of the platform")
            .alias("trust trust_store");
    private static final Key<Path> CERTIFICATE = TLS.key(
                    "certificate", FilePath.TYPE, "the certificate of this client, with its chain (PEM)")
            .alias("cert chain");
    private static final Key<Path> KEY = TLS.key(
                    "key", FilePath.PRIVATE, "the private key of the certificate (PEM, PKCS8)")
            .alias("private_key");
    private static final Key<Path> KEY_STORE = TLS.key(
            "key_store", FilePath.PRIVATE, "a PKCS12 or JKS file with key and certificate, in place of the two");
    private static final Key<Secret> PASSWORD =
            TLS.key("password", KeyType.secret(), "the password of the key or the key store");

    private static final Pattern PIN_FORM = Pattern.compile(Tls.PIN);
    private static final Key<List<String>> PIN = TLS.key(
                    "pin",
                    KeyType.matching("sha256/BASE64", PIN_FORM, TlsReader::pin).orList(MOST_PINS),
                    "the SHA-256 of public keys, of which the target must have one; its certificate must be valid too")
            .without("any key")
            .alias("pins pinning spki");

    static final KeyType<TlsConfig> TYPE = KeyType.mapping(TLS, TlsReader::read);

    private TlsReader() {}

    private static @Nullable TlsConfig read(ConfigValue value) {
        ConfigMapping tls = value.mapping(TLS);
        if (tls == null) {
            return null;
        }
        ConfigProblems problems = value.problems();
        int before = problems.count();
        List<String> pins = tls.valueOf(PIN);
        TlsConfig read = new TlsConfig(tls.find(CA), presents(tls), pins == null ? List.of() : pins);
        if (problems.count() == before) {
            open(read, value);
        }
        return read;
    }

    private static @Nullable String pin(ConfigValue value) {
        return value.text(
                PIN_FORM.asMatchPredicate(),
                "which is not a pin",
                "write sha256/ and the Base64 of 32 bytes, as docs/http.md shows");
    }

    /** Reads the files as the target will, to report an unusable one now. Does not keep their contents. */
    private static void open(TlsConfig config, ConfigValue value) {
        try {
            config.tls().open();
        } catch (IllegalArgumentException unusable) {
            value.refuse("cannot be used", String.valueOf(unusable.getMessage()));
        }
    }

    private static TlsConfig.@Nullable Presents presents(ConfigMapping tls) {
        boolean complete = CertificateFiles.isComplete(
                tls.written(CERTIFICATE), tls.written(KEY), tls.written(KEY_STORE), tls.written(PASSWORD));
        Configured<Path> certificate = tls.find(CERTIFICATE);
        Configured<Path> key = tls.find(KEY);
        Configured<Path> store = tls.find(KEY_STORE);
        Secret password = tls.valueOf(PASSWORD);
        if (!complete) {
            return null;
        }
        if (certificate != null && key != null) {
            return new TlsConfig.Pem(certificate, key, password);
        }
        return store == null || password == null ? null : new TlsConfig.Store(store, password);
    }

    /** Reports TLS settings for a URL without TLS. */
    static void check(URI url, @Nullable ConfigValue tls) {
        if (tls != null && "http".equalsIgnoreCase(url.getScheme())) {
            tls.refuse("is given, but the URL is http", "use an https URL, or remove tls");
        }
    }
}
