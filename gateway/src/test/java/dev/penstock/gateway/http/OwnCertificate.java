package dev.penstock.gateway.http;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

/** A self-signed certificate and its key, made by the JDK's keytool, as PEM files and as a key store. */
record OwnCertificate(byte[] store, byte[] certificate, byte[] key) {
    static final String PASSWORD = "s3cr3t";

    static OwnCertificate make() {
        return make(30);
    }

    static OwnCertificate make(int days) {
        try {
            Path folder = Files.createTempDirectory("penstock-test");
            Path file = folder.resolve("store.p12");
            String command = "-J-XX:TieredStopAtLevel=1 -genkeypair -alias own -keyalg EC -startdate -2d -validity "
                    + (days + 2)
                    + " -dname CN=own -storetype PKCS12 -storepass " + PASSWORD + " -keystore " + file;
            Process keytool = new ProcessBuilder(
                            (System.getProperty("java.home") + "/bin/keytool " + command).split(" "))
                    .redirectErrorStream(true)
                    .start();
            String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (keytool.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
            KeyStore opened = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
            OwnCertificate own = new OwnCertificate(
                    Files.readAllBytes(file),
                    opened.getCertificate("own").getEncoded(),
                    opened.getKey("own", PASSWORD.toCharArray()).getEncoded());
            Files.delete(file);
            Files.delete(folder);
            return own;
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** Writes {@code ca.pem}, {@code chain.pem}, {@code key.pem} and {@code store.p12}. */
    void write(Path folder) throws Exception {
        Files.writeString(folder.resolve("ca.pem"), pem("CERTIFICATE", certificate));
        Files.writeString(folder.resolve("chain.pem"), pem("CERTIFICATE", certificate));
        Files.writeString(folder.resolve("key.pem"), pem("PRIVATE KEY", key));
        Files.write(folder.resolve("store.p12"), store);
    }

    private static String pem(String label, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }
}
