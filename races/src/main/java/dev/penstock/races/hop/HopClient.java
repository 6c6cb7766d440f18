package dev.penstock.races.hop;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.gateway.callers.ApiKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How clients reach a hop: in cleartext, or over TLS with an API key in each request.
 *
 * @param key of this client; null in cleartext
 * @param certificate of the hop; null in cleartext
 */
record HopClient(@Nullable ApiKey key, @Nullable Path certificate) {
    static final HopClient PLAIN = new HopClient(null, null);

    /** As many as in the flow file of a large user. */
    private static final int CALLERS = 10_000;

    /** Writes a certificate for the hop and the keys of all callers, as each product wants them. */
    static HopClient secure(Path folder) throws IOException, InterruptedException {
        Path certificate = folder.resolve("hop.crt");
        Path key = folder.resolve("hop.key");
        run(
                List.of(
                        Program.path("openssl"),
                        "req",
                        "-x509",
                        "-newkey",
                        "ec",
                        "-pkeyopt",
                        "ec_paramgen_curve:P-256",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=hop",
                        "-addext",
                        "subjectAltName=IP:127.0.0.1",
                        "-keyout",
                        key.toString(),
                        "-out",
                        certificate.toString()),
                folder);
        write(folder.resolve("hop.pem"), Files.readString(certificate) + Files.readString(key));
        ApiKey own = ApiKey.create("caller");
        List<String> lines = new ArrayList<>(List.of(own.line()));
        for (int i = 1; i < CALLERS; i++) {
            lines.add(ApiKey.create("caller-" + i).line());
        }
        write(folder.resolve("keys.txt"), String.join("\n", lines) + "\n");
        String byHash = String.join(
                "\n",
                lines.stream()
                        .map(line -> line.replaceFirst("(\\S+) (\\S+)", "$2 $1"))
                        .toList());
        write(folder.resolve("keys.map"), byHash + "\n");
        return new HopClient(own, certificate);
    }

    private static void run(List<String> command, Path folder) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("openssl").toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("openssl failed: " + Files.readString(folder.resolve("openssl")));
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text);
    }

    String url(int port) {
        return (key == null ? "http" : "https") + "://127.0.0.1:" + port + HopTraffic.PATH;
    }

    /** The header fields of each request. */
    List<String> fields() {
        return key == null ? List.of(HopTraffic.KEY) : List.of(HopTraffic.KEY, "Authorization: Bearer " + key.text());
    }

    /** A request in wire format. */
    byte[] request(int port) {
        return ("GET " + HopTraffic.PATH + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n"
                        + String.join("\r\n", fields()) + "\r\n\r\n")
                .getBytes(US_ASCII);
    }

    Socket connect(int port) throws IOException {
        if (certificate == null) {
            return new Socket(InetAddress.getLoopbackAddress(), port);
        }
        try (var in = Files.newInputStream(certificate)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "hop", CertificateFactory.getInstance("X.509").generateCertificate(in));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot connect by TLS", e);
        }
    }
}
