package dev.penstock.gateway.file;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.gateway.config.BadConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A flow file written for one test, in its folder, read as {@code f.yaml}. */
public record Written(Path folder, Map<String, String> variables) {
    /** Lines 1 to 4 of most files: a complete flow, to which a test adds one key in line 5. */
    public static final String FLOW = """
            flows:
              payments:
                from: { http: { port: 8080, path: /v1/payments } }
                to: { http: { url: "https://gateway.example/v1" } }
            """;

    public Written(Path folder) {
        this(folder, Map.of());
    }

    public FlowFile read(String yaml) throws BadConfig {
        return FlowFile.read(write(yaml.getBytes(StandardCharsets.UTF_8)), variables::get);
    }

    /** The flow above with one more line. */
    public FlowFile readWith(String line) throws BadConfig {
        return read(FLOW + "    " + line + "\n");
    }

    public List<String> errors(String yaml) {
        return errors(yaml.getBytes(StandardCharsets.UTF_8));
    }

    public List<String> errors(byte[] bytes) {
        Path file = write(bytes);
        return catchThrowableOfType(BadConfig.class, () -> FlowFile.read(file, variables::get)).lines().stream()
                .map(this::plain)
                .toList();
    }

    /** The errors of the flow above with one more line. */
    public List<String> errorsWith(String line) {
        return errors(FLOW + "    " + line + "\n");
    }

    public List<String> warnings(String yaml) throws BadConfig {
        return read(yaml).warnings().stream().map(this::plain).toList();
    }

    private String plain(String line) {
        return line.replace(folder.resolve("f.yaml").toString(), "f.yaml");
    }

    private Path write(byte[] bytes) {
        try {
            return Files.write(folder.resolve("f.yaml"), bytes);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }
}
