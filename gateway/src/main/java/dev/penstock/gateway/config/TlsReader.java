package dev.penstock.gateway.config;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code to.http.tls}. Relative paths go from the folder of the flow file. */
final class TlsReader {
    private static final Keys TLS = Keys.of("to.http.tls", "ca", "certificate", "key", "key_store", "password")
            .meant(Map.of(
                    "trust",
                    "ca",
                    "trust_store",
                    "ca",
                    "cert",
                    "certificate",
                    "chain",
                    "certificate",
                    "private_key",
                    "key"));

    private final Path folder;

    TlsReader(Reading reading) {
        this.folder = reading.folder();
    }

    @Nullable
    TlsConfig read(@Nullable Value value) {
        Mapping tls = value == null ? null : value.mapping(TLS, "tls: { ca: ca.pem }");
        if (tls == null) {
            return null;
        }
        return new TlsConfig(tls.ifGiven("ca", this::file), presents(tls));
    }

    private TlsConfig.@Nullable Presents presents(Mapping tls) {
        Value certificate = tls.get("certificate");
        Value key = tls.get("key");
        Value store = tls.get("key_store");
        Value password = tls.get("password");
        Chosen<Path> chain = tls.ifGiven("certificate", this::file);
        Chosen<Path> privateKey = tls.ifGiven("key", this::file);
        Chosen<Path> keyStore = tls.ifGiven("key_store", this::file);
        if (store != null && (certificate != null || key != null)) {
            store.refuse("stands beside a certificate or a key, and both say what is presented", "keep one of the two");
            return null;
        }
        if (certificate != null && key == null) {
            certificate.refuse("has no key beside it", "add key: PATH, the same path when one file holds both");
        }
        if (key != null && certificate == null) {
            key.refuse("has no certificate beside it", "add certificate: PATH");
        }
        if (password != null && store == null) {
            password.refuse("opens a key store, and there is none", "add key_store: PATH, or leave it out");
        }
        if (store != null && password == null) {
            store.refuse("has no password beside it", "add password: \"${file:PATH}\"");
        }
        if (chain != null && privateKey != null) {
            return new TlsConfig.Pem(chain, privateKey);
        }
        String secret = password == null ? null : password.text();
        return keyStore == null || secret == null ? null : new TlsConfig.Store(keyStore, new Secret(secret));
    }

    private @Nullable Path file(Value value) {
        String written = value.text();
        if (written == null) {
            return null;
        }
        Path file;
        try {
            file = folder.resolve(written).normalize();
        } catch (InvalidPathException none) {
            value.refuseShown("which is no path", "write for instance ca.pem");
            return null;
        }
        if (Files.isRegularFile(file) && Files.isReadable(file)) {
            return file;
        }
        String what = Files.isRegularFile(file)
                ? "which this user may not read"
                : Files.exists(file) ? "which is no file" : "which is not there";
        value.refuseShown(what, "check the path, which begins at the folder of the flow file");
        return null;
    }

    /** Tells that TLS is set up for a URL that never uses it. */
    static void check(URI url, @Nullable Value tls) {
        if (tls != null && "http".equalsIgnoreCase(url.getScheme())) {
            tls.refuse("is given, and the URL is http", "write https, or leave tls out");
        }
    }
}
