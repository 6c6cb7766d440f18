package dev.penstock.http.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An authority of one test run, with certificates that it signed. Made by the JDK's keytool when first asked for, so that
 * no key stands in the repository and no certificate there expires. Each kind is made once a JVM, since a start of keytool
 * takes about a second. Kinds: {@code ca}; {@code server}, for localhost and 127.0.0.1; {@code client} (EC); {@code rsa} and
 * {@code ed25519}, two more clients; {@code expired}, a server whose certificate is no longer valid; a name with a dot, a server
 * of that name, with an RSA key for {@code rsa.example}.
 */
public final class TestAuthority {
    public static final char[] PASSWORD = "very-secret-4711".toCharArray();

    private static final Map<String, TestAuthority> MADE = new ConcurrentHashMap<>();

    private final String name;
    private byte[] store = {};
    private @Nullable KeyStore all;

    private TestAuthority(String name) {
        this.name = name;
    }

    public static TestAuthority first() {
        return MADE.computeIfAbsent("first", TestAuthority::new);
    }

    public static TestAuthority second() {
        return MADE.computeIfAbsent("second", TestAuthority::new);
    }

    public X509Certificate certificate(String kind) throws Exception {
        return (X509Certificate) with(kind).getCertificate(kind);
    }

    PrivateKey key(String kind) throws Exception {
        return (PrivateKey) with(kind).getKey(kind, PASSWORD);
    }

    /** A certificate without the authority's. */
    public String certificatePem(String kind) throws Exception {
        return pem("CERTIFICATE", certificate(kind).getEncoded());
    }

    public String caPem() throws Exception {
        return certificatePem("ca");
    }

    public String keyPem(String kind) throws Exception {
        return pem("PRIVATE KEY", key(kind).getEncoded());
    }

    /** A store with the keys of some kinds, of one of the JDK's types. */
    byte[] keyStore(String type, String... kinds) throws Exception {
        KeyStore out = empty(type);
        for (String kind : kinds) {
            out.setKeyEntry(kind, key(kind), PASSWORD, with(kind).getCertificateChain(kind));
        }
        return bytes(out, PASSWORD);
    }

    /** A store that trusts this authority. */
    byte[] trustStore(String type, char[] password) throws Exception {
        KeyStore out = empty(type);
        out.setCertificateEntry("ca", certificate("ca"));
        return bytes(out, password);
    }

    static String pem(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + label + "-----\n";
    }

    private static KeyStore empty(String type) throws Exception {
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        return store;
    }

    private static byte[] bytes(KeyStore store, char[] password) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.store(out, password);
        return out.toByteArray();
    }

    /** A store with one key, of the password above. */
    public KeyStore opened(String kind) throws Exception {
        KeyStore one = empty("PKCS12");
        one.setKeyEntry(kind, key(kind), PASSWORD, with(kind).getCertificateChain(kind));
        return one;
    }

    private synchronized KeyStore with(String kind) throws Exception {
        KeyStore known = all;
        if (known != null && known.isKeyEntry(kind)) {
            return known;
        }
        if (!kind.equals("ca")) {
            with("ca");
        }
        make(kind);
        // Opened once for each kind: to derive its keys from the password takes long.
        KeyStore made = KeyStore.getInstance("PKCS12");
        made.load(new ByteArrayInputStream(store), PASSWORD);
        all = made;
        return made;
    }

    private void make(String kind) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("penstock-authority");
        Path file = directory.resolve("authority.p12");
        try {
            if (store.length > 0) {
                Files.write(file, store);
            }
            run(file, kind);
            store = Files.readAllBytes(file);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }

    private void run(Path file, String kind) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-alias",
                kind,
                "-dname",
                "CN=" + kind + " of " + name,
                "-startdate",
                kind.equals("expired") ? "-10d" : "-1d",
                "-validity",
                kind.equals("expired") ? "5" : "3650"));
        extras(kind).forEach(command::add);
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        keytool.getOutputStream().close();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool made no certificate: " + said.strip());
        }
    }

    private static Stream<String> extras(String kind) {
        Stream<String> algorithm = switch (kind) {
            case "rsa", "rsa.example" -> Stream.of("-keyalg", "RSA", "-keysize", "2048");
            case "ed25519" -> Stream.of("-keyalg", "Ed25519");
            default -> Stream.of("-keyalg", "EC", "-groupname", "secp256r1");
        };
        Stream<String> rest = switch (kind) {
            case "ca" -> Stream.of("-ext", "bc:c");
            case "server", "expired" -> Stream.of("-signer", "ca", "-ext", "san=dns:localhost,ip:127.0.0.1");
            default ->
                kind.contains(".") ? Stream.of("-signer", "ca", "-ext", "san=dns:" + kind) : Stream.of("-signer", "ca");
        };
        return Stream.concat(algorithm, rest);
    }
}
