package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code penstock key new}. */
class KeyCommandTest {
    private static final String KEY = "for the caller:   ";
    private static final String LINE = "for the key file: ";

    @TempDir
    private Path folder;

    @Test
    void makesAKeyAndALineThatAKeyFileTakes() throws Exception {
        Ran ran = Ran.run(new KeyCommand(), "new", "shop-1");
        assertThat(ran.code()).isZero();
        List<String> lines = ran.out().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst()).matches(KEY + "shop-1\\.[A-Za-z0-9_-]{43}");
        assertThat(lines.getLast()).matches(LINE + "shop-1 [0-9a-f]{64}");
        assertThat(Ran.run(new KeyCommand(), "new", "shop-1").out()).isNotEqualTo(ran.out());

        Path keys =
                Files.writeString(folder.resolve("keys.txt"), lines.getLast().substring(LINE.length()) + " rate=5/s\n");
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
        Path file = Files.writeString(folder.resolve("flows.yaml"), """
                flows:
                  payments:
                    from: { http: { port: 8080, path: /pay, auth: { api_keys: { file: keys.txt } } } }
                    to: { http: "http://127.0.0.1:1/" }
                    callers: { rate: 100/s, concurrency: 20 }
                """);
        Ran check = Ran.run(new CheckCommand(), file.toString());
        assertThat(check.err()).isEmpty();
        assertThat(check.out())
                .containsPattern("source\\.auth +api_keys .*their names are in Penstock-Caller")
                .containsPattern("callers +rate 100/s, concurrency 20, priority 3 ");
    }

    @Test
    void aNameHasNoOtherCharacters() {
        Ran ran = Ran.run(new KeyCommand(), "new", "my shop");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("'my shop' is not a valid name; write 1 to 64 letters, digits, - and _");
    }
}
