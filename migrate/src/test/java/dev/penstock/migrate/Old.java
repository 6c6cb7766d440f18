package dev.penstock.migrate;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.file.FlowFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;

/** A properties file of the SDK for one test, {@code cybs.properties} in its folder. */
record Old(Path folder) {
    /** The 10 lines that the SDK requires with a pool. */
    static final String POOLED = """
            targetAPIVersion=1.164
            useHttpClientWithConnectionPool=true
            maxConnections=900
            defaultMaxConnectionsPerRoute=800
            maxConnectionsPerRoute=700
            connectionRequestTimeoutMs=1100
            evictThreadSleepTimeMs=3100
            maxKeepAliveTimeMs=301000
            connectionTimeoutMs=5100
            socketTimeoutMs=131000
            """;

    /** A file with a pool and more lines; the last line of a name counts. */
    String pooled(String more) throws BadConfig {
        return yaml(POOLED + more);
    }

    /** The flow file without the numbers of lines, which {@link RealFilesTest} checks. */
    String yaml(String properties) throws BadConfig {
        return SettingsImport.flowFile(write("cybs.properties", properties.getBytes(StandardCharsets.ISO_8859_1)))
                .replaceAll(" \\(line \\d+\\)", "");
    }

    List<String> errors(String properties) {
        BadConfig bad = Assertions.catchThrowableOfType(BadConfig.class, () -> yaml(properties));
        return bad.lines().stream()
                .map(line -> line.replace(folder.resolve("cybs.properties").toString(), "cybs.properties"))
                .toList();
    }

    /** Reads a flow file back. */
    FlowFile read(String yaml) throws BadConfig {
        return FlowFile.read(
                write("flows.yaml", yaml.getBytes(StandardCharsets.UTF_8)),
                Map.of("PROXY_PASSWORD", "pass", "SERVER_URL", "https://gw.example/v1?k=v")::get);
    }

    /** The one flow generated from a file with a pool and more lines. */
    FlowConfig flow(String more) throws BadConfig {
        return read(pooled(more)).config().flows().getFirst();
    }

    private Path write(String name, byte[] bytes) {
        try {
            return Files.write(folder.resolve(name), bytes);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }
}
