package dev.penstock.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.file.Written;
import dev.penstock.http.HttpVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys beside the URL of a target: version, proxy, TLS. */
class TargetOptionsTest {
    private static final OwnCertificate OWN = OwnCertificate.make();

    @TempDir
    Path folder;

    @BeforeEach
    void files() throws Exception {
        OWN.write(folder);
    }

    private static String flow(String url, String options) {
        return "flows:\n  a:\n    from: { http: { port: 8080, path: /a } }\n    to:\n      http:\n        url: " + url
                + "\n        " + options + "\n";
    }

    private HttpTo read(String options) throws BadConfig {
        return (HttpTo) written()
                .read(flow("https://h/", options))
                .config()
                .flows()
                .getFirst()
                .to();
    }

    private Written written() {
        return new Written(folder, Map.of("PASSWORD", OwnCertificate.PASSWORD, "BROKEN", "s3cr3t\r\nX: y"));
    }

    private List<String> errors(String url, String options) {
        List<String> errors = written().errors(flow(url, options));
        assertThat(errors).noneMatch(line -> line.contains("s3cr3t"));
        return errors;
    }

    @Test
    void readsHttpVersion() throws Exception {
        assertThat(read("version: auto").version()).isNull();
        assertThat(read("version: 1.1").version())
                .isEqualTo(Configured.fromFile(HttpVersion.HTTP_1_1, new FileLocation(7, 18)));
        assertThat(read("version: 2").version())
                .isEqualTo(Configured.fromFile(HttpVersion.HTTP_2, new FileLocation(7, 18)));
        assertThat(read("version: \"2\"").version())
                .isEqualTo(Configured.fromFile(HttpVersion.HTTP_2, new FileLocation(7, 18)));
        assertThat(errors("https://h/", "version: 3"))
                .containsExactly(
                        "f.yaml:7:18: 'to.http.version' is 3, which is not a supported HTTP version; write auto, 1.1 or 2");
        assertThat(errors("https://h/", "proxy: { url: \"p:1\" }\n        version: 2"))
                .containsExactly(
                        "f.yaml:8:18: 'to.http.version' is 2, but HTTP/2 is not supported through a proxy; remove one of the two");
        assertThat(errors("http://h/", "version: 2"))
                .containsExactly(
                        "f.yaml:7:18: 'to.http.version' is 2, but HTTP/2 is not supported without TLS (h2c); use an https URL, or version 1.1");
    }

    @Test
    void readsProxyWithAndWithoutLogin() throws Exception {
        FileLocation place = new FileLocation(7, 23);
        assertThat(read("proxy: { url: \"http://proxy.example:3128\" }").proxy())
                .isEqualTo(new ProxyConfig(Configured.fromFile("proxy.example:3128", place), null));
        assertThat(read("proxy: { url: \"http://[::1]:3128/\", user: u, password: \"${PASSWORD}\" }")
                        .proxy())
                .isEqualTo(new ProxyConfig(
                        Configured.fromFile("[::1]:3128", place), new ProxyConfig.Login("u", new Secret("s3cr3t"))));
        assertThat(read("proxy: { url: proxy.example:3128, user: u, password: \"\" }")
                        .proxy())
                .isEqualTo(new ProxyConfig(
                        Configured.fromFile("proxy.example:3128", place), new ProxyConfig.Login("u", new Secret(""))))
                .asString()
                .doesNotContain("s3cr3t");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "https://p:3128     | has the scheme 'https', but a proxy is reached over plain HTTP; begin it with http://",
                "socks5://p:1080    | has the scheme 'socks5', but a proxy is reached over plain HTTP; begin it with http://",
                "http://p           | has no port from 1 to 65535; write for instance http://proxy.example:3128",
                "p                  | has no port from 1 to 65535; write for instance http://proxy.example:3128",
                "http://p:70000     | has no port from 1 to 65535; write for instance http://proxy.example:3128",
                "http://p:1/x       | has parts besides host and port; write for instance http://proxy.example:3128",
                "http://p:1?x       | has parts besides host and port; write for instance http://proxy.example:3128",
                "http://a_b:1       | has no valid host name; write for instance http://proxy.example:3128",
                "http://a b:1       | is not a URL; write for instance http://proxy.example:3128",
                "http://u:s3cr3t@p:1 | contains a user name or password; use the keys user: NAME and password: \"${file:PATH}\"",
            })
    void rejectsInvalidProxy(String url, String text) {
        assertThat(errors("https://h/", "proxy: { url: \"" + url + "\" }"))
                .containsExactly("f.yaml:7:23: 'to.http.proxy.url' " + text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "user: u                            | 43: 'to.http.proxy.user' is given without 'password'; add password: \"${file:PATH}\", or \"\" for an empty one",
                "password: s3cr3t                   | 47: 'to.http.proxy.password' is given without 'user'; add user: NAME, or leave it out",
                "user: \"a:b\", password: s3cr3t    | 43: 'to.http.proxy.user' is not a valid user name; write one line without a colon",
                "user: u, password: \"${BROKEN}\"   | 56: 'to.http.proxy.password' contains a character that is not allowed in a header; write one line of plain text",
                "username: u                        | 37: unknown key 'username' in to.http.proxy; did you mean 'user'?",
            })
    void rejectsInvalidLogin(String login, String text) {
        assertThat(errors("https://h/", "proxy: { url: \"http://p:1\", " + login + " }"))
                .containsExactly("f.yaml:7:" + text);
    }

    @Test
    void rejectsProxyWithoutAddress() {
        assertThat(errors("https://h/", "proxy: { }"))
                .containsExactly(
                        "f.yaml:7:9: to.http.proxy has no 'url'; add for instance url: \"http://proxy.example:3128\"");
        assertThat(errors("https://h/", "proxy: p:1"))
                .containsExactly(
                        "f.yaml:7:16: 'to.http.proxy' must be a mapping, but this is a text; write for instance proxy: { url: \"http://proxy.example:3128\" }");
    }

    @Test
    void readsTrustedCasAndClientCertificate() throws Exception {
        TlsConfig pem = Objects.requireNonNull(read("tls: { ca: ca.pem, certificate: chain.pem, key: ./key.pem }")
                .tls());
        assertThat(pem)
                .isEqualTo(new TlsConfig(
                        Configured.fromFile(folder.resolve("ca.pem"), new FileLocation(7, 20)),
                        new TlsConfig.Pem(
                                Configured.fromFile(folder.resolve("chain.pem"), new FileLocation(7, 41)),
                                Configured.fromFile(folder.resolve("key.pem"), new FileLocation(7, 57)),
                                null),
                        List.of()));
        assertThat(read("tls: { key_store: store.p12, password: \"${PASSWORD}\" }")
                        .tls())
                .isEqualTo(new TlsConfig(
                        null,
                        new TlsConfig.Store(
                                Configured.fromFile(folder.resolve("store.p12"), new FileLocation(7, 27)),
                                new Secret("s3cr3t")),
                        List.of()))
                .asString()
                .doesNotContain("s3cr3t");
        assertThat(Objects.requireNonNull(
                                read("tls: { certificate: chain.pem, key: key.pem, password: \"${PASSWORD}\" }")
                                        .tls())
                        .presents())
                .isEqualTo(new TlsConfig.Pem(
                        Configured.fromFile(folder.resolve("chain.pem"), new FileLocation(7, 29)),
                        Configured.fromFile(folder.resolve("key.pem"), new FileLocation(7, 45)),
                        new Secret("s3cr3t")));
        assertThat(read("tls: { }").tls()).isEqualTo(new TlsConfig(null, null, List.of()));
        String pin = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        assertThat(read("tls: { pin: \"" + pin + "\" }").tls()).isEqualTo(new TlsConfig(null, null, List.of(pin)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ca: nope.pem | 20: 'to.http.tls.ca' is \"nope.pem\", which does not exist; check the path, which is relative to the folder of the flow file",
                "ca: .        | 20: 'to.http.tls.ca' is \".\", which is not a file; check the path, which is relative to the folder of the flow file",
                "certificate: chain.pem | 29: 'to.http.tls.certificate' is given without 'key'; add key: PATH, the same path when one file contains both",
                "key: key.pem           | 21: 'to.http.tls.key' is given without 'certificate'; add certificate: PATH",
                "key_store: store.p12   | 27: 'to.http.tls.key_store' is given without 'password'; add password: \"${file:PATH}\"",
                "password: s3cr3t       | 26: 'to.http.tls.password' is given without a key or key store; add key_store: PATH, or remove it",
                "certificate: chain.pem, key: key.pem, key_store: store.p12, password: s3cr3t | 65: 'to.http.tls.key_store' is combined with a certificate or key; keep one of the two",
                "pin: [sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=] | 22: 'to.http.tls.pin' is \"sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=\", which is not a pin; write sha256/ and the Base64 of 32 bytes, as docs/http.md shows",
                "cert: chain.pem        | 16: unknown key 'cert' in to.http.tls; did you mean 'certificate'?",
            })
    void clientCertificateIsGivenOnceAndCompletely(String tls, String text) {
        assertThat(errors("https://h/", "tls: { " + tls + " }")).containsExactly("f.yaml:7:" + text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "key.pem   | key       | certificate: chain.pem, key: key.pem",
                "store.p12 | key_store | key_store: store.p12, password: \"${PASSWORD}\"",
            })
    void rejectsAPrivateKeyThatOthersCanRead(String file, String key, String tls) throws Exception {
        Path open = folder.resolve(file);
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(errors("https://h/", "tls: { " + tls + " }"))
                .singleElement()
                .asString()
                .endsWith(
                        "'to.http.tls." + key + "' is \"" + file + "\", which other users can read; chmod 600 " + open);
    }

    @Test
    void rejectsUnusableFiles() throws Exception {
        Files.writeString(folder.resolve("ca.pem"), "hello");
        assertThat(errors("https://h/", "tls: { ca: ca.pem }"))
                .singleElement()
                .asString()
                .startsWith("f.yaml:7:14: 'to.http.tls' cannot be used; " + folder.resolve("ca.pem") + " ")
                .contains(": ");
        assertThat(errors("https://h/", "tls: { key_store: store.p12, password: wrong }"))
                .containsExactly("f.yaml:7:14: 'to.http.tls' cannot be used; " + folder.resolve("store.p12")
                        + " cannot be opened: wrong password");
    }

    @Test
    void rejectsTlsForHttpUrl() {
        assertThat(errors("http://h/", "tls: { ca: ca.pem }"))
                .containsExactly(
                        "f.yaml:7:14: 'to.http.tls' is given, but the URL is http; use an https URL, or remove tls");
    }

    @Test
    void suggestsKeysForCommonNames() {
        assertThat(errors("https://h/", "ssl: { }"))
                .containsExactly("f.yaml:7:9: unknown key 'ssl' in to.http; did you mean 'tls'?");
    }
}
