package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.file.FlowSchema;
import dev.penstock.kit.program.NeedsProgram;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A flow file in an editor: the YAML language server of VS Code, with {@code penstock schema}. */
@Tag("full")
@Tag("full-only")
@Timeout(300)
@NeedsProgram("npm")
class LanguageServerTest {
    private static final String VERSION = "yaml-language-server@1.15.0";

    @TempDir
    private Path folder;

    @Test
    void completesKeysAndFlagsUnknownOnes() throws Exception {
        Files.writeString(
                folder.resolve("penstock.schema.json"), FlowSchema.load().json());
        String text = """
                # yaml-language-server: $schema=penstock.schema.json
                flows:
                  payments:
                    from: { http: { port: 8080, path: /v1 } }
                    to: { http: { url: "https://gateway.example/v1" } }
                    retry:
                      atempts: 3
                    limit: 200
                    queue:
                      t
                """;
        try (Editor editor = new Editor(install(), folder)) {
            editor.open(text);
            JsonNode diagnostics = editor.await(
                    message -> message.path("method").asString("").equals("textDocument/publishDiagnostics")
                            && !message.at("/params/diagnostics").isEmpty());
            assertThat(diagnostics.at("/params/diagnostics").toString())
                    .contains("Property atempts is not allowed")
                    .doesNotContain("deadline", "limit");
            assertThat(editor.complete(9, 7)).contains("time", "length", "priority");
        }
    }

    /** The path of the server's program, installed by npm into the build folder. */
    private static Path install() throws Exception {
        Path modules = Path.of("target/language-server").toAbsolutePath();
        Path program = modules.resolve("node_modules/yaml-language-server/bin/yaml-language-server");
        if (!Files.exists(program)) {
            Process npm = new ProcessBuilder(
                            "npm", "install", "--silent", "--no-save", "--prefix", modules.toString(), VERSION)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(npm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(npm.waitFor()).as(output).isZero();
        }
        return program;
    }

    /** A client of the Language Server Protocol. */
    private static final class Editor implements AutoCloseable {
        private final Process server;
        private final InputStream in;
        private final OutputStream out;
        private final String folder;
        private int requests;

        Editor(Path program, Path folder) throws IOException {
            server = new ProcessBuilder("node", program.toString(), "--stdio")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            in = new BufferedInputStream(server.getInputStream());
            out = server.getOutputStream();
            this.folder = folder.toUri().toString();
        }

        void open(String text) throws IOException {
            request(
                    "initialize",
                    Map.of("processId", ProcessHandle.current().pid(), "rootUri", folder, "capabilities", Map.of()));
            notify("initialized", Map.of());
            notify(
                    "workspace/didChangeConfiguration",
                    Map.of("settings", Map.of("yaml", Map.of("validate", true, "completion", true))));
            notify(
                    "textDocument/didOpen",
                    Map.of("textDocument", Map.of("uri", uri(), "languageId", "yaml", "version", 1, "text", text)));
        }

        private String uri() {
            return folder + "flows.yaml";
        }

        /** The keys that are offered at a position, counted from 0. */
        List<String> complete(int line, int column) throws IOException {
            JsonNode answer = request(
                    "textDocument/completion",
                    Map.of(
                            "textDocument",
                            Map.of("uri", uri()),
                            "position",
                            Map.of("line", line, "character", column)));
            List<String> labels = new ArrayList<>();
            answer.at("/result/items")
                    .forEach(item -> labels.add(item.path("label").asString()));
            return labels;
        }

        private JsonNode request(String method, Object params) throws IOException {
            int id = ++requests;
            send(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", params));
            return await(message -> message.path("id").asInt(-1) == id && !message.has("method"));
        }

        private void notify(String method, Object params) throws IOException {
            send(Map.of("jsonrpc", "2.0", "method", method, "params", params));
        }

        private void send(Object message) throws IOException {
            byte[] body = EditorSchema.JSON.writeValueAsBytes(message);
            out.write(("Content-Length: " + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            out.flush();
        }

        /** Reads messages until one fits. Answers requests of the server, which asks for its configuration. */
        JsonNode await(Predicate<JsonNode> fits) throws IOException {
            while (true) {
                JsonNode message = read();
                if (message.has("id") && message.has("method")) {
                    boolean asksConfiguration =
                            message.path("method").asString().equals("workspace/configuration");
                    int items = message.at("/params/items").size();
                    send(Map.of(
                            "jsonrpc",
                            "2.0",
                            "id",
                            message.get("id"),
                            "result",
                            asksConfiguration ? Collections.nCopies(items, Map.of()) : List.of()));
                }
                if (fits.test(message)) {
                    return message;
                }
            }
        }

        private JsonNode read() throws IOException {
            int length = 0;
            for (String header = line(); !header.isEmpty(); header = line()) {
                if (header.startsWith("Content-Length: ")) {
                    length = Integer.parseInt(header.substring(16));
                }
            }
            return EditorSchema.JSON.readTree(in.readNBytes(length));
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new IOException("the server ended");
                }
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }

        @Override
        public void close() throws InterruptedException {
            server.destroy();
            server.waitFor();
        }
    }
}
