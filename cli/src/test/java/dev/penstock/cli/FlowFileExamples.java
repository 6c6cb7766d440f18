package dev.penstock.cli;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** Runs {@code penstock check} on the examples that are whole flow files, and compares them with the schema for editors. */
final class FlowFileExamples {
    private static final Pattern WHOLE_FILE = Pattern.compile("(?m)^flows:");
    private static final Pattern URL_VARIABLE = Pattern.compile("(?<!\\$)\\$\\{[A-Z_]*URL}");
    private static final Pattern PORT_VARIABLE = Pattern.compile("(?<!\\$)\\$\\{[A-Z_]*PORT}");
    private static final Pattern OTHER_VARIABLE = Pattern.compile("(?<!\\$)\\$\\{[A-Za-z_]\\w*}");
    private static final Pattern SECRET_FILE = Pattern.compile("\\$\\{file:[^}]*}");
    private static final Pattern PEM_FILE = Pattern.compile("[\\w./-]+\\.(pem|crt|key)\\b");
    private static final Pattern KEY_STORE = Pattern.compile("[\\w./-]+\\.(p12|pfx)\\b");
    private static final String PASSWORD = "s3cr3t-s3cr3t-s3cr3t";

    private FlowFileExamples() {}

    static boolean isFlowFile(DocExample example) {
        return (example.language().equals("yaml") || example.language().equals("yml"))
                && WHOLE_FILE.matcher(example.text()).find();
    }

    /**
     * What {@code penstock check} reports, with file and line of the page.
     *
     * @param folder where the flow file and the files that it refers to are written
     */
    static List<String> problems(DocExample example, Path folder) throws Exception {
        Path file = folder.resolve(example.file());
        Path inside = Objects.requireNonNull(file.getParent());
        Files.createDirectories(inside);
        // Leading blank lines make line numbers of the flow file equal to those of the page.
        String text = supplied(example.text(), inside);
        Files.writeString(file, "\n".repeat(example.line()) + text);
        Ran check = Ran.run(new CheckCommand(), file.toString());
        if (check.code() == CommandLineExit.DONE) {
            return EditorSchema.problems(text).stream()
                    .map(line -> example.problem(example.line(), "an editor flags it: " + line))
                    .toList();
        }
        return check.err()
                .lines()
                .map(line -> line.startsWith(file + ":")
                        ? line.substring(folder.toString().length() + 1)
                        : example.problem(example.line(), line))
                .toList();
    }

    /** The text with every environment variable and every file that it names replaced by one that exists. */
    private static String supplied(String text, Path folder) throws Exception {
        Files.writeString(folder.resolve("secret.txt"), PASSWORD);
        Path keys = Files.writeString(folder.resolve("keys.txt"), "shop " + "0".repeat(64));
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
        String supplied = SECRET_FILE.matcher(text).replaceAll("\\${file:secret.txt}");
        supplied = URL_VARIABLE.matcher(supplied).replaceAll("https://gateway.example/v1");
        supplied = PORT_VARIABLE.matcher(supplied).replaceAll("8080");
        supplied = OTHER_VARIABLE.matcher(supplied).replaceAll(PASSWORD);
        if (PEM_FILE.matcher(supplied).find() || KEY_STORE.matcher(supplied).find()) {
            writeCertificate(folder, PASSWORD);
            supplied = PEM_FILE.matcher(supplied).replaceAll("own.pem");
            supplied = KEY_STORE.matcher(supplied).replaceAll("own.p12");
        }
        return supplied;
    }

    /** Writes a self-signed certificate and its key, as a key store and as one PEM file. */
    static void writeCertificate(Path folder, String password) throws Exception {
        Path store = folder.resolve("own.p12");
        if (Files.exists(store)) {
            return;
        }
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=own",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        password,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException(output);
        }
        KeyStore opened = KeyStore.getInstance(store.toFile(), password.toCharArray());
        Files.writeString(
                folder.resolve("own.pem"),
                pem("CERTIFICATE", opened.getCertificate("own").getEncoded())
                        + pem(
                                "PRIVATE KEY",
                                opened.getKey("own", password.toCharArray()).getEncoded()));
    }

    private static String pem(String label, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }
}
