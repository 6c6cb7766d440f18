package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageFilesTest {
    @ParameterizedTest
    @CsvSource({
        "LICENSE, 8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
        "uPlot.iife.min.js, 19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
        "uPlot.min.css, df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
    })
    void uPlotIsAsItWasPublished(String name, String sha256) throws Exception {
        try (InputStream in = Objects.requireNonNull(PageFiles.class.getResourceAsStream("uplot/" + name))) {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(in.readAllBytes());
            assertThat(HexFormat.of().formatHex(digest)).isEqualTo(sha256);
        }
    }

    @Test
    void noFileEndsTheElementThatItStandsIn() {
        PageFiles files = PageFiles.OURS;
        assertThat(files.script() + files.guard())
                .doesNotContainIgnoringCase("</script")
                .doesNotContain("<!--");
        assertThat(files.style()).doesNotContainIgnoringCase("</style");
    }
}
