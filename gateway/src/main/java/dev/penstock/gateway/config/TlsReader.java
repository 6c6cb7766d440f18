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
    private final ConfigProblems problems;

    TlsReader(ReadContext reading) {
        this.folder = reading.folder();
        this.problems = reading.problems();
    }

    @Nullable
    TlsConfig read(@Nullable ConfigValue value) {
        ConfigMapping tls = value == null ? null : value.mapping(TLS, "tls: { ca: ca.pem }");
        if (value == null || tls == null) {
            return null;
        }
        int before = problems.count();
        TlsConfig read = new TlsConfig(tls.ifGiven("ca", this::file), presents(tls));
        if (problems.count() == before) {
            open(read, value);
        }
        return read;
    }

    /** Reads the files as the target will, so that one that cannot be used is told now. Keeps nothing of them. */
    private static void open(TlsConfig config, ConfigValue value) {
        try {
            config.tls().open();
        } catch (IllegalArgumentException unusable) {
            value.refuse("cannot be used", String.valueOf(unusable.getMessage()));
        }
    }

    private TlsConfig.@Nullable Presents presents(ConfigMapping tls) {
        boolean sound = isSound(tls.get("certificate"), tls.get("key"), tls.get("key_store"), tls.get("password"));
        Configured<Path> certificate = tls.ifGiven("certificate", this::file);
        Configured<Path> key = tls.ifGiven("key", this::file);
        Configured<Path> store = tls.ifGiven("key_store", this::file);
        Configured<String> written = tls.ifGiven("password", ConfigValue::text);
        Secret password = written == null ? null : new Secret(written.value());
        if (!sound) {
            return null;
        }
        if (certificate != null && key != null) {
            return new TlsConfig.Pem(certificate, key, password);
        }
        return store == null || password == null ? null : new TlsConfig.Store(store, password);
    }

    /** Whether what is presented is said once and whole, after telling why not. */
    private static boolean isSound(
            @Nullable ConfigValue certificate, @Nullable ConfigValue key, @Nullable ConfigValue store, @Nullable ConfigValue password) {
        if (store != null && (certificate != null || key != null)) {
            store.refuse("stands beside a certificate or a key, and both say what is presented", "keep one of the two");
        } else if (certificate != null && key == null) {
            certificate.refuse("has no key beside it", "add key: PATH, the same path when one file holds both");
        } else if (key != null && certificate == null) {
            key.refuse("has no certificate beside it", "add certificate: PATH");
        } else if (store != null && password == null) {
            store.refuse("has no password beside it", "add password: \"${file:PATH}\"");
        } else if (password != null && key == null && store == null) {
            password.refuse("opens a key or a key store, and there is none", "add key_store: PATH, or leave it out");
        } else {
            return true;
        }
        return false;
    }

    private @Nullable Path file(ConfigValue value) {
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
    static void check(URI url, @Nullable ConfigValue tls) {
        if (tls != null && "http".equalsIgnoreCase(url.getScheme())) {
            tls.refuse("is given, and the URL is http", "write https, or leave tls out");
        }
    }
}
