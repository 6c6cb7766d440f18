package dev.penstock.races.httppool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A generated signing key in a file, for a payment SDK that requires one. Deleted on close. */
final class MerchantKey implements AutoCloseable {
    /** The merchant's name and key alias; lower case, as key stores keep it. */
    static final String NAME = "shop";

    /** Protects nothing: the key has no value and lives as long as one block. */
    static final String PASSWORD = "penstock";

    private static final String FILE = NAME + ".p12";

    private final Path directory;

    private MerchantKey(Path directory) {
        this.directory = directory;
    }

    /**
     * Creates a key in a directory that only this user can read; takes about a second.
     *
     * @throws IOException when the JDK's keytool failed, with its output
     */
    static MerchantKey create() throws IOException, InterruptedException {
        MerchantKey key = new MerchantKey(Files.createTempDirectory("penstock-key"));
        // The SDK reads the serial number from the subject.
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        NAME,
                        "-keyalg",
                        "RSA",
                        "-keysize",
                        "2048",
                        "-validity",
                        "3650",
                        "-dname",
                        "CN=" + NAME + ", SERIALNUMBER=1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        key.directory.resolve(FILE).toString())
                .redirectErrorStream(true)
                .start();
        keytool.getOutputStream().close();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            key.close();
            throw new IOException("keytool failed to create a key for the payment SDK: " + output.strip());
        }
        return key;
    }

    /** The file's directory. */
    Path directory() {
        return directory;
    }

    /** The file's name. */
    String fileName() {
        return FILE;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(directory.resolve(FILE));
        Files.deleteIfExists(directory);
    }
}
