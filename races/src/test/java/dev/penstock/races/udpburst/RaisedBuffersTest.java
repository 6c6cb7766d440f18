package dev.penstock.races.udpburst;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class RaisedBuffersTest {
    @TempDir
    private Path folder;

    private Path bound(String value) throws Exception {
        return Files.writeString(folder.resolve("rmem_max"), value + "\n");
    }

    @Test
    void raisesAndRestoresTheLimit() throws Exception {
        Path bound = bound("212992");
        try (RaisedBuffers _ = RaisedBuffers.to(73_400_320, bound)) {
            assertThat(bound).hasContent("73400320");
        }
        assertThat(bound).hasContent("212992");
    }

    @Test
    void leavesHighOrMissingLimitsAlone() throws Exception {
        Path bound = bound("100000000");
        try (RaisedBuffers _ = RaisedBuffers.to(73_400_320, bound)) {
            assertThat(bound).hasContent("100000000");
        }
        Path none = folder.resolve("none");
        RaisedBuffers.to(73_400_320, none).close();

        assertThat(bound).hasContent("100000000");
        assertThat(none).doesNotExist();
    }
}
