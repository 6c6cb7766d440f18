package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallMakerTest {
    private static final long SEED = 7;

    @TempDir
    private Path folder;

    @Test
    void aBodyHasTheNumberAndAnIdOfItsTransaction() {
        String body = http("{\"id\": \":id\", \"n\": :n}", 41);
        String id = body.substring(8, 44);

        assertThat(body).isEqualTo("{\"id\": \"" + id + "\", \"n\": 41}");
        assertThat(UUID.fromString(id).version()).isEqualTo(4);
        assertThat(http(":id", 41)).isEqualTo(id).isNotEqualTo(http(":id", 42));
        assertThat(CallMaker.messages("payment :n", SEED).apply(5).text()).isEqualTo("payment 5");
    }

    @Test
    void partsOfLongerWordsStayAsTheyAre() {
        for (String body : List.of("<p:id>5</p:id>", "{\"a\":null}", "urn:id:7", "9:n", ":name", ":id-2")) {
            assertThat(http(body, 1)).isEqualTo(body);
        }
    }

    @Test
    void aFileOfAnyBytesKeepsThem() throws Exception {
        byte[] bytes = {(byte) 0xFF, 0, (byte) 0xC3, ' ', ':', 'n'};
        Path file = Files.write(folder.resolve("body"), bytes);

        assertThat(CallMaker.of(null, "/", "@" + file, List.of(), SEED).apply(3).body())
                .containsExactly(0xFF, 0, 0xC3, ' ', '3');
    }

    private static String http(String body, long number) {
        return new String(
                CallMaker.of(null, "/", body, List.of(), SEED).apply(number).body(), StandardCharsets.UTF_8);
    }
}
