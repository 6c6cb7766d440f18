package dev.penstock.gateway.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.http.HttpTo;
import dev.penstock.kit.ManualTicker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of a flow file follow their files. */
class WatchedFilesTest {
    @TempDir
    Path folder;

    private final ManualTicker ticker = new ManualTicker();
    private Path token;
    private GatewayConfig config;

    @BeforeEach
    void read() throws Exception {
        token = Files.writeString(folder.resolve("token"), "first\n");
        config = config("Bearer ${file:token} ${NAME}");
    }

    private GatewayConfig config(String header) throws Exception {
        Path file = Files.writeString(
                folder.resolve("f.yaml"),
                Written.FLOW.replace("v1\" }", "v1\", headers: { Authorization: \"" + header + "\" } }"));
        return FlowFile.read(file, Map.of("NAME", "x")::get, ticker).config();
    }

    private Secret secret() {
        return Objects.requireNonNull(
                ((HttpTo) config.flows().getFirst().to()).headers().get("Authorization"));
    }

    private String header() {
        return secret().get();
    }

    private String headerAfter(Duration time) {
        ticker.advance(time);
        return header();
    }

    @Test
    void aSecretFollowsItsFileWithinASecond() throws Exception {
        Files.writeString(token, "second one");
        assertThat(headerAfter(Duration.ofMillis(999))).isEqualTo("Bearer first x");
        assertThat(headerAfter(Duration.ofMillis(1))).isEqualTo("Bearer second one x");
        assertThat(config.files().news()).containsExactly(token + " was read again");
        assertThat(config.files().news()).isEmpty();
    }

    @Test
    void onlyASecretOfAFileChanges() throws Exception {
        assertThat(secret().changes()).isTrue();
        config = config("Bearer ${NAME}");
        assertThat(secret().changes()).isFalse();
        config = config("Bearer x");
        assertThat(secret().changes()).isFalse();
    }

    /** As Kubernetes replaces a secret: the file is a link, and what it names is replaced. */
    @Test
    void aSecretFollowsALink() throws Exception {
        Files.createDirectory(folder.resolve("v1"));
        Files.createDirectory(folder.resolve("v2"));
        Files.writeString(folder.resolve("v1/token"), "a");
        Files.writeString(folder.resolve("v2/token"), "b");
        Path link = Files.createSymbolicLink(folder.resolve("data"), Path.of("v1"));
        config = config("${file:data/token}");
        assertThat(header()).isEqualTo("a");
        Files.delete(link);
        Files.createSymbolicLink(link, Path.of("v2"));
        assertThat(headerAfter(Duration.ofSeconds(1))).isEqualTo("b");
    }

    @Test
    void theLastValueStaysInForceAndIsReportedOnce() throws Exception {
        String report = token + " changed, and its last content stays in force, because it ";
        Files.delete(token);
        assertThat(headerAfter(Duration.ofSeconds(1))).isEqualTo("Bearer first x");
        assertThat(headerAfter(Duration.ofSeconds(1))).isEqualTo("Bearer first x");
        assertThat(config.files().news()).containsExactly(report + "does not exist any more");
        for (String unusable : new String[] {"", "\n"}) {
            Files.writeString(token, unusable);
            assertThat(headerAfter(Duration.ofSeconds(1))).isEqualTo("Bearer first x");
        }
        assertThat(config.files().news())
                .containsExactly(report
                        + "cannot be used: the file \"token\" of a placeholder is empty; write the value into it");
        Files.writeString(token, "two\nlines");
        assertThat(headerAfter(Duration.ofSeconds(1))).isEqualTo("Bearer first x");
        assertThat(config.files().news()).containsExactly(report + "has a value that is not valid here; correct it");
        Files.writeString(token, "third");
        ticker.advance(Duration.ofSeconds(1));
        assertThat(config.files().news()).containsExactly(token + " was read again");
        assertThat(header()).isEqualTo("Bearer third x");
    }

    @Test
    void anUnusedFileIsCheckedWhenNewsAreAsked() throws Exception {
        Files.delete(token);
        ticker.advance(Duration.ofSeconds(1));
        assertThat(config.files().news()).hasSize(1);
    }

    @Test
    void warnsOfASecretThatOthersCanRead() throws Exception {
        Path file = folder.resolve("f.yaml");
        assertThat(FlowFile.read(file, name -> "x").warnings()).isEmpty();
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(FlowFile.read(file, name -> "x").warnings())
                .containsExactly(file + ": warning: a secret is in " + token
                        + ", which other users can read; chmod 600 " + token);
    }

    @Test
    void aFlowFileNamesAThousandFilesAtMost() throws Exception {
        StringBuilder headers = new StringBuilder();
        for (int i = 0; i < 1_001; i++) {
            headers.append(", X-").append(i).append(": \"${file:token}\"");
        }
        String yaml = Written.FLOW.replace("v1\" }", "v1\", headers: {" + headers.substring(1) + " } }");
        assertThat(new Written(folder).errors(yaml))
                .singleElement()
                .asString()
                .endsWith(
                        "'to.http.headers.X-1000' names a file that cannot be used; is one too many; a flow file can name 1000");
    }
}
